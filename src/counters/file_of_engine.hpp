// SPDX-License-Identifier: MIT
// Questions that every reader of a file which an engine keeps up to date asks.
#pragma once

#include "affix/base/error.hpp"

#include "os/file_lock.hpp"

#include <string>

namespace affix::inline v0::counters {

/// True: an engine holds its lock on the file, which it does as long as it lives. This query takes
/// none. A system call.
[[nodiscard]] inline bool is_held(int file) noexcept {
  return os::is_locked(file);
}

[[nodiscard]] inline base::Error refusal(const std::string& path, base::ErrorCode code,
                                         const char* text, base::MessageCode message_code) {
  return {code, text, path, message_code};
}

}  // namespace affix::inline v0::counters
