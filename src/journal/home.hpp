// SPDX-License-Identifier: MIT
// What a journal holds besides the hot members of its class: where it lives, and what every
// segment's header repeats. Private to journal.
#pragma once

#include "affix/journal/format.hpp"
#include "affix/journal/journal.hpp"

#include "journal/gate.hpp"
#include "journal/memory_ring.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"
#include "journal/summary.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace affix::inline v0::journal {

struct Journal::Home {
  std::optional<SegmentFiles> files;  ///< Nothing with Durability::Memory.
  std::unique_ptr<MemoryRing> ring;   ///< Null unless Durability::Memory.
  BootId boot;
  SummaryWriter summary;      ///< Open unless Durability::Memory.
  bool numbers_lost = false;  ///< Until the event that says so is appended: states have the flag.

  std::uint32_t named_on_disk = 0;  ///< Segment whose file's name a power loss leaves, as the
                                    ///< reserve in it must be found.

  // While preparing_ is held.
  std::uint32_t seal_at = 0;     ///< The oldest segment that does not say that it is on the disk;
                                 ///< 0: not looked for yet.
  std::uint32_t writing_at = 0;  ///< Those before it are on their way to the disk.

  // The flushing thread's own, behind flushing_.
  Segment* flushed = nullptr;        ///< Where durable() is. One reference.
  std::size_t flushed_offset = 0;    ///< Its records before it are on the disk.
  std::size_t released_offset = 0;   ///< Its pages before it were given back.
  std::int64_t state_stored_ns = 0;  ///< Steady time at which its state was last stored.
  bool flush_again = false;          ///< The last flush failed.
  std::uint32_t unsealed = 0;        ///< The oldest segment that is flushed and whose marks nobody
                                     ///< has vouched for; 0: none.

  std::vector<Position> left_late;  ///< Late marks of an earlier process; for set_late_marks().

  format::Header header{};  ///< Identity, journal id and flags; the rest is filled in per segment.
};

}  // namespace affix::inline v0::journal
