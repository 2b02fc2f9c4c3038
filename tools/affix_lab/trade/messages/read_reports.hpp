// SPDX-License-Identifier: MIT
// Reads reports and market data from the typed messages of any version. Included only by the
// dialects.
#pragma once

#include "affix/messages/reader.hpp"

#include "trade/flow/order_tracker.hpp"
#include "trade/market_data/book_news.hpp"

#include <optional>

namespace affix::inline v0::tools::trade {

/// A one-character code as our enum. Also accepts a character that the version does not list: the
/// receiver judges it.
template <typename Enum, messages::Coded Code, typename Fields>
[[nodiscard]] std::optional<Enum> enum_of(const messages::Result<Code>& code, const Fields& fields,
                                          std::uint32_t tag) noexcept {
  if (!code && code.error() != wire::FieldError::Range) {
    return std::nullopt;
  }
  const auto character = fields.character(tag);
  return character ? std::optional(static_cast<Enum>(*character)) : std::nullopt;
}

template <typename Version>
[[nodiscard]] std::optional<ExecutionNews> read_execution(
    const wire::MessageView& message) noexcept {
  const auto report = Version::ExecutionReport::from(message);
  if (!report) {
    return std::nullopt;
  }
  const auto cl_ord_id = report->cl_ord_id();
  const auto type = enum_of<ExecType>(report->exec_type(), message, 150);
  const auto status = enum_of<OrderStatus>(report->ord_status(), message, 39);
  const auto leaves = report->leaves_qty();
  const auto filled = report->cum_qty();
  if (!cl_ord_id || !type || !status || !leaves || !filled) {
    return std::nullopt;
  }
  ExecutionNews news;
  news.cl_ord_id = *cl_ord_id;
  news.type = *type;
  news.status = *status;
  news.leaves = leaves->decimal();
  news.filled = filled->decimal();
  if (const auto quantity = report->order_qty()) {
    news.quantity = quantity->decimal();
  }
  const auto set_last = [&news](const auto& last) {
    if (last) {
      news.last_quantity = last->decimal();
    }
  };
  if constexpr (requires { report->last_shares(); }) {
    set_last(report->last_shares());  // LastQty has this name up to FIX.4.2.
  } else {
    set_last(report->last_qty());
  }
  return news;
}

template <typename T>
[[nodiscard]] std::optional<T> optional_of(const messages::Result<T>& value) noexcept {
  return value ? std::optional(*value) : std::nullopt;
}

/// Reads the fields that levels and trades have in both messages; false if one is unreadable.
template <typename Entry>
[[nodiscard]] bool read_entry(const Entry& in, BookEntry& entry) noexcept {
  const auto type = enum_of<EntryType>(in.md_entry_type(), in.view(), 269);
  const auto price = in.md_entry_px();
  if (!type || !is_supported(*type) || !price) {
    return false;
  }
  entry.type = *type;
  entry.price = price->decimal();
  if (const auto quantity = in.md_entry_size()) {
    entry.quantity = quantity->decimal();
  }
  entry.order_count = optional_of(in.number_of_orders());
  entry.position = optional_of(in.md_entry_position_no());
  if constexpr (requires { in.md_price_level(); }) {
    if (const auto level = in.md_price_level()) {
      entry.position = *level;
    }
  }
  return true;
}

/// A group without entries is an empty book, as is the entry type for one.
template <typename Message>
[[nodiscard]] bool read_snapshot(const Message& message, BookNews& news) {
  const auto symbol = message.symbol();
  const auto group = message.no_md_entries();
  if (!symbol || !group.present() || group.fault() != wire::GroupFault::None) {
    return false;
  }
  news.symbol = *symbol;
  for (const auto& in : group) {
    if (in.view().text(269) == "J") {
      continue;
    }
    BookEntry& entry = news.entries.emplace_back();
    entry.symbol = *symbol;
    if (!read_entry(in, entry)) {
      return false;
    }
  }
  return true;
}

template <typename Message>
[[nodiscard]] bool read_increments(const Message& message, BookNews& news) {
  const auto group = message.no_md_entries();
  if (group.empty() || group.fault() != wire::GroupFault::None) {
    return false;
  }
  for (const auto& in : group) {
    const auto action = enum_of<UpdateAction>(in.md_update_action(), in.view(), 279);
    const auto symbol = in.symbol();
    BookEntry& entry = news.entries.emplace_back();
    if (!action || *action > UpdateAction::Delete || !symbol || !read_entry(in, entry)) {
      return false;
    }
    entry.action = *action;
    entry.symbol = *symbol;
  }
  return true;
}

template <typename Version>
[[nodiscard]] bool read_market_data(const wire::MessageView& message, BookNews& news) {
  news.entries.clear();
  const auto snapshot = Version::MarketDataSnapshotFullRefresh::from(message);
  const auto increments = Version::MarketDataIncrementalRefresh::from(message);
  news.snapshot = snapshot.has_value();
  if (snapshot) {
    news.request_id = snapshot->md_req_id().value_or(std::string_view{});
    return read_snapshot(*snapshot, news);
  }
  if (!increments) {
    return false;
  }
  news.request_id = increments->md_req_id().value_or(std::string_view{});
  return read_increments(*increments, news);
}

}  // namespace affix::inline v0::tools::trade
