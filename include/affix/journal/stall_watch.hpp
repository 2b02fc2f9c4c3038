// SPDX-License-Identifier: MIT
// Interface for observing when a journal makes its writer wait.
#pragma once

#include <cstdint>

namespace affix::inline v0::journal {

/// The appending thread calls it around everything in an append that makes a system call or
/// waits for another thread: unprepared pages or segments, and writing to the disk when a
/// mirror is full. Calls are not nested. An append that finds everything prepared makes no
/// call.
class StallWatch {
 public:
  virtual ~StallWatch() = default;

  /// The append is about to wait.
  virtual void on_stall_begin() noexcept = 0;

  /// The append continues.
  virtual void on_stall_end() noexcept = 0;
};

/// Appends that stalled, and their observer.
struct Stalls {
  std::uint64_t count = 0;      ///< Since the journal was opened.
  StallWatch* watch = nullptr;  ///< Null: there is none.
};

}  // namespace affix::inline v0::journal
