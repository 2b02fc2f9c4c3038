// SPDX-License-Identifier: MIT
// A command of the QuickFIX trader that requests market data. Compiled as C++14, like all of this
// directory.
#pragma once

#include "session_commands.hpp"

#include <quickfix/Message.h>

namespace interop {

/// market_data ID snapshot|subscribe|unsubscribe DEPTH full|incremental|- ENTRIES SYMBOL...
/// ENTRIES are MDEntryTypes without anything between: 012. Throws std::invalid_argument.
FIX::Message make_market_data_request(const Words& words);

}  // namespace interop
