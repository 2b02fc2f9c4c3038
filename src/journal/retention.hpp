// SPDX-License-Identifier: MIT
// Decides which of a journal's segments need not be kept. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/options.hpp"

#include "journal/segment_files.hpp"
#include "journal/spare_file.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>

namespace affix::inline v0::journal {

/// True if `options` let any segment be removed.
[[nodiscard]] constexpr bool retains_part(const Options& options) noexcept {
  return options.keep_ns != 0 || options.keep_bytes != 0 || options.keep_days != 0;
}

/// Limits of one pass.
struct LettingGo {
  std::uint32_t keep_from = 0;  ///< Segments from this number on stay, whatever the options say.
  std::int64_t utc_ns = 0;
  std::size_t segment_bytes = 0;  ///< Files of this length can be reused.
  SpareFile& spare;               ///< Takes such a file.
};

/// Removes or archives the oldest segments that the options do not keep, oldest first and without
/// leaving a gap. Stops at the first that cannot be moved; removes none if one cannot be looked at.
[[nodiscard]] std::expected<void, base::Error> let_go_of_oldest(const SegmentFiles& files,
                                                                const Options& options,
                                                                const LettingGo& now);

}  // namespace affix::inline v0::journal
