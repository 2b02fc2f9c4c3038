// SPDX-License-Identifier: MIT
// Writes and compares messages in the form of scripts. Does not use affix's encoder and index,
// which are under test.
#include "message_text.hpp"

#include "affix/base/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>

namespace affix::conformance {

namespace {

constexpr char soh = '\x01';

/// Header fields that precede the body, after those that every message has.
constexpr std::array<std::string_view, 16> further_header{"43",  "97",  "50",   "57",  "115", "116",
                                                          "122", "128", "129",  "142", "143", "144",
                                                          "145", "369", "1128", "1129"};

bool is_further_header(std::string_view tag) {
  return std::ranges::find(further_header, tag) != further_header.end();
}

unsigned sum_of(std::string_view bytes) {
  unsigned sum = 0;
  for (const char byte : bytes) {
    sum += static_cast<unsigned char>(byte);
  }
  return sum % 256;
}

std::string three_digits(unsigned number) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "%03u", number);
  return text.data();
}

std::int64_t offset_ns(std::string_view text) {
  // "", "-121s", "+5s", "-300ms".
  if (text.empty()) {
    return 0;
  }
  std::int64_t number = 0;
  std::string_view digits = text.substr(1);
  std::int64_t unit = affix::base::ns_per_second;
  if (digits.ends_with("ms")) {
    unit = affix::base::ns_per_ms;
  }
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return (text.front() == '-' ? -number : number) * unit;
}

std::string placeholder(std::string_view name, const Meaning& meaning) {
  if (name.starts_with("now")) {
    return time_text(meaning.utc_ns + offset_ns(name.substr(3)), *meaning.version);
  }
  if (name == "end") {
    return std::string(meaning.version->resend_to_end);
  }
  if (name == "begin") {
    return std::string(meaning.version->begin_string);
  }
  if (name == "long") {
    constexpr std::size_t long_size = 8192;
    return std::string(long_size, 'x');
  }
  if (name == "us") {
    return meaning.identity.us;
  }
  if (name == "them") {
    return meaning.identity.them;
  }
  return "<" + std::string(name) + ">";
}

std::string replace_placeholders(std::string_view text, const Meaning& meaning) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('<');
    const std::size_t close = text.find('>', open);
    result += text.substr(0, open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
      result += open == std::string_view::npos ? std::string_view() : text.substr(open);
      break;
    }
    result += placeholder(text.substr(open + 1, close - open - 1), meaning);
    text.remove_prefix(close + 1);
  }
  return result;
}

/// Removes the first field of that name from `fields`.
std::optional<std::string> take(Fields& fields, std::string_view tag) {
  const auto at = std::ranges::find(fields, tag, &Fields::value_type::first);
  if (at == fields.end()) {
    return std::nullopt;
  }
  std::string value = std::move(at->second);
  fields.erase(at);
  return value;
}

class Body {
 public:
  void add(std::string_view tag, std::string_view value) {
    if (value != "<none>") {
      bytes_ += std::string(tag) + "=" + std::string(value) + soh;
    }
  }

  void add_piece(const Fields::value_type& piece) {
    if (piece.first.empty()) {
      bytes_ += piece.second + soh;
    } else {
      add(piece.first, piece.second);
    }
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace

std::string expand(std::string_view text, const Meaning& meaning) {
  std::string result;
  constexpr std::string_view macro = "order(";
  while (!text.empty()) {
    const std::size_t at = text.find(macro);
    const std::size_t close = text.find(')', at);
    result += text.substr(0, at);
    if (at == std::string_view::npos || close == std::string_view::npos) {
      result += at == std::string_view::npos ? std::string_view() : text.substr(at);
      break;
    }
    const std::string_view id = text.substr(at + macro.size(), close - at - macro.size());
    std::string_view order = meaning.version->order;
    order.remove_suffix(1);  // Its last `|`.
    result += "11=" + std::string(id) + "|" + std::string(order);
    text.remove_prefix(close + 1);
  }
  return replace_placeholders(result, meaning);
}

std::string time_text(std::int64_t utc_ns, const Version& version) {
  const std::time_t seconds = utc_ns / affix::base::ns_per_second;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text;
  std::strftime(text.data(), text.size(), "%Y%m%d-%H:%M:%S", &parts);
  std::string result = text.data();
  if (version.begin_string != "FIX.4.0" && version.begin_string != "FIX.4.1") {
    const auto ms = utc_ns % affix::base::ns_per_second / affix::base::ns_per_ms;
    result += "." + three_digits(static_cast<unsigned>(ms));
  }
  return result;
}

Fields split(std::string_view text, char separator) {
  Fields fields;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    const std::string_view piece = text.substr(0, end);
    const std::size_t equals = piece.find('=');
    if (equals == std::string_view::npos) {
      fields.emplace_back("", piece);
    } else {
      fields.emplace_back(piece.substr(0, equals), piece.substr(equals + 1));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return fields;
}

Written write_message(std::string_view text, const Meaning& meaning, std::uint64_t sequence) {
  Fields given = split(expand(text, meaning));
  const auto begin = take(given, "8").value_or(std::string(meaning.version->begin_string));
  const auto length = take(given, "9");
  const auto sum = take(given, "10");
  const auto type = take(given, "35").value_or("<none>");
  const auto number = take(given, "34");
  if (type == "A" && meaning.version->is_fixt() &&
      std::ranges::find(given, "1137", &Fields::value_type::first) == given.end()) {
    given.emplace_back("1137", meaning.version->appl_ver_id);
  }
  Body body;
  body.add("35", type);
  body.add("34", number.value_or(std::to_string(sequence)));
  body.add("49", take(given, "49").value_or(meaning.identity.us));
  body.add("56", take(given, "56").value_or(meaning.identity.them));
  body.add("52", take(given, "52").value_or(time_text(meaning.utc_ns, *meaning.version)));
  for (const auto& piece : given) {
    if (is_further_header(piece.first)) {
      body.add_piece(piece);
    }
  }
  for (const auto& piece : given) {
    if (!is_further_header(piece.first)) {
      body.add_piece(piece);
    }
  }
  Body message;
  message.add("8", begin);
  message.add("9", length.value_or(std::to_string(body.bytes().size())));
  Body trailer;
  trailer.add("10", sum.value_or(three_digits(sum_of(message.bytes() + body.bytes()))));
  return {message.bytes() + body.bytes() + trailer.bytes(), !number};
}

std::string write_raw(std::string_view text, const Meaning& meaning) {
  std::string bytes = expand(text, meaning);
  std::ranges::replace(bytes, '|', soh);
  constexpr std::string_view length_place = "9=<length>";
  constexpr std::string_view sum_place = "10=<sum>";
  if (const std::size_t at = bytes.find(length_place); at != std::string::npos) {
    const std::size_t begin = at + length_place.size() + 1;
    const std::size_t end = std::min(bytes.find("\x01"
                                                "10=",
                                                begin - 1),
                                     bytes.size() - 1) +
                            1;
    const std::string length = "9=" + std::to_string(end - begin);
    bytes.replace(at, length_place.size(), length);
  }
  if (const std::size_t at = bytes.find(sum_place); at != std::string::npos) {
    bytes.replace(at, sum_place.size(), "10=" + three_digits(sum_of(bytes.substr(0, at))));
  }
  return bytes;
}

std::optional<std::string> value_of(std::string_view message, std::string_view tag) {
  for (const auto& [name, value] : split(message, soh)) {
    if (name == tag) {
      return value;
    }
  }
  return std::nullopt;
}

std::string difference(std::string_view message, std::string_view expected,
                       const Meaning& meaning) {
  for (const auto& [name, wanted] : split(expand(expected, meaning))) {
    if (name.empty()) {
      const std::string tag = wanted.substr(1);  // `!44`.
      if (const auto value = value_of(message, tag)) {
        return tag + " is there: " + *value;
      }
      continue;
    }
    const auto value = value_of(message, name);
    if (!value) {
      return name + " is missing";
    }
    const bool open_end = wanted.ends_with('*');
    const std::string_view start = std::string_view(wanted).substr(0, wanted.size() - 1);
    if (open_end ? !value->starts_with(start) : *value != wanted) {
      return name + " is '" + *value + "', not '" + wanted + "'";
    }
  }
  return {};
}

std::string form_fault(std::string_view message, const Meaning& meaning) {
  const Fields fields = split(message, soh);
  constexpr std::size_t least = 8;  // 8, 9, 35, 34, 49, 56, 52, 10.
  if (fields.size() < least || fields[0].first != "8" || fields[1].first != "9" ||
      fields[2].first != "35" || fields.back().first != "10") {
    return "8, 9, 35 and 10 are not where they belong";
  }
  const std::size_t body = fields[0].second.size() + fields[1].second.size() + 6;
  constexpr std::size_t trailer_size = 7;
  if (fields[1].second != std::to_string(message.size() - body - trailer_size)) {
    return "BodyLength is wrong";
  }
  const std::string_view summed = message.substr(0, message.size() - trailer_size);
  if (fields.back().second != three_digits(sum_of(summed))) {
    return "CheckSum is wrong";
  }
  if (fields[0].second != meaning.version->begin_string) {
    return "BeginString is not the session's";
  }
  if (value_of(message, "49") != meaning.identity.them ||
      value_of(message, "56") != meaning.identity.us) {
    return "CompIDs are not the session's";
  }
  constexpr std::size_t whole_seconds = 17;
  const std::string time = value_of(message, "52").value_or("");
  const bool seconds_only = meaning.version->begin_string < std::string_view("FIX.4.2");
  if (time.size() < whole_seconds || (seconds_only && time.size() != whole_seconds)) {
    return "SendingTime is not of the version's form";
  }
  return {};
}

std::string readable(std::string_view bytes) {
  std::string text(bytes);
  std::ranges::replace(text, soh, '|');
  return text;
}

}  // namespace affix::conformance
