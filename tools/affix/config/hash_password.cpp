// SPDX-License-Identifier: MIT
// Converts a password to the text of its hash.
#include "config/hash_password.hpp"

#include "affix/tls/password_hash.hpp"

#include <cstdio>
#include <string>
#include <termios.h>
#include <unistd.h>

namespace affix::inline v0::tools::config {

namespace {

constexpr std::size_t password_bytes_max = 4'096;

/// During its lifetime, a terminal does not show typed characters.
class Unseen {
 public:
  Unseen() : is_terminal_(::tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (is_terminal_) {
      std::fputs("password: ", stderr);
      termios quiet = before_;
      quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
      static_cast<void>(::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet));
    }
  }

  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

  ~Unseen() {
    if (is_terminal_) {
      static_cast<void>(::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_));
      std::fputc('\n', stderr);
    }
  }

 private:
  termios before_{};
  bool is_terminal_;
};

std::string read_line() {
  const Unseen unseen;
  std::string line;
  for (int c = std::getchar(); c != EOF && c != '\n' && line.size() < password_bytes_max;
       c = std::getchar()) {
    line += static_cast<char>(c);
  }
  if (!line.empty() && line.back() == '\r') {
    line.pop_back();
  }
  return line;
}

}  // namespace

int hash_password(std::uint32_t iterations) {
  const auto hash = tls::PasswordHash::make(read_line(), iterations);
  if (!hash) {
    std::fprintf(stderr, "%s\n", hash.error().text().c_str());
    return 1;
  }
  std::printf("%s\n", hash->text().c_str());  // The program's end reports a failure.
  return 0;
}

}  // namespace affix::inline v0::tools::config
