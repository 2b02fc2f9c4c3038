// SPDX-License-Identifier: MIT
// Reads a whole file into memory, up to a limit.
#pragma once

#include "affix/base/error.hpp"
#include "affix/os/file_descriptor.hpp"

#include <cstddef>
#include <expected>
#include <string>

namespace affix::inline v0::os {

/// Reads the file at `path` to its end, of whatever kind it is: a pipe until its writers have
/// closed it, a growing file as far as it is written by then. Errors: the system's, with `path` as
/// their place; of a directory "read: Is a directory"; Limit: it has more than `bytes_max` bytes.
/// Waits for the disk; allocates. Any thread.
[[nodiscard]] std::expected<std::string, base::Error> read_file(const std::string& path,
                                                                std::size_t bytes_max);

/// The same for an open file, from its position to its end, for callers who open it differently or
/// have error texts of their own. Errors are numbers of errno: EISDIR: it is a directory; EFBIG: it
/// has more than `bytes_max` bytes. A text that fits the size which the file has at the call was
/// never copied in memory.
[[nodiscard]] std::expected<std::string, int> read_open_file(const FileDescriptor& file,
                                                             std::size_t bytes_max);

}  // namespace affix::inline v0::os
