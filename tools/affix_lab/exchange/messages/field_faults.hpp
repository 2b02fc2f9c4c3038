// SPDX-License-Identifier: MIT
// Converts typed reads of one request to plain values, and remembers the first that is missing or
// unreadable.
#pragma once

#include "affix/messages/reader.hpp"

#include "exchange/messages/request.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::tools::exchange {

class FieldFaults {
 public:
  /// Value of a required field; a default value after a fault, which includes a missing or empty
  /// field.
  template <typename T>
  T required(std::uint32_t tag, const messages::Result<T>& value) {
    if (!value) {
      fail(tag, value.error());
      return T{};
    }
    return *value;
  }

  /// An optional field that must be readable if present.
  template <typename T>
  std::optional<T> optional(std::uint32_t tag, const messages::Result<T>& value) {
    if (!value) {
      if (value.error() != wire::FieldError::Missing) {
        fail(tag, value.error());
      }
      return std::nullopt;
    }
    return *value;
  }

  template <typename Number>
  std::optional<base::Decimal> optional_decimal(std::uint32_t tag,
                                                const messages::Result<Number>& value) {
    const std::optional<Number> number = optional(tag, value);
    return number ? std::optional(number->decimal()) : std::nullopt;
  }

  /// A one-character code as our enum. Also accepts a character that the version does not list: the
  /// receiver of the enum refuses it with its own text. `fields` is the source.
  template <typename Enum, messages::Coded Code, typename Fields>
  Enum required_code(std::uint32_t tag, const messages::Result<Code>& value, const Fields& fields) {
    if (value.has_value() || value.error() == wire::FieldError::Range) {
      return static_cast<Enum>(required(tag, fields.character(tag)));
    }
    fail(tag, value.error());
    return Enum{};
  }

  template <typename Enum, messages::Coded Code, typename Fields>
  std::optional<Enum> optional_code(std::uint32_t tag, const messages::Result<Code>& value,
                                    const Fields& fields) {
    if (!value && value.error() == wire::FieldError::Missing) {
      return std::nullopt;
    }
    return required_code<Enum>(tag, value, fields);
  }

  /// A required group, with the right count and at least one entry.
  template <typename Entry, typename OnEntry>
  void required_group(std::uint32_t tag, const messages::Group<Entry>& group, OnEntry on_entry) {
    for (const Entry& entry : group) {
      on_entry(entry);
    }
    if (group.fault() != wire::GroupFault::None) {
      fail(tag, wire::FieldError::Format);
    } else if (group.empty()) {
      fail(tag, wire::FieldError::Missing);
    }
  }

  [[nodiscard]] const std::optional<BadRequest>& first() const noexcept { return first_; }

 private:
  void fail(std::uint32_t tag, wire::FieldError error) {
    if (first_) {
      return;
    }
    const bool missing = error == wire::FieldError::Missing;
    first_ = BadRequest{missing ? session::BusinessRejectReason::RequiredFieldMissing
                                : session::BusinessRejectReason::Other,
                        tag, missing ? "required field missing" : "value cannot be read"};
  }

  std::optional<BadRequest> first_;
};

}  // namespace affix::inline v0::tools::exchange
