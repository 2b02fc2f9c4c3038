// SPDX-License-Identifier: MIT
// Commands about the engine as a whole.
#include "affix/base/version.hpp"
#include "affix/config/effective_configuration.hpp"
#include "affix/tls/tls_settings.hpp"
#include "affix/wire/kernel.hpp"

#include "admin/handlers.hpp"
#include "admin/time_text.hpp"

#include <unistd.h>

namespace affix::inline v0::admin {

namespace {

Answer details_of(const CommandDescription& command) {
  Answer answer = Answer::table({"name", "value"});
  answer.add({"usage", usage_of(command)});
  answer.add({"role", std::string(to_text(command.role))});
  answer.add({"summary", std::string(command.summary)});
  if (!command.detail.empty()) {
    answer.add({"detail", std::string(command.detail)});
  }
  return answer;
}

/// Data with which a program completes a command's words.
std::string argument_text(const CommandDescription& command) {
  std::string text;
  for (const ArgumentDescription& argument : command.arguments) {
    text += text.empty() ? "" : ",";
    switch (argument.kind) {
      case ArgumentKind::Session:
        text += "session";
        break;
      case ArgumentKind::Instance:
        text += "instance";
        break;
      case ArgumentKind::Scope:
        text += "scope";
        break;
      case ArgumentKind::Group:
        text += "group";
        break;
      case ArgumentKind::Command:
        text += "command";
        break;
      case ArgumentKind::Choice:
        text += argument.choices;
        break;
      case ArgumentKind::Name:
      case ArgumentKind::Number:
      case ArgumentKind::Text:
      case ArgumentKind::Settings:
      case ArgumentKind::Secret:
        text += "text";
        break;
    }
  }
  return text;
}

}  // namespace

Outcome help(Desk& desk, const Words& words) {
  static_cast<void>(desk);
  if (!words[0].empty()) {
    return details_of(*find_command(words[0]));
  }
  Answer answer = Answer::table({"command", "role", "summary", "arguments"});
  for (const CommandDescription& command : commands()) {
    answer.add({usage_of(command), std::string(to_text(command.role)), std::string(command.summary),
                argument_text(command)});
  }
  return answer;
}

Outcome get_uptime(Desk& desk, const Words& words) {
  static_cast<void>(words);
  Answer answer = Answer::table({"uptime_seconds", "started_utc", "process"});
  answer.add({(desk.now().utc_ns - desk.started_utc_ns()) / base::ns_per_second,
              time_text(desk.started_utc_ns()), std::int64_t{::getpid()}});
  return answer;
}

Outcome get_engine_version(Desk& desk, const Words& words) {
  static_cast<void>(words);
  Answer answer = Answer::table({"name", "value"});
  answer.add({"version", std::string(base::version)});
  answer.add({"compiler", std::string(__VERSION__)});
  answer.add({"assertions", std::string(
#ifdef NDEBUG
                                "release"
#else
                                "all"
#endif
                                )});
  answer.add({"kernel", std::string(wire::to_text(wire::active_kernel()))});
  answer.add({"tls", std::string(tls::has_tls() ? "yes" : "no")});
  answer.add({"workers", std::to_string(desk.engine().worker_count())});
  return answer;
}

Outcome get_engine_log_path(Desk& desk, const Words& words) {
  static_cast<void>(words);
  Answer answer = Answer::table({"log_path"});
  answer.add({desk.program().log_place()});
  return answer;
}

Outcome get_engine_log_level(Desk& desk, const Words& words) {
  static_cast<void>(words);
  Answer answer = Answer::table({"log_level"});
  answer.add({desk.program().log_level()});
  return answer;
}

Outcome set_engine_log_level(Desk& desk, const Words& words) {
  const std::string before = desk.program().log_level();
  desk.program().set_log_level(words[0]);
  return Answer::done("log level " + before + " -> " + words[0]);
}

Outcome reopen_log(Desk& desk, const Words& words) {
  static_cast<void>(words);
  return desk.ask_disk([&program = desk.program()] {
    const auto reopened = program.reopen_log();
    return reopened ? Answer::done("the log goes on in " + program.log_place())
                    : Answer::refused(reopened.error().sentence(), reopened.error().message_code);
  });
}

Outcome get_configuration(Desk& desk, const Words& words) {
  Answer answer = Answer::table({"group", "kind", "key", "value", "said"});
  bool found = words[0].empty();
  for (const config::EffectiveGroup& group : config::describe_configuration(desk.configuration())) {
    if (!words[0].empty() && group.name != words[0]) {
      continue;
    }
    found = true;
    for (const config::EffectiveValue& value : group.values) {
      answer.add({group.name, std::string(config::to_text(group.kind)), std::string(value.key),
                  value.value, value.origin != config::Origin::Standard});
    }
  }
  return found ? answer : Answer::refused("there is no group '" + words[0] + "'", "A104");
}

}  // namespace affix::inline v0::admin
