// SPDX-License-Identifier: MIT
// Two more calls: a program that another thread starts between them inherits the pipe.
#include "affix/os/pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace affix::inline v0::os {

Pipe make_pipe() noexcept {
  int ends[2];
  if (::pipe(ends) != 0) {
    return {};
  }
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  for (const int end : ends) {
    if (::fcntl(end, F_SETFD, FD_CLOEXEC) != 0) {
      return {};
    }
  }
  return pipe;
}

}  // namespace affix::inline v0::os
