// SPDX-License-Identifier: MIT
// Random values for generated writers, stored to compare them with a reader's values. The seed
// determines everything.
#pragma once

#include "affix/messages/code.hpp"
#include "affix/messages/reader.hpp"
#include "affix/messages/strong_types.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace affix::interop {

class RandomScript {
 public:
  /// An optional field is written with this probability; `ambiguous` ones never.
  RandomScript(std::uint64_t seed, double probability, std::vector<std::uint32_t> ambiguous)
      : random_(seed), probability_(probability), ambiguous_(std::move(ambiguous)) {}

  // ---- Writing. ----

  bool take(std::uint32_t tag, bool required) {
    bool taken = required || std::bernoulli_distribution(probability_)(random_);
    // QuickFIX 1.15 ignores components in a dictionary's header, and so does not know its hops.
    taken = taken && tag != 627;
    if (!required && depth_ == 0) {
      for (const std::uint32_t other : ambiguous_) {
        taken = taken && other != tag;
      }
    }
    if (!taken) {
      note(tag, "-");
    }
    return taken;
  }

  template <typename T>
  auto make(std::uint32_t tag) {
    return made<T>(tag);
  }

  template <typename E>
  std::span<const E> codes(std::uint32_t tag) {
    static thread_local std::vector<E> chosen;
    chosen.clear();
    std::string text;
    for (std::uint64_t count = number(1, 3); count > 0; --count) {
      chosen.push_back(code<E>());
      text += (text.empty() ? "" : " ") + std::string(messages::code_of(chosen.back()));
    }
    note(tag, text);
    return chosen;
  }

  std::string_view data(std::uint32_t tag, bool raw) {
    text_ = letters();
    // QuickFIX finds the length of raw bytes in a message's body, but not in its groups.
    if (raw && depth_ == 0) {
      text_ += "\x01=\x01" + letters();
    }
    note(tag, text_);
    return text_;
  }

  wire::TimePrecision time_precision() const { return precision_; }

  std::size_t entries(std::uint32_t tag) {
    const std::size_t count = depth_ < 2 ? number(1, 2) : 1;
    note(tag, std::to_string(count));
    return count;
  }

  void enter() { ++depth_; }

  void leave() { --depth_; }

  // ---- Reading. ----

  template <typename T>
  void see(std::uint32_t tag, const messages::Result<T>& value) {
    compare(tag, value                                        ? text_of(*value)
                 : value.error() == wire::FieldError::Missing ? "-"
                                                              : wire::to_text(value.error()));
  }

  template <typename Entry>
  void see_group(std::uint32_t tag, const messages::Group<Entry>& group) {
    compare(tag, group.present() ? std::to_string(group.size()) : "-");
    if (group.fault() != wire::GroupFault::None) {
      difference(tag, wire::to_text(group.fault()));
    }
  }

  /// Starts reading from the first value.
  void rewind() { at_ = 0; }

  /// Differences from the written values, and values that were not read.
  std::string finish() {
    if (at_ != notes_.size()) {
      difference(0, "not all fields were seen");
    }
    return differences_;
  }

 private:
  struct Note {
    std::uint32_t tag;
    std::string text;
  };

  std::uint64_t number(std::uint64_t from, std::uint64_t to) {
    return std::uniform_int_distribution<std::uint64_t>(from, to)(random_);
  }

  std::string letters() {
    static constexpr std::string_view alphabet =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .-_/+*()&";
    std::string text;
    for (std::uint64_t size = number(1, 20); size > 0; --size) {
      text += alphabet[number(0, text.empty() || size == 1 ? 61 : alphabet.size() - 1)];
    }
    return text;
  }

  template <typename E>
  E code() {
    const messages::CodeSet set = code_set(E{});
    return *messages::from_code<E>(set.codes[number(0, set.count - 1)].text);
  }

  base::Decimal decimal() {
    const auto mantissa =
        static_cast<std::int64_t>(number(0, 2'000'000'000'000)) - 1'000'000'000'000;
    return {mantissa, -static_cast<std::int32_t>(number(0, 8))};
  }

  template <typename T>
  auto made(std::uint32_t tag) {
    if constexpr (std::is_same_v<T, std::string_view>) {
      text_ = letters();
      return noted(tag, std::string_view(text_));
    } else if constexpr (std::is_same_v<T, wire::MultipleValue>) {
      text_ = "A";
      for (std::uint64_t count = number(0, 2); count > 0; --count) {
        text_ += " B";
      }
      return noted(tag, std::string_view(text_));
    } else if constexpr (std::is_same_v<T, char>) {
      return noted(tag, static_cast<char>('a' + number(0, 25)));
    } else if constexpr (std::is_same_v<T, bool>) {
      return noted(tag, number(0, 1) == 1);
    } else if constexpr (std::is_same_v<T, std::uint8_t>) {
      return noted(tag, static_cast<T>(number(1, 31)));
    } else if constexpr (std::is_integral_v<T>) {
      return noted(tag, static_cast<T>(number(0, 2'000'000'000)));
    } else if constexpr (std::is_same_v<T, base::Decimal>) {
      return noted(tag, decimal());
    } else if constexpr (requires(T value) { value.decimal(); }) {
      return noted(tag, T(decimal()));
    } else if constexpr (std::is_enum_v<T>) {
      // MassCancelRejectReason of 4.4 is a char with a value of two characters, which QuickFIX
      // refuses.
      return noted(tag, tag == 532 ? *messages::from_code<T>("1") : code<T>());
    } else if constexpr (std::is_same_v<T, base::CivilDate>) {
      return noted(tag, T{static_cast<std::int32_t>(number(1990, 2090)),
                          static_cast<std::uint8_t>(number(1, 12)),
                          static_cast<std::uint8_t>(number(1, 28))});
    } else if constexpr (std::is_same_v<T, wire::MonthYear>) {
      return noted(tag, T{static_cast<std::uint16_t>(number(1990, 2090)),
                          static_cast<std::uint8_t>(number(1, 12)), 0, 0});
    } else if constexpr (std::is_same_v<T, wire::Tenor>) {
      return noted(tag, T{'M', static_cast<std::uint32_t>(number(1, 99))});
    } else {
      return noted(tag, time<T>());
    }
  }

  template <typename T>
  T time() {
    const bool millis = number(0, 1) == 1;
    precision_ = millis ? wire::TimePrecision::Millis : wire::TimePrecision::Seconds;
    const std::int64_t of_day = static_cast<std::int64_t>(number(0, 86'399'999)) /
                                (millis ? 1 : 1000) *
                                (millis ? base::ns_per_ms : base::ns_per_second);
    const std::int64_t point =
        static_cast<std::int64_t>(number(0, 30'000)) * base::ns_per_day + of_day;
    if constexpr (std::is_same_v<T, base::UtcTime>) {
      return {point, 0};
    } else if constexpr (std::is_same_v<T, wire::TimeOfDay>) {
      return {of_day, 0};
    } else if constexpr (std::is_same_v<T, wire::ZonedTime>) {
      return {{point, 0}, 60, wire::ZoneForm::Offset};
    } else {
      static_assert(std::is_same_v<T, wire::ZonedTimeOfDay>);
      return {{of_day, 0}, -90, wire::ZoneForm::Offset};
    }
  }

  template <typename T>
  T noted(std::uint32_t tag, T value) {
    note(tag, text_of(value));
    return value;
  }

  void note(std::uint32_t tag, std::string text) { notes_.push_back({tag, std::move(text)}); }

  void compare(std::uint32_t tag, const std::string& text) {
    if (at_ == notes_.size() || notes_[at_].tag != tag) {
      difference(tag, "read where it was not written");
    } else if (notes_[at_].text != text) {
      difference(tag, "'" + notes_[at_].text + "' was read as '" + text + "'");
    }
    ++at_;
  }

  void difference(std::uint32_t tag, const std::string& text) {
    if (differences_.size() < 2000) {
      differences_ += std::to_string(tag) + ": " + text + "\n";
    }
  }

  // One text per value of each type, whatever its form on the wire.

  static std::string text_of(std::string_view value) { return std::string(value); }

  static std::string text_of(const wire::MultipleValue& value) { return std::string(value.text()); }

  template <typename E>
  static std::string text_of(const messages::CodeRange<E>& value) {
    return std::string(value.text());
  }

  static std::string text_of(char value) { return {value}; }

  static std::string text_of(bool value) { return value ? "Y" : "N"; }

  template <typename T>
    requires std::is_integral_v<T>
  static std::string text_of(T value) {
    return std::to_string(value);
  }

  static std::string text_of(base::Decimal value) {
    const base::Decimal plain = value.normalized();
    return std::to_string(plain.mantissa) + "e" + std::to_string(plain.exponent);
  }

  template <typename Kind>
  static std::string text_of(messages::DecimalOf<Kind> value) {
    return text_of(value.decimal());
  }

  template <messages::Coded E>
  static std::string text_of(E value) {
    return std::string(messages::code_of(value));
  }

  static std::string text_of(base::CivilDate value) {
    return std::to_string(base::days_from_civil(value));
  }

  static std::string text_of(wire::MonthYear value) {
    return std::to_string(value.year) + "/" + std::to_string(value.month);
  }

  static std::string text_of(wire::Tenor value) { return value.unit + std::to_string(value.count); }

  static std::string text_of(base::UtcTime value) { return std::to_string(value.ns); }

  static std::string text_of(wire::TimeOfDay value) { return std::to_string(value.ns); }

  static std::string text_of(const wire::ZonedTime& value) {
    return std::to_string(value.utc.ns) + "+" + std::to_string(value.offset_minutes);
  }

  static std::string text_of(const wire::ZonedTimeOfDay& value) {
    return std::to_string(value.local.ns) + "+" + std::to_string(value.offset_minutes);
  }

  std::mt19937_64 random_;
  double probability_;
  std::vector<std::uint32_t> ambiguous_;
  std::vector<Note> notes_;
  std::size_t at_ = 0;
  std::string differences_;
  std::string text_;
  wire::TimePrecision precision_ = wire::TimePrecision::Seconds;
  int depth_ = 0;
};

}  // namespace affix::interop
