// SPDX-License-Identifier: MIT
// The port that the kernel assigned to this process's last bind().
#pragma once

namespace interop {

/// 0 before the first bind.
int last_bound_port() noexcept;

}  // namespace interop
