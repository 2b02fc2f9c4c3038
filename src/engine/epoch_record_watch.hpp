// SPDX-License-Identifier: MIT
// When the record of an epoch has come to the disk. Writes nothing.
#pragma once

#include "affix/base/time.hpp"
#include "affix/journal/copying.hpp"
#include "affix/replication/member.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace affix::inline v0::engine {

/// Looks whether the record of an epoch has come to the disk, in one of the journals that this node
/// leads with. The control thread's.
class EpochRecordWatch {
 public:
  /// Journals with this one's directory are led from now on.
  void look_in(const std::string& directory) { directory_ = directory; }

  /// The next look is soon again.
  void begin() noexcept { pause_ns_ = first_pause_ns; }

  void end() noexcept { due_ns_ = replication::never_ns; }

  /// Steady time of the next look; never_ns: none is needed.
  [[nodiscard]] std::int64_t due_ns() const noexcept { return due_ns_; }

  /// True: the journal has `epoch` on the disk, and no further look is needed. Reads a segment, so
  /// that each pause is twice the one before: a disk that has refused the record may do so for
  /// long.
  [[nodiscard]] bool look(std::uint64_t epoch, std::int64_t now_ns) {
    const bool holds = journal::newest_epoch(directory_).value_or(0) >= epoch;
    due_ns_ = holds ? replication::never_ns : now_ns + pause_ns_;
    pause_ns_ = std::min(pause_ns_ * 2, pause_max_ns);
    return holds;
  }

 private:
  static constexpr std::int64_t first_pause_ns = 100 * base::ns_per_ms;
  static constexpr std::int64_t pause_max_ns = 30 * base::ns_per_second;

  std::string directory_;
  std::int64_t due_ns_ = replication::never_ns;
  std::int64_t pause_ns_ = 0;
};

}  // namespace affix::inline v0::engine
