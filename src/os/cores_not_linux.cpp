// SPDX-License-Identifier: MIT
// Processors of a system on which this engine pins no threads.
#include "os/cores.hpp"

#include <algorithm>
#include <numeric>
#include <thread>

namespace affix::inline v0::os {

std::size_t allowed_processors() noexcept {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

std::vector<std::int64_t> physical_cores() {
  std::vector<std::int64_t> cores(allowed_processors());
  std::iota(cores.begin(), cores.end(), std::int64_t{0});
  return cores;
}

bool pin_this_thread(std::int64_t core) noexcept {
  return core < 0;
}

bool can_pin_to(std::int64_t core) noexcept {
  return core < 0;
}

}  // namespace affix::inline v0::os
