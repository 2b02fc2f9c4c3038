// SPDX-License-Identifier: MIT
// Reads and writes a record's fields by one description: a function that calls a visitor with each
// member in order. The types determine the form in the file.
#pragma once

#include "exchange/recovery/bytes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace affix::inline v0::tools::exchange {

template <typename Value>
inline constexpr bool is_text =
    std::is_same_v<Value, std::string> || std::is_same_v<Value, std::string_view>;

/// Appends each field to `bytes`, which outlives it.
class FieldsOut {
 public:
  explicit FieldsOut(std::string& bytes) noexcept : out_(bytes) {}

  template <typename Value>
  void operator()(const Value& value) {
    if constexpr (requires { value.mantissa; }) {
      out_.put(value.mantissa);
      out_.put(value.exponent);
    } else if constexpr (requires { value.has_value(); }) {
      or_standard(value, typename Value::value_type{});
    } else if constexpr (requires { value.size(); } && !is_text<Value>) {
      out_.put(static_cast<std::uint64_t>(value.size()));
      for (const auto& element : value) {
        (*this)(element);
      }
    } else {
      out_.put(value);
    }
  }

  /// A field for which `standard` is written if there is none.
  template <typename Value>
  void or_standard(const std::optional<Value>& value, Value standard) {
    out_.put(value.has_value());
    (*this)(value.value_or(standard));
  }

  /// A field that takes no space if there is none.
  template <typename Value>
  void if_any(const std::optional<Value>& value) {
    out_.put(value.has_value());
    if (value) {
      (*this)(*value);
    }
  }

 private:
  ByteWriter out_;
};

/// Reads each field. Text views point into the record's bytes.
class FieldsIn {
 public:
  explicit FieldsIn(std::string_view bytes) noexcept : in_(bytes) {}

  template <typename Value>
  void operator()(Value& value) {
    if constexpr (requires { value.mantissa; }) {
      value.mantissa = in_.get<std::int64_t>();
      value.exponent = in_.get<std::int32_t>();
    } else if constexpr (requires { value.has_value(); }) {
      or_standard(value, typename Value::value_type{});
    } else if constexpr (is_text<Value>) {
      value = in_.text();
    } else if constexpr (requires { value.push_back(value.front()); }) {
      for (auto count = in_.get<std::uint64_t>(); count != 0 && !in_.failed(); --count) {
        (*this)(value.emplace_back());
      }
    } else {
      value = in_.get<Value>();
    }
  }

  template <typename Value>
  void or_standard(std::optional<Value>& value, Value inner) {
    const bool given = in_.get<bool>();
    (*this)(inner);
    value = given ? std::optional<Value>(inner) : std::nullopt;
  }

  template <typename Value>
  void if_any(std::optional<Value>& value) {
    value.reset();
    if (in_.get<bool>()) {
      (*this)(value.emplace());
    }
  }

  /// True if everything was read, and nothing was missing.
  [[nodiscard]] bool done() const noexcept { return in_.done(); }

 private:
  ByteReader in_;
};

}  // namespace affix::inline v0::tools::exchange
