// SPDX-License-Identifier: MIT
// Parses a request line strictly: the monitor has no clients that need leniency.
#include "monitor/request.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"

#include "log/line_text.hpp"
#include "log/record_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace affix::inline v0::tools::monitor {

namespace {

/// Nullopt for an invalid escape. `+` is a space only in a query.
std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && plus_is_space) {
      plain += ' ';
    } else if (text[at] != '%') {
      plain += text[at];
    } else {
      const int high = at + 2 < text.size() ? base::hexadecimal_value(text[at + 1]) : -1;
      const int low = at + 2 < text.size() ? base::hexadecimal_value(text[at + 2]) : -1;
      if (high < 0 || low < 0) {
        return std::nullopt;
      }
      plain += static_cast<char>(high * 16 + low);
      at += 2;
    }
  }
  return plain;
}

bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Nanoseconds from the first to the last moment of a time, which depend on its precision.
long long rest_of_fraction(std::string_view time) noexcept {
  const std::size_t point = time.find('.');
  long long unit = base::ns_per_second;
  if (point != std::string_view::npos) {
    for (std::size_t at = point + 1; at < time.size() && base::is_digit(time[at]) && unit > 1;
         ++at) {
      unit /= 10;
    }
  }
  return unit - 1;
}

}  // namespace

Answer refuse(int status, std::string_view text, base::MessageCode code) {
  Answer answer;
  answer.status = status;
  answer.body = nlohmann::json{{"error", as_utf8(text)}, {"code", code.text()}}.dump();
  if (status == 401) {
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  return answer;
}

Answer refuse(int status, const base::Error& error) {
  return refuse(status, error.message, error.message_code);
}

std::expected<Request, base::Error> request_of_target(std::string_view target) {
  if (target.size() > target_bytes_max) {
    return base::invalid_argument("the request's path is too long", "M122");
  }
  const std::size_t question = std::min(target.size(), target.find('?'));
  auto path = decoded(target.substr(0, question), false);
  if (!path || path->empty() || path->front() != '/' || std::ranges::any_of(*path, is_control)) {
    return base::invalid_argument("the request's path is malformed", "M122");
  }
  Request request;
  request.path = std::move(*path);
  std::string_view rest = target.substr(std::min(target.size(), question + 1));
  rest = rest.substr(0, rest.find('#'));
  while (!rest.empty()) {
    const std::string_view one = base::take_part(rest, '&');
    if (one.empty()) {
      continue;
    }
    const std::size_t equals = std::min(one.size(), one.find('='));
    auto name = decoded(one.substr(0, equals), true);
    auto value = decoded(one.substr(std::min(one.size(), equals + 1)), true);
    if (!name || !value) {
      return base::invalid_argument("a parameter has a bad % escape", "M122");
    }
    if (request.query.size() == parameters_max) {
      return base::invalid_argument("too many parameters", "M122");
    }
    request.query.emplace_back(std::move(*name), std::move(*value));
  }
  return request;
}

Parameters::Parameters(const Request& request, std::initializer_list<std::string_view> known)
    : request_(request) {
  for (const auto& [name, value] : request.query) {
    const std::string& wanted = name;
    const auto* const found = std::find_if(known.begin(), known.end(), [&](std::string_view each) {
      return each == wanted || (each.ends_with('*') && each.substr(0, each.size() - 1) == wanted);
    });
    const auto times =
        std::count_if(request.query.begin(), request.query.end(),
                      [&](const auto& parameter) { return parameter.first == wanted; });
    if (found == known.end()) {
      set_error("unknown parameter '" + name + "'");
    } else if (times > 1 && !found->ends_with('*')) {
      set_error("parameter '" + name + "' is given twice");
    }
  }
}

void Parameters::set_error(std::string text) {
  if (error_.empty()) {
    error_ = std::move(text);
  }
}

std::vector<std::string> Parameters::texts(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [key, value] : request_.query) {
    if (key == name && !value.empty()) {
      all.push_back(value);
    }
  }
  return all;
}

std::string Parameters::text(std::string_view name) const {
  for (const auto& [key, value] : request_.query) {
    if (key == name) {
      return value;
    }
  }
  return {};
}

long long Parameters::number(std::string_view name, long long fallback, long long least,
                             long long most) {
  const std::string given = text(name);
  if (given.empty()) {
    return fallback;
  }
  const auto value = wire::parse_integer<std::int64_t>(given);
  if (!value || *value < least || *value > most) {
    set_error(std::string(name) + " is a number from " + std::to_string(least) + " to " +
              std::to_string(most));
    return fallback;
  }
  return *value;
}

bool Parameters::flag(std::string_view name) {
  const std::string given = text(name);
  if (!given.empty() && given != "0" && given != "1") {
    set_error(std::string(name) + " is 0 or 1");
  }
  return given == "1";
}

std::optional<long long> Parameters::time(std::string_view name, bool upper) {
  std::string given = text(name);
  if (given.empty()) {
    return std::nullopt;
  }
  if (const auto ns = wire::parse_integer<std::int64_t>(given); ns && *ns >= 0) {
    return *ns;
  }
  std::string whole = given;
  const bool only_day = whole.find(':') == std::string::npos;
  const auto colons = std::count(whole.begin(), whole.end(), ':');
  if (only_day) {
    whole += " 00:00:00";
  } else if (colons == 1) {
    const bool zulu = whole.ends_with('Z');
    whole = whole.substr(0, whole.size() - (zulu ? 1 : 0)) + ":00" + (zulu ? "Z" : "");
  }
  const log::TimeRead read = log::read_time(whole);
  if (read.size == 0 || read.size != whole.size()) {
    set_error(std::string(name) + " is a time such as 2026-01-31T09:30:00.5Z");
    return std::nullopt;
  }
  const long long rest = !upper        ? 0
                         : only_day    ? base::ns_per_day - 1
                         : colons == 1 ? 60 * base::ns_per_second - 1
                                       : rest_of_fraction(given);
  return read.utc_ns + rest;
}

std::string as_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t size = base::utf8_size(bytes);
    if (size == 0) {
      text += "\xEF\xBF\xBD";
      bytes.remove_prefix(1);
    } else {
      text += bytes.substr(0, size);
      bytes.remove_prefix(size);
    }
  }
  return text;
}

std::string iso_time(long long utc_ns) {
  std::string text = log::time_text(utc_ns);
  std::replace(text.begin(), text.end(), ' ', 'T');
  return text + 'Z';
}

}  // namespace affix::inline v0::tools::monitor
