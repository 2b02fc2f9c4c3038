// SPDX-License-Identifier: MIT
// Checks standard output at the end of a program.
#include "process/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace affix::inline v0::tools {

int status_with_output(int status, const char* program) noexcept {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int fault = errno;
  if (flushed && std::ferror(stdout) == 0) {
    return status;
  }
  if (::fcntl(STDOUT_FILENO, F_GETFD) == -1) {
    return status;
  }
  // An earlier write may have failed, and its reason is no longer known.
  std::fprintf(stderr, "%s: standard output could not be written%s%s [E115]\n", program,
               flushed ? "" : ": ", flushed ? "" : std::strerror(fault));
  return status == 0 ? output_status : status;
}

}  // namespace affix::inline v0::tools
