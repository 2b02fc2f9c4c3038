// SPDX-License-Identifier: MIT
// Whether a file may be used for something else. Private to journal.
#pragma once

#include <cstddef>

namespace affix::inline v0::journal {

/// True if the file has this size and no other name, no other process has it open or mapped, and
/// its file system overwrites written blocks in place, so that a store needs no space. False where
/// the system cannot tell.
[[nodiscard]] bool is_ours_alone(int file, std::size_t bytes) noexcept;

}  // namespace affix::inline v0::journal
