// SPDX-License-Identifier: MIT
// Subcommands of `affix-lab bench`.
#include "bench/command.hpp"

#include "bench/floor/command.hpp"
#include "bench/load/command.hpp"
#include "bench/server/command.hpp"

namespace affix::inline v0::tools::bench {

void add_command(Command program) {
  Command command =
      program.add_command("bench", "Load a FIX acceptor and measure it, or be the acceptor");
  command.require_command();
  add_load_command(command);
  add_server_command(command);
  add_floor_command(command);
}

}  // namespace affix::inline v0::tools::bench
