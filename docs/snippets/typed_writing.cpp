// SPDX-License-Identifier: MIT
// Of docs/reference/generated-messages.md: an order written with its class. Compiled, not run.

#include "affix/engine.hpp"
#include "affix/fix44/new_order_single.hpp"

#include <span>
#include <string_view>

namespace fix44 = affix::fix44;
namespace host = affix::host;

/// A party of an order, as the application stores it.
struct Party {
  std::string_view id;
  fix44::PartyRole role;
};

/// Sends an order of 100 at 10.50.
bool send_typed(host::SessionHandle session, affix::base::UtcTime now) {
  auto order = session.begin<fix44::NewOrderSingleWriter>();
  order.cl_ord_id("A-1")
      .symbol("IBM")
      .side(fix44::Side::Buy)
      .transact_time(now)
      .order_qty(fix44::Qty(100));
  order.ord_type(fix44::OrdType::Limit).price(fix44::Price(1050, -2));
  const host::SendResult result = session.commit(order);
  return result.sent();
}

/// Writes the parties of an order.
void write_parties(fix44::NewOrderSingleWriter& order, std::span<const Party> parties) {
  order.no_party_ids(parties, [](auto& party, const Party& from) {
    party.party_id(from.id).party_role(from.role);
  });
}
