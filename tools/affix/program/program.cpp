// SPDX-License-Identifier: MIT
// Parses with CLI11, and words its errors.
#include "program/program.hpp"

#include "affix/base/version.hpp"
#include "affix/os/bus_error.hpp"

#include "completion/command.hpp"
#include "process/standard_output.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

namespace affix::inline v0::tools {

namespace {

constexpr int no_command_ran = -1;

/// An unknown word in place of a command, with the existing commands; empty: there is none.
std::string say_wrong_command(const CLI::App& program) {
  const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
  const auto words = program.remaining();
  if (commands.empty() || words.empty() || words.front().starts_with('-')) {
    return {};
  }
  std::string text = "no command '" + words.front() + "'; there are";
  for (const CLI::App* const command : commands) {
    text += (command == commands.front() ? " " : ", ") + command->get_name();
  }
  return text;
}

/// Names the subcommand with the faulty arguments, so that the user reads its help.
std::string say_what_is_wrong(const CLI::App* program, const CLI::Error& error) {
  std::string name = program->get_name();
  for (auto inner = program->get_subcommands(); !inner.empty();
       inner = program->get_subcommands()) {
    program = inner.front();
    name += " " + program->get_name();
  }
  std::string text = say_wrong_command(*program);
  if (text.empty()) {
    text = error.what();
  }
  return name + ": " + text + "\n" + name + " --help says more.\n";
}

int parse_and_run(const ProgramText& text, std::span<const AddCommand> commands, int argc,
                  char** argv) {
  // A page of a journal that the disk cannot read stops its session, not the program.
  if (const auto installed = os::install_bus_error_handler(); !installed) {
    std::fprintf(stderr, "%s: %s\n", text.name, installed.error().text().c_str());
    return 1;
  }
  const std::string version = std::string(text.name) + " " + std::string(base::version);
  CLI::App program(std::string(text.name) + ": " + text.description, text.name);
  program.set_version_flag("--version", version);
  program.footer(text.footer);
  // Not required: CLI11 would report a missing subcommand before it examines a word that names
  // none.
  program.require_subcommand(0, 1);
  int status = no_command_ran;
  for (const AddCommand add : commands) {
    add(program, status);
  }
  completion::add_command(program, version, status);
  program.failure_message(say_what_is_wrong);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version also end here, with 0.
    return program.exit(error) == 0 ? 0 : usage_status;
  }
  if (status == no_command_ran) {
    std::fputs(program.help().c_str(), stderr);
    return usage_status;
  }
  return status;
}

}  // namespace

int run_program(const ProgramText& text, std::span<const AddCommand> commands, int argc,
                char** argv) {
  return status_with_output(parse_and_run(text, commands, argc, argv), text.name);
}

}  // namespace affix::inline v0::tools
