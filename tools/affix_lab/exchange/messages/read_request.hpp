// SPDX-License-Identifier: MIT
// Reads a member's request from the typed messages of any version, field by field; reports the
// first fault. Included only by the dialects.
#pragma once

#include "affix/fix44/fields.hpp"

#include "exchange/messages/field_faults.hpp"
#include "exchange/messages/request.hpp"

#include <expected>
#include <optional>
#include <string_view>

namespace affix::inline v0::tools::exchange {

// Tags mean the same in every version.
namespace tag = fix44::tag;

/// Our OrderID is a prefix and a number; any other text is no order's id, represented by 0.
[[nodiscard]] inline std::optional<OrderId> order_id_of(
    const messages::Result<std::string_view>& field, std::string_view prefix) {
  const std::string_view value = field.value_or(std::string_view{});
  if (value.empty() || value == "NONE") {
    return std::nullopt;
  }
  if (!value.starts_with(prefix)) {
    return OrderId{0};
  }
  return wire::parse_integer<OrderId>(value.substr(prefix.size())).value_or(OrderId{0});
}

template <typename Message>
[[nodiscard]] NewOrder read_new_order(const Message& order, FieldFaults& faults, OwnerId owner) {
  NewOrder command;
  command.owner = owner;
  command.cl_ord_id = faults.required(tag::cl_ord_id, order.cl_ord_id());
  command.symbol = faults.required(tag::symbol, order.symbol());
  command.side = faults.required_code<Side>(tag::side, order.side(), order.view());
  command.type = faults.required_code<OrderType>(tag::ord_type, order.ord_type(), order.view());
  command.time_in_force =
      faults.optional_code<TimeInForce>(tag::time_in_force, order.time_in_force(), order.view())
          .value_or(TimeInForce::Day);
  command.quantity = faults.optional_decimal(tag::order_qty, order.order_qty());
  command.price = faults.optional_decimal(tag::price, order.price());
  return command;
}

/// Reads the identification of the order to cancel or replace.
template <typename Command, typename Message>
[[nodiscard]] Command read_change(const Message& change, FieldFaults& faults, OwnerId owner,
                                  std::string_view prefix) {
  Command command;
  command.owner = owner;
  command.cl_ord_id = faults.required(tag::cl_ord_id, change.cl_ord_id());
  command.orig_cl_ord_id = faults.required(tag::orig_cl_ord_id, change.orig_cl_ord_id());
  command.order_id = order_id_of(change.order_id(), prefix);
  command.symbol = change.symbol().value_or(std::string_view{});
  command.side = faults.required_code<Side>(tag::side, change.side(), change.view());
  return command;
}

template <typename Message>
[[nodiscard]] ReplaceOrder read_replace(const Message& replace, FieldFaults& faults, OwnerId owner,
                                        std::string_view prefix) {
  auto command = read_change<ReplaceOrder>(replace, faults, owner, prefix);
  command.type = faults.required_code<OrderType>(tag::ord_type, replace.ord_type(), replace.view());
  command.time_in_force = faults.optional_code<TimeInForce>(
      tag::time_in_force, replace.time_in_force(), replace.view());
  command.quantity = faults.optional_decimal(tag::order_qty, replace.order_qty());
  command.price = faults.optional_decimal(tag::price, replace.price());
  return command;
}

template <typename Message>
[[nodiscard]] StatusRequest read_status(const Message& status, FieldFaults& faults, OwnerId owner,
                                        std::string_view prefix) {
  StatusRequest command;
  command.owner = owner;
  command.cl_ord_id = faults.required(tag::cl_ord_id, status.cl_ord_id());
  command.order_id = order_id_of(status.order_id(), prefix);
  command.symbol = faults.required(tag::symbol, status.symbol());
  command.side = faults.required_code<Side>(tag::side, status.side(), status.view());
  return command;
}

/// FIX.4.2 does not have it.
template <typename Version>
[[nodiscard]] std::optional<MassCancel> read_mass_cancel(const wire::MessageView& message,
                                                         FieldFaults& faults, OwnerId owner) {
  if constexpr (requires { typename Version::OrderMassCancelRequest; }) {
    if (const auto cancel = Version::OrderMassCancelRequest::from(message)) {
      MassCancel command;
      command.owner = owner;
      command.cl_ord_id = faults.required(tag::cl_ord_id, cancel->cl_ord_id());
      const std::string_view type = message.value_or_null(tag::mass_cancel_request_type);
      command.type = type.empty() ? '\0' : type.front();
      return command;
    }
  }
  return std::nullopt;
}

/// The id suffices to end a subscription.
template <typename Message>
[[nodiscard]] MarketDataRequest read_market_data_request(const Message& message,
                                                         FieldFaults& faults, OwnerId owner) {
  MarketDataRequest request;
  request.owner = owner;
  request.id = faults.required(tag::md_req_id, message.md_req_id());
  request.type = faults.required_code<SubscriptionType>(
      tag::subscription_request_type, message.subscription_request_type(), message.view());
  if (request.type == SubscriptionType::Unsubscribe) {
    return request;
  }
  request.depth = faults.required(tag::market_depth, message.market_depth());
  request.update_type = faults.optional_code<UpdateType>(tag::md_update_type,
                                                         message.md_update_type(), message.view());
  request.aggregated =
      faults.optional(tag::aggregated_book, message.aggregated_book()).value_or(true);
  faults.required_group(tag::no_md_entry_types, message.no_md_entry_types(),
                        [&](const auto& entry) {
                          request.entry_types.push_back(faults.required_code<EntryType>(
                              tag::md_entry_type, entry.md_entry_type(), entry.view()));
                        });
  faults.required_group(tag::no_related_sym, message.no_related_sym(), [&](const auto& entry) {
    request.symbols.push_back(faults.required(tag::symbol, entry.symbol()));
  });
  return request;
}

/// `Version` names the classes of one version's messages.
template <typename Version>
[[nodiscard]] std::expected<Request, BadRequest> read_request(const wire::MessageView& message,
                                                              OwnerId owner,
                                                              std::string_view order_id_prefix) {
  FieldFaults faults;
  Request request;
  if (const auto order = Version::NewOrderSingle::from(message)) {
    request = read_new_order(*order, faults, owner);
  } else if (const auto cancel = Version::OrderCancelRequest::from(message)) {
    request = read_change<CancelOrder>(*cancel, faults, owner, order_id_prefix);
  } else if (const auto replace = Version::OrderCancelReplaceRequest::from(message)) {
    request = read_replace(*replace, faults, owner, order_id_prefix);
  } else if (const auto status = Version::OrderStatusRequest::from(message)) {
    request = read_status(*status, faults, owner, order_id_prefix);
  } else if (const auto mass_cancel = read_mass_cancel<Version>(message, faults, owner)) {
    request = *mass_cancel;
  } else if (const auto market_data = Version::MarketDataRequest::from(message)) {
    request = read_market_data_request(*market_data, faults, owner);
  } else {
    return std::unexpected(BadRequest{session::BusinessRejectReason::UnsupportedMessageType, 0,
                                      "Unsupported Message Type"});
  }
  if (faults.first()) {
    return std::unexpected(*faults.first());
  }
  return request;
}

}  // namespace affix::inline v0::tools::exchange
