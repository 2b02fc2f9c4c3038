// SPDX-License-Identifier: MIT
// A pipe that no other program inherits.
#pragma once

#include "affix/os/file_descriptor.hpp"

namespace affix::inline v0::os {

/// Both ends, which are closed with it.
struct Pipe {
  FileDescriptor read_end;   ///< For reading.
  FileDescriptor write_end;  ///< For writing.
};

/// Not open: errno has the error.
[[nodiscard]] Pipe make_pipe() noexcept;

}  // namespace affix::inline v0::os
