// SPDX-License-Identifier: MIT
// The codec from its one header, alone: writes an order, indexes it and reads it back.
#include "affix_wire.hpp"

#include <array>
#include <cstdio>

int main() {
  namespace wire = affix::wire;
  std::array<char, 512> buffer;
  wire::Encoder order(buffer);
  order.begin("FIX.4.4", "D");
  order.integer(34, 2);
  order.text(49, "CLIENT1");
  order.text(56, "EXECUTOR");
  order.text(11, "1");
  order.text(55, "NOKIA.HE");
  order.character(54, '1');
  order.decimal(38, {10, 0});
  order.decimal(44, {10150, -2});
  const auto bytes = order.finish();
  if (!bytes) {
    std::puts(wire::to_text(bytes.error()));
    return 1;
  }
  wire::FieldIndexOf<64> index;
  wire::index_message(*bytes, index);
  const wire::MessageView view(*bytes, index);
  const auto price = view.decimal(44);
  if (!index.clean() || !price) {
    return 1;
  }
  std::printf("%lld x 10^%d\n", static_cast<long long>(price->mantissa), price->exponent);
  return 0;
}
