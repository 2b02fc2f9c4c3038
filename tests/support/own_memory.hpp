// SPDX-License-Identifier: MIT
// Memory use of the test's process.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace affix::support {

/// Resident bytes that belong to no file: code that runs for the first time becomes resident, too.
inline std::uint64_t own_memory_bytes() {
  constexpr std::string_view name = "RssAnon:";
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) {
      return std::strtoull(line.c_str() + name.size(), nullptr, 10) * 1024;
    }
  }
  return 0;
}

}  // namespace affix::support
