// SPDX-License-Identifier: MIT
// The trade client's messages in one FIX version: writes requests, and reads reports and market
// data, with the typed messages generated from the version's dictionary.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include "trade/flow/order_request.hpp"
#include "trade/flow/order_tracker.hpp"
#include "trade/market_data/book_news.hpp"

#include <optional>
#include <string_view>

namespace affix::inline v0::tools::trade {

/// MsgType of a request.
[[nodiscard]] std::string_view msg_type_of(const OrderRequest& request) noexcept;

/// Stateless. Each write() takes an encoder with a begun message of its type, adds the body and
/// returns the encoder, to be finished or committed; the encoder has the error, if any.
class Dialect {
 public:
  Dialect() = default;
  Dialect(const Dialect&) = delete;
  Dialect& operator=(const Dialect&) = delete;
  virtual ~Dialect() = default;

  /// NewOrderSingle, OrderCancelRequest or OrderCancelReplaceRequest.
  [[nodiscard]] virtual wire::Encoder write(const wire::Encoder& begun, const OrderRequest& request,
                                            base::UtcTime now) const noexcept = 0;

  /// MarketDataRequest (35=V).
  [[nodiscard]] virtual wire::Encoder write(
      const wire::Encoder& begun, const BookSubscription& subscription) const noexcept = 0;

  /// Contents of an ExecutionReport; nullopt if a required field is missing or unreadable. Views
  /// point into the message.
  [[nodiscard]] virtual std::optional<ExecutionNews> read_execution(
      const wire::MessageView& message) const noexcept = 0;

  /// ClOrdID of an OrderCancelReject; empty if missing.
  [[nodiscard]] virtual std::string_view read_cancel_reject(
      const wire::MessageView& message) const noexcept = 0;

  /// Reads a snapshot or increments; false if a required field is missing or unreadable. Views
  /// point into the message.
  [[nodiscard]] virtual bool read_market_data(const wire::MessageView& message,
                                              BookNews& news) const = 0;
};

/// Dialect for a BeginString, in static storage: FIX.4.2's up to that version, FIX.5.0 SP2's for
/// FIXT, otherwise FIX.4.4's.
[[nodiscard]] const Dialect& dialect_of(std::string_view begin_string) noexcept;

}  // namespace affix::inline v0::tools::trade
