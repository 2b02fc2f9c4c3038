// SPDX-License-Identifier: MIT
// The program `affix`: one subcommand per directory.
#include "affix/os/bus_error.hpp"

#include "bench/command.hpp"
#include "completion/command.hpp"
#include "config/command.hpp"
#include "demo/command.hpp"
#include "dictionary/command.hpp"
#include "doctor/command.hpp"
#include "exchange/command.hpp"
#include "generate/command.hpp"
#include "import_quickfix/command.hpp"
#include "journal/command.hpp"
#include "log/command.hpp"
#include "monitor/command.hpp"
#include "process/standard_output.hpp"
#include "replay/command.hpp"
#include "serve/command.hpp"
#include "top/command.hpp"
#include "trade/command.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

namespace {

constexpr const char* program_name = "affix";
constexpr int usage_status = 2;  ///< The exit code of a call without a subcommand.

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

int run(int argc, char** argv) {
  // A page of a journal that the disk cannot read stops its session, not the program.
  if (const auto installed = affix::os::install_bus_error_handler(); !installed) {
    std::fprintf(stderr, "affix: %s\n", installed.error().text().c_str());
    return 1;
  }
  CLI::App program("affix: a low-latency FIX engine", program_name);
  program.set_version_flag("--version", "affix " AFFIX_VERSION);
  // Not required: CLI11 would report a missing subcommand before it examines a word that names
  // none.
  program.require_subcommand(0, 1);
  int status = 0;
  affix::tools::serve::add_command(program, status);
  affix::tools::top::add_command(program, status);
  affix::tools::monitor::add_command(program, status);
  affix::tools::config::add_command(program, status);
  affix::tools::doctor::add_command(program, status);
  affix::tools::exchange::add_command(program, status);
  affix::tools::trade::add_command(program, status);
  affix::tools::demo::add_command(program, status);
  affix::tools::bench::add_command(program, status);
  affix::tools::log::add_command(program, status);
  affix::tools::journal::add_command(program, status);
  affix::tools::replay::add_command(program, status);
  affix::tools::dictionary::add_command(program, status);
  affix::tools::generate::add_command(program, status);
  affix::tools::import_quickfix::add_command(program, status);
  affix::tools::completion::add_command(program, "affix " AFFIX_VERSION, status);
  program.failure_message(say_what_is_wrong);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version also end here, with 0.
    return program.exit(error) == 0 ? 0 : usage_status;
  }
  if (program.get_subcommands().empty()) {
    std::fputs(program.help().c_str(), stderr);
    return usage_status;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  return affix::tools::status_with_output(run(argc, argv), program_name);
}
