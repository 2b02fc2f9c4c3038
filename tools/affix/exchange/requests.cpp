// SPDX-License-Identifier: MIT
// Field by field; the first fault ends the reading.
#include "exchange/requests.hpp"

#include "exchange/field_reader.hpp"
#include "exchange/market_data_messages.hpp"

namespace affix::inline v0::tools::exchange {

namespace {

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
  if (type == wire::MsgType("V")) {
    return checked(read_market_data_request(fields, message, owner), fields);
  }
  return std::unexpected(BadRequest{session::BusinessRejectReason::UnsupportedMessageType, 0,
                                    "Unsupported Message Type"});
}

}  // namespace affix::inline v0::tools::exchange
