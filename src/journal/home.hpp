// SPDX-License-Identifier: MIT
// What a journal holds besides the hot members of its class: where it lives, and what every
// segment's header repeats. Private to journal.
#pragma once

#include "affix/journal/format.hpp"
#include "affix/journal/journal.hpp"

#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <optional>
#include <vector>

namespace affix::inline v0::journal {

struct Journal::Home {
  std::optional<SegmentFiles> files;  ///< Nothing with Durability::Memory.
  std::vector<Segment*>
      ring;  ///< Durability::Memory: the segments, used in turn. One reference each.
  BootId boot;
  format::Header header{};  ///< Identity, journal id and flags; the rest is filled in per segment.
};

/// One thread at a time prepares. A writer that needs a segment at once waits here for one being
/// made.
class PreparingGate {
 public:
  explicit PreparingGate(std::atomic_flag& flag) noexcept : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
      flag_.wait(true, std::memory_order_relaxed);
    }
  }

  PreparingGate(const PreparingGate&) = delete;
  PreparingGate& operator=(const PreparingGate&) = delete;

  ~PreparingGate() {
    flag_.clear(std::memory_order_release);
    flag_.notify_one();
  }

 private:
  std::atomic_flag& flag_;
};

}  // namespace affix::inline v0::journal
