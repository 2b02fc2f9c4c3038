// SPDX-License-Identifier: MIT
// ExecutionReport and OrderCancelReject, field by field.
#include "exchange/reports.hpp"

#include "exchange/id_text.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

ExecType exec_type(const ExecutionReport& report, FixVocabulary vocabulary) noexcept {
  if (vocabulary != FixVocabulary::Fix42) {
    return report.type;
  }
  // FIX.4.2 has no Trade and no OrderStatus: a fill says how far it went, a status what it is.
  if (report.type == ExecType::Trade) {
    return report.status == OrderStatus::Filled ? ExecType::Fill : ExecType::PartialFill;
  }
  return report.type == ExecType::OrderStatus ? static_cast<ExecType>(report.status) : report.type;
}

OrderStatus order_status(const ExecutionReport& report, FixVocabulary vocabulary) noexcept {
  const bool replaced = vocabulary == FixVocabulary::Fix42 && report.type == ExecType::Replaced &&
                        report.status == OrderStatus::New;
  return replaced ? OrderStatus::Replaced : report.status;
}

char exec_trans_type(const ExecutionReport& report) noexcept {
  return report.type == ExecType::OrderStatus ? '3' : '0';
}

}  // namespace

FixVocabulary vocabulary_of(std::string_view begin_string) noexcept {
  const bool old =
      begin_string == "FIX.4.0" || begin_string == "FIX.4.1" || begin_string == "FIX.4.2";
  if (old) {
    return FixVocabulary::Fix42;
  }
  return begin_string == "FIXT.1.1" ? FixVocabulary::Fix50 : FixVocabulary::Fix44;
}

void write_execution(wire::Encoder& message, const ExecutionReport& report,
                     const ReportStyle& style) noexcept {
  message.text(37, IdText(style.id_prefix, report.order_id, "NONE").view());
  message.text(11, report.cl_ord_id);
  if (!report.orig_cl_ord_id.empty()) {
    message.text(41, report.orig_cl_ord_id);
  }
  message.text(17, IdText(style.id_prefix, report.exec_id, "0").view());
  if (style.vocabulary == FixVocabulary::Fix42) {
    message.character(20, exec_trans_type(report));
  }
  message.character(150, static_cast<char>(exec_type(report, style.vocabulary)));
  message.character(39, static_cast<char>(order_status(report, style.vocabulary)));
  if (report.type == ExecType::Rejected) {
    message.integer(103, ord_rej_reason(report.reason, style.vocabulary));
  }
  message.text(55, report.symbol);
  message.character(54, static_cast<char>(report.side));
  if (report.quantity) {
    message.decimal(38, *report.quantity);
  }
  message.character(40, static_cast<char>(report.order_type));
  if (report.price) {
    message.decimal(44, *report.price);
  }
  message.character(59, static_cast<char>(report.time_in_force));
  if (report.type == ExecType::Trade) {
    message.decimal(32, report.last_quantity);
    message.decimal(31, report.last_price);
  }
  message.decimal(151, report.leaves);
  message.decimal(14, report.filled);
  message.decimal(6, average_price(report.notional, report.filled));
  message.utc_time(60, style.now, wire::TimePrecision::Millis);
  if (report.reason != Reason::None) {
    message.text(58, to_text(report.reason));
  }
}

void write_cancel_reject(wire::Encoder& message, const CancelReject& reject,
                         const ReportStyle& style) noexcept {
  message.text(37, IdText(style.id_prefix, reject.order_id, "NONE").view());
  message.text(11, reject.cl_ord_id);
  message.text(41, reject.orig_cl_ord_id);
  message.character(39, static_cast<char>(reject.status));
  message.character(434, reject.is_replace ? '2' : '1');
  message.integer(102, cxl_rej_reason(reject.reason, style.vocabulary));
  message.text(58, to_text(reject.reason));
  message.utc_time(60, style.now, wire::TimePrecision::Millis);
}

}  // namespace affix::inline v0::tools::exchange
