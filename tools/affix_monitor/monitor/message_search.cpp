// SPDX-License-Identifier: MIT
// Applies the log's filter to journals that are read backwards.
#include "monitor/message_search.hpp"

#include "monitor/comma_list.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t refused_max = 4'096;

constexpr char soh = '\x01';

/// Key that links a reject with the rejected message. `out` is the direction of the rejected
/// message.
std::string refusal_key(std::string_view session, bool out, std::string_view named, char kind) {
  std::string key(session);
  key += out ? "\x01o" : "\x01i";
  key += kind;
  key += named;
  return key;
}

}  // namespace

std::expected<MessageQuery, base::Error> MessageQuery::of(const Request& request) {
  Parameters parameters(
      request, {"session", "direction", "type", "tag*", "text*", "clordid", "symbol", "problems",
                "session_messages", "events", "from", "to", "limit", "cursor", "engine"});
  MessageQuery query;
  query.session = parameters.text("session");
  query.filter.direction = parameters.text("direction");
  query.filter.types = pieces_of(parameters.text("type"));
  query.filter.conditions = parameters.texts("tag");
  query.filter.texts = parameters.texts("text");
  query.cl_ord_id = parameters.text("clordid");
  query.problems_only = parameters.flag("problems");
  query.filter.heartbeats = parameters.flag("session_messages");
  query.events = parameters.flag("events");
  query.from_ns = parameters.time("from", false).value_or(INT64_MIN);
  query.to_ns = parameters.time("to", true).value_or(INT64_MAX);
  query.limit = static_cast<std::size_t>(parameters.number("limit", 100, 1, 500));
  query.cursor = parameters.text("cursor");
  if (const std::string symbol = parameters.text("symbol"); !symbol.empty()) {
    query.filter.conditions.push_back("55=" + symbol);
  }
  for (const std::string* const text : {&query.cl_ord_id, &query.session}) {
    if (text->find(soh) != std::string::npos) {
      parameters.set_error("a name holds no control character");
    }
  }
  if (!parameters.error().empty()) {
    return base::invalid_argument(parameters.error(), "M122");
  }
  return query;
}

MessageSearch::MessageSearch(const MessageQuery& query, log::Filter filter, JournalMerge merge)
    : query_(query), filter_(std::move(filter)), raw_(filter_.raw()), merge_(std::move(merge)) {
  if (!query_.cl_ord_id.empty()) {
    raw_.needles.push_back('=' + query_.cl_ord_id);
  }
  if (query_.problems_only && raw_.alternatives.empty()) {
    raw_.alternatives = {"35=3", "35=j", "35=9", "39=8", "150=8"};
  }
  // The log keeps Logons for reading forwards, which is not needed here.
  raw_.keep_logons = false;
}

std::expected<MessageSearch, base::Error> MessageSearch::make(
    const MessageQuery& query, const std::vector<JournalPlace>& places) {
  auto filter = log::Filter::make(query.filter);
  if (!filter) {
    return std::unexpected(filter.error());
  }
  return MessageSearch(query, std::move(*filter), JournalMerge(places, query.from_ns, query.to_ns));
}

bool MessageSearch::may_match(const affix::journal::Record& record) const {
  if (record.kind == affix::journal::Kind::Event || record.kind == affix::journal::Kind::Resent) {
    return query_.events;
  }
  return raw_.passes(record.bytes);
}

bool MessageSearch::matches(const SeenRecord& seen) const {
  if (!filter_.matches(seen.entry, seen.message, *seen.names)) {
    return false;
  }
  if (!seen.entry.is_message()) {
    return query_.events && query_.cl_ord_id.empty() && !query_.problems_only;
  }
  if (query_.problems_only && !rejection_of(seen).rejects) {
    return false;
  }
  return query_.cl_ord_id.empty() || seen.message.find(11) == query_.cl_ord_id ||
         seen.message.find(41) == query_.cl_ord_id;
}

void MessageSearch::remember(const SeenRecord& seen) {
  const Rejection rejection = rejection_of(seen);
  if (!rejection.rejects || refused_.size() >= refused_max) {
    return;
  }
  const bool other_side_sent = seen.entry.direction == log::Direction::In;
  if (rejection.sequence != 0) {
    refused_.emplace(
        refusal_key(seen.entry.session, other_side_sent, std::to_string(rejection.sequence), '#'),
        Refused{seen.id, rejection.reason});
  }
  if (!rejection.cl_ord_id.empty()) {
    refused_.emplace(refusal_key(seen.entry.session, other_side_sent, rejection.cl_ord_id, '='),
                     Refused{seen.id, rejection.reason});
  }
}

const MessageSearch::Refused* MessageSearch::find_refusal(const SeenRecord& seen) const {
  if (refused_.empty() || !seen.entry.is_message()) {
    return nullptr;
  }
  const bool out = seen.entry.direction == log::Direction::Out;
  const auto find = [&](std::string_view named, char kind) -> const Refused* {
    const auto found = refused_.find(refusal_key(seen.entry.session, out, named, kind));
    return found == refused_.end() ? nullptr : &found->second;
  };
  const Refused* const by_number = find(std::to_string(seen.entry.sequence), '#');
  const std::string_view type = seen.message.find(35).value_or("");
  if (by_number != nullptr || type == "8" || type == "9") {
    return by_number;
  }
  const auto cl_ord_id = seen.message.find(11);
  return cl_ord_id ? find(*cl_ord_id, '=') : nullptr;
}

Json MessageSearch::go_on(MessageLens& lens, std::int64_t deadline_ns) {
  Json messages = Json::array();
  const RecordTest test = [this](const affix::journal::Record& record) {
    return may_match(record);
  };
  while (messages.size() < query_.limit) {
    const auto taken = merge_.next(test, deadline_ns);
    if (!taken) {
      break;
    }
    const SeenRecord seen = lens.look(taken->record, *taken->session);
    if (!matches(seen)) {
      continue;
    }
    Json one = message_json(seen);
    if (const Refused* const refused = find_refusal(seen)) {
      one["problem"] = true;
      one["reason"] = refused->reason;
      one["rejected_by"] = refused->id;
      // The reject may be in this same answer, and then gets the reference.
      for (Json& earlier : messages) {
        if (earlier["id"] == refused->id) {
          earlier["rejects"] = one["id"];
        }
      }
    }
    remember(seen);
    messages.push_back(std::move(one));
  }
  return messages;
}

}  // namespace affix::inline v0::tools::monitor
