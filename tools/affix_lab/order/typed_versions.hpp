// SPDX-License-Identifier: MIT
// The typed messages of the exchange and the trade client: a struct for each FIX version, with the
// version's message classes as members, and the selection of a session's version.
#pragma once

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
#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/market_data_incremental_refresh.hpp"
#include "affix/fix44/market_data_request.hpp"
#include "affix/fix44/market_data_request_reject.hpp"
#include "affix/fix44/market_data_snapshot_full_refresh.hpp"
#include "affix/fix44/new_order_single.hpp"
#include "affix/fix44/order_cancel_reject.hpp"
#include "affix/fix44/order_cancel_replace_request.hpp"
#include "affix/fix44/order_cancel_request.hpp"
#include "affix/fix44/order_mass_cancel_report.hpp"
#include "affix/fix44/order_mass_cancel_request.hpp"
#include "affix/fix44/order_status_request.hpp"
#include "affix/fix50sp2/execution_report.hpp"
#include "affix/fix50sp2/market_data_incremental_refresh.hpp"
#include "affix/fix50sp2/market_data_request.hpp"
#include "affix/fix50sp2/market_data_request_reject.hpp"
#include "affix/fix50sp2/market_data_snapshot_full_refresh.hpp"
#include "affix/fix50sp2/new_order_single.hpp"
#include "affix/fix50sp2/order_cancel_reject.hpp"
#include "affix/fix50sp2/order_cancel_replace_request.hpp"
#include "affix/fix50sp2/order_cancel_request.hpp"
#include "affix/fix50sp2/order_mass_cancel_report.hpp"
#include "affix/fix50sp2/order_mass_cancel_request.hpp"
#include "affix/fix50sp2/order_status_request.hpp"

#include "order/order_terms.hpp"

#include <string_view>

namespace affix::inline v0::tools {

struct Fix42 {
  using NewOrderSingle = fix42::NewOrderSingle;
  using NewOrderSingleWriter = fix42::NewOrderSingleWriter;
  using OrderCancelRequest = fix42::OrderCancelRequest;
  using OrderCancelRequestWriter = fix42::OrderCancelRequestWriter;
  using OrderCancelReplaceRequest = fix42::OrderCancelReplaceRequest;
  using OrderCancelReplaceRequestWriter = fix42::OrderCancelReplaceRequestWriter;
  using OrderStatusRequest = fix42::OrderStatusRequest;
  using ExecutionReport = fix42::ExecutionReport;
  using ExecutionReportWriter = fix42::ExecutionReportWriter;
  using OrderCancelReject = fix42::OrderCancelReject;
  using OrderCancelRejectWriter = fix42::OrderCancelRejectWriter;
  using MarketDataRequest = fix42::MarketDataRequest;
  using MarketDataRequestWriter = fix42::MarketDataRequestWriter;
  using MarketDataRequestRejectWriter = fix42::MarketDataRequestRejectWriter;
  using MarketDataSnapshotFullRefresh = fix42::MarketDataSnapshotFullRefresh;
  using MarketDataSnapshotFullRefreshWriter = fix42::MarketDataSnapshotFullRefreshWriter;
  using MarketDataIncrementalRefresh = fix42::MarketDataIncrementalRefresh;
  using MarketDataIncrementalRefreshWriter = fix42::MarketDataIncrementalRefreshWriter;
  using Price = fix42::Price;
  using Qty = fix42::Qty;

  static constexpr FixVocabulary vocabulary = FixVocabulary::Fix42;
};

struct Fix44 {
  using NewOrderSingle = fix44::NewOrderSingle;
  using NewOrderSingleWriter = fix44::NewOrderSingleWriter;
  using OrderCancelRequest = fix44::OrderCancelRequest;
  using OrderCancelRequestWriter = fix44::OrderCancelRequestWriter;
  using OrderCancelReplaceRequest = fix44::OrderCancelReplaceRequest;
  using OrderCancelReplaceRequestWriter = fix44::OrderCancelReplaceRequestWriter;
  using OrderMassCancelRequest = fix44::OrderMassCancelRequest;
  using OrderMassCancelReportWriter = fix44::OrderMassCancelReportWriter;
  using OrderStatusRequest = fix44::OrderStatusRequest;
  using ExecutionReport = fix44::ExecutionReport;
  using ExecutionReportWriter = fix44::ExecutionReportWriter;
  using OrderCancelReject = fix44::OrderCancelReject;
  using OrderCancelRejectWriter = fix44::OrderCancelRejectWriter;
  using MarketDataRequest = fix44::MarketDataRequest;
  using MarketDataRequestWriter = fix44::MarketDataRequestWriter;
  using MarketDataRequestRejectWriter = fix44::MarketDataRequestRejectWriter;
  using MarketDataSnapshotFullRefresh = fix44::MarketDataSnapshotFullRefresh;
  using MarketDataSnapshotFullRefreshWriter = fix44::MarketDataSnapshotFullRefreshWriter;
  using MarketDataIncrementalRefresh = fix44::MarketDataIncrementalRefresh;
  using MarketDataIncrementalRefreshWriter = fix44::MarketDataIncrementalRefreshWriter;
  using Price = fix44::Price;
  using Qty = fix44::Qty;

  static constexpr FixVocabulary vocabulary = FixVocabulary::Fix44;
};

struct Fix50Sp2 {
  using NewOrderSingle = fix50sp2::NewOrderSingle;
  using NewOrderSingleWriter = fix50sp2::NewOrderSingleWriter;
  using OrderCancelRequest = fix50sp2::OrderCancelRequest;
  using OrderCancelRequestWriter = fix50sp2::OrderCancelRequestWriter;
  using OrderCancelReplaceRequest = fix50sp2::OrderCancelReplaceRequest;
  using OrderCancelReplaceRequestWriter = fix50sp2::OrderCancelReplaceRequestWriter;
  using OrderMassCancelRequest = fix50sp2::OrderMassCancelRequest;
  using OrderMassCancelReportWriter = fix50sp2::OrderMassCancelReportWriter;
  using OrderStatusRequest = fix50sp2::OrderStatusRequest;
  using ExecutionReport = fix50sp2::ExecutionReport;
  using ExecutionReportWriter = fix50sp2::ExecutionReportWriter;
  using OrderCancelReject = fix50sp2::OrderCancelReject;
  using OrderCancelRejectWriter = fix50sp2::OrderCancelRejectWriter;
  using MarketDataRequest = fix50sp2::MarketDataRequest;
  using MarketDataRequestWriter = fix50sp2::MarketDataRequestWriter;
  using MarketDataRequestRejectWriter = fix50sp2::MarketDataRequestRejectWriter;
  using MarketDataSnapshotFullRefresh = fix50sp2::MarketDataSnapshotFullRefresh;
  using MarketDataSnapshotFullRefreshWriter = fix50sp2::MarketDataSnapshotFullRefreshWriter;
  using MarketDataIncrementalRefresh = fix50sp2::MarketDataIncrementalRefresh;
  using MarketDataIncrementalRefreshWriter = fix50sp2::MarketDataIncrementalRefreshWriter;
  using Price = fix50sp2::Price;
  using Qty = fix50sp2::Qty;

  static constexpr FixVocabulary vocabulary = FixVocabulary::Fix44;
};

/// The dialect for a BeginString, in static storage: FIX.4.2's up to that version, FIX.5.0 SP2's
/// for FIXT, otherwise FIX.4.4's. `Typed` implements `Dialect` with a version's messages.
template <typename Dialect, template <typename Version> typename Typed>
[[nodiscard]] const Dialect& typed_dialect_of(std::string_view begin_string) noexcept {
  static constinit const Typed<Fix42> fix42;
  static constinit const Typed<Fix44> fix44;
  static constinit const Typed<Fix50Sp2> fix50sp2;
  if (begin_string == "FIXT.1.1") {
    return fix50sp2;
  }
  if (begin_string == "FIX.4.0" || begin_string == "FIX.4.1" || begin_string == "FIX.4.2") {
    return fix42;
  }
  return fix44;
}

}  // namespace affix::inline v0::tools
