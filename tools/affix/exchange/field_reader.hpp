// SPDX-License-Identifier: MIT
// Reads the fields of one request, and remembers the first that is missing or cannot be read.
#pragma once

#include "affix/wire/view.hpp"

#include "exchange/requests.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::tools::exchange {

/// Reads fields and keeps the first fault.
class FieldReader {
 public:
  /// `message` outlives the reader.
  explicit FieldReader(const wire::MessageView& message) : message_(message) {}

  std::string_view required_text(std::uint32_t tag) {
    const auto value = message_.text(tag);
    if (!value) {
      fail(tag, value.error());
      return {};
    }
    return *value;
  }

  std::string_view optional_text(std::uint32_t tag) {
    return message_.find(tag).value_or(std::string_view{});
  }

  template <typename Enum>
  Enum required_word(std::uint32_t tag, Enum otherwise) {
    const auto value = message_.character(tag);
    if (!value) {
      fail(tag, value.error());
      return otherwise;
    }
    return static_cast<Enum>(*value);
  }

  template <typename Enum>
  std::optional<Enum> optional_word(std::uint32_t tag) {
    if (!message_.has(tag)) {
      return std::nullopt;
    }
    return required_word(tag, Enum{});
  }

  std::optional<base::Decimal> optional_decimal(std::uint32_t tag) {
    const auto value = message_.decimal(tag);
    if (!value) {
      if (value.error() != wire::FieldError::Missing) {
        fail(tag, value.error());
      }
      return std::nullopt;
    }
    return *value;
  }

  /// Our OrderID is a prefix and a number; anything else is the id of no order, which 0 says.
  std::optional<OrderId> optional_order_id(std::uint32_t tag, std::string_view prefix) {
    std::string_view value = optional_text(tag);
    if (value.empty() || value == "NONE") {
      return std::nullopt;
    }
    if (!value.starts_with(prefix)) {
      return OrderId{0};
    }
    return wire::parse_integer<OrderId>(value.substr(prefix.size())).value_or(OrderId{0});
  }

  std::int64_t required_integer(std::uint32_t tag) {
    const auto value = message_.integer(tag);
    if (!value) {
      fail(tag, value.error());
      return 0;
    }
    return *value;
  }

  bool optional_boolean(std::uint32_t tag, bool otherwise) {
    const auto value = message_.boolean(tag);
    if (!value) {
      if (value.error() != wire::FieldError::Missing) {
        fail(tag, value.error());
      }
      return otherwise;
    }
    return *value;
  }

  [[nodiscard]] const std::optional<BadRequest>& fault() const { return fault_; }

  /// The first fault stays.
  void fail(std::uint32_t tag, wire::FieldError error) {
    if (fault_) {
      return;
    }
    const bool missing = error == wire::FieldError::Missing;
    fault_ = BadRequest{missing ? session::BusinessRejectReason::RequiredFieldMissing
                                : session::BusinessRejectReason::Other,
                        tag, missing ? "required field missing" : "value cannot be read"};
  }

 private:
  const wire::MessageView& message_;
  std::optional<BadRequest> fault_;
};

}  // namespace affix::inline v0::tools::exchange
