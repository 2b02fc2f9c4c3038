// SPDX-License-Identifier: MIT
// Result of reading a member's message: a command, or the fault of a message that cannot be one.
#pragma once

#include "affix/session/events.hpp"

#include "exchange/book/commands.hpp"
#include "exchange/market_data/request.hpp"

#include <cstdint>
#include <string_view>
#include <variant>

namespace affix::inline v0::tools::exchange {

using Request =
    std::variant<NewOrder, CancelOrder, ReplaceOrder, StatusRequest, MassCancel, MarketDataRequest>;

/// A message that cannot be a command: contents of the BusinessMessageReject.
struct BadRequest {
  session::BusinessRejectReason reason = session::BusinessRejectReason::Other;
  std::uint32_t tag = 0;  ///< The faulty field; 0 for an unknown message type.
  std::string_view text;  ///< Static storage.
};

}  // namespace affix::inline v0::tools::exchange
