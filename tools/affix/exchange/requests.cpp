// SPDX-License-Identifier: MIT
// Field by field; the first fault ends the reading.
#include "exchange/requests.hpp"

#include <optional>

namespace affix::inline v0::tools::exchange {

namespace {

using session::BusinessRejectReason;

/// Reads fields and keeps the first fault.
class FieldReader {
 public:
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

  [[nodiscard]] const std::optional<BadRequest>& fault() const { return fault_; }

 private:
  void fail(std::uint32_t tag, wire::FieldError error) {
    if (fault_) {
      return;
    }
    const bool missing = error == wire::FieldError::Missing;
    fault_ = BadRequest{
        missing ? BusinessRejectReason::RequiredFieldMissing : BusinessRejectReason::Other, tag,
        missing ? "required field missing" : "value cannot be read"};
  }

  const wire::MessageView& message_;
  std::optional<BadRequest> fault_;
};

Request read_new_order(FieldReader& fields, OwnerId owner) {
  return NewOrder{.owner = owner,
                  .cl_ord_id = fields.required_text(11),
                  .symbol = fields.required_text(55),
                  .side = fields.required_word(54, Side::Buy),
                  .type = fields.required_word(40, OrderType::Limit),
                  .time_in_force = fields.optional_word<TimeInForce>(59).value_or(TimeInForce::Day),
                  .quantity = fields.optional_decimal(38),
                  .price = fields.optional_decimal(44)};
}

Request read_cancel(FieldReader& fields, OwnerId owner, std::string_view prefix) {
  return CancelOrder{.owner = owner,
                     .cl_ord_id = fields.required_text(11),
                     .orig_cl_ord_id = fields.required_text(41),
                     .order_id = fields.optional_order_id(37, prefix),
                     .symbol = fields.optional_text(55),
                     .side = fields.required_word(54, Side::Buy)};
}

Request read_replace(FieldReader& fields, OwnerId owner, std::string_view prefix) {
  return ReplaceOrder{.owner = owner,
                      .cl_ord_id = fields.required_text(11),
                      .orig_cl_ord_id = fields.required_text(41),
                      .order_id = fields.optional_order_id(37, prefix),
                      .symbol = fields.optional_text(55),
                      .side = fields.required_word(54, Side::Buy),
                      .type = fields.required_word(40, OrderType::Limit),
                      .time_in_force = fields.optional_word<TimeInForce>(59),
                      .quantity = fields.optional_decimal(38),
                      .price = fields.optional_decimal(44)};
}

Request read_status(FieldReader& fields, OwnerId owner, std::string_view prefix) {
  return StatusRequest{.owner = owner,
                       .cl_ord_id = fields.required_text(11),
                       .order_id = fields.optional_order_id(37, prefix),
                       .symbol = fields.required_text(55),
                       .side = fields.required_word(54, Side::Buy)};
}

std::expected<Request, BadRequest> checked(const Request& request, const FieldReader& fields) {
  if (fields.fault()) {
    return std::unexpected(*fields.fault());
  }
  return request;
}

}  // namespace

std::expected<Request, BadRequest> read_request(const wire::MessageView& message, OwnerId owner,
                                                std::string_view order_id_prefix) {
  FieldReader fields(message);
  const wire::MsgType type = message.type();
  if (type == wire::MsgType("D")) {
    return checked(read_new_order(fields, owner), fields);
  }
  if (type == wire::MsgType("F")) {
    return checked(read_cancel(fields, owner, order_id_prefix), fields);
  }
  if (type == wire::MsgType("G")) {
    return checked(read_replace(fields, owner, order_id_prefix), fields);
  }
  if (type == wire::MsgType("H")) {
    return checked(read_status(fields, owner, order_id_prefix), fields);
  }
  return std::unexpected(
      BadRequest{BusinessRejectReason::UnsupportedMessageType, 0, "Unsupported Message Type"});
}

}  // namespace affix::inline v0::tools::exchange
