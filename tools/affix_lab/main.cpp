// SPDX-License-Identifier: MIT
// The program `affix-lab`: peers and loads to try an engine with. One subcommand per directory.
#include "bench/command.hpp"
#include "certify/command.hpp"
#include "demo/command.hpp"
#include "exchange/command.hpp"
#include "program/program.hpp"
#include "trade/command.hpp"

namespace tools = affix::tools;

namespace {

constexpr tools::AddCommand commands[] = {
    tools::demo::add_command,  tools::exchange::add_command, tools::trade::add_command,
    tools::bench::add_command, tools::certify::add_command,
};

}  // namespace

int main(int argc, char** argv) {
  return tools::run_program(
      {.name = "affix-lab", .description = "peers and loads to try a FIX engine with"}, commands,
      argc, argv);
}
