// SPDX-License-Identifier: MIT
// Changes and stores a copy of the book before it replaces the present one.
#include "monitor/alert_desk.hpp"

#include "affix/base/time.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

/// Members of a request; those that the action does not have keep these defaults.
struct Wanted {
  std::string act;
  std::uint64_t id = 0;
  std::optional<AlertKind> kind{};
  std::string pattern{};
  std::int64_t seconds = 0;
  std::string comment{};
};

/// Result of an action; any status except 200 is a refusal.
struct Outcome {
  int status = 200;
  std::string text{};
  std::string audited{};  ///< Requested action.
  std::string session{};  ///< Session concerned.
  base::MessageCode code = {};
};

using KnownMembers = std::initializer_list<const char*>;

std::optional<std::string> unknown_member(const Json& json, KnownMembers known) {
  for (const auto& [key, value] : json.items()) {
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&](const char* each) { return key == each; });
    if (!is_known) {
      return "'" + key + "' is no member of this act";
    }
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_comment(const Json& json, Wanted& wanted) {
  const Json comment = json.value("comment", Json(""));
  if (!comment.is_string()) {
    return "comment is a text";
  }
  wanted.comment = comment.get<std::string>();
  const auto fault = fault_of_text(wanted.comment, AlertBook::comment_bytes_max);
  return fault ? std::optional("the comment " + *fault) : std::nullopt;
}

std::optional<std::string> fault_of_id(const Json& json, Wanted& wanted) {
  const Json id = json.value("id", Json());
  if (!id.is_number_unsigned()) {
    return "id says which: a number";
  }
  wanted.id = id.get<std::uint64_t>();
  return std::nullopt;
}

std::optional<std::string> fault_of_silence(const Json& json, Wanted& wanted) {
  const Json kind = json.value("kind", Json("*"));
  wanted.kind = kind.is_string() ? alert_kind_of(kind.get<std::string>()) : std::nullopt;
  if (!wanted.kind && kind != Json("*")) {
    return "kind is that of an alert, or *";
  }
  const Json session = json.value("session", Json());
  if (!session.is_string()) {
    return "session says which sessions: a name, or a pattern with * and ?; empty is the engine";
  }
  wanted.pattern = session.get<std::string>();
  if (const auto fault = fault_of_text(wanted.pattern, AlertBook::pattern_bytes_max)) {
    return "session " + *fault;
  }
  const Json seconds = json.value("seconds", Json());
  wanted.seconds = seconds.is_number_unsigned() &&
                           seconds.get<std::uint64_t>() <= std::uint64_t{AlertBook::seconds_max}
                       ? seconds.get<std::int64_t>()
                       : 0;
  if (wanted.seconds < AlertBook::seconds_min) {
    return "seconds says for how long: " + std::to_string(AlertBook::seconds_min) + " to " +
           std::to_string(AlertBook::seconds_max);
  }
  return std::nullopt;
}

std::expected<Wanted, std::string> wanted_of(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  const Json act = json.is_object() ? json.value("act", Json()) : Json();
  if (!act.is_string()) {
    return std::unexpected("an act is a JSON object with act");
  }
  Wanted wanted{.act = act.get<std::string>()};
  std::optional<std::string> fault;
  if (wanted.act == "acknowledge") {
    fault = unknown_member(json, {"act", "engine", "id", "comment"});
    fault = fault ? fault : fault_of_id(json, wanted);
    fault = fault ? fault : fault_of_comment(json, wanted);
  } else if (wanted.act == "withdraw" || wanted.act == "end_silence") {
    fault = unknown_member(json, {"act", "engine", "id"});
    fault = fault ? fault : fault_of_id(json, wanted);
  } else if (wanted.act == "silence") {
    fault = unknown_member(json, {"act", "engine", "kind", "session", "seconds", "comment"});
    fault = fault ? fault : fault_of_silence(json, wanted);
    fault = fault ? fault : fault_of_comment(json, wanted);
  } else {
    fault = "act is acknowledge, withdraw, silence or end_silence";
  }
  return fault ? std::expected<Wanted, std::string>(std::unexpected(std::move(*fault)))
               : std::move(wanted);
}

std::string name_of(const Alert& alert) {
  return std::string(to_text(alert.kind)) +
         (alert.subject.empty() ? std::string(" of the engine") : " of " + alert.subject);
}

std::string name_of(const Silence& silence) {
  return std::string(silence.kind ? to_text(*silence.kind) : "every alert") +
         (silence.pattern.empty() ? std::string(" of the engine") : " of " + silence.pattern);
}

std::string with_comment(const std::string& text, const std::string& comment) {
  return comment.empty() ? text : text + " (" + comment + ")";
}

Outcome change_one_alert(AlertBook& book, const Wanted& wanted, AlertMark mark,
                         const std::vector<Alert>& current) {
  const auto alert = std::ranges::find(current, wanted.id, &Alert::id);
  if (alert == current.end()) {
    return {404,
            "the alert is over, or there never was one",
            wanted.act + " alert " + std::to_string(wanted.id),
            {},
            "M116"};
  }
  Outcome outcome{.session = alert->session};
  std::expected<void, std::string> done;
  if (wanted.act == "acknowledge") {
    done = book.acknowledge(*alert, std::move(mark));
    outcome.audited = with_comment("acknowledge " + name_of(*alert), wanted.comment);
    outcome.text = "acknowledged until it is over";
  } else {
    done = book.withdraw(*alert);
    outcome.audited = "withdraw the acknowledgement of " + name_of(*alert);
    outcome.text = "not acknowledged any more";
  }
  if (!done) {
    outcome.status = 409;
    outcome.text = done.error();
    outcome.code =
        wanted.act == "acknowledge" ? base::MessageCode("M117") : base::MessageCode("M116");
  }
  return outcome;
}

Outcome change_silences(AlertBook& book, const Wanted& wanted, AlertMark mark,
                        std::int64_t utc_ns) {
  Outcome outcome;
  if (wanted.act == "silence") {
    mark.until_ns = utc_ns + wanted.seconds * base::ns_per_second;
    const Silence silence{wanted.kind, wanted.pattern, std::move(mark)};
    outcome.audited =
        with_comment("silence " + name_of(silence) + " until " + iso_time(silence.mark.until_ns),
                     wanted.comment);
    const auto id = book.silence(silence);
    outcome.text = id ? "silent until " + iso_time(silence.mark.until_ns) : id.error();
    outcome.status = id ? 200 : 409;
    outcome.code = "M117";
    return outcome;
  }
  const auto ended = book.end_silence(wanted.id);
  outcome.audited =
      "end silence " + std::to_string(wanted.id) + (ended ? ", " + name_of(*ended) : std::string());
  outcome.text = ended ? "not silent any more" : ended.error();
  outcome.status = ended ? 200 : 404;
  outcome.code = "M116";
  return outcome;
}

}  // namespace

std::string engine_of_act(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  const Json engine = json.is_object() ? json.value("engine", Json()) : Json();
  return engine.is_string() ? engine.get<std::string>() : std::string();
}

std::string Actor::shown() const {
  return name.empty() ? "operator" : name;
}

std::string Actor::audited() const {
  return (name.empty() ? "operator at " : "operator " + name + " at ") + peer;
}

AlertDesk::AlertDesk(Observer& observer, AlertFile file, AuditTrail trail)
    : observer_(observer), file_(std::move(file)), trail_(std::move(trail)) {
  observer_.set_book(file_.book());
}

Answer AlertDesk::act(const Request& request, const Actor& actor, std::int64_t utc_ns) {
  const auto wanted = wanted_of(request.body);
  if (!wanted) {
    return refuse(400, wanted.error(), "M118");
  }
  const std::lock_guard lock(mutex_);
  AlertBook book = observer_.book();
  AlertMark mark{.by = actor.shown(), .comment = wanted->comment, .at_ns = utc_ns};
  const bool of_alert = wanted->act == "acknowledge" || wanted->act == "withdraw";
  Outcome outcome =
      of_alert ? change_one_alert(book, *wanted, std::move(mark), observer_.current_alerts())
               : change_silences(book, *wanted, std::move(mark), utc_ns);
  if (outcome.status == 200) {
    if (const auto stored = file_.store(book)) {
      observer_.set_book(std::move(book));
    } else {
      outcome.status = 503;
      outcome.code = "M115";
      outcome.text = "nothing was changed, for it could not be kept: " + stored.error().text();
    }
  }
  const char* const result = outcome.status == 200 ? "done: " : "refused: ";
  const auto audited =
      trail_.write(utc_ns, outcome.session,
                   actor.audited() + ": " + outcome.audited + ": " + result + outcome.text);
  if (!audited) {
    outcome.text += ". The audit trail was not written: " + audited.error().text();
  }
  if (outcome.status != 200) {
    return refuse(outcome.status, outcome.text, outcome.code);
  }
  const Json all{{"status", "done"}, {"text", outcome.text}};
  return {200, "application/json", all.dump(-1, ' ', false, Json::error_handler_t::replace), {}};
}

std::expected<void, base::Error> AlertDesk::tidy() {
  const std::lock_guard lock(mutex_);
  const auto book = observer_.take_tidied();
  return book ? file_.store(*book) : std::expected<void, base::Error>();
}

}  // namespace affix::inline v0::tools::monitor
