// SPDX-License-Identifier: MIT
// Uses lists that are short except on the worst days.
#include "monitor/alert_book.hpp"

#include "affix/base/time.hpp"

#include "monitor/request.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "affix-alerts";
constexpr int format_version = 1;

/// Iterative: a pattern of many stars costs the product of both lengths.
bool fits(std::string_view pattern, std::string_view text) noexcept {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_in = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_in = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in])) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++star_in;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool is_same(const Acknowledgement& one, const Alert& alert) noexcept {
  return one.alert_id != 0
             ? one.alert_id == alert.id
             : one.kind == alert.kind && one.subject == alert.subject && one.origin == alert.origin;
}

std::unexpected<base::Error> damaged(std::string why) {
  return std::unexpected(base::Error{base::ErrorCode::Damaged, std::move(why), {}, "M112"});
}

/// Reads members of the right type and within limits, and keeps the fault of the first other one.
class Members {
 public:
  explicit Members(const Json& object) : object_(object) {}

  [[nodiscard]] std::string text(const char* name, std::size_t most) {
    if (!object_.contains(name) || !object_[name].is_string()) {
      return fail(name);
    }
    auto value = object_[name].get<std::string>();
    return check_text(value, most) ? value : fail(name);
  }

  [[nodiscard]] std::int64_t number(const char* name) {
    if (!object_.contains(name) || !object_[name].is_number_integer() ||
        (object_[name].is_number_unsigned() &&
         object_[name].get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) ||
        object_[name].get<std::int64_t>() < 0) {
      fail(name);
      return 0;
    }
    return object_[name].get<std::int64_t>();
  }

  /// An alert's kind, or nullopt if it is `*` and that is allowed.
  [[nodiscard]] std::optional<AlertKind> kind(bool any_allowed) {
    const std::string name = text("kind", AlertBook::pattern_bytes_max);
    const auto kind = alert_kind_of(name);
    if (!kind && fault_.empty() && !(any_allowed && name == "*")) {
      fault_ = "'kind' is not a kind of alert";
    }
    return kind;
  }

  /// The object made from the members, unless one was faulty.
  template <typename One>
  [[nodiscard]] std::expected<One, base::Error> made(One one) const {
    if (!fault_.empty()) {
      return damaged(fault_);
    }
    return one;
  }

 private:
  std::string fail(const char* name) {
    fault_ = fault_.empty() ? std::string("'") + name + "' is missing or wrong" : fault_;
    return {};
  }

  const Json& object_;
  std::string fault_;
};

AlertMark mark_of(Members& members) {
  AlertMark mark;
  mark.by = members.text("by", AlertBook::comment_bytes_max);
  mark.comment = members.text("comment", AlertBook::comment_bytes_max);
  mark.at_ns = members.number("at_ns");
  return mark;
}

std::expected<Acknowledgement, base::Error> acknowledgement_of(const Json& object) {
  constexpr std::size_t subject_bytes_max = 4'096;  // Longest subject: a path.
  Members members(object);
  Acknowledgement one;
  one.kind = members.kind(false).value_or(AlertKind::EngineDown);
  one.subject = members.text("subject", subject_bytes_max);
  one.origin = static_cast<std::uint64_t>(members.number("origin"));
  one.alert_since_ns = members.number("alert_since_ns");
  one.mark = mark_of(members);
  return members.made(std::move(one));
}

std::expected<Silence, base::Error> silence_of(const Json& object) {
  Members members(object);
  Silence one;
  one.kind = members.kind(true);
  one.pattern = members.text("pattern", AlertBook::pattern_bytes_max);
  one.mark = mark_of(members);
  one.mark.id = static_cast<std::uint64_t>(members.number("id"));
  one.mark.until_ns = members.number("until_ns");
  return members.made(std::move(one));
}

template <typename One>
std::expected<std::vector<One>, base::Error> read_list(
    const Json& all, const char* name, std::size_t most,
    std::expected<One, base::Error> (*read)(const Json&)) {
  if (!all.contains(name) || !all[name].is_array() || all[name].size() > most) {
    return damaged(std::string("'") + name + "' is missing, too long or no list");
  }
  std::vector<One> list;
  for (const Json& object : all[name]) {
    if (!object.is_object()) {
      return damaged(std::string("'") + name + "' has an element that is not an object");
    }
    auto one = read(object);
    if (!one) {
      return std::unexpected(std::move(one.error()));
    }
    list.push_back(std::move(*one));
  }
  return list;
}

}  // namespace

std::expected<void, base::Error> check_text(std::string_view text, std::size_t most) {
  if (text.size() > most) {
    return base::invalid_argument("is longer than " + std::to_string(most) + " bytes", "M118");
  }
  const bool plain = std::ranges::none_of(text, [](char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == '\x7F';
  });
  if (!plain || as_utf8(text) != text) {
    return base::invalid_argument("has a value that is not text", "M118");
  }
  return {};
}

bool Silence::covers(const Alert& alert) const noexcept {
  return (!kind || *kind == alert.kind) && fits(pattern, alert.subject);
}

std::expected<void, base::Error> AlertBook::acknowledge(const Alert& alert, AlertMark mark) {
  const auto known = std::ranges::find_if(
      acknowledgements_, [&](const Acknowledgement& one) { return is_same(one, alert); });
  if (known == acknowledgements_.end() && acknowledgements_.size() == acknowledgements_max) {
    return std::unexpected(base::Error{
        base::ErrorCode::Limit, "more alerts are acknowledged than can be kept", {}, "M117"});
  }
  Acknowledgement& one =
      known != acknowledgements_.end() ? *known : acknowledgements_.emplace_back();
  one = {alert.kind, alert.subject, alert.origin, alert.since_ns, std::move(mark), alert.id};
  return {};
}

std::expected<void, base::Error> AlertBook::withdraw(const Alert& alert) {
  if (std::erase_if(acknowledgements_,
                    [&](const Acknowledgement& one) { return is_same(one, alert); }) == 0) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "the alert is not acknowledged", {}, "M116"});
  }
  return {};
}

std::expected<std::uint64_t, base::Error> AlertBook::silence(Silence silence) {
  if (silences_.size() == silences_max) {
    return std::unexpected(base::Error{
        base::ErrorCode::Limit,
        "there are " + std::to_string(silences_max) + " silences already: end some first",
        {},
        "M117"});
  }
  silence.mark.id = ++last_id_;
  silences_.push_back(std::move(silence));
  return last_id_;
}

std::expected<Silence, base::Error> AlertBook::end_silence(std::uint64_t id) {
  const auto found =
      std::ranges::find_if(silences_, [id](const Silence& one) { return one.mark.id == id; });
  if (found == silences_.end()) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound,
                    "there is no silence " + std::to_string(id) + ", or it is over",
                    {},
                    "M116"});
  }
  Silence ended = std::move(*found);
  silences_.erase(found);
  return ended;
}

void AlertBook::mark(std::vector<Alert>& current) const {
  std::unordered_map<std::uint64_t, const Acknowledgement*> by_id;
  for (const Acknowledgement& one : acknowledgements_) {
    if (one.alert_id != 0) {
      by_id.emplace(one.alert_id, &one);
    }
  }
  for (Alert& alert : current) {
    alert.acknowledged.reset();
    alert.silenced.reset();
    if (const auto found = by_id.find(alert.id); found != by_id.end()) {
      alert.acknowledged = found->second->mark;
      alert.since_ns = std::min(alert.since_ns, found->second->alert_since_ns);
    }
    for (const Silence& silence : silences_) {
      // With several, the one that lasts longest determines when the alert comes back.
      if (silence.covers(alert) &&
          (!alert.silenced || alert.silenced->until_ns < silence.mark.until_ns)) {
        alert.silenced = silence.mark;
      }
    }
  }
}

bool AlertBook::tidy(std::int64_t utc_ns, std::int64_t started_ns,
                     const std::vector<Alert>& current) {
  std::unordered_map<std::uint64_t, bool> holds;
  for (const Alert& alert : current) {
    holds.emplace(alert.id, true);
  }
  for (Acknowledgement& one : acknowledgements_) {
    if (one.alert_id != 0) {
      continue;
    }
    const auto found =
        std::ranges::find_if(current, [&](const Alert& alert) { return is_same(one, alert); });
    if (found != current.end()) {
      one.alert_id = found->id;
    }
  }
  const std::size_t before = acknowledgements_.size() + silences_.size();
  std::erase_if(acknowledgements_, [&](const Acknowledgement& one) {
    return one.alert_id != 0 ? !holds.contains(one.alert_id) : utc_ns - started_ns > waiting_ns_max;
  });
  std::erase_if(silences_, [&](const Silence& one) { return one.mark.until_ns <= utc_ns; });
  return acknowledgements_.size() + silences_.size() != before;
}

std::string AlertBook::text() const {
  Json all;
  all["format"] = format_name;
  all["version"] = format_version;
  all["last_id"] = last_id_;
  all["acknowledged"] = Json::array();
  for (const Acknowledgement& one : acknowledgements_) {
    all["acknowledged"].push_back({{"kind", to_text(one.kind)},
                                   {"subject", as_utf8(one.subject)},
                                   {"origin", one.origin},
                                   {"alert_since_ns", one.alert_since_ns},
                                   {"by", one.mark.by},
                                   {"comment", one.mark.comment},
                                   {"at_ns", one.mark.at_ns}});
  }
  all["silences"] = Json::array();
  for (const Silence& one : silences_) {
    all["silences"].push_back({{"id", one.mark.id},
                               {"kind", one.kind ? to_text(*one.kind) : "*"},
                               {"pattern", one.pattern},
                               {"by", one.mark.by},
                               {"comment", one.mark.comment},
                               {"at_ns", one.mark.at_ns},
                               {"until_ns", one.mark.until_ns}});
  }
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::expected<AlertBook, base::Error> AlertBook::of_text(std::string_view text) {
  const Json all = Json::parse(text, nullptr, false);
  if (!all.is_object() || all.value("format", Json()) != Json(format_name)) {
    return damaged("it is cut, or was never one");
  }
  if (all.value("version", Json()) != Json(format_version)) {
    return damaged("it is of another version");
  }
  AlertBook book;
  Members members(all);
  const auto last_id = members.made(static_cast<std::uint64_t>(members.number("last_id")));
  if (!last_id) {
    return std::unexpected(last_id.error());
  }
  book.last_id_ = *last_id;
  auto acknowledged = read_list(all, "acknowledged", acknowledgements_max, &acknowledgement_of);
  if (!acknowledged) {
    return std::unexpected(std::move(acknowledged.error()));
  }
  book.acknowledgements_ = std::move(*acknowledged);
  auto silences = read_list(all, "silences", silences_max, &silence_of);
  if (!silences) {
    return std::unexpected(std::move(silences.error()));
  }
  book.silences_ = std::move(*silences);
  for (const Silence& silence : book.silences_) {
    // Longer than any silence may last: not written by a monitor.
    if (silence.mark.until_ns - silence.mark.at_ns > seconds_max * base::ns_per_second ||
        silence.mark.id > book.last_id_) {
      return damaged("a silence has no end or no number of its own");
    }
  }
  return book;
}

}  // namespace affix::inline v0::tools::monitor
