// SPDX-License-Identifier: MIT
// Commands about the engine as a whole.
#include "affix/base/version.hpp"
#include "affix/tls/tls_settings.hpp"
#include "affix/wire/kernel.hpp"

#include "admin/command_table.hpp"
#include "admin/configuration_answer.hpp"
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
      case ArgumentKind::FailoverGroup:
        text += "failover_group";
        break;
      case ArgumentKind::Node:
        text += "node";
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

Outcome help(CommandContext& /*context*/, const Words& words) {
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

Outcome get_uptime(CommandContext& context, const Words& /*words*/) {
  Answer answer = Answer::table({"uptime_seconds", "started_utc", "process"});
  answer.add({(context.now().utc_ns - context.started_utc_ns()) / base::ns_per_second,
              time_text(context.started_utc_ns()), std::int64_t{::getpid()}});
  return answer;
}

Outcome get_engine_version(CommandContext& context, const Words& /*words*/) {
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
  answer.add({"workers", std::to_string(context.engine().worker_count())});
  return answer;
}

Outcome get_engine_log_path(CommandContext& context, const Words& /*words*/) {
  Answer answer = Answer::table({"log_path"});
  answer.add({context.program().log_place()});
  return answer;
}

Outcome get_engine_log_level(CommandContext& context, const Words& /*words*/) {
  Answer answer = Answer::table({"log_level"});
  answer.add({context.program().log_level()});
  return answer;
}

Outcome set_engine_log_level(CommandContext& context, const Words& words) {
  const std::string before = context.program().log_level();
  context.program().set_log_level(words[0]);
  return Answer::done("log level " + before + " -> " + words[0]);
}

Outcome reopen_log(CommandContext& context, const Words& /*words*/) {
  return context.ask_disk([&program = context.program()] {
    const auto reopened = program.reopen_log();
    return reopened ? Answer::done("the log goes on in " + program.log_place())
                    : Answer::refused(reopened.error().sentence(), reopened.error().message_code);
  });
}

Outcome get_configuration(CommandContext& context, const Words& words) {
  return configuration_answer(context.configuration(), words[0]);
}

constexpr std::array help_arguments{
    ArgumentDescription{.name = "command", .kind = ArgumentKind::Command, .optional = true}};
constexpr std::array level_arguments{ArgumentDescription{
    .name = "log_level", .kind = ArgumentKind::Choice, .choices = "ERROR|WARNING|INFO|DEBUG"}};
constexpr std::array group_arguments{
    ArgumentDescription{.name = "group", .kind = ArgumentKind::Group, .optional = true}};

constexpr auto engine_rows = in_section(
    "Engine",
    std::array{
        CommandRow{{.name = "help",
                    .role = Role::None,
                    .arguments = help_arguments,
                    .summary = "Display all commands, or one with its details"},
                   &help},
        CommandRow{{.name = "get_uptime", .summary = "Show when the engine was started"},
                   &get_uptime},
        CommandRow{{.name = "get_engine_version",
                    .summary = "Show the running version, and how it was built"},
                   &get_engine_version},
        CommandRow{{.name = "get_engine_log_path", .summary = "Show where the log is written"},
                   &get_engine_log_path},
        CommandRow{
            {.name = "get_engine_log_level", .summary = "Show the lowest severity that is logged"},
            &get_engine_log_level},
        CommandRow{
            {.name = "set_engine_log_level",
             .role = Role::Operate,
             .changes_state = true,
             .arguments = level_arguments,
             .summary = "Set the lowest severity that is logged",
             .detail =
                 "Applies from the next line on, until the next change or the end of the program."},
            &set_engine_log_level},
        CommandRow{{.name = "reopen_log",
                    .role = Role::Operate,
                    .changes_state = true,
                    .summary = "Open log_file and audit_file again",
                    .detail = "For use after the files were moved. Nothing else changes."},
                   &reopen_log},
        CommandRow{{.name = "get_configuration",
                    .arguments = group_arguments,
                    .summary = "Show the present value of every key of every group, or of one",
                    .detail = "`said` is no if the key has its default. Secrets are dots."},
                   &get_configuration},
    });

}  // namespace

std::span<const CommandRow> engine_commands() noexcept {
  return engine_rows;
}

}  // namespace affix::inline v0::admin
