// SPDX-License-Identifier: MIT
// From a member's FIX message to the command it means, or why it means none.
#pragma once

#include "affix/session/events.hpp"
#include "affix/wire/view.hpp"

#include "exchange/book/commands.hpp"
#include "exchange/market_data/request.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

namespace affix::inline v0::tools::exchange {

using Request = std::variant<NewOrder, CancelOrder, ReplaceOrder, StatusRequest, MarketDataRequest>;

/// A message that cannot be a command: what a BusinessMessageReject says of it.
struct BadRequest {
  session::BusinessRejectReason reason = session::BusinessRejectReason::Other;
  std::uint32_t tag = 0;  ///< The field at fault; 0 for an unknown message type.
  std::string_view text;  ///< Static storage.
};

/// Reads NewOrderSingle, OrderCancelRequest, OrderCancelReplaceRequest, OrderStatusRequest and
/// MarketDataRequest. Values are taken as they are; whether an order makes sense is the matching
/// engine's to say, and what market data there is the publisher's.
/// Views go into the message. `order_id_prefix` is what our OrderIDs begin with.
[[nodiscard]] std::expected<Request, BadRequest> read_request(const wire::MessageView& message,
                                                              OwnerId owner,
                                                              std::string_view order_id_prefix);

}  // namespace affix::inline v0::tools::exchange
