// SPDX-License-Identifier: MIT
// Questions that every reader of a file which an engine keeps up to date asks.
#pragma once

#include "affix/base/error.hpp"

#include <fcntl.h>
#include <string>

namespace affix::inline v0::counters {

/// True: an engine holds its lock on the file, which it does as long as it lives. This query takes
/// none. A system call.
[[nodiscard]] inline bool is_held(int file) noexcept {
  struct ::flock lock{};
  lock.l_type = F_WRLCK;
  return ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

[[nodiscard]] inline base::Error refusal(const std::string& path, base::ErrorCode code,
                                         const char* text, base::MessageCode message_code) {
  return {code, text, path, message_code};
}

}  // namespace affix::inline v0::counters
