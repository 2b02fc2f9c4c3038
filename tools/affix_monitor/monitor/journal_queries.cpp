// SPDX-License-Identifier: MIT
// Runs one search at a time, so that clients use at most one core and the disk, however many there
// are.
#include "monitor/journal_queries.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "log/raw_filter.hpp"
#include "monitor/json_answer.hpp"
#include "monitor/kept_searches.hpp"
#include "monitor/message_search.hpp"
#include "monitor/order_search.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t slice_ns = 200 * base::ns_per_ms;
/// Later rejects are not searched for.
constexpr std::int64_t answered_within_ns = 60 * base::ns_per_second;

constexpr auto patience = std::chrono::seconds(2);

constexpr const char* gone_text =
    "this search is not known any more: begin again without the cursor";

/// Identity of a search: the request without its cursor, and the engines that it may read.
std::string text_of(const Request& request, const ChosenEngines& engines) {
  std::string text = request.path;
  for (const WatchedEngine* const engine : engines) {
    text += '\x02' + engine->name;
  }
  for (const auto& [name, value] : request.query) {
    if (name != "cursor") {
      text += '\x01' + name + '\x01' + value;
    }
  }
  return text;
}

/// The message that a reject names, in the other direction; or the reject of a message.
struct Relation {
  bool of_reject = false;
  Rejection rejection;
  bool out = false;
  std::uint64_t sequence = 0;
  std::string cl_ord_id;
};

bool is_rejected_by(const Relation& message, const SeenRecord& seen) {
  const Rejection rejection = rejection_of(seen);
  const bool other_side = (seen.entry.direction == log::Direction::Out) != message.out;
  return other_side && rejection.rejects &&
         ((rejection.sequence != 0 && rejection.sequence == message.sequence) ||
          (!rejection.cl_ord_id.empty() && rejection.cl_ord_id == message.cl_ord_id));
}

bool is_what_it_rejects(const Relation& reject, const SeenRecord& seen) {
  if ((seen.entry.direction == log::Direction::Out) == reject.out || !seen.entry.is_message()) {
    return false;
  }
  if (reject.rejection.sequence != 0) {
    return seen.entry.sequence == reject.rejection.sequence;
  }
  const std::string_view type = seen.message.find(35).value_or("");
  return type != "8" && type != "9" && !reject.rejection.cl_ord_id.empty() &&
         seen.message.find(11) == reject.rejection.cl_ord_id;
}

}  // namespace

struct JournalQueries::State {
  explicit State(const Fleet& engines) : fleet(engines), lens(engines) {}

  [[nodiscard]] std::vector<JournalPlace> places(const std::string& session,
                                                 const ChosenEngines& engines) const {
    std::vector<JournalPlace> all;
    const Fleet::Place wanted = fleet.place_of(session);
    for (const WatchedEngine* const engine : engines) {
      const auto snapshot = engine->observer->snapshot();
      if (snapshot == nullptr || (!session.empty() && engine != wanted.engine)) {
        continue;
      }
      for (const SessionView& view : snapshot->sessions) {
        if (!view.journal.empty() && (session.empty() || view.name == wanted.session)) {
          all.push_back({fleet.name_of(*engine, view.name), view.journal});
        }
      }
    }
    return all;
  }

  [[nodiscard]] bool knows(const std::string& session, const ChosenEngines& engines) const {
    const Fleet::Place place = fleet.place_of(session);
    return std::ranges::find(engines, place.engine) != engines.end() &&
           place.engine->knows(place.session);
  }

  /// True once it is this request's turn.
  [[nodiscard]] std::unique_lock<std::timed_mutex> wait_turn() {
    return std::unique_lock(mutex, patience);
  }

  [[nodiscard]] Json find_rejected(const Relation& reject, const JournalPlace& place,
                                   std::int64_t before_ns, affix::journal::Position position,
                                   std::int64_t deadline_ns);
  [[nodiscard]] Json find_reject(const Relation& message, const JournalPlace& place,
                                 affix::journal::Position position, std::int64_t deadline_ns);

  const Fleet& fleet;
  std::timed_mutex mutex;
  MessageLens lens;
  KeptSearches<MessageSearch> message_searches;
  KeptSearches<OrderSearch> order_searches;
};

JournalQueries::JournalQueries(const Fleet& fleet) : state_(std::make_unique<State>(fleet)) {}

JournalQueries::~JournalQueries() = default;

Answer JournalQueries::messages(const Request& request, const ChosenEngines& engines) {
  const auto query = MessageQuery::of(request);
  if (!query) {
    return refuse(400, query.error());
  }
  if (!query->session.empty() && !state_->knows(query->session, engines)) {
    return refuse(404, "there is no session '" + query->session + "'", "M123");
  }
  const auto turn = state_->wait_turn();
  if (!turn) {
    return refuse(503, "others are searching; try again", "M126");
  }
  const std::int64_t deadline_ns = os::now().steady_ns + slice_ns;
  const std::string asked = text_of(request, engines);
  std::unique_ptr<MessageSearch> search;
  if (!query->cursor.empty()) {
    search = state_->message_searches.take(query->cursor, asked);
    if (search == nullptr) {
      return refuse(410, gone_text, "M125");
    }
  } else {
    auto made = MessageSearch::make(*query, state_->places(query->session, engines));
    if (!made) {
      return refuse(400, made.error().message, "M123");
    }
    search = std::make_unique<MessageSearch>(std::move(*made));
  }
  Json all;
  all["messages"] = search->go_on(state_->lens, deadline_ns);
  const std::int64_t searched_ns =
      search->end() ? std::max<std::int64_t>(query->from_ns, 0) : search->searched_to_ns();
  const bool nothing_yet = searched_ns == INT64_MAX;
  const std::int64_t reported_ns = nothing_yet ? os::now().utc_ns : searched_ns;
  all["cursor"] = nullptr;
  all["searched_to"] = iso_time(reported_ns);
  all["searched_to_ns"] = reported_ns;
  all["problems"] = search->problems();
  if (!search->end()) {
    all["cursor"] = state_->message_searches.keep(std::move(search), asked);
  }
  return answer_of(all);
}

Json JournalQueries::State::find_rejected(const Relation& reject, const JournalPlace& place,
                                          std::int64_t before_ns, affix::journal::Position position,
                                          std::int64_t deadline_ns) {
  // After a step of the clock, the request may be later than the reject.
  JournalMerge merge({place}, INT64_MIN, before_ns + base::ns_per_second);
  const RecordTest test = [&](const affix::journal::Record& record) {
    return record.position < position &&
           (reject.rejection.sequence == 0 || record.sequence == reject.rejection.sequence);
  };
  while (const auto taken = merge.next(test, deadline_ns)) {
    const SeenRecord seen = lens.look(taken->record, place.session);
    if (is_what_it_rejects(reject, seen)) {
      return as_utf8(seen.id);
    }
  }
  return nullptr;
}

Json JournalQueries::State::find_reject(const Relation& message, const JournalPlace& place,
                                        affix::journal::Position position,
                                        std::int64_t deadline_ns) {
  auto reader = affix::journal::Reader::open(place.directory);
  if (!reader || !reader->seek(position)) {
    return nullptr;
  }
  const auto first = reader->next();
  log::RawFilter may_reject;
  may_reject.alternatives = {"35=3", "35=j", "35=9", "39=8", "150=8"};
  while (first && os::now().steady_ns < deadline_ns) {
    const auto record = reader->next();
    if (!record || record->utc_ns > first->utc_ns + answered_within_ns) {
      break;
    }
    if (!may_reject.passes(record->bytes)) {
      continue;
    }
    const SeenRecord seen = lens.look(*record, place.session);
    if (is_rejected_by(message, seen)) {
      return as_utf8(seen.id);
    }
  }
  return nullptr;
}

Answer JournalQueries::message(const Request& request, const ChosenEngines& engines) {
  Parameters parameters(request, {"id", "engine"});
  const MessagePlace wanted = place_of_id(parameters.text("id"));
  if (!wanted.position.valid()) {
    parameters.set_error("id is SESSION/SEGMENT:OFFSET");
  }
  if (!parameters.error().empty()) {
    return refuse(400, parameters.error(), "M122");
  }
  const std::vector<JournalPlace> places = state_->places(wanted.session, engines);
  if (wanted.session.empty() || places.empty()) {
    return refuse(404, "there is no session '" + wanted.session + "' with a journal", "M123");
  }
  const auto turn = state_->wait_turn();
  if (!turn) {
    return refuse(503, "others are searching; try again", "M126");
  }
  const JournalPlace& place = places.front();
  auto reader = affix::journal::Reader::open(place.directory);
  const auto record = reader && wanted.position.offset != 0 && reader->seek(wanted.position)
                          ? reader->next()
                          : std::nullopt;
  if (!record || record->position != wanted.position) {
    return refuse(404, "there is no record at this place any more, or there never was", "M124");
  }
  const SeenRecord seen = state_->lens.look(*record, place.session);
  Json all = message_json(seen);
  std::string raw(seen.entry.is_message() ? seen.entry.bytes : std::string_view());
  std::replace(raw.begin(), raw.end(), '\x01', '|');
  all["raw"] = as_utf8(raw);
  all["fields"] = fields_json(seen);
  const Relation relation{.of_reject = rejection_of(seen).rejects,
                          .rejection = rejection_of(seen),
                          .out = seen.entry.direction == log::Direction::Out,
                          .sequence = seen.entry.sequence,
                          .cl_ord_id = std::string(seen.message.find(11).value_or(""))};
  const bool is_message = seen.entry.is_message();
  const std::int64_t utc_ns = seen.entry.utc_ns;
  const std::int64_t deadline_ns = os::now().steady_ns + slice_ns;
  all["rejects"] = nullptr;
  all["rejected_by"] = nullptr;
  if (relation.of_reject) {
    all["rejects"] = state_->find_rejected(relation, place, utc_ns, wanted.position, deadline_ns);
  } else if (is_message) {
    all["rejected_by"] = state_->find_reject(relation, place, wanted.position, deadline_ns);
    if (!all["rejected_by"].is_null()) {
      all["problem"] = true;
      const MessagePlace by = place_of_id(all["rejected_by"].get<std::string>());
      if (const auto found = reader->seek(by.position) ? reader->next() : std::nullopt) {
        all["reason"] = rejection_of(state_->lens.look(*found, place.session)).reason;
      }
    }
  }
  return answer_of(all);
}

Answer JournalQueries::order(const Request& request, const ChosenEngines& engines) {
  Parameters parameters(request, {"clordid", "session", "near", "cursor", "engine"});
  const std::string cl_ord_id = parameters.text("clordid");
  const std::string session = parameters.text("session");
  const std::string near = parameters.text("near");
  const MessagePlace near_place = place_of_id(near);
  if (cl_ord_id.empty() || cl_ord_id.find('\x01') != std::string::npos) {
    parameters.set_error("`clordid` must name an order");
  }
  if (!near.empty() && !near_place.position.valid()) {
    parameters.set_error("near is the id of a message");
  }
  if (!parameters.error().empty()) {
    return refuse(400, parameters.error(), "M122");
  }
  if (!session.empty() && !state_->knows(session, engines)) {
    return refuse(404, "there is no session '" + session + "'", "M123");
  }
  const auto turn = state_->wait_turn();
  if (!turn) {
    return refuse(503, "others are searching; try again", "M126");
  }
  const std::int64_t deadline_ns = os::now().steady_ns + slice_ns;
  const std::string asked = text_of(request, engines);
  std::unique_ptr<OrderSearch> search;
  if (const std::string cursor = parameters.text("cursor"); !cursor.empty()) {
    search = state_->order_searches.take(cursor, asked);
    if (search == nullptr) {
      return refuse(410, gone_text, "M125");
    }
  } else {
    std::optional<std::int64_t> near_ns;
    const std::vector<JournalPlace> near_places = state_->places(near_place.session, engines);
    if (near_place.position.valid() && near_places.size() == 1) {
      auto reader = affix::journal::Reader::open(near_places.front().directory);
      const auto record =
          reader && reader->seek(near_place.position) ? reader->next() : std::nullopt;
      near_ns = record ? std::optional(record->utc_ns) : std::nullopt;
    }
    search = std::make_unique<OrderSearch>(cl_ord_id, state_->places(session, engines), near_ns);
  }
  Json all = search->go_on(state_->lens, deadline_ns);
  all["cursor"] = nullptr;
  if (!search->end()) {
    all["cursor"] = state_->order_searches.keep(std::move(search), asked);
  }
  return answer_of(all);
}

}  // namespace affix::inline v0::tools::monitor
