// SPDX-License-Identifier: MIT
// Market data field by field, in the dictionary's order.
#include "exchange/market_data_messages.hpp"

#include "affix/wire/groups.hpp"

#include "exchange/id_text.hpp"

#include <array>
#include <string>

namespace affix::inline v0::tools::exchange {

namespace {

constexpr wire::GroupDescription entry_types{267, 269, {}, {}};

// The instrument's fields up to FIX.4.4 that describe it without a group of their own.
constexpr std::array<std::uint32_t, 33> instrument_tags{
    65,  48,  22,  460, 461, 167, 762, 200, 541, 201, 224, 225, 239, 226, 227, 228, 255,
    543, 470, 471, 472, 240, 202, 947, 206, 231, 223, 207, 106, 107, 691, 205, 336};
constexpr wire::GroupDescription related_symbols{146, 55, instrument_tags, {}};

constexpr char empty_book = 'J';  // MDEntryType (269), since FIX.5.0.

wire::TimeOfDay time_of_day(base::UtcTime time) noexcept {
  const std::int64_t days = time.ns / base::ns_per_day;
  return {time.ns - days * base::ns_per_day, time.picoseconds};
}

/// A group that must be there and have an entry.
template <typename OnEntry>
void for_each_entry(FieldReader& fields, const wire::MessageView& message,
                    const wire::GroupDescription& description, OnEntry on_entry) {
  const wire::GroupView group = message.group(description);
  for (const wire::GroupEntry& entry : group) {
    on_entry(entry);
  }
  if (const wire::GroupFault fault = group.fault(); fault != wire::GroupFault::None) {
    fields.fail(description.counter_tag, wire::FieldError::Format);
  } else if (group.empty()) {
    fields.fail(description.counter_tag, wire::FieldError::Missing);
  }
}

/// Price, size and what else describes a level or a trade; behind its type, in both messages.
void write_terms(wire::Encoder& message, const MarketDataEntry& entry,
                 const ReportStyle& style) noexcept {
  message.decimal(270, entry.price);
  if (entry.action == UpdateAction::Delete) {
    return;
  }
  message.decimal(271, entry.quantity);
  if (entry.type == EntryType::Trade) {
    message.date(272, base::civil_from_days(entry.time.ns / base::ns_per_day));
    message.time_of_day(273, time_of_day(entry.time), wire::TimePrecision::Millis);
    return;
  }
  message.integer(346, entry.order_count);
  // FIX.5.0 has a field for the level in a book of prices; before it was the display position.
  if (style.vocabulary == FixVocabulary::Fix50) {
    message.integer(1023, entry.position);
  } else {
    message.integer(290, entry.position);
  }
}

void write_snapshot(wire::Encoder& message, const MarketDataNews& news,
                    const ReportStyle& style) noexcept {
  const bool has_word_for_empty = style.vocabulary == FixVocabulary::Fix50 && news.book_wanted;
  if (has_word_for_empty) {
    message.integer(1021, news.depth == 1 ? 1 : 2);  // MDBookType: top of book, price depth.
  }
  message.text(262, news.request_id);
  message.text(55, news.symbol);
  if (news.entries.empty() && has_word_for_empty) {
    message.integer(268, 1);
    message.character(269, empty_book);
    return;
  }
  message.integer(268, news.entries.size());
  for (const MarketDataEntry& entry : news.entries) {
    message.character(269, static_cast<char>(entry.type));
    write_terms(message, entry, style);
  }
}

void write_increments(wire::Encoder& message, const MarketDataNews& news,
                      const ReportStyle& style) noexcept {
  if (style.vocabulary == FixVocabulary::Fix50 && news.book_wanted) {
    message.integer(1021, news.depth == 1 ? 1 : 2);
  }
  message.text(262, news.request_id);
  message.integer(268, news.entries.size());
  for (const MarketDataEntry& entry : news.entries) {
    message.character(279, static_cast<char>(entry.action));
    message.character(269, static_cast<char>(entry.type));
    if (entry.type == EntryType::Trade) {
      message.text(278, IdText(style.id_prefix, entry.match_id, "0").view());
    }
    message.text(55, news.symbol);
    write_terms(message, entry, style);
  }
}

}  // namespace

MarketDataRequest read_market_data_request(FieldReader& fields, const wire::MessageView& message,
                                           OwnerId owner) {
  MarketDataRequest request;
  request.owner = owner;
  request.id = fields.required_text(262);
  request.type = fields.required_word(263, SubscriptionType::Snapshot);
  if (request.type == SubscriptionType::Unsubscribe) {
    return request;
  }
  request.depth = fields.required_integer(264);
  request.update_type = fields.optional_word<UpdateType>(265);
  request.aggregated = fields.optional_boolean(266, true);
  for_each_entry(fields, message, entry_types, [&](const wire::GroupEntry& entry) {
    if (const auto type = entry.character(269)) {
      request.entry_types.push_back(static_cast<EntryType>(*type));
    } else {
      fields.fail(269, type.error());
    }
  });
  for_each_entry(fields, message, related_symbols, [&](const wire::GroupEntry& entry) {
    if (const auto symbol = entry.text(55)) {
      request.symbols.push_back(*symbol);
    } else {
      fields.fail(55, symbol.error());
    }
  });
  return request;
}

std::string_view msg_type_of(const MarketDataNews& news) noexcept {
  return news.snapshot ? "W" : "X";
}

void write_market_data(wire::Encoder& message, const MarketDataNews& news,
                       const ReportStyle& style) noexcept {
  if (news.snapshot) {
    write_snapshot(message, news, style);
  } else {
    write_increments(message, news, style);
  }
}

void write_market_data_reject(wire::Encoder& message, std::string_view request_id,
                              MarketDataRefusal refusal, std::string_view symbol) {
  message.text(262, request_id);
  if (const std::optional<char> reason = reject_reason(refusal)) {
    message.character(281, *reason);
  }
  std::string text(to_text(refusal));
  if (!symbol.empty()) {
    text.append(": ").append(symbol);
  }
  message.text(58, text);
}

}  // namespace affix::inline v0::tools::exchange
