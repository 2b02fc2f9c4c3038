// SPDX-License-Identifier: MIT
// The trade client's messages in FIX.5.0 SP2.
#include "affix/fix50sp2/execution_report.hpp"
#include "affix/fix50sp2/market_data_incremental_refresh.hpp"
#include "affix/fix50sp2/market_data_request.hpp"
#include "affix/fix50sp2/market_data_snapshot_full_refresh.hpp"
#include "affix/fix50sp2/new_order_single.hpp"
#include "affix/fix50sp2/order_cancel_reject.hpp"
#include "affix/fix50sp2/order_cancel_replace_request.hpp"
#include "affix/fix50sp2/order_cancel_request.hpp"

#include "trade/messages/typed_dialect.hpp"

namespace affix::inline v0::tools::trade {

namespace {

struct Fix50Sp2 {
  using NewOrderSingleWriter = fix50sp2::NewOrderSingleWriter;
  using OrderCancelRequestWriter = fix50sp2::OrderCancelRequestWriter;
  using OrderCancelReplaceRequestWriter = fix50sp2::OrderCancelReplaceRequestWriter;
  using MarketDataRequestWriter = fix50sp2::MarketDataRequestWriter;
  using ExecutionReport = fix50sp2::ExecutionReport;
  using OrderCancelReject = fix50sp2::OrderCancelReject;
  using MarketDataSnapshotFullRefresh = fix50sp2::MarketDataSnapshotFullRefresh;
  using MarketDataIncrementalRefresh = fix50sp2::MarketDataIncrementalRefresh;
  using Price = fix50sp2::Price;
  using Qty = fix50sp2::Qty;
};

constinit const TypedDialect<Fix50Sp2> fix50sp2_messages;

}  // namespace

const Dialect& fix50sp2_dialect() noexcept {
  return fix50sp2_messages;
}

}  // namespace affix::inline v0::tools::trade
