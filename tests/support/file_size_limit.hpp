// SPDX-License-Identifier: MIT
// Simulates a full disk: while an object lives, files of this process cannot grow beyond a size,
// and the kernel refuses the same calls as on a disk without room.
#pragma once

#include <signal.h>
#include <sys/resource.h>

namespace affix::support {

/// Applies to the whole process, so one at a time; its end restores the former limit.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    // The signal that goes with the refusal would end the process.
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }

  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_{};
};

}  // namespace affix::support
