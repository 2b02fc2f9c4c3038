// SPDX-License-Identifier: MIT
// getentropy(), which Linux and macOS have.
#include "os/random.hpp"

#include <sys/random.h>
#include <unistd.h>

namespace affix::inline v0::os {

bool fill_randomly(void* memory, std::size_t bytes) noexcept {
  return ::getentropy(memory, bytes) == 0;
}

}  // namespace affix::inline v0::os
