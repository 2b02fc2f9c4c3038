// SPDX-License-Identifier: MIT
// Many sources read as one, by time: for showing what happened between sessions.
#pragma once

#include "log/source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::log {

/// Entries of one source stay in its order, and one without a time follows the one before it. Of
/// entries with the same time, those of the source added first come first. Costs O(log sources) an
/// entry.
class Merge {
 public:
  void add(std::unique_ptr<Source> source);

  /// The next entry, or nothing when no source has more now; then it may be asked again, and looks
  /// at every source once more. The entry's views live until the next call.
  [[nodiscard]] std::optional<Entry> next();

  [[nodiscard]] std::size_t size() const noexcept { return inputs_.size(); }

  /// What could not be read, of all sources.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  struct Input {
    std::unique_ptr<Source> source;
    std::optional<Entry> front;
    std::int64_t time_ns = 0;  // Of the front, or of the last one that had a time.
  };

  void advance(std::size_t input);
  [[nodiscard]] bool later(std::size_t left, std::size_t right) const noexcept;

  std::vector<Input> inputs_;
  std::vector<std::size_t> waiting_;  // A heap of those with a front, the earliest first.
  std::vector<std::size_t> dry_;      // Those that had nothing when asked last.
  std::optional<std::size_t> taken_;  // Whose front was given out last.
};

}  // namespace affix::inline v0::tools::log
