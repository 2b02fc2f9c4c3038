// SPDX-License-Identifier: MIT
// Typed reads of one request become plain values, and the first that is missing or cannot be read
// is remembered.
#pragma once

#include "affix/messages/reader.hpp"

#include "exchange/messages/request.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::tools::exchange {

class FieldFaults {
 public:
  /// What a read gave; a default value after a fault. Of a missing or empty required field too.
  template <typename T>
  T required(std::uint32_t tag, const messages::Result<T>& value) {
    if (!value) {
      fail(tag, value.error());
      return T{};
    }
    return *value;
  }

  /// A field that may be missing, but not be unreadable.
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

  /// A code of one character as our enum has it. A character that the version does not list is
  /// taken too: whoever gets the enum refuses it in its own words. `fields` is where it was read.
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

  /// A group that must be there, be as long as it says, and not be empty.
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
