// SPDX-License-Identifier: MIT
// Parses filters into tests and applies them.
#include "log/filter.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/index.hpp"

#include "log/line_text.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::log {

namespace {

std::string with_soh(std::string text) {
  std::replace(text.begin(), text.end(), '|', wire::soh);
  return text;
}

/// The longest part without a delimiter: it occurs unchanged in the bytes of any log.
std::string longest_part(const std::string& text) {
  std::string_view longest;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view part = base::take_part(rest, wire::soh);
    longest = part.size() > longest.size() ? part : longest;
  }
  return std::string(longest);
}

/// A MsgType, not a message's name: "D", "8", "AE", "U12".
bool is_type_code(std::string_view text) noexcept {
  return text.size() <= 2 || text.front() == 'U';
}

/// Nanoseconds from the first to the last moment of a time, which depend on its precision.
std::int64_t rest_of(std::string_view time) noexcept {
  const std::size_t point = time.find_first_of(".,");
  if (point == std::string_view::npos) {
    return base::ns_per_second - 1;
  }
  std::int64_t unit = base::ns_per_second;
  for (std::size_t at = point + 1; at < time.size() && unit > 1; ++at) {
    unit /= 10;
  }
  return unit - 1;
}

}  // namespace

std::expected<Filter::Bound, base::Error> Filter::read_bound(const std::string& text, bool upper) {
  const bool only_day = text.find(':') == std::string::npos;
  const bool only_time = text.size() > 2 && text[2] == ':';
  std::string whole = text;
  if (only_day) {
    whole += " 00:00:00";
  } else if (std::count(text.begin(), text.end(), ':') == 1) {
    whole += ":00";
  }
  if (only_time) {
    whole = "1970-01-01 " + whole;
  }
  const TimeRead read = read_time(whole);
  if (read.size == 0 || read.size != whole.size()) {
    return base::invalid_argument(
        "'" + text +
            "' is not a time; write, for example, 2026-01-31 09:30:00.5, 2026-01-31 or 09:30",
        "P125");
  }
  std::int64_t rest = 0;
  if (upper) {
    rest = only_day                                               ? base::ns_per_day - 1
           : whole.size() != text.size() + (only_time ? 11U : 0U) ? 60 * base::ns_per_second - 1
                                                                  : rest_of(text);
  }
  return Bound{read.utc_ns + rest, only_time};
}

std::expected<Filter::Condition, base::Error> Filter::read_condition(const std::string& text) {
  std::size_t at = 0;
  while (at < text.size() && base::is_digit(text[at])) {
    ++at;
  }
  const auto tag = wire::parse_integer<std::uint32_t>(std::string_view(text).substr(0, at));
  const std::string_view rest = std::string_view(text).substr(at);
  if (!tag || *tag == 0) {
    return base::invalid_argument(
        "'" + text +
            "' is not a condition; write, for example, 54=1, 54=Buy, 39!=8, 58~limit or 44",
        "P125");
  }
  if (rest.empty()) {
    return Condition{*tag, Test::Present, {}};
  }
  if (rest.starts_with("!=")) {
    return Condition{*tag, Test::Differs, std::string(rest.substr(2))};
  }
  if (rest.front() == '=' || rest.front() == '~') {
    return Condition{*tag, rest.front() == '=' ? Test::Equals : Test::Contains,
                     std::string(rest.substr(1))};
  }
  return base::invalid_argument("'" + text + "' is not a condition; after the tag comes =, != or ~",
                                "P125");
}

std::expected<Filter, base::Error> Filter::make(const FilterOptions& options) {
  Filter filter;
  for (const auto& [text, bound, upper] :
       {std::tuple{&options.from, &filter.from_, false}, {&options.to, &filter.to_, true}}) {
    if (text->empty()) {
      continue;
    }
    const auto read = read_bound(*text, upper);
    if (!read) {
      return std::unexpected(read.error());
    }
    *bound = *read;
  }
  for (const std::string& text : options.conditions) {
    auto condition = read_condition(text);
    if (!condition) {
      return std::unexpected(condition.error());
    }
    filter.conditions_.push_back(std::move(*condition));
  }
  if (options.direction == "in") {
    filter.direction_ = Direction::In;
  } else if (options.direction == "out") {
    filter.direction_ = Direction::Out;
  } else if (!options.direction.empty()) {
    return base::invalid_argument("a direction is in or out, not '" + options.direction + "'",
                                  "P125");
  }
  filter.types_ = options.types;
  filter.sessions_ = options.sessions;
  for (const std::string& text : options.texts) {
    filter.texts_.push_back(with_soh(text));
  }
  filter.heartbeats_ = options.heartbeats;
  return filter;
}

RawFilter Filter::raw() const {
  RawFilter raw;
  if (!from_.of_day) {
    raw.from_ns = from_.ns;
  }
  if (!to_.of_day) {
    raw.to_ns = to_.ns;
  }
  for (const Condition& condition : conditions_) {
    // "54=Buy" may be the name of a value; the bytes have its code.
    const bool may_be_name = std::any_of(condition.text.begin(), condition.text.end(),
                                         [](char c) { return c >= 'a' && c <= 'z'; }) &&
                             std::ranges::all_of(condition.text, base::is_letter);
    const std::string tag = std::to_string(condition.tag) + '=';
    if (condition.test == Test::Equals) {
      raw.needles.push_back(may_be_name ? tag : tag + condition.text);
    } else if (condition.test == Test::Contains) {
      raw.needles.push_back(condition.text);
    } else if (condition.test == Test::Present) {
      raw.needles.push_back(tag);
    }
  }
  for (const std::string& text : texts_) {
    if (std::string part = longest_part(text); !part.empty()) {
      raw.needles.push_back(std::move(part));
    }
  }
  if (std::all_of(types_.begin(), types_.end(), is_type_code)) {
    for (const std::string& type : types_) {
      raw.alternatives.push_back("35=" + type);
    }
  }
  raw.keep_logons = !raw.needles.empty() || !raw.alternatives.empty();
  return raw;
}

bool Filter::matches_time(std::int64_t utc_ns) const noexcept {
  const std::int64_t of_day = (utc_ns % base::ns_per_day + base::ns_per_day) % base::ns_per_day;
  return (from_.of_day ? of_day : utc_ns) >= from_.ns && (to_.of_day ? of_day : utc_ns) <= to_.ns;
}

bool Filter::matches_type(const wire::MessageView& message, const MessageNames& names) const {
  const std::string_view type = message.find(35).value_or("");
  return std::any_of(types_.begin(), types_.end(), [&](const std::string& wanted) {
    return wanted == type || (!names.type().empty() && wanted == names.type());
  });
}

bool Filter::matches_value(const Condition& condition, const wire::MessageView& message,
                           const MessageNames& names) const {
  // A tag may occur several times, in a group: `=` needs one match, `!=` needs all to differ.
  bool present = false;
  for (std::uint32_t n = 0;; ++n) {
    const auto value = message.nth(condition.tag, n);
    if (!value) {
      break;
    }
    present = true;
    const bool equal =
        *value == condition.text ||
        (!condition.text.empty() && names.value(condition.tag, *value) == condition.text);
    if (condition.test == Test::Differs && equal) {
      return false;
    }
    if ((condition.test == Test::Equals && equal) ||
        (condition.test == Test::Contains && value->find(condition.text) != std::string::npos)) {
      return true;
    }
  }
  return condition.test == Test::Differs || (condition.test == Test::Present && present);
}

bool Filter::matches(const Entry& entry, const wire::MessageView& message,
                     const MessageNames& names) const {
  if (!matches_time(entry.utc_ns) ||
      (direction_ != Direction::Unknown && entry.direction != direction_)) {
    return false;
  }
  if (!sessions_.empty() &&
      std::none_of(sessions_.begin(), sessions_.end(), [&entry](const std::string& part) {
        return entry.session.find(part) != std::string_view::npos;
      })) {
    return false;
  }
  const auto holds = [&entry](const std::string& text) {
    return entry.bytes.find(text) != std::string_view::npos;
  };
  if (!std::all_of(texts_.begin(), texts_.end(), holds)) {
    return false;
  }
  if (!entry.is_message()) {
    return types_.empty() && conditions_.empty();
  }
  if (!types_.empty() && !matches_type(message, names)) {
    return false;
  }
  const wire::MsgType type = message.type();
  if (!heartbeats_ && types_.empty() &&
      (type == wire::MsgType("0") || type == wire::MsgType("1"))) {
    return false;
  }
  return std::all_of(conditions_.begin(), conditions_.end(), [&](const Condition& condition) {
    return matches_value(condition, message, names);
  });
}

}  // namespace affix::inline v0::tools::log
