// SPDX-License-Identifier: MIT
// A journal on its way to be opened, alone or with others. Between its steps stands what has to be
// on the disk before the next. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/journal.hpp"

#include "journal/recovery.hpp"
#include "journal/segment.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>

namespace affix::inline v0::journal {

/// find_or_begin(), the first segment to the disk, make_usable(), begin and name to the disk,
/// finish_opening().
struct Journal::Opening {
  using Result = std::expected<void, base::Error>;

  std::unique_ptr<Journal> journal;     ///< Null where there is a failure.
  std::optional<base::Error> failure;   ///< Why it is not opened.
  Recovery recovery;                    ///< Of find_or_begin().
  std::optional<UnnamedSegment> first;  ///< Of a new journal, until make_usable().
  std::size_t file_system = 0;          ///< Which one of those that it is opened with.

  /// Unless it is kept in memory, where nothing is left to do.
  [[nodiscard]] bool in_files() const noexcept { return !journal->in_memory_; }

  /// Whether the first segment has to be on the disk before it has its name.
  [[nodiscard]] bool wants_first_on_disk() const noexcept;

  /// Whether begin and name of the segment in use have to be there before anything is appended.
  [[nodiscard]] bool wants_name_on_disk() const noexcept;

  /// The two, for this one alone.
  [[nodiscard]] Result bring_first() { return first->sync(); }

  [[nodiscard]] Result bring_name() { return journal->bring_begin_and_name(*this); }
};

}  // namespace affix::inline v0::journal
