// SPDX-License-Identifier: MIT
// The trade client's messages in FIX.4.4.
#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/market_data_incremental_refresh.hpp"
#include "affix/fix44/market_data_request.hpp"
#include "affix/fix44/market_data_snapshot_full_refresh.hpp"
#include "affix/fix44/new_order_single.hpp"
#include "affix/fix44/order_cancel_reject.hpp"
#include "affix/fix44/order_cancel_replace_request.hpp"
#include "affix/fix44/order_cancel_request.hpp"

#include "trade/messages/typed_dialect.hpp"

namespace affix::inline v0::tools::trade {

namespace {

struct Fix44 {
  using NewOrderSingleWriter = fix44::NewOrderSingleWriter;
  using OrderCancelRequestWriter = fix44::OrderCancelRequestWriter;
  using OrderCancelReplaceRequestWriter = fix44::OrderCancelReplaceRequestWriter;
  using MarketDataRequestWriter = fix44::MarketDataRequestWriter;
  using ExecutionReport = fix44::ExecutionReport;
  using OrderCancelReject = fix44::OrderCancelReject;
  using MarketDataSnapshotFullRefresh = fix44::MarketDataSnapshotFullRefresh;
  using MarketDataIncrementalRefresh = fix44::MarketDataIncrementalRefresh;
  using Price = fix44::Price;
  using Qty = fix44::Qty;
};

constinit const TypedDialect<Fix44> fix44_messages;

}  // namespace

const Dialect& fix44_dialect() noexcept {
  return fix44_messages;
}

}  // namespace affix::inline v0::tools::trade
