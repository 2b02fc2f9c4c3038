// SPDX-License-Identifier: MIT
// Tells the process that started the program, by standard output, where its ports are.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/net/address.hpp"

namespace affix::inline v0::tools {

/// Prints "listening on 127.0.0.1:5001" for each server group.
void announce_listeners(const engine::Engine& engine);

/// Prints "administration on 127.0.0.1:5042"; nothing if `port` is null.
void announce_administration(const net::Address* port);

/// Prints "node A: standby of DESKS, VENUES"; nothing for an engine that is no node. A node always
/// begins as a standby.
void announce_node(const engine::Engine& engine);

}  // namespace affix::inline v0::tools
