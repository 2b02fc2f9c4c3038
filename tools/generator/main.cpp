// SPDX-License-Identifier: MIT
// `affix generate` as a program of its own, for builds: the program `affix-lab` is compiled with
// generated messages, and so are users' programs. Like every program it has `completion`.
#include "affix/base/version.hpp"

#include "completion/command.hpp"
#include "generate/command.hpp"

#include <string>

namespace tools = affix::tools;

int main(int argc, char** argv) {
  const tools::ProgramText text{.name = "affix_generator",
                                .description = "C++ messages from a dictionary",
                                .version = std::string(affix::base::version)};
  const auto add_commands = [&text](tools::Command program) {
    tools::generate::add_options(program);
    tools::completion::add_command(program, text.name + " " + text.version);
  };
  return tools::run_command_line(text, add_commands, argc, argv);
}
