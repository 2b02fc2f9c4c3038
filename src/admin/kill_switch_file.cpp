// SPDX-License-Identifier: MIT
// A line each: "stopped" or "sending", then the scope, separated by tabs.
#include "admin/kill_switch_file.hpp"

#include "affix/host/session_controls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::admin {

namespace {

constexpr std::string_view head = "affix-kill-switch 1\n";
constexpr std::size_t file_bytes_max = std::size_t{4} << 20;

/// Closes its descriptor.
class File {
 public:
  explicit File(int number) noexcept : number_(number) {}

  File(const File&) = delete;
  File& operator=(const File&) = delete;

  ~File() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }

  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

std::expected<std::string, base::Error> read_file(const std::string& path) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) {
    return std::unexpected(base::make_system_error("open", errno, path));
  }
  std::string text;
  std::array<char, 4096> piece;
  for (;;) {
    const ssize_t got = ::read(file.number(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return std::unexpected(base::make_system_error("read", errno, path));
    }
    if (got == 0) {
      return text;
    }
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > file_bytes_max) {
      return std::unexpected(
          base::Error{base::ErrorCode::Limit, "is larger than 4 MiB", path, "A109"});
    }
  }
}

bool write_all(int file, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string_view take_piece(std::string_view& line) noexcept {
  const std::string_view piece = line.substr(0, line.find('\t'));
  line.remove_prefix(std::min(line.size(), piece.size() + 1));
  return piece;
}

/// An earlier command within the scope of `word` need not be stored any more.
bool is_within(const KillSwitchFile::Word& one, const KillSwitchFile::Word& word) noexcept {
  return word.instance.empty() ||
         (one.instance == word.instance && (word.session.empty() || one.session == word.session));
}

}  // namespace

std::string KillSwitchFile::Word::text() const {
  if (instance.empty()) {
    return "the engine";
  }
  return session.empty() ? "instance " + instance : "session " + session;
}

std::expected<KillSwitchFile, base::Error> KillSwitchFile::open(std::string path) {
  KillSwitchFile file(std::move(path));
  if (!file.keeps()) {
    return file;
  }
  const auto text = read_file(file.path_);
  if (!text) {
    if (text.error().code == base::ErrorCode::NotFound) {
      return file;
    }
    return std::unexpected(text.error());
  }
  std::string_view rest = *text;
  const auto damaged = [&](std::size_t line) {
    return std::unexpected(base::Error{
        base::ErrorCode::Damaged,
        "is no file of what operators have stopped: move it away, and kill again what is to be "
        "stopped",
        file.path_ + ":" + std::to_string(line), "A109"});
  };
  if (!rest.starts_with(head) || !rest.ends_with('\n')) {
    return damaged(1);
  }
  rest.remove_prefix(head.size());
  for (std::size_t number = 2; !rest.empty(); ++number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const std::string_view state = take_piece(line);
    Word word;
    word.instance = take_piece(line);
    word.session = take_piece(line);
    word.stopped = state == "stopped";
    if ((state != "stopped" && state != "sending") || !line.empty() ||
        (word.instance.empty() && !word.session.empty())) {
      return damaged(number);
    }
    file.words_.push_back(std::move(word));
  }
  return file;
}

std::expected<void, base::Error> KillSwitchFile::set(const engine::SendingScope& scope,
                                                     bool stopped) {
  Word word{std::string(scope.instance), std::string(scope.session), stopped};
  std::erase_if(words_, [&](const Word& one) { return is_within(one, word); });
  // No report for an engine that sends.
  if (stopped || !words_.empty()) {
    words_.push_back(std::move(word));
  }
  return keeps() ? write() : std::expected<void, base::Error>();
}

void KillSwitchFile::apply_to(engine::Engine& engine) const {
  for (const Word& word : words_) {
    engine.set_sending_stopped(word.scope(), word.stopped);
  }
  if (words_.empty()) {
    return;
  }
  for (const host::SessionHandle session : engine.sessions()) {
    if (engine.sending_stopped({session.instance(), session.name()})) {
      host::SessionControls(session).stop_sending();
    }
  }
}

std::expected<void, base::Error> KillSwitchFile::write() const {
  std::string text(head);
  for (const Word& word : words_) {
    text += (word.stopped ? "stopped\t" : "sending\t") + word.instance + '\t' + word.session + '\n';
  }
  const std::string beside = path_ + ".new";
  const auto fail = [&](const char* call) {
    auto error = base::make_system_error(call, errno, path_);
    static_cast<void>(::unlink(beside.c_str()));
    return std::unexpected(std::move(error));
  };
  {
    const File file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.number() < 0) {
      return fail("open");
    }
    if (!write_all(file.number(), text)) {
      return fail("write");
    }
    if (::fsync(file.number()) != 0) {
      return fail("fsync");
    }
  }
  if (::rename(beside.c_str(), path_.c_str()) != 0) {
    return fail("rename");
  }
  const std::string parent = std::filesystem::path(path_).parent_path().string();
  const File directory(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || ::fsync(directory.number()) != 0) {
    return std::unexpected(base::make_system_error("fsync", errno, path_));
  }
  return {};
}

}  // namespace affix::inline v0::admin
