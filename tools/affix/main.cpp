// SPDX-License-Identifier: MIT
// The program `affix`: one subcommand per folder.
#include "demo/command.hpp"
#include "dictionary/command.hpp"
#include "exchange/command.hpp"
#include "log/command.hpp"
#include "trade/command.hpp"

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App program("affix: a low-latency FIX engine", "affix");
  program.set_version_flag("--version", "affix " AFFIX_VERSION);
  program.require_subcommand(1);
  int status = 0;
  affix::tools::exchange::add_command(program, status);
  affix::tools::trade::add_command(program, status);
  affix::tools::demo::add_command(program, status);
  affix::tools::log::add_command(program, status);
  affix::tools::dictionary::add_command(program, status);
  CLI11_PARSE(program, argc, argv);
  return status;
}
