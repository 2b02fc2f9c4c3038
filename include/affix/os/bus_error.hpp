// SPDX-License-Identifier: MIT
// Handles the loss of a page of a mapped file: another process truncated the file, or the disk
// cannot read it. The kernel then sends SIGBUS, which ends the process unless the program installs
// this handler.
#pragma once

#include "affix/base/error.hpp"

#include <expected>

namespace affix::inline v0::os {

/// Makes an unreadable page of a journal an empty page and fails that journal: its appends return
/// Failed until it is opened again, and its session ends with a reason. For a counters file,
/// counting continues in a private page. Forwards a SIGBUS of any other address to the previous
/// handler. For programs to call; the library never does, since signals belong to the process.
/// Repeated calls do no harm. Io: a system call failed.
[[nodiscard]] std::expected<void, base::Error> install_bus_error_handler();

}  // namespace affix::inline v0::os
