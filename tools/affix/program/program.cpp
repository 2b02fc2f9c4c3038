// SPDX-License-Identifier: MIT
// Steps before and after the commands: options of all programs, lost output, exit codes.
#include "program/program.hpp"

#include "affix/base/version.hpp"
#include "affix/os/bus_error.hpp"

#include "completion/command.hpp"
#include "process/standard_output.hpp"

#include <cstdio>

namespace affix::inline v0::tools {

int run_program(ProgramText text, std::span<const AddCommand> commands, int argc, char** argv) {
  // A page of a journal that the disk cannot read stops its session, not the program.
  if (const auto installed = os::install_bus_error_handler(); !installed) {
    std::fprintf(stderr, "%s: %s\n", text.name.c_str(), installed.error().text().c_str());
    return 1;
  }
  text.version = base::version;
  const auto add_commands = [&](Command program) {
    for (const AddCommand add : commands) {
      add(program);
    }
    completion::add_command(program, text.name + " " + text.version);
  };
  const int status = run_command_line(text, add_commands, argc, argv);
  return status_with_output(status, text.name.c_str());
}

}  // namespace affix::inline v0::tools
