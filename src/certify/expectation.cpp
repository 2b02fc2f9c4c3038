// SPDX-License-Identifier: MIT
// Matchers of fields, and the words in which a difference is reported.
#include "certify/expectation.hpp"

#include "affix/base/decimal_arithmetic.hpp"
#include "affix/base/text.hpp"
#include "affix/wire/convert.hpp"

#include "certify/text.hpp"

#include <array>
#include <utility>

namespace affix::inline v0::certify {

namespace {

/// Form of a value, from its first words.
enum class Match : std::uint8_t {
  Equal,
  Start,
  Any,
  Absent,
  Sent,
  Keep,
  New,
  OneOf,
  Like,
  Between,
  Within,
  Not,
  Above,
  Below,
  Time,
};

struct Matcher {
  Match match = Match::Equal;
  std::string_view text;
};

constexpr std::array<std::pair<std::string_view, Match>, 13> words{{{"any", Match::Any},
                                                                    {"absent", Match::Absent},
                                                                    {"sent", Match::Sent},
                                                                    {"time", Match::Time},
                                                                    {"keep ", Match::Keep},
                                                                    {"new ", Match::New},
                                                                    {"one of ", Match::OneOf},
                                                                    {"like ", Match::Like},
                                                                    {"between ", Match::Between},
                                                                    {"within ", Match::Within},
                                                                    {"not ", Match::Not},
                                                                    {"above ", Match::Above},
                                                                    {"below ", Match::Below}}};

Matcher matcher_of(std::string_view value) {
  if (value.starts_with('<') && value.ends_with('>')) {
    const std::string_view inner = value.substr(1, value.size() - 2);
    for (const auto& [word, match] : words) {
      const bool whole = !word.ends_with(' ');
      if (whole ? inner == word : inner.starts_with(word)) {
        return {match, base::trimmed(inner.substr(word.size()))};
      }
    }
  }
  if (value == "*") {
    return {Match::Any, {}};
  }
  if (value.ends_with('*')) {
    return {Match::Start, value.substr(0, value.size() - 1)};
  }
  return {Match::Equal, value};
}

std::optional<base::Decimal> number_of(std::string_view text) {
  const auto number = wire::parse_decimal(text);
  return number ? std::optional(*number) : std::nullopt;
}

/// Splits "A and B" at the word.
std::pair<std::string_view, std::string_view> halves(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) {
    return {text, {}};
  }
  return {base::trimmed(text.substr(0, at)), base::trimmed(text.substr(at + word.size()))};
}

class PieceComparison {
 public:
  PieceComparison(std::string_view message, const Piece& piece, const Meaning& meaning,
                  const SeenValues& seen, Comparison& result)
      : message_(message),
        piece_(piece),
        meaning_(meaning),
        seen_(seen),
        result_(result),
        got_(value_of(message, piece.tag, piece.occurrence)) {}

  void compare() {
    const Matcher matcher = matcher_of(piece_.value);
    if (matcher.match == Match::Absent) {
      if (got_) {
        differ("no such field");
      }
      return;
    }
    if (!got_) {
      differ(wanted(matcher));
      return;
    }
    if (matcher.match == Match::Keep || matcher.match == Match::New) {
      keep(matcher);
    } else if (!matches(matcher)) {
      differ(wanted(matcher));
    }
  }

 private:
  void differ(const std::string& wanted) {
    const std::string name =
        meaning_.names == nullptr ? piece_.tag : meaning_.names->field(piece_.tag);
    const std::string place =
        piece_.occurrence == 1 ? "" : "[" + std::to_string(piece_.occurrence) + "]";
    result_.differences.push_back(name + place + ": expected " + wanted + ", got " +
                                  (got_ ? shown(*got_) : "no such field"));
  }

  [[nodiscard]] std::string shown(std::string_view value) const {
    const std::string named =
        meaning_.names == nullptr ? std::string(value) : meaning_.names->value(piece_.tag, value);
    return named == value ? "'" + named + "'" : named;
  }

  /// A text of the scenario as a value of the field.
  [[nodiscard]] std::string value(std::string_view text) const {
    return written_value({.tag = piece_.tag, .by_name = piece_.by_name, .value = std::string(text)},
                         meaning_);
  }

  [[nodiscard]] bool equal(const std::string& value) const {
    if (*got_ == value) {
      return true;
    }
    const auto tag = number_in(piece_.tag);
    const bool numeric = piece_.by_name && tag && meaning_.names != nullptr &&
                         meaning_.names->is_numeric(static_cast<std::uint32_t>(*tag));
    return numeric && holds_as_numbers(*got_, "=", value);
  }

  [[nodiscard]] static bool holds_as_numbers(std::string_view left, std::string_view sign,
                                             std::string_view right) {
    return number_of(left) && number_of(right) && holds(left, sign, right);
  }

  [[nodiscard]] bool matches(const Matcher& matcher) const {
    switch (matcher.match) {
      case Match::Start:
        return got_->starts_with(expand(matcher.text, meaning_));
      case Match::Any:
        return true;
      case Match::Sent:
        return got_ == value_of(meaning_.last_sent, piece_.tag, piece_.occurrence);
      case Match::OneOf:
        for (const std::string_view each : split_list(matcher.text)) {
          if (equal(value(each))) {
            return true;
          }
        }
        return false;
      case Match::Like:
        return is_like(*got_, expand(matcher.text, meaning_));
      case Match::Between: {
        const auto [least, most] = halves(matcher.text, " and ");
        return holds_as_numbers(*got_, ">=", expand(least, meaning_)) &&
               holds_as_numbers(*got_, "<=", expand(most, meaning_));
      }
      case Match::Within: {
        const auto [distance, middle] = halves(matcher.text, " of ");
        return is_within(expand(distance, meaning_), expand(middle, meaning_));
      }
      case Match::Not:
        return !equal(value(matcher.text));
      case Match::Above:
        return holds_as_numbers(*got_, ">", expand(matcher.text, meaning_));
      case Match::Below:
        return holds_as_numbers(*got_, "<", expand(matcher.text, meaning_));
      case Match::Time:
        return wire::parse_utc_time(*got_).has_value();
      default:
        return equal(value(piece_.value));
    }
  }

  [[nodiscard]] bool is_within(std::string_view distance, std::string_view middle) const {
    const auto by = number_of(distance);
    const auto center = number_of(middle);
    const auto number = number_of(*got_);
    if (!by || !center || !number) {
      return false;
    }
    const auto least = base::subtract(*center, *by);
    const auto most = base::add(*center, *by);
    return least && most && *number >= *least && *number <= *most;
  }

  void keep(const Matcher& matcher) {
    const std::string name(matcher.text);
    if (matcher.match == Match::New) {
      const auto found = seen_.find(name);
      bool before = found != seen_.end() && found->second.contains(*got_);
      for (const auto& [other, value] : result_.seen) {
        before = before || (other == name && value == *got_);
      }
      if (before) {
        differ("a value that was not used before");
        return;
      }
      result_.seen.emplace_back(name, *got_);
    }
    result_.kept[name] = *got_;
  }

  [[nodiscard]] std::string wanted(const Matcher& matcher) const {
    switch (matcher.match) {
      case Match::Start:
        return "'" + expand(matcher.text, meaning_) + "...'";
      case Match::Any:
      case Match::Keep:
      case Match::New:
        return "any value";
      case Match::Sent: {
        const auto sent = value_of(meaning_.last_sent, piece_.tag, piece_.occurrence);
        return sent ? shown(*sent) + ", as sent" : "the value that was sent, and none was";
      }
      case Match::OneOf: {
        std::string all;
        for (const std::string_view each : split_list(matcher.text)) {
          all += (all.empty() ? "" : " or ") + shown(value(each));
        }
        return all;
      }
      case Match::Like:
        return "text like " + expand(matcher.text, meaning_);
      case Match::Between:
        return "a number between " + expand(matcher.text, meaning_);
      case Match::Within:
        return "a number within " + expand(matcher.text, meaning_);
      case Match::Not:
        return "anything but " + shown(value(matcher.text));
      case Match::Above:
        return "a number above " + expand(matcher.text, meaning_);
      case Match::Below:
        return "a number below " + expand(matcher.text, meaning_);
      case Match::Time:
        return "a time";
      default:
        return shown(value(piece_.value));
    }
  }

  std::string_view message_;
  const Piece& piece_;
  const Meaning& meaning_;
  const SeenValues& seen_;
  Comparison& result_;
  std::optional<std::string> got_;
};

}  // namespace

Comparison compare(std::string_view message, const std::vector<Piece>& expected,
                   const Meaning& meaning, const SeenValues& seen) {
  Comparison result;
  for (const Piece& piece : expected) {
    if (!piece.tag.empty()) {
      PieceComparison(message, piece, meaning, seen, result).compare();
    }
  }
  return result;
}

std::string describe(const std::vector<Piece>& expected, const Meaning& meaning) {
  std::string text;
  for (const Piece& piece : expected) {
    text += text.empty() ? "" : "|";
    const std::string field =
        meaning.names == nullptr || piece.tag == "35" ? piece.tag : meaning.names->field(piece.tag);
    if (piece.tag.empty()) {
      text += expand(piece.value, meaning);
    } else if (piece.tag == "35" && meaning.names != nullptr) {
      text += meaning.names->message(written_value(piece, meaning));
    } else {
      text += field + "=" + expand(piece.value, meaning);
    }
  }
  return text;
}

bool holds(std::string_view left, std::string_view sign, std::string_view right) {
  const auto left_number = number_of(left);
  const auto right_number = number_of(right);
  const std::strong_ordering order =
      left_number && right_number ? *left_number <=> *right_number : left <=> right;
  if (sign == "=") {
    return order == std::strong_ordering::equal;
  }
  if (sign == "!=") {
    return order != std::strong_ordering::equal;
  }
  const bool less = order == std::strong_ordering::less;
  const bool more = order == std::strong_ordering::greater;
  if (sign.starts_with('<')) {
    return sign == "<" ? less : !more;
  }
  return sign == ">" ? more : !less;
}

std::string calculated(std::string_view text) {
  std::string_view rest = text;
  const auto left = number_of(take_word(rest));
  const std::string_view sign = take_word(rest);
  const auto right = number_of(rest);
  if (!left || !right) {
    return std::string(text);
  }
  std::optional<base::Decimal> value;
  if (sign == "+") {
    value = base::add(*left, *right);
  } else if (sign == "-") {
    value = base::subtract(*left, *right);
  } else if (sign == "*") {
    value = base::multiply(*left, *right);
  }
  std::array<char, wire::decimal_room> digits;
  const std::size_t size = value ? wire::format_decimal(*value, digits.data()) : 0;
  return size == 0 ? std::string(text) : std::string(digits.data(), size);
}

}  // namespace affix::inline v0::certify
