// SPDX-License-Identifier: MIT
// A line each: "stopped" or "sending", then the scope, separated by tabs.
#include "admin/kill_switch_file.hpp"

#include "affix/base/text.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/os/read_file.hpp"
#include "affix/os/replace_file.hpp"

#include <algorithm>
#include <sys/types.h>
#include <utility>

namespace affix::inline v0::admin {

namespace {

constexpr std::string_view head = "affix-kill-switch 1\n";
constexpr std::size_t file_bytes_max = std::size_t{4} << 20;
constexpr mode_t for_everybody_to_read = 0644;

std::expected<std::string, base::Error> read_text(const std::string& path) {
  auto text = os::read_file(path, file_bytes_max);
  if (!text && text.error().code == base::ErrorCode::Limit) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "is larger than 4 MiB", path, "A109"});
  }
  return text;
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
  const auto text = read_text(file.path_);
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
        "is not a file of the kill switch: move it away, and kill again what must be stopped",
        file.path_ + ":" + std::to_string(line), "A109"});
  };
  if (!rest.starts_with(head) || !rest.ends_with('\n')) {
    return damaged(1);
  }
  rest.remove_prefix(head.size());
  for (std::size_t number = 2; !rest.empty(); ++number) {
    std::string_view line = base::take_part(rest, '\n');
    const std::string_view state = base::take_part(line, '\t');
    Word word;
    word.instance = base::take_part(line, '\t');
    word.session = base::take_part(line, '\t');
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
  return os::replace_file(path_, text, for_everybody_to_read);
}

}  // namespace affix::inline v0::admin
