// SPDX-License-Identifier: MIT
// Of docs/reference/testing-kit.md: an engine on a virtual network. Compiled; run is
// examples/50_tested_application.cpp, which does the same.

#include "affix/engine.hpp"
#include "affix/testing.hpp"

/// Lets an engine run for a minute of virtual time.
void run_a_minute(const affix::config::Configuration& configuration,
                  affix::host::Application& application) {
  affix::testing::VirtualNetwork network;
  const auto node = network.add_node();
  auto engine = affix::engine::Engine::open(
      configuration, application,
      network.make_reactor(node, affix::engine::Engine::reactor_options(configuration)));
  network.set_turn(node, [&] { (*engine)->poll(affix::testing::VirtualNetwork::never_ns); });
  network.run(60 * affix::base::ns_per_second);  // A minute, at once.
}
