// SPDX-License-Identifier: MIT
// A file that ends with its last descriptor and mapping.
#pragma once

#include "affix/os/file_descriptor.hpp"

#include <string>

namespace affix::inline v0::os {

/// An empty file in memory, or without a name where the system has no such files. `label` is the
/// name that tools show. Not open: errno has the error.
[[nodiscard]] FileDescriptor make_nameless_file(const char* label) noexcept;

/// A path by which this process opens the file of a descriptor once more.
[[nodiscard]] std::string path_of_descriptor(int file);

}  // namespace affix::inline v0::os
