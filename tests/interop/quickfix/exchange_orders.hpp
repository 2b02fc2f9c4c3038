// SPDX-License-Identifier: MIT
// The order table of quickfix_exchange and its reports, for every FIX version. Has no book: the
// fill mode determines fills, so that a test knows each report in advance.
#pragma once

#include <map>
#include <quickfix/Message.h>
#include <string>
#include <vector>

namespace interop {

/// Quantity filled at once when an order is accepted.
enum class FillMode {
  InTwo,    ///< Half (rounded up), then the rest; a quantity of one in one fill.
  AtOnce,   ///< One fill.
  Half,     ///< Half, and the rest stays open.
  Nothing,  ///< No fill.
};

/// One session's orders. Not thread-safe. Every function returns the messages to send, in order.
class ExchangeOrders {
 public:
  explicit ExchangeOrders(const std::string& begin_string) : fix42_(begin_string == "FIX.4.2") {}

  void set_fill_mode(FillMode mode) { fill_mode_ = mode; }

  /// Answers NewOrderSingle, cancel, replace and status requests; anything else with a
  /// BusinessMessageReject. Rejects with a reason: a ClOrdID used before, a symbol that begins with
  /// "REJECT", a quantity that is not a positive whole number, an order type other than market and
  /// limit, a limit order without a price.
  std::vector<FIX::Message> answer(const FIX::Message& request);

  /// Fills an open order further. Throws std::invalid_argument if the quantity exceeds the rest.
  std::vector<FIX::Message> execute(const std::string& cl_ord_id, long quantity);

 private:
  struct Order {
    std::string order_id;
    std::string cl_ord_id;
    std::string symbol;
    std::string side;
    std::string ord_type;
    std::string price;  // Text as received; empty for a market order.
    long quantity = 0;
    long filled = 0;
    double paid = 0;  // Sum of quantity times price over all fills.
    bool closed = false;
  };

  std::vector<FIX::Message> answer_new(const FIX::Message& request);
  std::vector<FIX::Message> answer_cancel(const FIX::Message& request);
  std::vector<FIX::Message> answer_replace(const FIX::Message& request);
  std::vector<FIX::Message> answer_status(const FIX::Message& request);
  FIX::Message fill(Order& order, long quantity);
  FIX::Message report(const Order& order, const std::string& exec_type);
  FIX::Message rejected(const FIX::Message& request, const std::string& reason_code,
                        const std::string& text);
  FIX::Message cancel_rejected(const FIX::Message& request, const std::string& response_to,
                               const std::string& reason_code, const std::string& status);
  Order* find(const std::string& cl_ord_id);

  bool fix42_;
  FillMode fill_mode_ = FillMode::InTwo;
  std::map<std::string, Order> orders_;           // By order id.
  std::map<std::string, std::string> order_ids_;  // Order id of every ClOrdID ever received.
  long next_order_ = 1;
  long next_execution_ = 1;
};

}  // namespace interop
