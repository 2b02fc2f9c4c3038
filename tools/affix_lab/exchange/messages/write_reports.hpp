// SPDX-License-Identifier: MIT
// Writes ExecutionReport and OrderCancelReject with the typed messages of any version. Included
// only by the dialects.
#pragma once

#include "affix/wire/encoder.hpp"

#include "exchange/messages/dialect.hpp"
#include "exchange/messages/id_text.hpp"
#include "order/typed_code.hpp"

namespace affix::inline v0::tools::exchange {

/// FIX.4.2 has neither Trade nor OrderStatus: a fill uses partial fill or fill, a status report the
/// order's status.
[[nodiscard]] constexpr ExecType exec_type(const ExecutionReport& report,
                                           FixVocabulary vocabulary) noexcept {
  if (vocabulary == FixVocabulary::Fix44) {
    return report.type;
  }
  if (report.type == ExecType::Trade) {
    return report.status == OrderStatus::Filled ? ExecType::Fill : ExecType::PartialFill;
  }
  return report.type == ExecType::OrderStatus ? static_cast<ExecType>(report.status) : report.type;
}

[[nodiscard]] constexpr OrderStatus order_status(const ExecutionReport& report,
                                                 FixVocabulary vocabulary) noexcept {
  const bool replaced = vocabulary == FixVocabulary::Fix42 && report.type == ExecType::Replaced &&
                        report.status == OrderStatus::New;
  return replaced ? OrderStatus::Replaced : report.status;
}

template <typename Version>
[[nodiscard]] wire::Encoder write_execution(const wire::Encoder& begun,
                                            const ExecutionReport& report,
                                            const ReportStyle& style) noexcept {
  using Price = typename Version::Price;
  using Qty = typename Version::Qty;
  typename Version::ExecutionReportWriter message(begun);
  message.order_id(IdText(style.id_prefix, report.order_id, "NONE").view());
  message.cl_ord_id(report.cl_ord_id);
  if (!report.orig_cl_ord_id.empty()) {
    message.orig_cl_ord_id(report.orig_cl_ord_id);
  }
  message.exec_id(IdText(style.id_prefix, report.exec_id, "0").view());
  if constexpr (requires { message.exec_trans_type(CodeOf('0')); }) {
    message.exec_trans_type(CodeOf(report.type == ExecType::OrderStatus ? '3' : '0'));
  }
  message.exec_type(CodeOf(exec_type(report, Version::vocabulary)));
  message.ord_status(CodeOf(order_status(report, Version::vocabulary)));
  if (report.type == ExecType::Rejected) {
    message.ord_rej_reason(CodeNumber(ord_rej_reason(report.reason, Version::vocabulary)));
  }
  message.symbol(report.symbol);
  message.side(CodeOf(report.side));
  if (report.quantity) {
    message.order_qty(Qty(*report.quantity));
  }
  message.ord_type(CodeOf(report.order_type));
  if (report.price) {
    message.price(Price(*report.price));
  }
  message.time_in_force(CodeOf(report.time_in_force));
  if (report.type == ExecType::Trade) {
    if constexpr (requires { message.last_shares(Qty(report.last_quantity)); }) {
      message.last_shares(Qty(report.last_quantity));  // LastQty has this name up to FIX.4.2.
    } else {
      message.last_qty(Qty(report.last_quantity));
    }
    message.last_px(Price(report.last_price));
  }
  message.leaves_qty(Qty(report.leaves));
  message.cum_qty(Qty(report.filled));
  message.avg_px(Price(average_price(report.notional, report.filled)));
  message.transact_time(style.now);
  if (report.reason != Reason::None) {
    message.text(to_text(report.reason));
  }
  return message.complete();
}

template <typename Version>
[[nodiscard]] wire::Encoder write_cancel_reject(const wire::Encoder& begun,
                                                const CancelReject& reject,
                                                const ReportStyle& style) noexcept {
  typename Version::OrderCancelRejectWriter message(begun);
  message.order_id(IdText(style.id_prefix, reject.order_id, "NONE").view());
  message.cl_ord_id(reject.cl_ord_id);
  message.orig_cl_ord_id(reject.orig_cl_ord_id);
  message.ord_status(CodeOf(reject.status));
  message.transact_time(style.now);
  message.cxl_rej_response_to(CodeOf(reject.is_replace ? '2' : '1'));
  message.cxl_rej_reason(CodeNumber(cxl_rej_reason(reject.reason, Version::vocabulary)));
  message.text(to_text(reject.reason));
  return message.complete();
}

/// FIX.4.2 does not have it, and no request for it.
template <typename Version>
[[nodiscard]] wire::Encoder write_mass_cancel(const wire::Encoder& begun,
                                              const MassCancelReport& report,
                                              const ReportStyle& style) noexcept {
  if constexpr (requires { typename Version::OrderMassCancelReportWriter; }) {
    typename Version::OrderMassCancelReportWriter message(begun);
    message.cl_ord_id(report.cl_ord_id);
    const IdText id(style.id_prefix, report.id, "NONE");
    message.order_id(id.view());
    if constexpr (requires { message.mass_action_report_id(id.view()); }) {
      message.mass_action_report_id(id.view());
    }
    message.mass_cancel_request_type(CodeOf(report.type));
    const bool done = report.type == MassCancel::all_orders;
    message.mass_cancel_response(CodeOf(done ? report.type : '0'));
    message.transact_time(style.now);
    if (!done) {
      message.text("Only all orders can be canceled");
    }
    return message.complete();
  }
  return begun;
}

}  // namespace affix::inline v0::tools::exchange
