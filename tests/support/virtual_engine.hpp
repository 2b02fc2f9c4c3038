// SPDX-License-Identifier: MIT
// Runs an engine as the process of a node of a virtual network.
#pragma once

#include "affix/testing/virtual_network.hpp"

#include "support/engine_case.hpp"

#include <memory>
#include <utility>

namespace affix::support {

/// Opens the engine on `node` and lets the node turn it. Null, and a failure, when it cannot be
/// opened. The network and `application` outlive it.
inline std::unique_ptr<engine::Engine> start_engine(testing::VirtualNetwork& network,
                                                    testing::NodeId node,
                                                    const config::Configuration& settings,
                                                    host::Application& application) {
  auto opened = engine::Engine::open(
      settings, application, network.make_reactor(node, engine::Engine::reactor_options(settings)));
  EXPECT_TRUE(opened) << config::text_of(opened.error());
  if (!opened) {
    return nullptr;
  }
  network.set_turn(node, [engine = opened->get()] {
    engine->poll(testing::VirtualNetwork::never_ns);
    engine->prepare_journals();
  });
  return std::move(*opened);
}

}  // namespace affix::support
