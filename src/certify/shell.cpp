// SPDX-License-Identifier: MIT
// A child in a process group of its own, so that a command that hangs can be ended as a whole.
#include "certify/shell.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace affix::inline v0::certify {

namespace {

/// The end of a child is no event of a descriptor on every system.
constexpr int look_every_ms = 10;

/// The shell's process id; -1: errno says why there is none.
pid_t start_shell(const std::string& command) {
  const pid_t child = ::fork();
  if (child == 0) {
    // Only what is allowed in the child of a process with threads.
    ::setpgid(0, 0);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    constexpr int not_found = 127;
    ::_exit(not_found);
  }
  if (child > 0) {
    ::setpgid(child, child);  // Whoever is first: it may have to be killed at once.
  }
  return child;
}

}  // namespace

std::string run_command(const std::string& command, std::int64_t within_ns) {
  const pid_t child = start_shell(command);
  if (child < 0) {
    return std::string("fork: ") + std::strerror(errno);
  }
  const std::int64_t end = os::now().steady_ns + within_ns;
  int status = 0;
  pid_t ended = ::waitpid(child, &status, WNOHANG);
  while (ended == 0 || (ended < 0 && errno == EINTR)) {
    if (os::now().steady_ns >= end) {
      ::kill(-child, SIGKILL);
      while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return "'" + command + "' did not end within " +
             std::to_string(within_ns / base::ns_per_second) + " s";
    }
    static_cast<void>(::poll(nullptr, 0, look_every_ms));
    ended = ::waitpid(child, &status, WNOHANG);
  }
  if (ended < 0) {
    return std::string("waitpid: ") + std::strerror(errno);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return {};
  }
  return "'" + command + "' ended with " +
         (WIFEXITED(status) ? "exit code " + std::to_string(WEXITSTATUS(status))
                            : "signal " + std::to_string(WTERMSIG(status)));
}

}  // namespace affix::inline v0::certify
