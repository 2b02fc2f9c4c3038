// SPDX-License-Identifier: MIT
// A temporary file whose name is removed at once.
#include "os/nameless_file.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace affix::inline v0::os {

FileDescriptor make_nameless_file(const char* /*label*/) noexcept {
  char path[] = "/tmp/affix-XXXXXX";
  FileDescriptor file(::mkostemp(path, O_CLOEXEC));
  if (file.is_open()) {
    static_cast<void>(::unlink(path));
  }
  return file;
}

std::string path_of_descriptor(int file) {
  return "/dev/fd/" + std::to_string(file);
}

}  // namespace affix::inline v0::os
