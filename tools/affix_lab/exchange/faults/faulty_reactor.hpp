// SPDX-License-Identifier: MIT
// A transport that treats each message to a peer as rules say: loses, doubles, changes or delays
// it, or ends the connection.
#pragma once

#include "affix/net/reactor.hpp"

#include "exchange/faults/fault_rules.hpp"

#include <memory>

namespace affix::inline v0::tools::exchange {

/// `rules` outlives it and may be replaced between turns, on the reactor's thread.
[[nodiscard]] std::unique_ptr<net::Reactor> make_faulty_reactor(std::unique_ptr<net::Reactor> inner,
                                                                FaultRules& rules);

}  // namespace affix::inline v0::tools::exchange
