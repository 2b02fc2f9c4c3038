// SPDX-License-Identifier: MIT
// The port that this process's last bind() was given by the kernel.
#pragma once

namespace interop {

/// 0 before the first bind.
int last_bound_port() noexcept;

}  // namespace interop
