// SPDX-License-Identifier: MIT
// Distinguishes the ids of one run from those of another.
#include "process/run_prefix.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::tools {

std::string run_prefix() {
  constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string prefix;
  for (std::int64_t rest = os::read_clock_ns(CLOCK_REALTIME) / base::ns_per_second; rest != 0;
       rest /= 36) {
    prefix.insert(prefix.begin(), digits[static_cast<std::size_t>(rest % 36)]);
  }
  return prefix + "-";
}

}  // namespace affix::inline v0::tools
