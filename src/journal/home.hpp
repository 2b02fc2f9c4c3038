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

  std::uint32_t named_on_disk = 0;  ///< Segment whose file's name a power loss leaves, as the
                                    ///< reserve in it must be found.

  // The flushing thread's own, behind flushing_.
  Segment* flushed = nullptr;        ///< Where durable() is. One reference.
  std::size_t flushed_offset = 0;    ///< Its records before it are on the disk.
  std::size_t released_offset = 0;   ///< Its pages before it were given back.
  std::int64_t state_stored_ns = 0;  ///< Steady time at which its state was last stored.
  bool flush_again = false;          ///< The last flush failed.

  format::Header header{};  ///< Identity, journal id and flags; the rest is filled in per segment.
};

/// One thread at a time prepares, and one flushes. A writer that needs a segment at once waits here
/// for one being made.
class Gate {
 public:
  explicit Gate(std::atomic_flag& flag) noexcept : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
      flag_.wait(true, std::memory_order_relaxed);
    }
  }

  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  ~Gate() {
    flag_.clear(std::memory_order_release);
    flag_.notify_one();
  }

 private:
  std::atomic_flag& flag_;
};

}  // namespace affix::inline v0::journal
