// SPDX-License-Identifier: MIT
// posix_spawn() and waitpid().
#include "os/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace affix::inline v0::os {

namespace {

ChildProcess::End end_of(int status) noexcept {
  if (WIFSIGNALED(status)) {
    return {.kind = ChildProcess::End::Kind::Signal, .number = WTERMSIG(status)};
  }
  return {.kind = ChildProcess::End::Kind::Exit, .number = WEXITSTATUS(status)};
}

}  // namespace

std::string ChildProcess::End::text() const {
  switch (kind) {
    case Kind::Exit:
      return number == 0 ? "has ended in order" : "has ended with status " + std::to_string(number);
    case Kind::Signal:
      return "was ended by signal " + std::to_string(number);
    case Kind::Unknown:
      break;
  }
  return "has ended, and nobody knows how";
}

std::expected<ChildProcess, base::Error> ChildProcess::start(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);  // Engines ignore it, and would pass that on.
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  pid_t id = 0;
  const int error =
      ::posix_spawn(&id, words.front().c_str(), &files, &attributes, pointers.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return std::unexpected(base::make_system_error("posix_spawn", error, words.front()));
  }
  return ChildProcess(id);
}

std::optional<ChildProcess::End> ChildProcess::end() noexcept {
  int status = 0;
  const pid_t ended = ::waitpid(id_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) {
    return std::nullopt;
  }
  return ended < 0 ? End{} : end_of(status);
}

void ChildProcess::kill() noexcept {
  static_cast<void>(::kill(-id_, SIGKILL));
}

void ChildProcess::kill_and_wait() noexcept {
  kill();
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace affix::inline v0::os
