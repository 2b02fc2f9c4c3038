// SPDX-License-Identifier: MIT
// A file in memory.
#include "os/nameless_file.hpp"

#include <sys/mman.h>

namespace affix::inline v0::os {

FileDescriptor make_nameless_file(const char* label) noexcept {
  return FileDescriptor(::memfd_create(label, MFD_CLOEXEC));
}

std::string path_of_descriptor(int file) {
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace affix::inline v0::os
