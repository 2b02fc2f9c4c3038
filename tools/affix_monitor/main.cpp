// SPDX-License-Identifier: MIT
// The program `affix-monitor`.
#include "monitor/command.hpp"
#include "program/program.hpp"

namespace tools = affix::tools;

namespace {

constexpr tools::AddCommand commands[] = {tools::monitor::add_options};

}  // namespace

int main(int argc, char** argv) {
  return tools::run_program(
      {.name = "affix-monitor",
       .description = "serves a page, an interface and metrics about engines that run elsewhere"},
      commands, argc, argv);
}
