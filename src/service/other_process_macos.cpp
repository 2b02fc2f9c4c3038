// SPDX-License-Identifier: MIT
// By its number alone: macOS has no descriptors of processes, and no signals with a value.
#include "service/other_process.hpp"

#include <csignal>

namespace affix::inline v0::service {

OtherProcess::OtherProcess(pid_t number) noexcept
    : number_(number), has_gone_(number != 0 && ::kill(number, 0) != 0) {}

bool OtherProcess::has_ended() const noexcept {
  return number_ == 0 || has_gone_ || ::kill(number_, 0) != 0;
}

void OtherProcess::signal(int signal, std::optional<int> value) const noexcept {
  if (number_ != 0 && !has_gone_ && !value) {
    static_cast<void>(::kill(number_, signal));
  }
}

}  // namespace affix::inline v0::service
