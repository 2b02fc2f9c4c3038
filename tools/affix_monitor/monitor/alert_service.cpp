// SPDX-License-Identifier: MIT
// Changes and stores a copy of the book before it replaces the present one.
#include "monitor/alert_service.hpp"

#include "affix/base/choice.hpp"
#include "affix/base/time.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

enum class Act : std::uint8_t { Acknowledge, Withdraw, Silence, EndSilence };

/// In the order of Act.
constexpr std::string_view act_words = "acknowledge|withdraw|silence|end_silence";

/// Members of a request; those that the action does not have keep these defaults.
struct Wanted {
  Act act = Act::Acknowledge;
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

/// Reads the members of an act, and keeps the first fault.
class ActMembers {
 public:
  /// `known`: all that the act has.
  ActMembers(const Json& json, std::initializer_list<std::string_view> known) : json_(json) {
    for (const auto& [key, value] : json.items()) {
      if (std::ranges::find(known, key) == known.end()) {
        fail("'" + key + "' is not a member of this act");
      }
    }
  }

  [[nodiscard]] std::uint64_t id() {
    const Json id = json_.value("id", Json());
    if (!id.is_number_unsigned()) {
      fail("`id` must be a number");
      return 0;
    }
    return id.get<std::uint64_t>();
  }

  [[nodiscard]] std::string comment() {
    const Json comment = json_.value("comment", Json(""));
    if (!comment.is_string()) {
      fail("comment is a text");
      return {};
    }
    return checked("the comment ", comment.get<std::string>(), AlertBook::comment_bytes_max);
  }

  [[nodiscard]] std::optional<AlertKind> kind() {
    const Json name = json_.value("kind", Json("*"));
    const auto kind = name.is_string() ? alert_kind_of(name.get<std::string>()) : std::nullopt;
    if (!kind && name != Json("*")) {
      fail("`kind` must be that of an alert, or *");
    }
    return kind;
  }

  [[nodiscard]] std::string session() {
    const Json session = json_.value("session", Json());
    if (!session.is_string()) {
      fail("`session` must be a name, or a pattern with * and ?; empty means the engine");
      return {};
    }
    return checked("session ", session.get<std::string>(), AlertBook::pattern_bytes_max);
  }

  [[nodiscard]] std::int64_t seconds() {
    const Json seconds = json_.value("seconds", Json());
    const std::int64_t given =
        seconds.is_number_unsigned() &&
                seconds.get<std::uint64_t>() <= std::uint64_t{AlertBook::seconds_max}
            ? seconds.get<std::int64_t>()
            : 0;
    if (given < AlertBook::seconds_min) {
      fail("`seconds` must be from " + std::to_string(AlertBook::seconds_min) + " to " +
           std::to_string(AlertBook::seconds_max));
    }
    return given;
  }

  /// The object made from the members, unless one was faulty.
  [[nodiscard]] std::expected<Wanted, base::Error> made(Wanted wanted) const {
    if (!fault_.empty()) {
      return base::invalid_argument(fault_, "M118");
    }
    return wanted;
  }

 private:
  std::string checked(const char* name, std::string text, std::size_t most) {
    if (const auto right = check_text(text, most); !right) {
      fail(name + right.error().message);
    }
    return text;
  }

  void fail(std::string text) { fault_ = fault_.empty() ? std::move(text) : fault_; }

  const Json& json_;
  std::string fault_;
};

std::expected<Wanted, base::Error> wanted_of(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  const Json word = json.is_object() ? json.value("act", Json()) : Json();
  if (!word.is_string()) {
    return base::invalid_argument("an act is a JSON object with act", "M118");
  }
  const auto place = base::place_of_choice(act_words, word.get<std::string>());
  if (!place) {
    return base::invalid_argument("act is acknowledge, withdraw, silence or end_silence", "M118");
  }
  Wanted wanted{.act = static_cast<Act>(*place)};
  if (wanted.act == Act::Silence) {
    ActMembers members(json, {"act", "engine", "kind", "session", "seconds", "comment"});
    wanted.kind = members.kind();
    wanted.pattern = members.session();
    wanted.seconds = members.seconds();
    wanted.comment = members.comment();
    return members.made(std::move(wanted));
  }
  if (wanted.act == Act::Acknowledge) {
    ActMembers members(json, {"act", "engine", "id", "comment"});
    wanted.id = members.id();
    wanted.comment = members.comment();
    return members.made(std::move(wanted));
  }
  ActMembers members(json, {"act", "engine", "id"});
  wanted.id = members.id();
  return members.made(std::move(wanted));
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
            std::string(base::choice_at(act_words, static_cast<std::size_t>(wanted.act))) +
                " alert " + std::to_string(wanted.id),
            {},
            "M116"};
  }
  Outcome outcome{.session = alert->session};
  std::expected<void, base::Error> done;
  if (wanted.act == Act::Acknowledge) {
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
    outcome.text = done.error().message;
    outcome.code = done.error().message_code;
  }
  return outcome;
}

Outcome change_silences(AlertBook& book, const Wanted& wanted, AlertMark mark,
                        std::int64_t utc_ns) {
  Outcome outcome;
  if (wanted.act == Act::Silence) {
    mark.until_ns = utc_ns + wanted.seconds * base::ns_per_second;
    const Silence silence{wanted.kind, wanted.pattern, std::move(mark)};
    outcome.audited =
        with_comment("silence " + name_of(silence) + " until " + iso_time(silence.mark.until_ns),
                     wanted.comment);
    const auto id = book.silence(silence);
    outcome.text = id ? "silent until " + iso_time(silence.mark.until_ns) : id.error().message;
    outcome.status = id ? 200 : 409;
    outcome.code = id ? base::MessageCode() : id.error().message_code;
    return outcome;
  }
  const auto ended = book.end_silence(wanted.id);
  outcome.audited =
      "end silence " + std::to_string(wanted.id) + (ended ? ", " + name_of(*ended) : std::string());
  outcome.text = ended ? "not silent any more" : ended.error().message;
  outcome.status = ended ? 200 : 404;
  outcome.code = ended ? base::MessageCode() : ended.error().message_code;
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

AlertService::AlertService(Observer& observer, AlertFile file, AuditTrail trail)
    : observer_(observer), file_(std::move(file)), trail_(std::move(trail)) {
  observer_.set_book(file_.book());
}

Answer AlertService::act(const Request& request, const Actor& actor, std::int64_t utc_ns) {
  const auto wanted = wanted_of(request.body);
  if (!wanted) {
    return refuse(400, wanted.error());
  }
  const std::lock_guard lock(mutex_);
  AlertBook book = observer_.book();
  AlertMark mark{.by = actor.shown(), .comment = wanted->comment, .at_ns = utc_ns};
  const bool of_alert = wanted->act == Act::Acknowledge || wanted->act == Act::Withdraw;
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

std::expected<void, base::Error> AlertService::tidy() {
  const std::lock_guard lock(mutex_);
  const auto book = observer_.take_tidied();
  return book ? file_.store(*book) : std::expected<void, base::Error>();
}

}  // namespace affix::inline v0::tools::monitor
