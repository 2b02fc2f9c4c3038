// SPDX-License-Identifier: MIT
// Combines the log's parts, with a dictionary for each session.
#include "monitor/message_lens.hpp"

#include "affix/wire/convert.hpp"

#include "log/journal_source.hpp"
#include "log/record_text.hpp"
#include "monitor/comma_list.hpp"
#include "monitor/group_depth.hpp"
#include "monitor/request.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

/// Tags shown for each message in a list, in this order.
constexpr std::array<std::uint32_t, 14> summary_tags{11, 41, 37,  55, 54, 38, 44,
                                                     40, 39, 150, 32, 31, 14, 58};
constexpr std::array<const char*, 14> summary_names{
    "ClOrdID", "OrigClOrdID", "OrderID",  "Symbol",  "Side",   "OrderQty", "Price",
    "OrdType", "OrdStatus",   "ExecType", "LastQty", "LastPx", "CumQty",   "Text"};

/// Tags with reason codes of rejects: SessionRejectReason, BusinessRejectReason, CxlRejReason,
/// OrdRejReason.
constexpr std::array<std::uint32_t, 4> reason_tags{373, 380, 102, 103};

const char* kind_of(const log::Entry& entry) noexcept {
  switch (entry.kind) {
    case log::EntryKind::Message:
      return entry.direction == log::Direction::Out ? "sent" : "received";
    case log::EntryKind::Held:
      return "held";
    case log::EntryKind::Resent:
      return "resent";
    case log::EntryKind::Event:
      break;
  }
  return "event";
}

/// The value's name if it has one.
std::string meaning_or_value(const SeenRecord& seen, std::uint32_t tag, std::string_view value) {
  const std::string_view meaning = seen.names->value(tag, value);
  return as_utf8(meaning.empty() ? value : meaning);
}

}  // namespace

struct MessageLens::Glass {
  log::MessageNames* names = nullptr;
  log::Redaction redaction;
};

MessageLens::MessageLens(const Fleet& fleet) : fleet_(fleet), index_(std::make_unique<Index>()) {}

MessageLens::~MessageLens() = default;

MessageLens::Glass& MessageLens::glass_of(const std::string& session) {
  const auto known = glasses_.find(session);
  if (known != glasses_.end()) {
    return *known->second;
  }
  const Fleet::Place place = fleet_.place_of(session);
  const affix::config::SessionSettings* const settings =
      place.engine != nullptr ? place.engine->roster.find_settings(place.session) : nullptr;
  std::vector<std::string> files;
  std::vector<std::uint32_t> secret_tags;
  if (settings != nullptr) {
    for (const std::string* const list : {&settings->dictionary, &settings->transport_dictionary,
                                          &settings->further_dictionaries}) {
      for (const std::string& file : pieces_of(*list)) {
        files.push_back(place.engine->roster.resolve(file));
      }
    }
    for (const std::string& tag : pieces_of(settings->secret_tags)) {
      secret_tags.push_back(wire::parse_integer<std::uint32_t>(tag).value_or(0));
    }
  }
  std::string key;
  for (const std::string& file : files) {
    key += file + '\n';
  }
  std::unique_ptr<log::MessageNames>& names = names_[key];
  if (names == nullptr) {
    names = std::make_unique<log::MessageNames>();
    for (const std::string& file : files) {
      // If it cannot be read, the standard names remain.
      static_cast<void>(names->add_dictionary(file));
    }
  }
  auto made = std::make_unique<Glass>(names.get(), log::Redaction(std::move(secret_tags)));
  return *glasses_.emplace(session, std::move(made)).first->second;
}

SeenRecord MessageLens::look(const affix::journal::Record& record, const std::string& session) {
  Glass& glass = glass_of(session);
  log::Entry entry = log::entry_of_record(record, session);
  if (entry.is_message()) {
    wire::index_message(entry.bytes, *index_);
    entry.bytes = glass.redaction.message(entry.bytes, *index_);
  } else {
    index_->clear();
    entry.bytes = glass.redaction.text(entry.bytes);
  }
  SeenRecord seen{entry, wire::MessageView(entry.bytes, *index_), glass.names,
                  message_id(session, record.position)};
  if (entry.is_message()) {
    glass.names->turn_to(seen.message, session);
  }
  return seen;
}

std::string message_id(std::string_view session, affix::journal::Position position) {
  return std::string(session) + '/' + std::to_string(position.segment) + ':' +
         std::to_string(position.offset);
}

MessagePlace place_of_id(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  const std::size_t colon = id.rfind(':');
  if (slash == std::string_view::npos || colon == std::string_view::npos || colon < slash) {
    return {};
  }
  const auto segment = wire::parse_integer<std::uint32_t>(id.substr(slash + 1, colon - slash - 1));
  const auto offset = wire::parse_integer<std::uint32_t>(id.substr(colon + 1));
  if (!segment || !offset) {
    return {};
  }
  return {std::string(id.substr(0, slash)), {*segment, *offset}};
}

Rejection rejection_of(const SeenRecord& seen) {
  Rejection rejection;
  if (!seen.entry.is_message()) {
    return rejection;
  }
  const std::string_view type = seen.message.find(35).value_or("");
  const bool of_session = type == "3" || type == "j";
  const bool of_order =
      type == "9" ||
      (type == "8" && (seen.message.find(39) == "8" || seen.message.find(150) == "8"));
  if (!of_session && !of_order) {
    return rejection;
  }
  rejection.rejects = true;
  rejection.reason = as_utf8(seen.message.find(58).value_or(""));
  for (std::size_t at = 0; rejection.reason.empty() && at < reason_tags.size(); ++at) {
    if (const auto code = seen.message.find(reason_tags[at])) {
      rejection.reason = meaning_or_value(seen, reason_tags[at], *code);
    }
  }
  if (const auto tag = seen.message.find(371); of_session && tag) {
    const std::string_view name =
        seen.names->field(wire::parse_integer<std::uint32_t>(*tag).value_or(0));
    rejection.reason += (rejection.reason.empty() ? "" : ": ") + as_utf8(name) +
                        (name.empty() ? "" : " ") + '(' + as_utf8(*tag) + ')';
  }
  if (of_session) {
    rejection.sequence =
        wire::parse_integer<std::uint64_t>(seen.message.find(45).value_or("")).value_or(0);
  } else {
    rejection.cl_ord_id = seen.message.find(11).value_or("");
  }
  return rejection;
}

Json message_json(const SeenRecord& seen) {
  const log::Entry& entry = seen.entry;
  Json one;
  one["id"] = as_utf8(seen.id);
  one["session"] = as_utf8(entry.session);
  one["time"] = iso_time(entry.utc_ns);
  one["time_ns"] = entry.utc_ns;
  one["direction"] = entry.kind == log::EntryKind::Event      ? ""
                     : entry.direction == log::Direction::Out ? "out"
                                                              : "in";
  one["kind"] = kind_of(entry);
  one["seq"] = entry.sequence;
  if (entry.kind == log::EntryKind::Resent) {
    one["to"] = entry.number_after;
  }
  if (entry.kind == log::EntryKind::Event) {
    one["event"] = entry.event;
    one["text"] = as_utf8(entry.bytes);
  }
  one["type"] = "";
  one["name"] = "";
  one["bytes"] = entry.is_message() ? entry.bytes.size() : 0;
  one["processed"] = !entry.unprocessed;
  one["summary"] = Json::object();
  one["problem"] = false;
  if (entry.is_message()) {
    one["type"] = as_utf8(seen.message.find(35).value_or(""));
    one["name"] = as_utf8(seen.names->type());
    for (std::size_t at = 0; at < summary_tags.size(); ++at) {
      if (const auto value = seen.message.find(summary_tags[at])) {
        one["summary"][summary_names[at]] = meaning_or_value(seen, summary_tags[at], *value);
      }
    }
    if (const Rejection rejection = rejection_of(seen); rejection.rejects) {
      one["problem"] = true;
      one["reason"] = rejection.reason;
    }
  }
  return one;
}

Json fields_json(const SeenRecord& seen) {
  Json fields = Json::array();
  GroupDepth depth(seen.names->dictionaries(), seen.message.find(35).value_or(""));
  for (const wire::Field field : seen.message) {
    const GroupDepth::Place place = depth.place(field.tag);
    Json one{{"tag", field.tag},
             {"name", as_utf8(seen.names->field(field.tag))},
             {"value", as_utf8(field.value)},
             {"meaning", as_utf8(seen.names->value(field.tag, field.value))},
             {"part", place.part},
             {"depth", place.depth}};
    if (place.depth != 0) {
      one["entry"] = place.entry;
    }
    fields.push_back(std::move(one));
  }
  return fields;
}

}  // namespace affix::inline v0::tools::monitor
