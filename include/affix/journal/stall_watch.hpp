// SPDX-License-Identifier: MIT
// Who wants to know when a journal makes its writer wait.
#pragma once

namespace affix::inline v0::journal {

/// Told by the appending thread, around everything in an append that makes a system call or waits
/// for another thread: pages or a segment that nobody had made ready, and writing to the disk where
/// a mirror has no room left. One begins when the one before has ended. An append that finds
/// everything ready tells nothing.
class StallWatch {
 public:
  virtual ~StallWatch() = default;

  /// The append is about to wait.
  virtual void on_stall_begin() noexcept = 0;

  /// It goes on.
  virtual void on_stall_end() noexcept = 0;
};

}  // namespace affix::inline v0::journal
