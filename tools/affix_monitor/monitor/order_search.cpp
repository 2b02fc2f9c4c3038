// SPDX-License-Identifier: MIT
// Searches the journals repeatedly until no new name of the order appears.
#include "monitor/order_search.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include "log/open_requests.hpp"
#include "log/raw_filter.hpp"
#include "monitor/request.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

/// Maximum passes that search for further names: more than any real order needs, and a limit for
/// any journal.
constexpr int passes_max = 32;

/// With more names than this, separate searches are not worth it.
constexpr std::size_t needles_max = 16;

/// Range searched around a time at which the order existed. Most orders end soon, so the nearest
/// part is returned first; then a day.
constexpr std::int64_t near_ns_first = 600 * base::ns_per_second;
constexpr std::int64_t near_ns_then = 86'400 * base::ns_per_second;

/// Tolerance for the clocks of an order's sessions: nothing of an order is older than its first
/// request by more than this.
constexpr std::int64_t order_slack_ns = 60 * base::ns_per_second;

bool is_first_request(const wire::MessageView& message) {
  const std::string_view type = message.find(35).value_or("");
  return (type == "D" || type == "E" || type == "AB" || type == "s") && !message.find(41);
}
}  // namespace

OrderSearch::OrderSearch(std::string cl_ord_id, std::vector<JournalPlace> places,
                         std::optional<std::int64_t> near_ns)
    : cl_ord_id_(std::move(cl_ord_id)),
      places_(std::move(places)),
      near_ns_(near_ns),
      from_ns_(near_ns ? *near_ns - near_ns_first : INT64_MIN),
      to_ns_(near_ns ? *near_ns + near_ns_first : INT64_MAX),
      trace_(cl_ord_id_),
      merge_({}, 0, 0) {
  begin_pass();
}

void OrderSearch::begin_pass() {
  ++passes_;
  needles_ = trace_.needles();
  merge_ = JournalMerge(places_, from_ns_, to_ns_);
}

void OrderSearch::take(const SeenRecord& seen, affix::journal::Position position) {
  if (!seen.entry.is_message() || seen.entry.kind == log::EntryKind::Held ||
      !trace_.matches(seen.message)) {
    return;
  }
  const auto is_it = [&](const Found& found) {
    return found.position == position && found.session == seen.entry.session;
  };
  if (found_.size() < steps_max && std::ranges::none_of(found_, is_it)) {
    found_.push_back({seen.entry.utc_ns, std::string(seen.entry.session), position});
  }
  if (is_first_request(seen.message)) {
    begun_ = true;
    from_ns_ = std::max(from_ns_, seen.entry.utc_ns - order_slack_ns);
  }
}

Json OrderSearch::go_on(MessageLens& lens, std::int64_t deadline_ns) {
  while (!complete_ && os::now().steady_ns < deadline_ns) {
    log::RawFilter raw;
    if (needles_.size() <= needles_max) {
      raw.alternatives = needles_;
    }
    const RecordTest test = [&](const affix::journal::Record& record) {
      return raw.passes(record.bytes);
    };
    const auto taken = merge_.next(test, deadline_ns);
    if (taken && taken->record.utc_ns >= from_ns_) {
      take(lens.look(taken->record, *taken->session), taken->record.position);
      continue;
    }
    if (!taken && !merge_.end()) {
      // The deadline is over, or the rest is older than the order.
      if (merge_.searched_to_ns() >= from_ns_) {
        break;
      }
    }
    if (trace_.grew() && passes_ < passes_max) {
      begin_pass();
    } else if (near_ns_ && !wide_) {
      wide_ = true;
      to_ns_ = *near_ns_ + near_ns_then;
      from_ns_ = begun_ ? from_ns_ : *near_ns_ - near_ns_then;
      begin_pass();
    } else {
      complete_ = true;
    }
  }
  return report(lens);
}

Json OrderSearch::report(MessageLens& lens) const {
  std::vector<Found> in_order = found_;
  std::ranges::sort(in_order, [](const Found& left, const Found& right) {
    return std::tie(left.utc_ns, left.session, left.position) <
           std::tie(right.utc_ns, right.session, right.position);
  });
  std::map<std::string, std::unique_ptr<affix::journal::Reader>, std::less<>> readers;
  log::OpenRequests requests;
  log::OrderTrace trace(cl_ord_id_);
  Json steps = Json::array();
  Json all;
  std::int64_t before_ns = 0;
  std::size_t answered = 0;
  Json status = "";
  Json status_name = "";
  Json filled = "";
  Json average = "";
  for (const Found& found : in_order) {
    const auto place = std::ranges::find(places_, found.session, &JournalPlace::session);
    std::unique_ptr<affix::journal::Reader>& reader = readers[found.session];
    if (reader == nullptr) {
      auto opened = affix::journal::Reader::open(place->directory);
      if (!opened) {
        continue;
      }
      reader = std::make_unique<affix::journal::Reader>(std::move(*opened));
    }
    if (!reader->seek(found.position)) {
      continue;
    }
    const auto record = reader->next();
    if (!record || record->position != found.position) {
      continue;
    }
    const SeenRecord seen = lens.look(*record, found.session);
    static_cast<void>(trace.remark_on(seen.entry, seen.message, *seen.names));
    Json step = message_json(seen);
    step["since_previous_ns"] = steps.empty() ? 0 : found.utc_ns - before_ns;
    step["answered_in_ns"] = nullptr;
    step["answered_in_same_turn"] = false;
    if (const auto took = requests.take(found.session, seen.message, found.utc_ns)) {
      // An engine stores all messages of one turn with one time: 0 would be no latency.
      if (*took == 0) {
        step["answered_in_same_turn"] = true;
      } else {
        step["answered_in_ns"] = *took;
      }
      ++answered;
    }
    if (seen.message.find(35) == "8") {
      const std::string_view code = seen.message.find(39).value_or("");
      status = as_utf8(code);
      status_name = as_utf8(seen.names->value(39, code));
      filled = as_utf8(seen.message.find(14).value_or(""));
      average = as_utf8(seen.message.find(6).value_or(""));
    }
    before_ns = found.utc_ns;
    steps.push_back(std::move(step));
  }
  Json names = Json::array();
  for (const std::string& name : trace_.names()) {
    names.push_back(as_utf8(name));
  }
  std::vector<std::string> sessions;
  for (const Found& found : in_order) {
    if (std::ranges::find(sessions, found.session) == sessions.end()) {
      sessions.push_back(found.session);
    }
  }
  all["clordid"] = as_utf8(cl_ord_id_);
  all["complete"] = complete_;
  all["searched_to_ns"] = complete_ ? 0 : merge_.searched_to_ns();
  all["names"] = std::move(names);
  all["sessions"] = sessions;
  all["status"] = std::move(status);
  all["status_name"] = std::move(status_name);
  all["cum_qty"] = std::move(filled);
  all["avg_px"] = std::move(average);
  all["first_ns"] = in_order.empty() ? 0 : in_order.front().utc_ns;
  all["last_ns"] = in_order.empty() ? 0 : in_order.back().utc_ns;
  all["requests_answered"] = answered;
  all["requests_open"] = requests.count();
  all["steps"] = std::move(steps);
  all["summary"] = as_utf8(trace.summary());
  all["problems"] = merge_.problems();
  return all;
}

}  // namespace affix::inline v0::tools::monitor
