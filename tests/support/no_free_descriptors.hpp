// SPDX-License-Identifier: MIT
// A process without free descriptors.
#pragma once

#include "affix/base/error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace affix::support {

/// While an object lives, the process can open nothing: every descriptor that is free lies above
/// its limit.
class NoFreeDescriptors {
 public:
  NoFreeDescriptors() {
    // UBSan looks at an object of a type that it has not met through a pipe, and calls the object
    // invalid where it gets none.
    static_cast<void>(base::make_system_error("open", EMFILE, {}));
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const int lowest_free = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    EXPECT_GE(lowest_free, 0);
    ::close(lowest_free);
    const rlimit none{static_cast<rlim_t>(lowest_free), before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  }

  NoFreeDescriptors(const NoFreeDescriptors&) = delete;
  NoFreeDescriptors& operator=(const NoFreeDescriptors&) = delete;

  ~NoFreeDescriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

 private:
  rlimit before_{};
};

}  // namespace affix::support
