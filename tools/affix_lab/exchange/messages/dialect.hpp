// SPDX-License-Identifier: MIT
// The exchange's messages in one FIX version: reads requests, and writes reports, market data and
// refusals, with the typed messages generated from the version's dictionary.
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

/// Values in a report that depend on its time and writer.
struct ReportStyle {
  std::string_view id_prefix;  ///< Prefix of OrderID, ExecID and trade numbers: identifies this run
                               ///< of the exchange.
  base::UtcTime now;
};

/// A refused MarketDataRequest, or an ended subscription.
struct MarketDataReject {
  std::string_view request_id;
  MarketDataRefusal reason = MarketDataRefusal::None;
  std::string_view symbol;  ///< The faulty symbol, or empty.
};

/// Answer to a MassCancel; the cancelled orders' reports precede it.
struct MassCancelReport {
  std::string_view cl_ord_id;
  char type = '\0';
  std::uint64_t id = 0;  ///< Unique in the run of the exchange.
};

/// Stateless. Each write() takes an encoder with a begun message of msg_type_of(), adds the body
/// and returns the encoder, to be finished or committed; the encoder has the error, if any.
class Dialect {
 public:
  Dialect() = default;
  Dialect(const Dialect&) = delete;
  Dialect& operator=(const Dialect&) = delete;
  virtual ~Dialect() = default;

  /// Reads NewOrderSingle, OrderCancelRequest, OrderCancelReplaceRequest, OrderStatusRequest,
  /// OrderMassCancelRequest and MarketDataRequest. Codes are passed on unchecked: the matching
  /// engine judges orders, the publisher market data requests. Views point into the message.
  /// `order_id_prefix` is the prefix of our OrderIDs.
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
  [[nodiscard]] virtual wire::Encoder write(const wire::Encoder& begun,
                                            const MassCancelReport& report,
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

[[nodiscard]] constexpr std::string_view msg_type_of(const MassCancelReport& /*report*/) noexcept {
  return "r";
}

/// Dialect for a BeginString, in static storage: FIX.4.2's up to that version, FIX.5.0 SP2's for
/// FIXT, otherwise FIX.4.4's.
[[nodiscard]] const Dialect& dialect_of(std::string_view begin_string) noexcept;

}  // namespace affix::inline v0::tools::exchange
