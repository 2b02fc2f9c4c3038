// SPDX-License-Identifier: MIT
// The program `affix-keep`: keeps sockets open for engines that end and start again.
#include "affix/base/version.hpp"

#include "completion/command.hpp"
#include "keep/command.hpp"

#include <string>

namespace tools = affix::tools;

int main(int argc, char** argv) {
  const tools::ProgramText text{.name = "affix-keep",
                                .description = "keeps connections open while an engine restarts",
                                .version = std::string(affix::base::version)};
  const auto add_commands = [&text](tools::Command program) {
    tools::keep::add_options(program);
    tools::completion::add_command(program, text.name + " " + text.version);
  };
  return tools::run_command_line(text, add_commands, argc, argv);
}
