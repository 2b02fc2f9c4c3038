// SPDX-License-Identifier: MIT
// A shell in a process group of its own, so that a command that hangs can be ended as a whole.
#include "certify/shell.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "os/child_process.hpp"

#include <chrono>
#include <optional>
#include <thread>

namespace affix::inline v0::certify {

namespace {

/// The end of a child is no event of a descriptor on every system.
constexpr std::chrono::milliseconds look_every{10};

}  // namespace

std::string run_command(const std::string& command, std::int64_t within_ns) {
  auto shell = os::ChildProcess::start({"/bin/sh", "-c", command});
  if (!shell) {
    return shell.error().sentence();
  }
  const std::int64_t deadline_ns = os::now().steady_ns + within_ns;
  std::optional<os::ChildProcess::End> end;
  while (!(end = shell->end())) {
    if (os::now().steady_ns >= deadline_ns) {
      shell->kill_and_wait();
      return "'" + command + "' did not end within " +
             std::to_string(within_ns / base::ns_per_second) + " s";
    }
    std::this_thread::sleep_for(look_every);
  }
  return end->in_order() ? std::string() : "'" + command + "' " + end->text();
}

}  // namespace affix::inline v0::certify
