// SPDX-License-Identifier: MIT
// The seed's NewOrderSingle as a program writes it: timed in bench wire and counted in
// affix_counts.
#pragma once

#include "affix/base/time.hpp"
#include "affix/wire/encoder.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/prepared.hpp"
#include "affix/wire/timestamp.hpp"
#include "affix/wire/view.hpp"

#include "../messages.hpp"

#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace affix_bench {

/// 2025-12-31 18:21:36.4572456, the time in the seed's order.
inline constexpr std::int64_t seed_time_ns = 1'767'205'296'457'245'600;

/// The values that differ from order to order.
struct OrderValues {
  std::int64_t sequence = 2;
  std::int64_t time_ns = seed_time_ns;
  std::string_view cl_ord_id = "1";
  std::string_view symbol = "NOKIA.HE";
  affix::base::Decimal quantity{10, 0};
  affix::base::Decimal price{10000, 0};
};

/// Writes every field: 25, header and trailer included.
[[nodiscard, gnu::always_inline]] inline std::expected<std::string_view, affix::wire::EncodeError>
encode_order(std::span<char> buffer, affix::wire::TimeStampCache& cache, const OrderValues& order) {
  using affix::wire::TimePrecision;
  const affix::base::UtcTime time{order.time_ns, 0};
  affix::wire::Encoder encoder(buffer, &cache);
  encoder.begin("FIXT.1.1", "D");
  encoder.integer(34, order.sequence);
  encoder.text(49, "CLIENT1");
  encoder.utc_time(52, time, TimePrecision::Nanos);
  encoder.text(56, "EXECUTOR");
  encoder.text(50, "SNDR_SUB");
  encoder.text(57, "SRVR_SUB");
  encoder.text(11, order.cl_ord_id);
  encoder.text(55, order.symbol);
  encoder.character(54, '1');
  encoder.decimal(38, order.quantity);
  encoder.decimal(44, order.price);
  encoder.character(40, '2');
  encoder.character(59, '0');
  encoder.integer(453, 2);
  encoder.text(448, "PARTY1");
  encoder.character(447, 'D');
  encoder.integer(452, 1);
  encoder.text(448, "PARTY2");
  encoder.character(447, 'D');
  encoder.integer(452, 3);
  encoder.utc_time(60, time, TimePrecision::Nanos);
  return encoder.finish();
}

/// The same order prepared: 34, 52, 60 and 11 are slots 0 to 3.
class PreparedOrder {
 public:
  PreparedOrder() : message_(make(storage_)) {}

  [[nodiscard]] bool good() const { return message_.has_value(); }

  [[nodiscard, gnu::always_inline]] std::expected<std::string_view, affix::wire::EncodeError>
  encode(affix::wire::TimeStampCache& cache, const OrderValues& order) {
    using affix::wire::TimePrecision;
    const affix::base::UtcTime time{order.time_ns, 0};
    message_->set_integer(0, order.sequence);
    message_->set_utc_time(1, time, TimePrecision::Nanos, cache);
    message_->set_utc_time(2, time, TimePrecision::Nanos, cache);
    message_->set_text(3, order.cl_ord_id);
    return message_->message();
  }

 private:
  static std::expected<affix::wire::PreparedMessage, affix::wire::EncodeError> make(
      std::span<char> storage) {
    affix::wire::FieldIndexOf<64> index;
    affix::wire::index_message(seed_new_order_single.view(), index);
    return affix::wire::PreparedMessage::make(
        storage, affix::wire::MessageView(seed_new_order_single.view(), index),
        {{34}, {52}, {60}, {11}});
  }

  std::array<char, 512> storage_{};
  std::expected<affix::wire::PreparedMessage, affix::wire::EncodeError> message_;
};

}  // namespace affix_bench
