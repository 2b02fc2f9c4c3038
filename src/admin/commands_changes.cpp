// SPDX-License-Identifier: MIT
// Commands that add, remove and change sessions. They wait for the disk, so another thread passes
// them to the engine, which carries them out in any case.
#include "affix/config/configuration.hpp"

#include "admin/handlers.hpp"

#include <algorithm>

namespace affix::inline v0::admin {

namespace {

using config::Problems;
using engine::Change;

/// Time for which an answer waits for an accepted change to be done.
constexpr std::int64_t settle_ns = 150 * base::ns_per_ms;

constexpr std::size_t name_bytes_max = 64;

/// Problems in one line, each with its code.
Answer refused_for(const Problems& problems) {
  if (problems.size() == 1) {
    return Answer::refused(problems.front().sentence(), problems.front().message_code);
  }
  std::string text;
  for (const base::Error& problem : problems) {
    text += (text.empty() ? "" : "; ") + problem.text();
  }
  return Answer::refused(std::move(text));
}

Answer answer_of(const std::expected<Change, Problems>& change) {
  if (!change) {
    return refused_for(change.error());
  }
  const bool done = change->wait(settle_ns);
  Answer answer = Answer::table({"session", "change", "keys", "done", "forced"});
  for (const engine::SessionChange& one : change->sessions()) {
    answer.add(
        {one.session, std::string(engine::to_text(one.kind)), one.keys, one.done, one.forced});
  }
  std::string text = answer.rows().empty() ? "nothing to change"
                     : done                ? "it has happened"
                                           : "it is accepted and under way";
  for (const base::Error& warning : change->warnings()) {
    text += "; warning: " + warning.text();
  }
  answer.set_text(std::move(text));
  return answer;
}

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= name_bytes_max &&
         std::all_of(name.begin(), name.end(), [](char byte) {
           return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                  (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '-' || byte == '.';
         });
}

/// Text that a group's lines must not have from outside, or empty.
std::string fault_in(std::string_view settings) {
  if (settings.find("${") != std::string_view::npos) {
    return "variables of the environment are for files";
  }
  while (!settings.empty()) {
    const std::size_t end = std::min(settings.find('\n'), settings.size());
    const std::string_view line = settings.substr(0, end);
    const std::size_t equals = line.find('=');
    const std::string_view key = line.substr(0, std::min(equals, line.size()));
    if (equals == std::string_view::npos || key.find_first_of("[#") != std::string_view::npos) {
      return "'" + std::string(line) + "' is not key=value";
    }
    if (key == "include" || key == "type") {
      return "key '" + std::string(key) + "' is for files";
    }
    settings.remove_prefix(std::min(end + 1, settings.size()));
  }
  return {};
}

}  // namespace

Outcome enable_session(Desk& desk, const Words& words) {
  return desk.ask_disk([&engine = desk.engine(), name = words[0]] {
    return answer_of(engine.enable_session(name));
  });
}

Outcome disable_session(Desk& desk, const Words& words) {
  return desk.ask_disk(
      [&engine = desk.engine(), name = words[0], why = words[1], by = desk.caller()] {
        return answer_of(engine.disable_session(name, why, by));
      });
}

Outcome add_session(Desk& desk, const Words& words) {
  if (!is_name(words[0])) {
    return Answer::refused("a name has letters, digits, '_', '-' and '.', 64 at most", "A104");
  }
  if (const std::string fault = fault_in(words[1]); !fault.empty()) {
    return Answer::refused(fault, "A104");
  }
  return desk.ask_disk([&engine = desk.engine(), text = "[" + words[0] + "]\n" + words[1] + "\n"] {
    auto sessions = config::parse_sessions(text, "add_session");
    if (!sessions) {
      return refused_for(sessions.error());
    }
    return answer_of(engine.add_sessions(std::move(*sessions)));
  });
}

Outcome remove_session(Desk& desk, const Words& words) {
  return desk.ask_disk([&engine = desk.engine(), name = words[0], text = words[1]] {
    return answer_of(engine.remove_session(name, text));
  });
}

Outcome reload(Desk& desk, const Words& words) {
  static_cast<void>(words);
  return desk.ask_disk([&program = desk.program()] { return answer_of(program.reload()); });
}

}  // namespace affix::inline v0::admin
