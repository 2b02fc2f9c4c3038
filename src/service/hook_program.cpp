// SPDX-License-Identifier: MIT
// Starts a child process, and looks at its end.
#include "service/hook_program.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::service {

std::expected<HookProgram, base::Error> HookProgram::start(std::vector<std::string> words,
                                                           std::int64_t now_ns) {
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
  sigaddset(&defaults, SIGPIPE);  // This process ignores it, and would pass that on.
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  pid_t process = 0;
  const int error = ::posix_spawn(&process, words.front().c_str(), &files, &attributes,
                                  pointers.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return std::unexpected(base::make_system_error("posix_spawn", error, words.front()));
  }
  return HookProgram(process, now_ns);
}

std::optional<HookProgram::End> HookProgram::end() noexcept {
  int status = 0;
  const pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) {
    return std::nullopt;
  }
  if (ended < 0) {
    return End{.in_order = false, .text = "has ended, and nobody knows how"};
  }
  if (WIFSIGNALED(status)) {
    return End{.in_order = false,
               .text = "was ended by signal " + std::to_string(WTERMSIG(status))};
  }
  const int code = WEXITSTATUS(status);
  return code == 0
             ? End{.in_order = true, .text = "has ended in order"}
             : End{.in_order = false, .text = "has ended with status " + std::to_string(code)};
}

void HookProgram::kill() noexcept {
  static_cast<void>(::kill(-process_, SIGKILL));
}

}  // namespace affix::inline v0::service
