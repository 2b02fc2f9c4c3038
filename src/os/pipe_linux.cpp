// SPDX-License-Identifier: MIT
// One system call.
#include "affix/os/pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace affix::inline v0::os {

Pipe make_pipe() noexcept {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return {};
  }
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace affix::inline v0::os
