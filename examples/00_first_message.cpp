// SPDX-License-Identifier: MIT
// Writes an order, then frames, checks and reads it like its receiver. Nothing here allocates.

#include "affix/wire.hpp"

#include <array>
#include <iostream>

int main() {
  std::array<char, 512> buffer;
  affix::wire::Encoder order(buffer);
  order.begin("FIX.4.4", "D");
  order.text(11, "order-1");
  order.text(55, "EUR/USD");
  order.decimal(44, {108'250, -5});  // Exactly 1.08250: mantissa and power of ten.
  const auto bytes = order.finish();
  if (!bytes) {
    return 1;
  }

  const affix::wire::Frame frame = affix::wire::Framer().next(*bytes);
  affix::wire::FieldIndexOf<64> index;
  affix::wire::index_message(bytes->substr(0, frame.size), index);  // Checksum and BodyLength too.
  const affix::wire::MessageView message(*bytes, index);
  const auto price = message.decimal(44);
  if (!index.clean() || !price) {
    return 1;
  }
  std::cout << message.size() << " fields, price " << affix::wire::to_text(*price) << '\n';
}
