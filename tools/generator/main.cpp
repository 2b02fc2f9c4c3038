// SPDX-License-Identifier: MIT
// `affix generate` as a program of its own, for this tree's build: the program `affix-lab` is
// compiled with generated messages.
#include "generate/command.hpp"

int main(int argc, char** argv) {
  return affix::tools::run_command_line(
      {.name = "affix_generator", .description = "C++ messages from a dictionary"},
      affix::tools::generate::add_options, argc, argv);
}
