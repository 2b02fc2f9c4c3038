// SPDX-License-Identifier: MIT
// Reads fields of recorded messages, whose bytes may be anything.
#include "certify/recorded_message.hpp"

#include <algorithm>
#include <array>

namespace affix::inline v0::tools::certify {

namespace {

constexpr char field_end = '\x01';

/// ClOrdID, OrderID, ExecID, ExecRefID, OrigClOrdID, ListID, QuoteID, QuoteReqID, SecondaryOrderID,
/// MDReqID, MDEntryID, SecurityReqID, ClOrdLinkID, SecondaryExecID, TradeRequestID, TradeReportID,
/// TradeReportRefID, TrdMatchID, TradeID, MassActionReportID, SecondaryClOrdID.
constexpr std::array<std::string_view, 21> id_tags{
    "11",  "37",  "17",  "19",  "41",  "66",  "117", "131",  "198",  "262", "278",
    "320", "583", "527", "568", "571", "572", "880", "1003", "1369", "526"};

}  // namespace

std::string_view field_value(std::string_view message, std::string_view tag) {
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find(field_end, at), message.size());
    const std::string_view field = message.substr(at, end - at);
    if (field.size() > tag.size() && field[tag.size()] == '=' && field.starts_with(tag)) {
      return field.substr(tag.size() + 1);
    }
    at = end + 1;
  }
  return {};
}

bool is_kept_by_player(std::string_view type) {
  return type.size() == 1 && std::string_view("0124").contains(type.front());
}

bool is_id(std::string_view tag) {
  return std::ranges::find(id_tags, tag) != id_tags.end();
}

}  // namespace affix::inline v0::tools::certify
