// SPDX-License-Identifier: MIT
// Cost on a disk of each way to make the pages of new segments present.
#pragma once

#include "affix/journal/new_pages.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace affix::inline v0::journal {

/// Cost of one page of 4 KiB, in nanoseconds of the preparing thread.
struct PageCosts {
  std::int64_t written_ns = 0;
  std::int64_t faulted_ns = 0;

  /// The cheaper one.
  [[nodiscard]] NewPages cheapest() const noexcept {
    return faulted_ns < written_ns ? NewPages::Faulted : NewPages::Written;
  }
};

/// Measures both with a nameless file of 256 KiB in `directory`, which is removed again. Takes 0.1
/// to 1 ms; any thread. Nullopt: the file system has no room or no nameless files, or the system
/// refuses.
[[nodiscard]] std::optional<PageCosts> measure_page_costs(const std::string& directory);

}  // namespace affix::inline v0::journal
