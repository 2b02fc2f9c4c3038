// SPDX-License-Identifier: MIT
// Blocks of open files: allocated, flushed, and dropped from the system's cache. Functions that
// return an int return 0 or an error number.
#pragma once

#include <cstdint>

namespace affix::inline v0::os {

/// Allocates blocks for `bytes` from `from` on, and makes the file at least as long as their end;
/// what it has stays. A store into a mapping of them then needs no space.
[[nodiscard]] int allocate_blocks(int file, std::uint64_t from, std::uint64_t bytes) noexcept;

/// Returns when the contents are on the disk, and what is needed to find them: beyond the disk's
/// own cache where the system can do that. Not the times of the file.
[[nodiscard]] int flush_contents(int file) noexcept;

/// The same, with all that the system knows of the file. For directories too.
[[nodiscard]] int flush_all(int file) noexcept;

/// Starts to write that part to the disk, and does not wait. Does nothing where the system has no
/// such call.
void begin_flush(int file, std::uint64_t from, std::uint64_t bytes) noexcept;

/// Drops that part from the system's cache, as far as it is on the disk. A hint.
void drop_cached(int file, std::uint64_t from, std::uint64_t bytes) noexcept;

/// Reads of this descriptor bring in what they need and nothing after it. A hint.
void expect_single_reads(int file) noexcept;

}  // namespace affix::inline v0::os
