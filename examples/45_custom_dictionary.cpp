// SPDX-License-Identifier: MIT
// A venue's own dictionary: examples/CMakeLists.txt generates classes from 45_custom_dictionary.xml
// with affix_generate(). Its names are typical of venues: spaces, dashes and C++ keywords.

#include "affix/wire.hpp"

#include "acme/venue/odd_lot_order.hpp"

#include <array>
#include <iostream>
#include <string_view>

namespace venue = acme::venue;
namespace wire = affix::wire;

int main() {
  std::array<char, 512> buffer;
  wire::Encoder encoder(buffer);
  encoder.begin(venue::begin_string, venue::OddLotOrder::message_type);
  venue::OddLotOrderWriter order(encoder);
  order.header().desk_code("D7");
  order.cl_ord_id("A-1")
      .side(venue::Side::SellShort)
      .default_(venue::Default::GoodTillCancel)
      .lot_size(affix::base::Decimal{5, -1});
  const auto message = order.finish();
  if (!message) {
    std::cout << "tag " << order.encoder().error_tag() << ": " << wire::to_text(message.error())
              << '\n';
    return 1;
  }
  for (const char c : *message) {
    std::cout << (c == wire::soh ? '|' : c);
  }
  std::cout << '\n';

  wire::FieldIndexOf<64> index;
  wire::index_message(*message, index);
  if (const auto read = venue::OddLotOrder::from(wire::MessageView(*message, index))) {
    const std::string_view desk = read->header().desk_code().value_or("none");
    std::cout << "desk " << desk << ", side " << (read->side() ? to_text(*read->side()) : "unknown")
              << ", " << (read->default_() ? to_text(*read->default_()) : "no default") << '\n';
  }
}
