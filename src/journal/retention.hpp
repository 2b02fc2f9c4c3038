// SPDX-License-Identifier: MIT
// Which of a journal's segments need not be kept any longer. Private to journal.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/options.hpp"

#include "journal/segment_files.hpp"

#include <cstdint>
#include <expected>

namespace affix::inline v0::journal {

/// Whether `options` let any segment go at all.
[[nodiscard]] constexpr bool retains_part(const Options& options) noexcept {
  return options.keep_ns != 0 || options.keep_bytes != 0 || options.keep_days != 0;
}

/// Removes or archives the oldest segments before number `keep_from` that the options do not keep,
/// oldest first and without leaving a gap. Stops at the first that cannot be moved.
[[nodiscard]] std::expected<void, base::Error> let_go_of_oldest(const SegmentFiles& files,
                                                                const Options& options,
                                                                std::uint32_t keep_from,
                                                                std::int64_t utc_ns);

}  // namespace affix::inline v0::journal
