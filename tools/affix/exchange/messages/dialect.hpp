// SPDX-License-Identifier: MIT
// The exchange's messages in one FIX version: requests read, and reports, market data and refusals
// written, through the typed messages that are generated from the version's dictionary.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/view.hpp"

#include "exchange/book/events.hpp"
#include "exchange/market_data/news.hpp"
#include "exchange/messages/request.hpp"

#include <expected>
#include <string_view>

namespace affix::inline v0::tools::exchange {

/// What of a report depends on when it is written, and by whom.
struct ReportStyle {
  std::string_view id_prefix;  ///< Before OrderID, ExecID and trade numbers: this run of the
                               ///< exchange.
  base::UtcTime now;
};

/// A MarketDataRequest that was refused, or a subscription that was ended.
struct MarketDataReject {
  std::string_view request_id;
  MarketDataRefusal reason = MarketDataRefusal::None;
  std::string_view symbol;  ///< The one at fault, or empty.
};

/// Stateless. Each write() takes an encoder in which a message of msg_type_of() has been begun,
/// adds the body and gives the encoder back, to be finished or committed; a fault is in the
/// encoder.
class Dialect {
 public:
  Dialect() = default;
  Dialect(const Dialect&) = delete;
  Dialect& operator=(const Dialect&) = delete;
  virtual ~Dialect() = default;

  /// Reads NewOrderSingle, OrderCancelRequest, OrderCancelReplaceRequest, OrderStatusRequest and
  /// MarketDataRequest. Codes are taken as they are: whether an order makes sense is the matching
  /// engine's to say, and what market data there is the publisher's. Views go into the message.
  /// `order_id_prefix` is what our OrderIDs begin with.
  [[nodiscard]] virtual std::expected<Request, BadRequest> read_request(
      const wire::MessageView& message, OwnerId owner, std::string_view order_id_prefix) const = 0;

  [[nodiscard]] virtual wire::Encoder write(const wire::Encoder& begun,
                                            const ExecutionReport& report,
                                            const ReportStyle& style) const noexcept = 0;
  [[nodiscard]] virtual wire::Encoder write(const wire::Encoder& begun, const CancelReject& reject,
                                            const ReportStyle& style) const noexcept = 0;
  [[nodiscard]] virtual wire::Encoder write(const wire::Encoder& begun, const MarketDataNews& news,
                                            const ReportStyle& style) const noexcept = 0;
  [[nodiscard]] virtual wire::Encoder write(const wire::Encoder& begun,
                                            const MarketDataReject& reject,
                                            const ReportStyle& style) const = 0;
};

[[nodiscard]] constexpr std::string_view msg_type_of(const ExecutionReport& /*report*/) noexcept {
  return "8";
}

[[nodiscard]] constexpr std::string_view msg_type_of(const CancelReject& /*reject*/) noexcept {
  return "9";
}

[[nodiscard]] constexpr std::string_view msg_type_of(const MarketDataNews& news) noexcept {
  return news.snapshot ? "W" : "X";
}

[[nodiscard]] constexpr std::string_view msg_type_of(const MarketDataReject& /*reject*/) noexcept {
  return "Y";
}

/// The three that there are; static storage.
[[nodiscard]] const Dialect& fix42_dialect() noexcept;
[[nodiscard]] const Dialect& fix44_dialect() noexcept;
[[nodiscard]] const Dialect& fix50sp2_dialect() noexcept;

/// The one for sessions of a BeginString: FIX.4.2's up to that version, FIX.5.0 SP2's over FIXT.
[[nodiscard]] const Dialect& dialect_of(std::string_view begin_string) noexcept;

}  // namespace affix::inline v0::tools::exchange
