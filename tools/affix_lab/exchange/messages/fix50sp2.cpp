// SPDX-License-Identifier: MIT
// The exchange's messages in FIX.5.0 SP2.
#include "affix/fix50sp2/execution_report.hpp"
#include "affix/fix50sp2/market_data_incremental_refresh.hpp"
#include "affix/fix50sp2/market_data_request.hpp"
#include "affix/fix50sp2/market_data_request_reject.hpp"
#include "affix/fix50sp2/market_data_snapshot_full_refresh.hpp"
#include "affix/fix50sp2/new_order_single.hpp"
#include "affix/fix50sp2/order_cancel_reject.hpp"
#include "affix/fix50sp2/order_cancel_replace_request.hpp"
#include "affix/fix50sp2/order_cancel_request.hpp"
#include "affix/fix50sp2/order_status_request.hpp"

#include "exchange/messages/typed_dialect.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

struct Fix50Sp2 {
  using NewOrderSingle = fix50sp2::NewOrderSingle;
  using OrderCancelRequest = fix50sp2::OrderCancelRequest;
  using OrderCancelReplaceRequest = fix50sp2::OrderCancelReplaceRequest;
  using OrderStatusRequest = fix50sp2::OrderStatusRequest;
  using MarketDataRequest = fix50sp2::MarketDataRequest;
  using ExecutionReportWriter = fix50sp2::ExecutionReportWriter;
  using OrderCancelRejectWriter = fix50sp2::OrderCancelRejectWriter;
  using MarketDataSnapshotFullRefreshWriter = fix50sp2::MarketDataSnapshotFullRefreshWriter;
  using MarketDataIncrementalRefreshWriter = fix50sp2::MarketDataIncrementalRefreshWriter;
  using MarketDataRequestRejectWriter = fix50sp2::MarketDataRequestRejectWriter;
  using Price = fix50sp2::Price;
  using Qty = fix50sp2::Qty;

  static constexpr FixVocabulary vocabulary = FixVocabulary::Fix44;
};

constinit const TypedDialect<Fix50Sp2> fix50sp2_messages;

}  // namespace

const Dialect& fix50sp2_dialect() noexcept {
  return fix50sp2_messages;
}

}  // namespace affix::inline v0::tools::exchange
