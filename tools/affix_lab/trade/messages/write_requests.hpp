// SPDX-License-Identifier: MIT
// Writes orders and market data requests with the typed messages of any version. Included only by
// the dialects.
#pragma once

#include "affix/wire/encoder.hpp"

#include "order/typed_code.hpp"
#include "trade/flow/order_request.hpp"
#include "trade/market_data/book_news.hpp"

#include <array>

namespace affix::inline v0::tools::trade {

inline constexpr CodeOf automated_no_intervention{'1'};  // HandlInst, required in FIX.4.2.

/// Symbol, side, time and quantity, in this order in all three requests.
template <typename Version, typename Message>
void write_order(Message& message, const OrderRequest& request, base::UtcTime now) noexcept {
  message.symbol(request.symbol);
  message.side(CodeOf(request.side));
  message.transact_time(now);
  message.order_qty(typename Version::Qty(request.quantity));
}

template <typename Version, typename Message>
void write_terms(Message& message, const OrderRequest& request) noexcept {
  message.ord_type(CodeOf(request.type));
  if (request.price) {
    message.price(typename Version::Price(*request.price));
  }
  message.time_in_force(CodeOf(request.time_in_force));
}

template <typename Version>
[[nodiscard]] wire::Encoder write_request(const wire::Encoder& begun, const OrderRequest& request,
                                          base::UtcTime now) noexcept {
  if (request.kind == RequestKind::Cancel) {
    typename Version::OrderCancelRequestWriter message(begun);
    message.orig_cl_ord_id(request.orig_cl_ord_id);
    message.cl_ord_id(request.cl_ord_id);
    write_order<Version>(message, request, now);
    return message.complete();
  }
  if (request.kind == RequestKind::Replace) {
    typename Version::OrderCancelReplaceRequestWriter message(begun);
    message.orig_cl_ord_id(request.orig_cl_ord_id);
    message.cl_ord_id(request.cl_ord_id);
    message.handl_inst(automated_no_intervention);
    write_order<Version>(message, request, now);
    write_terms<Version>(message, request);
    return message.complete();
  }
  typename Version::NewOrderSingleWriter message(begun);
  message.cl_ord_id(request.cl_ord_id);
  message.handl_inst(automated_no_intervention);
  write_order<Version>(message, request, now);
  write_terms<Version>(message, request);
  return message.complete();
}

template <typename Version>
[[nodiscard]] wire::Encoder write_subscription(const wire::Encoder& begun,
                                               const BookSubscription& subscription) noexcept {
  constexpr std::array entry_types{EntryType::Bid, EntryType::Offer, EntryType::Trade};
  typename Version::MarketDataRequestWriter message(begun);
  message.md_req_id(subscription.request_id);
  message.subscription_request_type(CodeOf(SubscriptionType::Subscribe));
  message.market_depth(subscription.depth);
  message.md_update_type(CodeOf(UpdateType::Incremental));
  message.no_md_entry_types(entry_types,
                            [](auto& entry, EntryType type) { entry.md_entry_type(CodeOf(type)); });
  message.no_related_sym(subscription.symbols,
                         [](auto& entry, const std::string& symbol) { entry.symbol(symbol); });
  return message.complete();
}

}  // namespace affix::inline v0::tools::trade
