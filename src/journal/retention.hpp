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
#include <vector>

namespace affix::inline v0::journal {

/// True if `options` let any segment be removed.
[[nodiscard]] constexpr bool retains_part(const Options& options) noexcept {
  return options.keep_ns != 0 || options.keep_bytes != 0 || options.keep_days != 0;
}

/// Limits of one call; `keep_from` never falls.
struct LettingGo {
  std::uint32_t keep_from = 0;  ///< Segments from this number on stay, whatever the options say.
  std::int64_t utc_ns = 0;
  std::size_t segment_bytes = 0;  ///< Files of this length can be reused.
  SpareFile& spare;               ///< Takes such a file.
};

/// For the thread that prepares.
class Retention {
 public:
  /// Removes or archives the oldest segment that the options do not keep, if there is one, without
  /// leaving a gap. One a call: each may take as long as a disk does, and the writer may come to
  /// wait for this thread. Looks at all segments when none is left of those selected before. Blocks
  /// on the disk; an error leaves the segment where it is.
  [[nodiscard]] std::expected<void, base::Error> let_go_of_oldest(const SegmentFiles& files,
                                                                  const Options& options,
                                                                  const LettingGo& now);

  /// True if segments are selected that let_go_of_oldest() has not come to.
  [[nodiscard]] bool has_more() const noexcept { return !expired_.empty(); }

 private:
  [[nodiscard]] std::expected<void, base::Error> select(const SegmentFiles& files,
                                                        const Options& options,
                                                        const LettingGo& now);
  [[nodiscard]] std::expected<void, base::Error> let_go_of_next(const SegmentFiles& files,
                                                                const Options& options,
                                                                const LettingGo& now);

  std::vector<std::uint32_t> expired_;  // Numbers, the oldest last.
};

}  // namespace affix::inline v0::journal
