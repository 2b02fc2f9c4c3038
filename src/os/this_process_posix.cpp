// SPDX-License-Identifier: MIT
// Counts the descriptors in the system's folder of them.
#include "affix/os/this_process.hpp"

#include "os/descriptor_folder.hpp"

#include <filesystem>
#include <sys/resource.h>
#include <system_error>

namespace affix::inline v0::os {

std::optional<std::size_t> open_descriptors() {
  std::error_code error;
  std::size_t count = 0;
  for (auto entry = std::filesystem::directory_iterator(descriptor_folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    ++count;
  }
  // Without the iterator's own.
  return error || count == 0 ? std::nullopt : std::optional(count - 1);
}

std::optional<std::size_t> descriptors_max() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace affix::inline v0::os
