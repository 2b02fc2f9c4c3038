// SPDX-License-Identifier: MIT
// Message::getField into reused fields, as a QuickFIX user reads a message; compiled as
// C++14.
#include "quickfix_report.hpp"

#include <cstdio>
#include <cstdlib>
#include <quickfix/Fields.h>
#include <quickfix/Message.h>

namespace affix_bench {
namespace {

FIX::Message& parsed() {
  static FIX::Message message;
  return message;
}

}  // namespace

void quickfix_parse_report(const char* bytes, std::size_t size) {
  try {
    parsed().setString(std::string(bytes, size), true);
  } catch (const FIX::InvalidMessage&) {
    std::fprintf(stderr, "bench dictionary: QuickFIX refuses the report\n");
    std::exit(2);
  }
}

void quickfix_read_report(QuickfixReport& report) {
  static FIX::ClOrdID cl_ord_id;
  static FIX::OrderID order_id;
  static FIX::ExecID exec_id;
  static FIX::Symbol symbol;
  static FIX::ExecType exec_type;
  static FIX::OrdStatus ord_status;
  static FIX::Side side;
  static FIX::LastQty last_qty;
  static FIX::LastPx last_px;
  static FIX::CumQty cum_qty;
  const FIX::Message& message = parsed();
  report.cl_ord_id = message.getField(cl_ord_id).getString();
  report.order_id = message.getField(order_id).getString();
  report.exec_id = message.getField(exec_id).getString();
  report.symbol = message.getField(symbol).getString();
  message.getField(exec_type);
  message.getField(ord_status);
  message.getField(side);
  message.getField(last_qty);
  message.getField(last_px);
  message.getField(cum_qty);
  report.exec_type = exec_type.getValue();
  report.ord_status = ord_status.getValue();
  report.side = side.getValue();
  report.last_qty = last_qty.getValue();
  report.last_px = last_px.getValue();
  report.cum_qty = cum_qty.getValue();
}

}  // namespace affix_bench
