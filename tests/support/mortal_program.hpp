// SPDX-License-Identifier: MIT
// A program under test in its own process, which a signal ends and which is started again. Its
// standard output is read for its port.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace affix::support {

class MortalProgram {
 public:
  /// Runs `arguments[0]`, with none of this process's descriptors but standard error.
  explicit MortalProgram(const std::vector<std::string>& arguments) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    std::vector<char*> raw;
    for (const std::string& argument : arguments) {
      raw.push_back(const_cast<char*>(argument.c_str()));
    }
    raw.push_back(nullptr);
    pid_ = ::fork();
    EXPECT_GE(pid_, 0);
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close_range(3, ~0U, 0);
      ::execv(raw[0], raw.data());
      _exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
    ::fcntl(output_, F_SETFL, O_NONBLOCK);
  }

  MortalProgram(const MortalProgram&) = delete;
  MortalProgram& operator=(const MortalProgram&) = delete;

  ~MortalProgram() {
    if (pid_ > 0) {
      static_cast<void>(end(SIGKILL));
    }
    ::close(output_);
  }

  /// Its port, once it has printed it. Does not wait.
  [[nodiscard]] std::optional<std::uint16_t> port() {
    char bytes[1'024];
    for (ssize_t size = 0; (size = ::read(output_, bytes, sizeof(bytes))) > 0;) {
      said_.append(bytes, static_cast<std::size_t>(size));
    }
    constexpr std::string_view words = "listening on 127.0.0.1:";
    const std::size_t at = said_.find(words);
    if (at == std::string::npos || said_.find('\n', at) == std::string::npos) {
      return std::nullopt;
    }
    return static_cast<std::uint16_t>(std::atoi(said_.c_str() + at + words.size()));
  }

  /// True if it has not ended by itself.
  [[nodiscard]] bool alive() {
    int status = 0;
    if (pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = -1;
    }
    return pid_ > 0;
  }

  /// Sends the signal without waiting; alive() reports the end.
  void signal(int number) const { EXPECT_EQ(::kill(pid_, number), 0); }

  /// Sends the signal and waits for the end. True: it ended by that signal, or with status 0.
  [[nodiscard]] bool end(int number) {
    ::kill(pid_, number);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) == number : WEXITSTATUS(status) == 0;
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  std::string said_;
};

}  // namespace affix::support
