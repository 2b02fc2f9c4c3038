// SPDX-License-Identifier: MIT
// Answers orders with ExecutionReports and rejects. FIX.4.2 has ExecTransType and reports fills as
// partial fill and fill; later versions have ExecType=Trade and no ExecTransType.
#include "exchange_orders.hpp"

#include <cstdlib>
#include <quickfix/Fields.h>
#include <stdexcept>

namespace interop {
namespace {

using Tag = int;

constexpr const char* exec_new = "0";
constexpr const char* exec_canceled = "4";
constexpr const char* exec_replaced = "5";
constexpr const char* exec_rejected = "8";
constexpr const char* exec_trade = "F";
constexpr const char* exec_status = "I";
constexpr const char* market_price = "100";

std::string text_of(const FIX::Message& message, Tag tag) {
  return message.isSetField(tag) ? message.getField(tag) : std::string();
}

/// 0 for a text that is not a positive whole number ("100" and "100.00" are).
long whole_quantity(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 1) || value > 1e15) {
    return 0;
  }
  const long whole = static_cast<long>(value);
  return static_cast<double>(whole) == value ? whole : 0;
}

std::string now_text() {
  return FIX::UtcTimeStampConvertor::convert(FIX::UtcTimeStamp(), 3);
}

FIX::Message make(const std::string& msg_type) {
  FIX::Message message;
  message.getHeader().setField(FIX::FIELD::MsgType, msg_type);
  return message;
}

}  // namespace

std::vector<FIX::Message> ExchangeOrders::answer(const FIX::Message& request) {
  const std::string type = request.getHeader().getField(FIX::FIELD::MsgType);
  if (type == "D") {
    return answer_new(request);
  }
  if (type == "F") {
    return answer_cancel(request);
  }
  if (type == "G") {
    return answer_replace(request);
  }
  if (type == "H") {
    return answer_status(request);
  }
  FIX::Message reject = make("j");
  reject.setField(FIX::FIELD::RefSeqNum, request.getHeader().getField(FIX::FIELD::MsgSeqNum));
  reject.setField(FIX::FIELD::RefMsgType, type);
  reject.setField(FIX::FIELD::BusinessRejectReason, "3");
  reject.setField(FIX::FIELD::Text, "Unsupported Message Type");
  return {reject};
}

std::vector<FIX::Message> ExchangeOrders::answer_new(const FIX::Message& request) {
  Order order;
  order.cl_ord_id = request.getField(FIX::FIELD::ClOrdID);
  order.symbol = text_of(request, FIX::FIELD::Symbol);
  order.side = text_of(request, FIX::FIELD::Side);
  order.ord_type = text_of(request, FIX::FIELD::OrdType);
  order.price = text_of(request, FIX::FIELD::Price);
  order.quantity = whole_quantity(text_of(request, FIX::FIELD::OrderQty));
  if (order_ids_.count(order.cl_ord_id) != 0) {
    return {rejected(request, "6", "Duplicate ClOrdID")};
  }
  order.order_id = "QF" + std::to_string(next_order_++);
  order_ids_[order.cl_ord_id] = order.order_id;
  if (order.symbol.empty() || order.symbol.compare(0, 6, "REJECT") == 0) {
    return {rejected(request, "1", "Unknown symbol")};
  }
  if (order.quantity == 0) {
    return {rejected(request, "0", "OrderQty must be a positive whole number")};
  }
  if (order.ord_type != "1" && order.ord_type != "2") {
    return {rejected(request, "0", "OrdType must be market or limit")};
  }
  if (order.ord_type == "2" && order.price.empty()) {
    return {rejected(request, "0", "A limit order needs a Price")};
  }
  Order& kept = orders_[order.order_id] = order;
  std::vector<FIX::Message> answers{report(kept, exec_new)};
  if (fill_mode_ == FillMode::AtOnce) {
    answers.push_back(fill(kept, kept.quantity));
  } else if (fill_mode_ != FillMode::Nothing) {
    answers.push_back(fill(kept, (kept.quantity + 1) / 2));
    if (fill_mode_ == FillMode::InTwo && kept.filled < kept.quantity) {
      answers.push_back(fill(kept, kept.quantity - kept.filled));
    }
  }
  return answers;
}

std::vector<FIX::Message> ExchangeOrders::answer_cancel(const FIX::Message& request) {
  Order* order = find(request.getField(FIX::FIELD::OrigClOrdID));
  if (order == nullptr) {
    return {cancel_rejected(request, "1", "1", "8")};
  }
  if (order->closed) {
    return {cancel_rejected(request, "1", "0", "2")};
  }
  const std::string original = order->cl_ord_id;
  order->cl_ord_id = request.getField(FIX::FIELD::ClOrdID);
  order_ids_[order->cl_ord_id] = order->order_id;
  order->closed = true;
  FIX::Message answer = report(*order, exec_canceled);
  answer.setField(FIX::FIELD::OrigClOrdID, original);
  return {answer};
}

std::vector<FIX::Message> ExchangeOrders::answer_replace(const FIX::Message& request) {
  Order* order = find(request.getField(FIX::FIELD::OrigClOrdID));
  if (order == nullptr) {
    return {cancel_rejected(request, "2", "1", "8")};
  }
  const long quantity = whole_quantity(text_of(request, FIX::FIELD::OrderQty));
  if (order->closed || quantity <= order->filled) {
    return {cancel_rejected(request, "2", "0", order->closed ? "2" : "0")};
  }
  const std::string original = order->cl_ord_id;
  order->cl_ord_id = request.getField(FIX::FIELD::ClOrdID);
  order_ids_[order->cl_ord_id] = order->order_id;
  order->quantity = quantity;
  if (request.isSetField(FIX::FIELD::Price)) {
    order->price = request.getField(FIX::FIELD::Price);
  }
  FIX::Message answer = report(*order, exec_replaced);
  answer.setField(FIX::FIELD::OrigClOrdID, original);
  return {answer};
}

std::vector<FIX::Message> ExchangeOrders::answer_status(const FIX::Message& request) {
  const Order* order = find(request.getField(FIX::FIELD::ClOrdID));
  if (order == nullptr) {
    return {rejected(request, "5", "Unknown order")};
  }
  return {report(*order, exec_status)};
}

std::vector<FIX::Message> ExchangeOrders::execute(const std::string& cl_ord_id, long quantity) {
  Order* order = find(cl_ord_id);
  if (order == nullptr || order->closed || quantity < 1 ||
      quantity > order->quantity - order->filled) {
    throw std::invalid_argument("no open order " + cl_ord_id + " with so much left");
  }
  return {fill(*order, quantity)};
}

FIX::Message ExchangeOrders::fill(Order& order, long quantity) {
  const std::string price = order.price.empty() ? std::string(market_price) : order.price;
  order.filled += quantity;
  order.paid += static_cast<double>(quantity) * std::strtod(price.c_str(), nullptr);
  order.closed = order.filled == order.quantity;
  FIX::Message message = report(order, exec_trade);
  message.setField(FIX::FIELD::LastShares, std::to_string(quantity));
  message.setField(FIX::FIELD::LastPx, price);
  return message;
}

FIX::Message ExchangeOrders::report(const Order& order, const std::string& exec_type) {
  std::string status = order.filled == 0 ? "0" : order.filled == order.quantity ? "2" : "1";
  if (order.closed && order.filled < order.quantity) {
    status = "4";
  }
  FIX::Message message = make("8");
  message.setField(FIX::FIELD::OrderID, order.order_id);
  message.setField(FIX::FIELD::ClOrdID, order.cl_ord_id);
  message.setField(FIX::FIELD::ExecID, "E" + std::to_string(next_execution_++));
  if (fix42_) {
    message.setField(FIX::FIELD::ExecTransType, exec_type == exec_status ? "3" : "0");
    const bool by_status = exec_type == exec_trade || exec_type == exec_status;
    message.setField(FIX::FIELD::ExecType, by_status ? status : exec_type);
    status = exec_type == exec_replaced ? exec_replaced : status;
  } else {
    message.setField(FIX::FIELD::ExecType, exec_type);
  }
  message.setField(FIX::FIELD::OrdStatus, status);
  message.setField(FIX::FIELD::Symbol, order.symbol);
  message.setField(FIX::FIELD::Side, order.side);
  message.setField(FIX::FIELD::OrdType, order.ord_type);
  message.setField(FIX::FIELD::OrderQty, std::to_string(order.quantity));
  if (!order.price.empty()) {
    message.setField(FIX::FIELD::Price, order.price);
  }
  message.setField(FIX::FIELD::LeavesQty,
                   std::to_string(order.closed ? 0 : order.quantity - order.filled));
  message.setField(FIX::FIELD::CumQty, std::to_string(order.filled));
  const double average = order.filled == 0 ? 0 : order.paid / static_cast<double>(order.filled);
  message.setField(FIX::FIELD::AvgPx, FIX::DoubleConvertor::convert(average));
  message.setField(FIX::FIELD::TransactTime, now_text());
  return message;
}

FIX::Message ExchangeOrders::rejected(const FIX::Message& request, const std::string& reason_code,
                                      const std::string& text) {
  FIX::Message message = make("8");
  message.setField(FIX::FIELD::OrderID, "NONE");
  message.setField(FIX::FIELD::ClOrdID, request.getField(FIX::FIELD::ClOrdID));
  message.setField(FIX::FIELD::ExecID, "E" + std::to_string(next_execution_++));
  if (fix42_) {
    message.setField(FIX::FIELD::ExecTransType, "0");
  }
  message.setField(FIX::FIELD::ExecType, exec_rejected);
  message.setField(FIX::FIELD::OrdStatus, exec_rejected);
  const std::string symbol = text_of(request, FIX::FIELD::Symbol);
  message.setField(FIX::FIELD::Symbol, symbol.empty() ? "NONE" : symbol);
  message.setField(FIX::FIELD::Side, text_of(request, FIX::FIELD::Side));
  message.setField(FIX::FIELD::LeavesQty, "0");
  message.setField(FIX::FIELD::CumQty, "0");
  message.setField(FIX::FIELD::AvgPx, "0");
  message.setField(FIX::FIELD::OrdRejReason, reason_code);
  message.setField(FIX::FIELD::Text, text);
  message.setField(FIX::FIELD::TransactTime, now_text());
  return message;
}

FIX::Message ExchangeOrders::cancel_rejected(const FIX::Message& request,
                                             const std::string& response_to,
                                             const std::string& reason_code,
                                             const std::string& status) {
  const auto known = order_ids_.find(request.getField(FIX::FIELD::OrigClOrdID));
  FIX::Message message = make("9");
  message.setField(FIX::FIELD::OrderID, known == order_ids_.end() ? "NONE" : known->second);
  message.setField(FIX::FIELD::ClOrdID, request.getField(FIX::FIELD::ClOrdID));
  message.setField(FIX::FIELD::OrigClOrdID, request.getField(FIX::FIELD::OrigClOrdID));
  message.setField(FIX::FIELD::OrdStatus, status);
  message.setField(FIX::FIELD::CxlRejResponseTo, response_to);
  message.setField(FIX::FIELD::CxlRejReason, reason_code);
  return message;
}

ExchangeOrders::Order* ExchangeOrders::find(const std::string& cl_ord_id) {
  const auto id = order_ids_.find(cl_ord_id);
  const auto order = id == order_ids_.end() ? orders_.end() : orders_.find(id->second);
  return order == orders_.end() ? nullptr : &order->second;
}

}  // namespace interop
