// SPDX-License-Identifier: MIT
// Prints without flushing: the program flushes when it has announced everything.
#include "process/announcement.hpp"

#include <cstdio>
#include <string>

namespace affix::inline v0::tools {

void announce_listeners(const engine::Engine& engine) {
  for (const net::Address& address : engine.listening_addresses()) {
    std::printf("listening on %s\n", address.text().c_str());
  }
}

void announce_node(const engine::Engine& engine) {
  std::string groups;
  std::string node;
  for (const engine::FailoverStanding& one : engine.failover_standings()) {
    groups += (groups.empty() ? "" : ", ") + one.group;
    node = one.node;
  }
  if (!groups.empty()) {
    std::printf("node %s: standby of %s\n", node.c_str(), groups.c_str());
  }
}

void announce_administration(const net::Address* port) {
  if (port != nullptr) {
    std::printf("administration on %s\n", port->text().c_str());
  }
}

}  // namespace affix::inline v0::tools
