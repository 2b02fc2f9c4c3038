// SPDX-License-Identifier: MIT
// `affix generate` as a program of its own, for this tree's build: the program `affix-lab` is
// compiled with generated messages.
#include "generate/command.hpp"

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App program("affix_generator: C++ messages from a dictionary", "affix_generator");
  int status = 0;
  affix::tools::generate::add_options(program, status);
  CLI11_PARSE(program, argc, argv);
  return status;
}
