// SPDX-License-Identifier: MIT
// Messages as classes: writes a NewOrderSingle of FIX.4.4 with a nested group, reads it back, and
// lets the dispatcher call the function for its type.

#include "affix/fix44/dispatch.hpp"
#include "affix/fix44/new_order_single.hpp"
#include "affix/wire.hpp"

#include <array>
#include <iostream>
#include <string_view>

namespace fix44 = affix::fix44;
namespace wire = affix::wire;

namespace {

// Handles orders; the second function, which is optional, gets all other types.
struct Application {
  void on_message(const fix44::NewOrderSingle& order) const {
    std::cout << "order " << order.cl_ord_id().value_or("");
    // A code outside the dictionary's list would be an error; view().text(54) still has its
    // text.
    if (const auto side = order.side()) {
      std::cout << ", " << to_text(*side);
    }
    if (const auto price = order.price()) {
      std::cout << ", price " << to_text(*price);
    }
    // Distinguishes missing from malformed.
    if (order.stop_px().error() == wire::FieldError::Missing) {
      std::cout << ", no stop price";
    }
    std::cout << '\n';
    for (const auto& party : order.no_party_ids()) {
      const std::string_view id = party.party_id().value_or("?");
      std::cout << "  party " << id << ", " << party.no_party_sub_ids().size() << " sub ids\n";
    }
  }

  void on_message(const wire::MessageView& /*other*/) const { std::cout << "another type\n"; }
};

}  // namespace

int main() {
  std::array<char, 512> buffer;
  wire::Encoder encoder(buffer);
  encoder.begin(fix44::begin_string, fix44::NewOrderSingle::message_type);
  // In a session these two lines are `auto order = session.begin<fix44::NewOrderSingleWriter>();`.
  fix44::NewOrderSingleWriter order(encoder);

  // Fields follow the dictionary's order; fields that an order does not have are not
  // members.
  order.cl_ord_id("A-1");
  order.no_party_ids(2, [](fix44::NoPartyIDsWriter& party, std::size_t number) {
    party.party_id(number == 0 ? "TRADER" : "DESK").party_role(fix44::PartyRole::ExecutingFirm);
    if (number == 0) {
      party.no_party_sub_ids(1, [](auto& sub, std::size_t) { sub.party_sub_id("EU"); });
    }
  });
  order.symbol("IBM")
      .side(fix44::Side::Buy)
      .transact_time({1'700'000'000'000'000'000, 0})
      .order_qty(fix44::Qty(100))
      .ord_type(fix44::OrdType::Limit)
      .price(fix44::Price(10150, -2));
  // Reports required fields that are missing, and fields out of order.
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
  Application application;
  fix44::dispatch(wire::MessageView(*message, index), application);
}
