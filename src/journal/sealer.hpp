// SPDX-License-Identifier: MIT
// Flushes earlier segments of a journal whose appends are not flushed, one at a time and late, when
// the system has written most of their pages by itself. After a power loss only the last few must
// be read. Private to journal.
#pragma once

#include "affix/base/error.hpp"

#include "journal/segment_files.hpp"

#include <cstdint>
#include <expected>

namespace affix::inline v0::journal {

/// For one thread at a time, which prepares.
class Sealer {
 public:
  /// Number of segments at the end that are not sealed: the one in use, the one before it, in which
  /// processed marks are set, and one being written.
  static constexpr std::uint32_t left_alone = 3;

  /// Outcome of seal_next().
  enum class Sealed : std::uint8_t {
    Nothing,    ///< All segments that it seals are sealed.
    One,        ///< One was sealed, the last for now.
    OneOfMore,  ///< One was sealed, and another waits.
  };

  /// Seals the oldest segment that is not, and begins to write the following ones; those from
  /// `current` - 2 on are left alone. After an error the next call tries the same segment.
  [[nodiscard]] std::expected<Sealed, base::Error> seal_next(const SegmentFiles& files,
                                                             std::uint32_t current);

  /// The oldest segment whose state does not say that it is on the disk; 0: not determined yet.
  [[nodiscard]] std::uint32_t next() const noexcept { return next_; }

 private:
  std::uint32_t next_ = 0;
  std::uint32_t writing_from_ = 0;  // Writing of the segments before it to the disk has begun.
};

}  // namespace affix::inline v0::journal
