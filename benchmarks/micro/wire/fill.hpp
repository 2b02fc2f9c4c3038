// SPDX-License-Identifier: MIT
// Values that an order manager reads from an ExecutionReport: eight typed values, read alike for
// timing and for counting instructions.
#pragma once

#include "affix/base/decimal.hpp"
#include "affix/base/time.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <expected>

namespace affix_bench {

/// The values as they are read, so that their use needs no copy in between.
struct FillFields {
  template <class Value>
  using Field = affix::wire::Result<Value>;

  Field<std::int64_t> sequence;
  Field<affix::base::UtcTime> sent;
  Field<char> exec_type;
  Field<char> side;
  Field<affix::base::Decimal> quantity;
  Field<affix::base::Decimal> last_price;
  Field<affix::base::Decimal> filled;
  Field<affix::base::UtcTime> transacted;

  [[nodiscard, gnu::always_inline]] inline bool complete() const {
    return sequence && sent && exec_type && side && quantity && last_price && filled && transacted;
  }
};

[[nodiscard, gnu::always_inline]] inline FillFields read_fill(
    const affix::wire::MessageView& view) {
  return {view.integer(34), view.utc_time(52), view.character(150), view.character(54),
          view.decimal(38), view.decimal(31),  view.decimal(14),    view.utc_time(60)};
}

}  // namespace affix_bench
