// SPDX-License-Identifier: MIT
// The exchange's messages in FIX.4.4.
#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/market_data_incremental_refresh.hpp"
#include "affix/fix44/market_data_request.hpp"
#include "affix/fix44/market_data_request_reject.hpp"
#include "affix/fix44/market_data_snapshot_full_refresh.hpp"
#include "affix/fix44/new_order_single.hpp"
#include "affix/fix44/order_cancel_reject.hpp"
#include "affix/fix44/order_cancel_replace_request.hpp"
#include "affix/fix44/order_cancel_request.hpp"
#include "affix/fix44/order_status_request.hpp"

#include "exchange/messages/typed_dialect.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

struct Fix44 {
  using NewOrderSingle = fix44::NewOrderSingle;
  using OrderCancelRequest = fix44::OrderCancelRequest;
  using OrderCancelReplaceRequest = fix44::OrderCancelReplaceRequest;
  using OrderStatusRequest = fix44::OrderStatusRequest;
  using MarketDataRequest = fix44::MarketDataRequest;
  using ExecutionReportWriter = fix44::ExecutionReportWriter;
  using OrderCancelRejectWriter = fix44::OrderCancelRejectWriter;
  using MarketDataSnapshotFullRefreshWriter = fix44::MarketDataSnapshotFullRefreshWriter;
  using MarketDataIncrementalRefreshWriter = fix44::MarketDataIncrementalRefreshWriter;
  using MarketDataRequestRejectWriter = fix44::MarketDataRequestRejectWriter;
  using Price = fix44::Price;
  using Qty = fix44::Qty;

  static constexpr FixVocabulary vocabulary = FixVocabulary::Fix44;
};

constinit const TypedDialect<Fix44> fix44_messages;

}  // namespace

const Dialect& fix44_dialect() noexcept {
  return fix44_messages;
}

}  // namespace affix::inline v0::tools::exchange
