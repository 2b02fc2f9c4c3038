// SPDX-License-Identifier: MIT
// The body of the order; constant text is made once: QuickFIX at its best.
#include "quickfix_order.hpp"

#include <ctime>
#include <quickfix/FieldConvertors.h>
#include <quickfix/Group.h>
#include <string>

namespace affix_bench {
namespace {

using FIX::FIELD::ClOrdID;
using FIX::FIELD::NoPartyIDs;
using FIX::FIELD::OrderQty;
using FIX::FIELD::OrdType;
using FIX::FIELD::PartyID;
using FIX::FIELD::PartyIDSource;
using FIX::FIELD::PartyRole;
using FIX::FIELD::Price;
using FIX::FIELD::Side;
using FIX::FIELD::Symbol;
using FIX::FIELD::TimeInForce;

FIX::Group make_party(const char* id, const char* role) {
  static const int order[] = {PartyID, PartyIDSource, PartyRole, 0};
  FIX::Group party(NoPartyIDs, PartyID, order);
  party.setField(PartyID, id);
  party.setField(PartyIDSource, "D");
  party.setField(PartyRole, role);
  return party;
}

}  // namespace

FIX::UtcTimeStamp quickfix_time_stamp(std::int64_t time_ns) {
  return FIX::UtcTimeStamp(static_cast<time_t>(time_ns / 1000000000),
                           static_cast<int>(time_ns % 1000000000), 9);
}

void quickfix_set_order(FIX::Message& message, const QuickfixOrder& order) {
  static const std::string buy = "1";
  static const std::string limit = "2";
  static const std::string day = "0";
  // The parties are built once: copying a Group is cheaper than filling one, and QuickFIX copies
  // it.
  static const FIX::Group parties[] = {make_party("PARTY1", "1"), make_party("PARTY2", "3")};
  message.setField(ClOrdID, order.cl_ord_id);
  // Whole numbers as integers: QuickFIX converts doubles much more slowly, and needlessly here.
  message.setField(OrderQty, FIX::IntConvertor::convert(static_cast<int>(order.quantity)));
  message.setField(OrdType, limit);
  message.setField(Price, FIX::IntConvertor::convert(static_cast<int>(order.price)));
  message.setField(Side, buy);
  message.setField(Symbol, order.symbol);
  message.setField(TimeInForce, day);
  message.setField(FIX::TransactTime(quickfix_time_stamp(order.time_ns), 9));
  message.addGroup(parties[0]);
  message.addGroup(parties[1]);
}

}  // namespace affix_bench
