// SPDX-License-Identifier: MIT
// Requests out, reports in, field by field.
#include "trade/messages.hpp"

namespace affix::inline v0::tools::trade {

namespace {

constexpr char automated_no_intervention = '1';  // HandlInst (21), which FIX.4.2 demands.

}  // namespace

std::string_view msg_type_of(const OrderRequest& request) noexcept {
  switch (request.kind) {
    case RequestKind::New:
      return "D";
    case RequestKind::Cancel:
      return "F";
    case RequestKind::Replace:
      return "G";
  }
  return {};
}

void write_request(wire::Encoder& message, const OrderRequest& request,
                   base::UtcTime now) noexcept {
  if (request.kind != RequestKind::New) {
    message.text(41, request.orig_cl_ord_id);
  }
  message.text(11, request.cl_ord_id);
  if (request.kind != RequestKind::Cancel) {
    message.character(21, automated_no_intervention);
  }
  message.text(55, request.symbol);
  message.character(54, static_cast<char>(request.side));
  message.utc_time(60, now, wire::TimePrecision::Millis);
  message.decimal(38, request.quantity);
  if (request.kind == RequestKind::Cancel) {
    return;
  }
  message.character(40, static_cast<char>(request.type));
  if (request.price) {
    message.decimal(44, *request.price);
  }
  message.character(59, static_cast<char>(request.time_in_force));
}

std::optional<ExecutionNews> read_execution(const wire::MessageView& message) noexcept {
  const auto cl_ord_id = message.text(11);
  const auto type = message.character(150);
  const auto status = message.character(39);
  const auto leaves = message.decimal(151);
  const auto filled = message.decimal(14);
  if (!cl_ord_id || !type || !status || !leaves || !filled) {
    return std::nullopt;
  }
  ExecutionNews news;
  news.cl_ord_id = *cl_ord_id;
  news.type = static_cast<ExecType>(*type);
  news.status = static_cast<OrderStatus>(*status);
  news.leaves = *leaves;
  news.filled = *filled;
  if (const auto quantity = message.decimal(38)) {
    news.quantity = *quantity;
  }
  if (const auto last = message.decimal(32)) {
    news.last_quantity = *last;
  }
  return news;
}

}  // namespace affix::inline v0::tools::trade
