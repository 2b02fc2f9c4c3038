// SPDX-License-Identifier: MIT
// The trade client's requests as FIX fields, and the exchange's reports as news.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include "trade/flow/order_request.hpp"
#include "trade/flow/order_tracker.hpp"

#include <optional>
#include <string_view>

namespace affix::inline v0::tools::trade {

/// MsgType of a request.
[[nodiscard]] std::string_view msg_type_of(const OrderRequest& request) noexcept;

/// Body of NewOrderSingle, OrderCancelRequest or OrderCancelReplaceRequest, for FIX.4.2 and later.
void write_request(wire::Encoder& message, const OrderRequest& request, base::UtcTime now) noexcept;

/// What an ExecutionReport says; nothing when a field that it must have is missing or unreadable.
/// Views go into the message.
[[nodiscard]] std::optional<ExecutionNews> read_execution(
    const wire::MessageView& message) noexcept;

}  // namespace affix::inline v0::tools::trade
