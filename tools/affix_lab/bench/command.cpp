// SPDX-License-Identifier: MIT
// Subcommands of `affix-lab bench`.
#include "bench/command.hpp"

#include "bench/floor/command.hpp"
#include "bench/load/command.hpp"
#include "bench/server/command.hpp"

#include <CLI/CLI.hpp>

namespace affix::inline v0::tools::bench {

void add_command(CLI::App& program, int& status) {
  CLI::App* const command =
      program.add_subcommand("bench", "Load a FIX acceptor and measure it, or be the acceptor");
  command->require_subcommand(1);
  add_load_command(*command, status);
  add_server_command(*command, status);
  add_floor_command(*command, status);
}

}  // namespace affix::inline v0::tools::bench
