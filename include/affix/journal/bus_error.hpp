// SPDX-License-Identifier: MIT
// What happens when a page of a mapped file cannot be had: somebody cut the file, or the disk
// cannot read it. The kernel then sends SIGBUS, which ends the process unless a program asks for
// this.
#pragma once

#include "affix/base/error.hpp"

#include <expected>

namespace affix::inline v0::journal {

/// From here on a page of a journal that the system cannot give becomes an empty one, and that
/// journal fails: its appends answer Failed until it is opened again, and its session ends with a
/// reason. Of a file of counters such a page counts on, unseen from outside. A SIGBUS from anywhere
/// else goes to the handler that was there before. For programs; the library never does it unasked,
/// since signals belong to the process. Once is enough; again is fine. Io: the system refused.
[[nodiscard]] std::expected<void, base::Error> install_bus_error_handler();

}  // namespace affix::inline v0::journal
