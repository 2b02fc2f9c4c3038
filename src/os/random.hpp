// SPDX-License-Identifier: MIT
// Random bytes of the system.
#pragma once

#include <cstddef>

namespace affix::inline v0::os {

/// At most 256 bytes. False: the system has none, and the memory is as it was.
[[nodiscard]] bool fill_randomly(void* memory, std::size_t bytes) noexcept;

}  // namespace affix::inline v0::os
