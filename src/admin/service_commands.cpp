// SPDX-License-Identifier: MIT
// Lines to commands, commands to answers, and the audit of both.
#include "affix/base/text.hpp"
#include "affix/config/configuration_catalogue.hpp"

#include "admin/command_table.hpp"
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
    const std::string_view piece = base::take_part(settings, '\n');
    const std::size_t equals = std::min(piece.find('='), piece.size());
    text += text.empty() ? "" : " ";
    if (equals == piece.size()) {
      text += "...";
    } else {
      text += is_shown(piece.substr(0, equals)) ? std::string(piece)
                                                : std::string(piece.substr(0, equals)) + "=...";
    }
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
  Client& speaker = client(connection);
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

void Service::take_line(Client& client, std::string_view line) {
  if (client.tap) {
    end_tap(client, "ended");
    return;
  }
  if (is_of_browser(line)) {
    log(Severity::Warning, client.peer + " speaks HTTP; its connection is closed", "A102");
    client.request = {};
    client.closing = true;
    answer(client, Answer::refused("this port is not a web server", "A102"));
    return;
  }
  auto request = parse_request(line);
  if (!request) {
    client.request = Request{request.error().json, request.error().id, {}, {}};
    answer(client, Answer::refused(request.error().text, request.error().code));
    return;
  }
  client.request = std::move(*request);
  if (!client.request.command.empty() || client.request.json) {
    take_request(client);
  }
}

void Service::take_request(Client& client) {
  const CommandRow* const row = find_row(client.request.command);
  client.command = row == nullptr ? nullptr : &row->description;
  client.words.clear();
  if (row == nullptr) {
    answer(client,
           Answer::refused("there is no command '" + client.request.command + "': help lists them",
                           "A103"));
    return;
  }
  const CommandDescription& command = row->description;
  if (client.role < command.role) {
    if (command.changes_state) {
      audit_access(Severity::Warning,
                   said_by(client) + ": " + std::string(command.name) + " refused: its role is " +
                       to_text(client.role),
                   "A106");
    }
    answer(client, Answer::refused(std::string(command.name) + " needs the role " +
                                       to_text(command.role) + ", and this connection has: " +
                                       to_text(client.role) + ". auth <token> gives another",
                                   "A106"));
    return;
  }
  if (command.role != Role::None) {
    context_.begin_command(said_by(client), reactor_->now());
  }
  auto words = bind_arguments(command, client.request.arguments, context_);
  if (!words) {
    answer(client, Answer::refused(words.error().sentence(), words.error().message_code));
    return;
  }
  client.words = std::move(*words);
  begin(client, row->function(context_, client.words));
}

void Service::begin(Client& client, Outcome outcome) {
  if (const auto* ready = std::get_if<Answer>(&outcome)) {
    answer(client, *ready);
    return;
  }
  if (const auto* step = std::get_if<ConnectionStep>(&outcome)) {
    take_step(client, *step);
    return;
  }
  const std::int64_t now_ns = reactor_->now().steady_ns;
  UnderWay under_way{{}, {}, now_ns + options_.claim_ns, now_ns + options_.finish_ns};
  if (auto* tap_request = std::get_if<TapRequest>(&outcome)) {
    under_way.pending = std::move(tap_request->pending);
    under_way.tap_request = std::move(*tap_request);
  } else {
    under_way.pending = std::get<Pending>(std::move(outcome));
  }
  client.under_way = std::move(under_way);
  // Some need no other thread, such as a list of no sessions.
  look_at_command(client, now_ns);
}

void Service::take_step(Client& client, ConnectionStep step) {
  switch (step) {
    case ConnectionStep::Authenticate:
      take_token(client);
      break;
    case ConnectionStep::ShowRole: {
      Answer shown = Answer::table({"role", "address", "name"});
      shown.add({std::string(to_text(client.role)), client.peer, client.name});
      answer(client, shown);
      break;
    }
    case ConnectionStep::Close:
      client.closing = true;
      answer(client, Answer::done("goodbye"));
      break;
  }
}

void Service::take_token(Client& client) {
  const TokenBearer bearer = tokens_.bearer_of(client.words[0]);
  const Role role = bearer.role;
  client.words[0].clear();
  client.request.arguments.clear();
  if (role == Role::None) {
    audit_access(Severity::Warning, client.peer + " presented an unknown token", "A106");
    client.held_until_ns = reactor_->now().steady_ns + options_.wrong_token_ns;
    return;
  }
  client.has_shown_token = true;
  client.role = role;
  client.name = bearer.name;
  audit_access(Severity::Info, said_by(client) + " has the role " + to_text(role), "A106");
  answer(client, Answer::done(std::string("role ") + to_text(role)));
}

std::string Service::said_by(const Client& client) const {
  return (client.name.empty() ? "operator at " : "operator " + client.name + " at ") + client.peer;
}

void Service::answer(Client& client, const Answer& made) {
  Answer answer = made;
  if (const auto kept = audit(client, made); !kept) {
    answer.set_text(made.text() + (made.text().empty() ? "" : ". ") +
                    "The audit trail was not written: " + kept.error().text());
  }
  const std::string text = client.request.json
                               ? json_of(answer, client.request.id, options_.answer_bytes_max)
                               : text_of(answer, options_.answer_bytes_max);
  client.command = nullptr;
  client.output += text;
  push_output(client);
  settle(client);
}

std::expected<void, base::Error> Service::audit(const Client& client, const Answer& answer) {
  if (client.command == nullptr || !client.command->changes_state || client.role < Role::Operate ||
      client.words.empty() != client.command->arguments.empty()) {
    return {};  // It changes nothing, or was refused before it could.
  }
  const std::string what = said_by(client) + ": " + text_of_command(*client.command, client.words);
  std::string result = to_text(answer.status());
  if (!answer.text().empty()) {
    result += ": " + answer.text();
  }
  std::vector<host::SessionHandle> sessions;
  std::string_view about;
  for (std::size_t at = 0; at < client.words.size(); ++at) {
    const ArgumentKind kind = client.command->arguments[at].kind;
    if (kind == ArgumentKind::Session || kind == ArgumentKind::Scope ||
        kind == ArgumentKind::Name) {
      sessions = context_.sessions_in(client.words[at]);
      about = kind == ArgumentKind::Scope ? std::string_view() : client.words[at];
    }
  }
  // No limit here: a client that may make changes may fill the audit.
  auto kept =
      program_.audit(answer.status() == AnswerStatus::Done ? Severity::Info : Severity::Warning,
                     about, "administration: " + what + " -> " + result, "A123");
  if (answer.status() != AnswerStatus::Refused) {
    context_.remark(sessions, (what + " -> " + result).substr(0, remark_bytes_max));
  }
  return kept;
}

// --- Taps ---

void Service::start_tap(Client& client, TapRequest& tap_request) {
  if (!client.request.json) {
    client.output += "records of " + tap_request.session + " from now on; a line ends it\n";
  } else {
    client.output += json_of(Answer::begun("records follow; a line ends them"), client.request.id,
                             options_.answer_bytes_max);
  }
  client.tap =
      Tap{std::move(tap_request.session), tap_request.handle, std::move(**tap_request.reader)};
  push_output(client);
  settle(client);
}

void Service::look_at_tap(Client& client) {
  if (client.parked || client.sent < client.output.size()) {
    return;  // The journal keeps the rest.
  }
  Tap& tap = *client.tap;
  while (client.output.size() < tap_bytes_max) {
    const auto record = tap.reader.next();
    if (!record) {
      break;
    }
    Answer row = Answer::table(record_columns);
    add_record(row, *record, record->bytes);
    client.output += client.request.json ? json_of_rows(row, client.request.id) : text_of_rows(row);
  }
  const bool over = client.output.empty() && !tap.handle.exists();
  const bool damaged = client.output.empty() && tap.reader.damage().has_value();
  push_output(client);
  if (!client.open) {
    return;  // Its connection broke, and the tap is gone.
  }
  if (over) {
    end_tap(client, "ended: the session was removed");
  } else if (damaged) {
    end_tap(client, "ended: " + tap.reader.damage()->text());
  }
}

void Service::end_tap(Client& client, std::string_view why) {
  const std::string text(why);
  client.tap.reset();
  answer(client, Answer::done("tap " + text));
}

}  // namespace affix::inline v0::admin
