// SPDX-License-Identifier: MIT
// A child in a process group of its own, so that a command that hangs can be ended as a whole.
#include "certify/shell.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
// No header declares it there.
extern char** environ;
#endif

namespace affix::inline v0::certify {

namespace {

/// The end of a child is no event of a descriptor on every system.
constexpr int look_every_ms = 10;

/// A child that was started; 0: it was not. The error is errno.
pid_t start_shell(const std::string& command, int& error) {
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  std::string shell = "/bin/sh";
  std::string option = "-c";
  std::string text = command;
  const std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
  pid_t child = 0;
  error = ::posix_spawn(&child, shell.c_str(), nullptr, &attributes, arguments.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  return error == 0 ? child : 0;
}

}  // namespace

std::string run_command(const std::string& command, std::int64_t within_ns) {
  int error = 0;
  const pid_t child = start_shell(command, error);
  if (child == 0) {
    return std::string("/bin/sh: ") + std::strerror(error);
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
