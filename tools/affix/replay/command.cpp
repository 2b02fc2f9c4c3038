// SPDX-License-Identifier: MIT
// Options of `affix replay`, the session's configuration made from them, and the exit code.
#include "replay/command.hpp"

#include "affix/config/configuration.hpp"
#include "affix/engine/engine.hpp"
#include "affix/service/stop_signals.hpp"

#include "replay/player.hpp"
#include "replay/report.hpp"
#include "replay/script.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::replay {

namespace {

struct CommandOptions {
  std::string journal;
  std::string against;
  bool ours = false;
  bool keep_numbers = false;
  bool json = false;
  std::string password_variable;
  std::vector<std::string> client_keys;
  std::vector<std::string> session_keys;
  ComparisonOptions comparison;
  double timeout_seconds = 5;
  double speed = 0;
  std::size_t shown_max = 20;
};

/// "host:port" or "[::1]:port" as keys of a client group; empty for other forms.
std::string address_keys(const std::string& against) {
  const std::size_t colon = against.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == against.size()) {
    return {};
  }
  std::string host = against.substr(0, colon);
  if (host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  return "primary_address=" + host + "\nprimary_port=" + against.substr(colon + 1) + "\n";
}

std::string lines_of(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) {
    text += key + "\n";
  }
  return text;
}

std::string configuration_text(const CommandOptions& options, const Script& script) {
  std::string text = "[CLIENT]\n" + address_keys(options.against) + lines_of(options.client_keys);
  text += "[REPLAY]\nbegin_string=" + script.begin_string +
          "\nsender_comp_id=" + script.sender_comp_id +
          "\ntarget_comp_id=" + script.target_comp_id + "\ndurability=memory\n";
  if (!script.default_app_ver_id.empty()) {
    text += "default_app_ver_id=" + script.default_app_ver_id + "\n";
  }
  if (!options.keep_numbers) {
    text += "logon_reset_sequence_numbers=true\n";
  }
  return text + lines_of(options.session_keys);
}

/// Reason for a premature end, as a sentence; nullptr: none.
const char* text_of(PlayEnd end) {
  switch (end) {
    case PlayEnd::Played:
      return nullptr;
    case PlayEnd::NotLoggedOn:
      return "the session could not be opened";
    case PlayEnd::Ended:
      return "the session ended";
    case PlayEnd::Silent:
      return "the answers do not come any more";
    case PlayEnd::NotSent:
      return "a message could not be sent";
    case PlayEnd::Stopped:
      return "stopped";
  }
  return "unknown";
}

std::int64_t nanoseconds(double seconds) {
  return static_cast<std::int64_t>(seconds * static_cast<double>(base::ns_per_second));
}

int run(const CommandOptions& options) {
  const auto script = read_script(options.journal, options.ours);
  if (!script) {
    std::fprintf(stderr, "%s\n", script.error().text().c_str());
    return 2;
  }
  auto configuration =
      affix::config::parse_configuration(configuration_text(options, *script), "replay");
  if (!configuration) {
    std::fputs(affix::config::text_of(configuration.error()).c_str(), stderr);
    return 2;
  }
  if (!options.password_variable.empty()) {
    const char* const password = std::getenv(options.password_variable.c_str());
    if (password == nullptr) {
      std::fprintf(stderr, "--password-variable: %s is not set [P106]\n",
                   options.password_variable.c_str());
      return 2;
    }
    // Set directly, not in the text above, where a password's characters might have a meaning.
    affix::config::SessionSettings& session = configuration->sessions.front();
    session.logon_password = password;
    if (session.logon_username.empty()) {
      session.logon_username = script->user_name;
    }
  }
  Comparison comparison(options.comparison);
  Player player(*script, comparison,
                {.logon_timeout_ns = nanoseconds(options.timeout_seconds),
                 .answer_timeout_ns = nanoseconds(options.timeout_seconds),
                 .speed = options.speed});
  const auto engine = engine::Engine::open(*configuration, player);
  if (!engine) {
    std::fputs(affix::config::text_of(engine.error()).c_str(), stderr);
    return 2;
  }
  const service::StopSignals signals;
  const PlayEnd end = player.play(**engine, &service::StopSignals::requested);
  if (options.json) {
    std::fputs(report_json(comparison, player.sent_count()).c_str(), stdout);
  } else {
    print_report(comparison, player.sent_count(), options.shown_max, stdout);
  }
  if (const char* const why = text_of(end); why != nullptr) {
    std::fprintf(stderr, "%s%s%s [P106]\n", why, player.reason().empty() ? "" : ": ",
                 player.reason().c_str());
    return 2;
  }
  return same(comparison) ? 0 : 1;
}

}  // namespace

void add_command(Command program) {
  auto options = std::make_shared<CommandOptions>();
  Command command = program.add_command(
      "replay", "Send again what a journal's peer once sent, and show how the answers differ");
  command.add_option("journal", options->journal, "Directory of the journal").required();
  command.add_option("--against", options->against, "HOST:PORT of the acceptor to be asked")
      .required()
      .checked([](const std::string& text) { return !address_keys(text).empty(); },
               "HOST:PORT is wanted");
  command.add_flag("--ours", options->ours,
                   "Send what the journal's own side sent, and compare what its peer answered");
  command
      .add_option("--ignore", options->comparison.ignored,
                  "Fields that are not compared, such as times: 60,75")
      .separated_by(',')
      .one_value();
  command
      .add_option("--renamed", options->comparison.renamed,
                  "Fields whose values the other side makes up, such as 37,17: other values, used "
                  "alike; messages that are sent name the new ones")
      .separated_by(',')
      .one_value();
  command
      .add_option("--timeout", options->timeout_seconds,
                  "Seconds to wait for the logon, and for an answer")
      .between_decimals(0.01, 3600.0)
      .with_default();
  command
      .add_option("--speed", options->speed,
                  "1: at the journal's own times, 2: twice as fast; 0: as fast as answers come")
      .not_negative()
      .with_default();
  command.add_flag("--keep-numbers", options->keep_numbers,
                   "Log on without 141=Y; numbers begin at 1 all the same");
  command.add_option("--password-variable", options->password_variable,
                     "Environment variable with 554 of the Logon; 553 is the journal's");
  command
      .add_option("--client-key", options->client_keys,
                  "KEY=VALUE of the client group, such as tls=ON; repeat it")
      .one_value();
  command
      .add_option("--session-key", options->session_keys,
                  "KEY=VALUE of the session group, such as logon_username=ME; repeat it")
      .one_value();
  command.add_option("--show", options->shown_max, "Most answers of each kind that are shown")
      .with_default();
  command.add_flag("--json", options->json, "The report as one JSON object, with every answer");
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::replay
