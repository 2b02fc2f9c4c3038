// SPDX-License-Identifier: MIT
// The program `affix`: runs engines and reads what they leave. One subcommand per directory.
#include "cluster/command.hpp"
#include "config/command.hpp"
#include "dictionary/command.hpp"
#include "doctor/command.hpp"
#include "explain/command.hpp"
#include "generate/command.hpp"
#include "import_quickfix/command.hpp"
#include "journal/command.hpp"
#include "log/command.hpp"
#include "program/other_program.hpp"
#include "program/program.hpp"
#include "replay/command.hpp"
#include "serve/command.hpp"
#include "top/command.hpp"

namespace tools = affix::tools;

namespace {

constexpr tools::AddCommand commands[] = {
    tools::serve::add_command,           tools::top::add_command,
    tools::config::add_command,          tools::doctor::add_command,
    tools::explain::add_command,         tools::log::add_command,
    tools::journal::add_command,         tools::replay::add_command,
    tools::dictionary::add_command,      tools::generate::add_command,
    tools::import_quickfix::add_command, tools::cluster::add_command,
};

constexpr tools::Door doors[] = {
    {"exchange", "affix-lab", "exchange"}, {"trade", "affix-lab", "trade"},
    {"demo", "affix-lab", "demo"},         {"bench", "affix-lab", "bench"},
    {"certify", "affix-lab", "certify"},   {"monitor", "affix-monitor", nullptr},
    {"keep", "affix-keep", nullptr},
};

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = tools::run_door(doors, argc, argv)) {
    return *status;
  }
  return tools::run_program({.name = "affix",
                             .description = "a low-latency FIX engine",
                             .footer = "\naffix exchange, trade, demo, bench and certify run the "
                                       "program affix-lab; affix monitor "
                                       "runs affix-monitor; affix keep, affix-keep."},
                            commands, argc, argv);
}
