// SPDX-License-Identifier: MIT
// The exchange's messages in FIX.4.2.
#include "affix/fix42/execution_report.hpp"
#include "affix/fix42/market_data_incremental_refresh.hpp"
#include "affix/fix42/market_data_request.hpp"
#include "affix/fix42/market_data_request_reject.hpp"
#include "affix/fix42/market_data_snapshot_full_refresh.hpp"
#include "affix/fix42/new_order_single.hpp"
#include "affix/fix42/order_cancel_reject.hpp"
#include "affix/fix42/order_cancel_replace_request.hpp"
#include "affix/fix42/order_cancel_request.hpp"
#include "affix/fix42/order_status_request.hpp"

#include "exchange/messages/typed_dialect.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

struct Fix42 {
  using NewOrderSingle = fix42::NewOrderSingle;
  using OrderCancelRequest = fix42::OrderCancelRequest;
  using OrderCancelReplaceRequest = fix42::OrderCancelReplaceRequest;
  using OrderStatusRequest = fix42::OrderStatusRequest;
  using MarketDataRequest = fix42::MarketDataRequest;
  using ExecutionReportWriter = fix42::ExecutionReportWriter;
  using OrderCancelRejectWriter = fix42::OrderCancelRejectWriter;
  using MarketDataSnapshotFullRefreshWriter = fix42::MarketDataSnapshotFullRefreshWriter;
  using MarketDataIncrementalRefreshWriter = fix42::MarketDataIncrementalRefreshWriter;
  using MarketDataRequestRejectWriter = fix42::MarketDataRequestRejectWriter;
  using Price = fix42::Price;
  using Qty = fix42::Qty;

  static constexpr FixVocabulary vocabulary = FixVocabulary::Fix42;
};

constinit const TypedDialect<Fix42> fix42_messages;

}  // namespace

const Dialect& fix42_dialect() noexcept {
  return fix42_messages;
}

}  // namespace affix::inline v0::tools::exchange
