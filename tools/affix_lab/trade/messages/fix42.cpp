// SPDX-License-Identifier: MIT
// The trade client's messages in FIX.4.2.
#include "affix/fix42/execution_report.hpp"
#include "affix/fix42/market_data_incremental_refresh.hpp"
#include "affix/fix42/market_data_request.hpp"
#include "affix/fix42/market_data_snapshot_full_refresh.hpp"
#include "affix/fix42/new_order_single.hpp"
#include "affix/fix42/order_cancel_reject.hpp"
#include "affix/fix42/order_cancel_replace_request.hpp"
#include "affix/fix42/order_cancel_request.hpp"

#include "trade/messages/typed_dialect.hpp"

namespace affix::inline v0::tools::trade {

namespace {

struct Fix42 {
  using NewOrderSingleWriter = fix42::NewOrderSingleWriter;
  using OrderCancelRequestWriter = fix42::OrderCancelRequestWriter;
  using OrderCancelReplaceRequestWriter = fix42::OrderCancelReplaceRequestWriter;
  using MarketDataRequestWriter = fix42::MarketDataRequestWriter;
  using ExecutionReport = fix42::ExecutionReport;
  using OrderCancelReject = fix42::OrderCancelReject;
  using MarketDataSnapshotFullRefresh = fix42::MarketDataSnapshotFullRefresh;
  using MarketDataIncrementalRefresh = fix42::MarketDataIncrementalRefresh;
  using Price = fix42::Price;
  using Qty = fix42::Qty;
};

constinit const TypedDialect<Fix42> fix42_messages;

}  // namespace

const Dialect& fix42_dialect() noexcept {
  return fix42_messages;
}

}  // namespace affix::inline v0::tools::trade
