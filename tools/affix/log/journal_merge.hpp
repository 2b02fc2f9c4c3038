// SPDX-License-Identifier: MIT
// Many journals read as one, by time: for showing what happened between sessions.
#pragma once

#include "affix/journal/reader.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::log {

/// Every journal directory at or below `path`, sorted: one that holds segment files is one.
[[nodiscard]] std::expected<std::vector<std::string>, base::Error> find_journals(
    const std::string& path);

/// A record and the journal it is from.
struct MergedRecord {
  journal::Record record;
  std::size_t source = 0;  ///< Index into JournalMerge::identities().
};

/// Reads several journals record by record in order of time; records of one journal stay in its
/// order.
class JournalMerge {
 public:
  /// Opens each; an error names the journal.
  [[nodiscard]] static std::expected<JournalMerge, base::Error> open(
      const std::vector<std::string>& directories);

  /// The next record, or nothing at the end. Its bytes live until the next call.
  [[nodiscard]] std::optional<MergedRecord> next();

  /// Names of the sessions, as their writers gave them.
  [[nodiscard]] const std::vector<std::string>& identities() const noexcept { return identities_; }

  /// Journals that could not be read to their end, with the reason.
  [[nodiscard]] std::vector<base::Error> damage() const;

 private:
  struct Source {
    journal::Reader reader;
    std::optional<journal::Record> front;
  };

  std::vector<Source> sources_;
  std::vector<std::string> identities_;
  std::optional<std::size_t> taken_;  // Whose front was given out last.
};

}  // namespace affix::inline v0::tools::log
