// SPDX-License-Identifier: MIT
// Writes snapshots, increments and refusals of market data with the typed messages of any version.
// Included only by the dialects.
#pragma once

#include "affix/wire/encoder.hpp"

#include "exchange/messages/dialect.hpp"
#include "exchange/messages/id_text.hpp"
#include "order/typed_code.hpp"

#include <string>

namespace affix::inline v0::tools::exchange {

/// FIX.5.0 introduced a field for the kind of book.
template <typename Message>
inline constexpr bool has_book_type =
    requires(Message& message) { message.md_book_type(CodeNumber(1)); };

/// Price, size and other values of a level or a trade; after its type, in both messages.
template <typename Version, typename Entry>
void write_terms(Entry& out, const MarketDataEntry& entry) noexcept {
  out.md_entry_px(typename Version::Price(entry.price));
  if (entry.action == UpdateAction::Delete) {
    return;
  }
  out.md_entry_size(typename Version::Qty(entry.quantity));
  if (entry.type == EntryType::Trade) {
    const std::int64_t days = entry.time.ns / base::ns_per_day;
    out.md_entry_date(base::civil_from_days(days));
    out.md_entry_time({entry.time.ns - days * base::ns_per_day, entry.time.picoseconds});
    return;
  }
  out.number_of_orders(entry.order_count);
  // FIX.5.0 has a field for the level in a book of prices; earlier versions use the display
  // position.
  if constexpr (requires { out.md_price_level(1); }) {
    out.md_price_level(entry.position);
  } else {
    out.md_entry_position_no(entry.position);
  }
}

template <typename Message>
void write_book_type(Message& message, const MarketDataNews& news) noexcept {
  if constexpr (has_book_type<Message>) {
    if (news.book_wanted) {
      message.md_book_type(CodeNumber(news.depth == 1 ? 1 : 2));  // Top of book, or price depth.
    }
  }
}

template <typename Version>
[[nodiscard]] wire::Encoder write_snapshot(const wire::Encoder& begun,
                                           const MarketDataNews& news) noexcept {
  typename Version::MarketDataSnapshotFullRefreshWriter message(begun);
  write_book_type(message, news);
  message.md_req_id(news.request_id);
  message.symbol(news.symbol);
  if (!news.entries.empty()) {
    message.no_md_entries(news.entries, [](auto& out, const MarketDataEntry& entry) {
      out.md_entry_type(CodeOf(entry.type));
      write_terms<Version>(out, entry);
    });
    return message.complete();
  }
  if constexpr (has_book_type<decltype(message)>) {
    message.no_md_entries(
        1, [](auto& out, std::size_t) { out.md_entry_type(CodeOf(EntryType::EmptyBook)); });
    return message.complete();
  } else {
    // These versions express an empty book only by a group without entries, which typed writers
    // omit.
    wire::Encoder encoder = message.encoder();
    encoder.integer(268, 0);
    return encoder;
  }
}

template <typename Version>
[[nodiscard]] wire::Encoder write_increments(const wire::Encoder& begun, const MarketDataNews& news,
                                             const ReportStyle& style) noexcept {
  typename Version::MarketDataIncrementalRefreshWriter message(begun);
  write_book_type(message, news);
  message.md_req_id(news.request_id);
  message.no_md_entries(news.entries, [&](auto& out, const MarketDataEntry& entry) {
    out.md_update_action(CodeOf(entry.action));
    out.md_entry_type(CodeOf(entry.type));
    if (entry.type == EntryType::Trade) {
      out.md_entry_id(IdText(style.id_prefix, entry.match_id, "0").view());
    }
    out.symbol(news.symbol);
    write_terms<Version>(out, entry);
  });
  return message.complete();
}

template <typename Version>
[[nodiscard]] wire::Encoder write_market_data_reject(const wire::Encoder& begun,
                                                     const MarketDataReject& reject) {
  typename Version::MarketDataRequestRejectWriter message(begun);
  message.md_req_id(reject.request_id);
  if (const std::optional<char> reason = reject_reason(reject.reason)) {
    message.md_req_rej_reason(CodeOf(*reason));
  }
  std::string text(to_text(reject.reason));
  if (!reject.symbol.empty()) {
    text.append(": ").append(reject.symbol);
  }
  message.text(text);
  return message.complete();
}

}  // namespace affix::inline v0::tools::exchange
