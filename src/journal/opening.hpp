// SPDX-License-Identifier: MIT
// A journal being opened, alone or with others. Between the steps, the caller brings to the disk
// what the next step requires there. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/journal.hpp"

#include "journal/recovery.hpp"
#include "journal/segment.hpp"

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace affix::inline v0::journal {

/// Error of opening a copy in a directory without a journal.
[[nodiscard]] base::Error no_copy_in(const std::string& directory);

/// find_or_begin(), the first segment to the disk, make_usable(), begin and name to the disk,
/// finish_opening().
struct Journal::Opening {
  using Result = std::expected<void, base::Error>;

  std::unique_ptr<Journal> journal;     ///< Null after a failure.
  std::optional<base::Error> failure;   ///< Reason why it is not opened.
  Recovery recovery;                    ///< Of find_or_begin().
  std::optional<UnnamedSegment> first;  ///< Of a new journal, until make_usable().
  std::size_t file_system = 0;          ///< Which of the file systems that it is opened with.

  /// False if it is kept in memory, where no step is left.
  [[nodiscard]] bool in_files() const noexcept { return !journal->in_memory(); }

  /// True if the first segment must be on the disk before it is named.
  [[nodiscard]] bool wants_first_on_disk() const noexcept;

  /// True if begin and name of the segment in use must be on the disk before any append.
  [[nodiscard]] bool wants_name_on_disk() const noexcept;

  /// Both steps for this journal alone.
  [[nodiscard]] Result bring_first() { return first->sync(); }

  [[nodiscard]] Result bring_name() { return journal->bring_begin_and_name(*this); }
};

}  // namespace affix::inline v0::journal
