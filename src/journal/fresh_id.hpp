// SPDX-License-Identifier: MIT
// The number by which a journal's segments know each other. Private to journal.
#pragma once

#include "journal/clock.hpp"

#include <cstdint>
#include <sys/random.h>
#include <sys/types.h>

namespace affix::inline v0::journal {

/// Telling two journals apart is all it is for; the time does where the system has no randomness.
[[nodiscard]] inline std::uint64_t fresh_id() noexcept {
  std::uint64_t id = 0;
  return getrandom(&id, sizeof(id), 0) == static_cast<ssize_t>(sizeof(id))
             ? id
             : static_cast<std::uint64_t>(utc_now_ns());
}

}  // namespace affix::inline v0::journal
