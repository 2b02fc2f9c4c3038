// SPDX-License-Identifier: MIT
// Advice of a process about pages of its mappings. `begin` and `end` are multiples of the page
// size.
#pragma once

#include <cstddef>

namespace affix::inline v0::os {

/// Page size of the system. A system call on some systems.
[[nodiscard]] std::size_t page_bytes() noexcept;

/// Takes the pages of a file's mapping out of the process; their contents stay in the file, and a
/// later use brings them back. Of a private mapping of a file: forgets what was written to it.
void leave_pages(void* begin, std::size_t bytes) noexcept;

/// Gives the memory of the whole anonymous pages in this part back to the system; a later use finds
/// zeros there. They stay as they are if the system refuses. Of any begin and size.
void empty_pages(void* begin, std::size_t bytes) noexcept;

/// Asks for huge pages, or for none. Does nothing on systems without such advice.
void ask_for_huge_pages(void* begin, std::size_t bytes, bool huge) noexcept;

/// Reads only what is used, and nothing ahead of it.
void expect_single_pages(void* begin, std::size_t bytes) noexcept;

/// Starts to read pages of a file from the disk.
void read_pages_ahead(void* begin, std::size_t bytes) noexcept;

/// Bytes from `begin` on whose pages are all in memory, of a mapping of a file; 0 if the system
/// does not say.
[[nodiscard]] std::size_t present_bytes(void* begin, std::size_t bytes) noexcept;

/// Makes pages present without a fault each, for reading or for writing. Returns 0, EINVAL if the
/// system has no such call, or another error number. Waits for the disk.
[[nodiscard]] int make_pages_readable(void* begin, std::size_t bytes) noexcept;
[[nodiscard]] int make_pages_writable(void* begin, std::size_t bytes) noexcept;

/// Keeps anonymous pages in memory from their first use on; where the system cannot wait for that,
/// from now on. Returns 0 or an error number.
[[nodiscard]] int lock_pages_when_used(void* begin, std::size_t bytes) noexcept;

}  // namespace affix::inline v0::os
