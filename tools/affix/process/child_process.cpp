// SPDX-License-Identifier: MIT
// Uses posix_spawn, a pipe and poll.
#include "process/child_process.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"
#include "affix/os/pipe.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::tools {

namespace {

/// Arguments of posix_spawn, released with this object.
struct SpawnSettings {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

  explicit SpawnSettings(int output) noexcept {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
  }

  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }

  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

}  // namespace

std::expected<ChildProcess, base::Error> ChildProcess::start(
    const std::vector<std::string>& arguments) {
  os::Pipe pipe = os::make_pipe();
  if (!pipe.read_end.is_open()) {
    return std::unexpected(base::make_system_error("pipe", errno, arguments.front()));
  }
  std::vector<char*> argv;
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  const SpawnSettings settings(pipe.write_end.number());
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, argv.front(), &settings.actions, &settings.attributes,
                                  argv.data(), environ);
  if (error != 0) {
    return std::unexpected(base::make_system_error("posix_spawn", error, arguments.front()));
  }
  return ChildProcess(pid, pipe.read_end.release());
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)),
      unread_(std::move(other.unread_)) {}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  if (output_ >= 0) {
    ::close(output_);
  }
}

bool ChildProcess::has_ended() const noexcept {
  siginfo_t ended{};
  return pid_ <= 0 ||
         (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          ended.si_pid == pid_);
}

void ChildProcess::send(int signal) noexcept {
  // Until it is waited for, nobody else has its number.
  if (pid_ > 0) {
    ::kill(pid_, signal);
  }
}

bool ChildProcess::read_more(std::int64_t deadline_ns) {
  const std::int64_t left_ns = deadline_ns - os::now().steady_ns;
  pollfd ready{output_, POLLIN, 0};
  const int timeout = static_cast<int>(std::max<std::int64_t>(left_ns / base::ns_per_ms, 0));
  if (::poll(&ready, 1, timeout) <= 0) {
    // A signal ends the wait early; the caller checks the time again.
    return errno == EINTR && left_ns > 0;
  }
  std::array<char, 4096> bytes;
  const ssize_t size = ::read(output_, bytes.data(), bytes.size());
  if (size <= 0) {
    return false;
  }
  unread_.append(bytes.data(), static_cast<std::size_t>(size));
  return true;
}

std::optional<std::string> ChildProcess::wait_line(std::int64_t timeout_ns) {
  const std::int64_t deadline_ns = os::now().steady_ns + timeout_ns;
  for (;;) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (!read_more(deadline_ns)) {
      return std::nullopt;
    }
  }
}

ChildProcess::End ChildProcess::stop(std::int64_t timeout_ns) {
  ::kill(pid_, SIGTERM);
  const std::int64_t deadline_ns = os::now().steady_ns + timeout_ns;
  while (read_more(deadline_ns)) {
  }
  // The output has ended, so the process has ended or is about to; after the timeout it is killed.
  if (os::now().steady_ns >= deadline_ns) {
    ::kill(pid_, SIGKILL);
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return {WIFEXITED(status) ? std::optional<int>(WEXITSTATUS(status)) : std::nullopt,
          std::exchange(unread_, {})};
}

}  // namespace affix::inline v0::tools
