// SPDX-License-Identifier: MIT
// Lines to commands, commands to answers, and the audit of both.
#include "affix/config/configuration_catalogue.hpp"

#include "admin/handlers.hpp"
#include "admin/journal_tail.hpp"
#include "admin/service.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::admin {

namespace {

using Severity = host::Event::Severity;

/// Output that a tap adds per look, so that others have their turn.
constexpr std::size_t tap_bytes_max = 64 * 1024;

/// Maximum length of a remark in a journal.
constexpr std::size_t remark_bytes_max = 1'000;

/// `key=value` lines, keeping values only of known keys that are not secret: a misspelt key may
/// have been intended as a secret one, and a line of another form may be a secret value.
std::string without_secrets(std::string_view settings) {
  const std::vector<config::KeyDescription> known = config::describe_keys();
  const auto is_shown = [&known](std::string_view key) {
    return !config::is_secret_key(key) &&
           std::ranges::any_of(known, [key](const auto& one) { return one.name == key; });
  };
  std::string text;
  while (!settings.empty()) {
    const std::size_t end = std::min(settings.find('\n'), settings.size());
    const std::string_view piece = settings.substr(0, end);
    const std::size_t equals = std::min(piece.find('='), piece.size());
    text += text.empty() ? "" : " ";
    if (equals == piece.size()) {
      text += "...";
    } else {
      text += is_shown(piece.substr(0, equals)) ? std::string(piece)
                                                : std::string(piece.substr(0, equals)) + "=...";
    }
    settings.remove_prefix(std::min(end + 1, settings.size()));
  }
  return text;
}

/// The command in the form for the audit.
std::string text_of_command(const CommandDescription& command,
                            const std::vector<std::string>& words) {
  std::string text(command.name);
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at].empty()) {
      continue;
    }
    text += " ";
    switch (command.arguments[at].kind) {
      case ArgumentKind::Secret:
        text += "...";
        break;
      case ArgumentKind::Settings:
        text += without_secrets(words[at]);
        break;
      default:
        text += words[at];
    }
  }
  return text;
}

/// The first line of an HTTP request. Any web page can make a local browser send one to this port,
/// followed by lines of the page's choice.
bool is_of_browser(std::string_view line) noexcept {
  const std::size_t last = line.rfind(' ');
  return last != std::string_view::npos && line.substr(last + 1).starts_with("HTTP/") &&
         find_command(line.substr(0, line.find(' '))) == nullptr;
}

}  // namespace

std::size_t Service::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  Visitor& speaker = visitor(connection);
  const std::string_view all = bytes.view();
  std::size_t consumed = 0;
  speaker.heard_ns = reactor_->now().steady_ns;
  while (speaker.open && !speaker.closing && (speaker.tap || !speaker.is_busy())) {
    const std::string_view rest = all.substr(consumed);
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      if (rest.size() > request_bytes_max + 1) {
        speaker.request = {};
        speaker.closing = true;
        answer(speaker, Answer::refused(
                            "a line is longer than " + std::to_string(request_bytes_max) + " bytes",
                            "A105"));
        consumed = all.size();
      }
      break;
    }
    consumed += end + 1;
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    take_line(speaker, line);
  }
  settle(speaker);
  return speaker.closing ? all.size() : consumed;
}

void Service::take_line(Visitor& visitor, std::string_view line) {
  if (visitor.tap) {
    end_tap(visitor, "ended");
    return;
  }
  if (is_of_browser(line)) {
    log(Severity::Warning, visitor.peer + " speaks HTTP; its connection is closed", "A102");
    visitor.request = {};
    visitor.closing = true;
    answer(visitor, Answer::refused("this is no web server", "A102"));
    return;
  }
  auto request = parse_request(line);
  if (!request) {
    visitor.request = Request{request.error().json, request.error().id, {}, {}};
    answer(visitor, Answer::refused(request.error().text, "A105"));
    return;
  }
  visitor.request = std::move(*request);
  if (!visitor.request.command.empty() || visitor.request.json) {
    take_request(visitor);
  }
}

void Service::take_request(Visitor& visitor) {
  visitor.command = find_command(visitor.request.command);
  visitor.words.clear();
  if (visitor.command == nullptr) {
    answer(visitor,
           Answer::refused("there is no command '" + visitor.request.command + "': help lists them",
                           "A103"));
    return;
  }
  const CommandDescription& command = *visitor.command;
  if (visitor.role < command.role) {
    if (command.role == Role::Operate) {
      audit_access(Severity::Warning,
                   said_by(visitor) + ": " + std::string(command.name) + " refused: its role is " +
                       to_text(visitor.role),
                   "A106");
    }
    answer(visitor, Answer::refused(std::string(command.name) + " needs the role " +
                                        to_text(command.role) + ", and this connection has: " +
                                        to_text(visitor.role) + ". auth <token> gives another",
                                    "A106"));
    return;
  }
  if (command.role != Role::None) {
    desk_.begin_command(said_by(visitor), reactor_->now());
  }
  auto words = bind_arguments(command, visitor.request.arguments, desk_);
  if (!words) {
    answer(visitor, Answer::refused(words.error(), "A103"));
    return;
  }
  visitor.words = std::move(*words);
  if (const admin::Handler handler = find_handler(command.name)) {
    begin(visitor, handler(desk_, visitor.words));
  } else if (command.name == "auth") {
    take_token(visitor);
  } else if (command.name == "whoami") {
    Answer whoami = Answer::table({"role", "address", "name"});
    whoami.add({std::string(to_text(visitor.role)), visitor.peer, visitor.name});
    answer(visitor, whoami);
  } else {
    visitor.closing = true;
    answer(visitor, Answer::done("goodbye"));
  }
}

void Service::begin(Visitor& visitor, Outcome outcome) {
  if (const auto* ready = std::get_if<Answer>(&outcome)) {
    answer(visitor, *ready);
    return;
  }
  const std::int64_t now_ns = reactor_->now().steady_ns;
  UnderWay under_way{{}, {}, now_ns + options_.claim_ns, now_ns + options_.finish_ns};
  if (auto* wish = std::get_if<TapWish>(&outcome)) {
    under_way.pending = std::move(wish->pending);
    under_way.wish = std::move(*wish);
  } else {
    under_way.pending = std::get<Pending>(std::move(outcome));
  }
  visitor.under_way = std::move(under_way);
  // Some need no other thread, such as a list of no sessions.
  look_at_command(visitor, now_ns);
}

void Service::take_token(Visitor& visitor) {
  const TokenBearer bearer = tokens_.bearer_of(visitor.words[0]);
  const Role role = bearer.role;
  visitor.words[0].clear();
  visitor.request.arguments.clear();
  if (role == Role::None) {
    audit_access(Severity::Warning, visitor.peer + " has shown a token that is none", "A106");
    visitor.held_until_ns = reactor_->now().steady_ns + options_.wrong_token_ns;
    return;
  }
  visitor.has_shown_token = true;
  visitor.role = role;
  visitor.name = bearer.name;
  audit_access(Severity::Info, said_by(visitor) + " has the role " + to_text(role), "A106");
  answer(visitor, Answer::done(std::string("role ") + to_text(role)));
}

std::string Service::said_by(const Visitor& visitor) const {
  return (visitor.name.empty() ? "operator at " : "operator " + visitor.name + " at ") +
         visitor.peer;
}

void Service::answer(Visitor& visitor, const Answer& made) {
  Answer answer = made;
  if (const auto kept = audit(visitor, made); !kept) {
    answer.set_text(made.text() + (made.text().empty() ? "" : ". ") +
                    "The audit trail was not written: " + kept.error().text());
  }
  const std::string text = visitor.request.json
                               ? json_of(answer, visitor.request.id, options_.answer_bytes_max)
                               : text_of(answer, options_.answer_bytes_max);
  visitor.command = nullptr;
  visitor.output += text;
  push_output(visitor);
  settle(visitor);
}

std::expected<void, base::Error> Service::audit(const Visitor& visitor, const Answer& answer) {
  if (visitor.command == nullptr || visitor.command->role != Role::Operate ||
      visitor.role < Role::Operate || visitor.words.empty() != visitor.command->arguments.empty()) {
    return {};  // It changes nothing, or was refused before it could.
  }
  const std::string what =
      said_by(visitor) + ": " + text_of_command(*visitor.command, visitor.words);
  std::string result = to_text(answer.status());
  if (!answer.text().empty()) {
    result += ": " + answer.text();
  }
  std::vector<host::SessionHandle> sessions;
  std::string_view about;
  for (std::size_t at = 0; at < visitor.words.size(); ++at) {
    const ArgumentKind kind = visitor.command->arguments[at].kind;
    if (kind == ArgumentKind::Session || kind == ArgumentKind::Scope ||
        kind == ArgumentKind::Name) {
      sessions = desk_.sessions_in(visitor.words[at]);
      about = kind == ArgumentKind::Scope ? std::string_view() : visitor.words[at];
    }
  }
  // No limit here: a client that may make changes may fill the audit.
  auto kept =
      program_.audit(answer.status() == AnswerStatus::Done ? Severity::Info : Severity::Warning,
                     about, "administration: " + what + " -> " + result, "A123");
  if (answer.status() != AnswerStatus::Refused) {
    desk_.remark(sessions, (what + " -> " + result).substr(0, remark_bytes_max));
  }
  return kept;
}

// --- Taps ---

void Service::start_tap(Visitor& visitor, TapWish& wish) {
  if (!visitor.request.json) {
    visitor.output += "records of " + wish.session + " from now on; a line ends it\n";
  } else {
    visitor.output += json_of(Answer::begun("records follow; a line ends them"), visitor.request.id,
                              options_.answer_bytes_max);
  }
  visitor.tap = Tap{std::move(wish.session), wish.handle, std::move(**wish.reader)};
  push_output(visitor);
  settle(visitor);
}

void Service::look_at_tap(Visitor& visitor) {
  if (visitor.parked || visitor.sent < visitor.output.size()) {
    return;  // The journal keeps the rest.
  }
  Tap& tap = *visitor.tap;
  while (visitor.output.size() < tap_bytes_max) {
    const auto record = tap.reader.next();
    if (!record) {
      break;
    }
    Answer row = Answer::table(record_columns);
    add_record(row, *record, record->bytes);
    visitor.output +=
        visitor.request.json ? json_of_rows(row, visitor.request.id) : text_of_rows(row);
  }
  const bool over = visitor.output.empty() && !tap.handle.exists();
  const bool damaged = visitor.output.empty() && tap.reader.damage().has_value();
  push_output(visitor);
  if (!visitor.open) {
    return;  // Its connection broke, and the tap is gone.
  }
  if (over) {
    end_tap(visitor, "ended: the session was removed");
  } else if (damaged) {
    end_tap(visitor, "ended: " + tap.reader.damage()->text());
  }
}

void Service::end_tap(Visitor& visitor, std::string_view why) {
  const std::string text(why);
  visitor.tap.reset();
  answer(visitor, Answer::done("tap " + text));
}

}  // namespace affix::inline v0::admin
