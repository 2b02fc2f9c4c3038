// SPDX-License-Identifier: MIT
// Generated readers over messages, valid and invalid.
#include "affix/messages/reader.hpp"

#include "affix/fix44/execution_report.hpp"
#include "affix/fix44/new_order_single.hpp"
#include "affix/fix44/news.hpp"
#include "affix/fix50sp2/new_order_single.hpp"
#include "affix/wire/encoder.hpp"

#include "support/allocation_count.hpp"
#include "support/fix_text.hpp"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::messages {
namespace {

using wire::FieldError;

/// A message and its index.
struct Indexed {
  std::string bytes;
  wire::FieldIndexOf<256> index;
  wire::MessageView view{bytes, index};

  explicit Indexed(std::string_view body) : bytes(support::make_message(body)) {
    wire::index_message(bytes, index);
    view = wire::MessageView(bytes, index);
  }
};

TEST(Reader, IsOfItsTypeOnly) {
  const Indexed order("35=D|11=A|");
  EXPECT_TRUE(fix44::NewOrderSingle::from(order.view).has_value());
  EXPECT_FALSE(fix44::ExecutionReport::from(order.view).has_value());
}

TEST(Reader, GivesEachFieldItsType) {
  const Indexed message(
      "35=D|49=S|56=T|34=7|52=20240229-12:00:00.5|11=A-1|55=IBM|167=CS|200=202403|541=20240301|"
      "54=2|60=20240229-12:00:01|38=100|40=2|44=10.50|18=5 2|114=Y|211=-0.5|");
  const fix44::NewOrderSingle order(message.view);
  EXPECT_EQ(order.cl_ord_id(), "A-1");
  EXPECT_EQ(order.side(), fix44::Side::Sell);
  EXPECT_EQ(order.ord_type(), fix44::OrdType::Limit);
  EXPECT_EQ(order.price(), Price(105, -1));
  EXPECT_EQ(order.price()->decimal().mantissa, 1050);
  EXPECT_EQ(order.order_qty(), Qty(100));
  EXPECT_EQ(order.locate_reqd(), true);
  EXPECT_EQ(order.security_type(), fix44::SecurityType::CommonStock);
  EXPECT_EQ(order.maturity_month_year(), (wire::MonthYear{2024, 3}));
  EXPECT_EQ(order.maturity_date(), (base::CivilDate{2024, 3, 1}));
  EXPECT_EQ(order.transact_time()->ns, 1'709'208'001'000'000'000);
  EXPECT_EQ(order.header().msg_seq_num(), SeqNum{7});
  EXPECT_EQ(order.header().sender_comp_id(), "S");
  EXPECT_EQ(order.header().msg_type(), fix44::MsgType::NewOrderSingle);
  EXPECT_TRUE(order.trailer().check_sum().has_value());
  std::vector<fix44::ExecInst> codes;
  const auto range = order.exec_inst();
  for (const auto code : *range) {
    codes.push_back(code.value());
  }
  EXPECT_EQ(codes, (std::vector{fix44::ExecInst::Held, fix44::ExecInst::Work}));
}

TEST(Reader, ReportsMissingFromMalformed) {
  const Indexed message(
      "35=D|11=|54=Q|40=22|44=1.2.3|38=1e3|60=20240230-00:00:00|167=NO SUCH|"
      "453=x|18=5 ~|");
  const fix44::NewOrderSingle order(message.view);
  EXPECT_EQ(order.cl_ord_id().error(), FieldError::Empty);
  EXPECT_EQ(order.symbol().error(), FieldError::Missing);
  EXPECT_EQ(order.symbol().value_or("none"), "none");
  EXPECT_EQ(order.price().error(), FieldError::Format);
  EXPECT_EQ(order.order_qty().error(), FieldError::Format);
  EXPECT_FALSE(order.transact_time().has_value());
  // Unlisted codes, and their texts.
  EXPECT_EQ(order.side().error(), FieldError::Range);
  EXPECT_EQ(order.view().text(54), "Q");
  EXPECT_EQ(order.ord_type().error(), FieldError::Format);
  EXPECT_EQ(order.security_type().error(), FieldError::Range);
  EXPECT_EQ(order.view().text(167), "NO SUCH");
  EXPECT_EQ(order.no_party_ids().view().declared().error(), FieldError::Format);
  const auto codes = order.exec_inst();
  ASSERT_TRUE(codes.has_value());
  EXPECT_TRUE(codes->contains(fix44::ExecInst::Held));
  EXPECT_EQ((*++codes->begin()).error(), FieldError::Range);
}

TEST(Reader, GroupsAreRangesToAnyDepth) {
  const Indexed message("35=D|11=A|453=2|448=P0|452=1|448=P1|802=2|523=x|803=1|523=y|55=IBM|54=1|");
  const fix44::NewOrderSingle order(message.view);
  const auto parties = order.no_party_ids();
  EXPECT_EQ(parties.size(), 2U);
  EXPECT_EQ(parties.fault(), wire::GroupFault::None);
  EXPECT_EQ(parties.entry(0)->party_id(), "P0");
  EXPECT_EQ(parties.entry(0)->no_party_sub_ids().size(), 0U);
  EXPECT_FALSE(parties.entry(2).has_value());
  std::string ids;
  for (const auto& party : parties) {
    for (const auto& sub : party.no_party_sub_ids()) {
      ids += sub.party_sub_id().value();
    }
  }
  EXPECT_EQ(ids, "xy");
  EXPECT_FALSE(order.no_allocs().present());
  EXPECT_TRUE(order.no_allocs().empty());
}

TEST(Reader, SaysThatACountIsFalse) {
  const Indexed message("35=D|11=A|453=3|448=P0|448=P1|55=IBM|");
  const fix44::NewOrderSingle order(message.view);
  EXPECT_EQ(order.no_party_ids().size(), 2U);
  EXPECT_EQ(order.no_party_ids().fault(), wire::GroupFault::Count);
  EXPECT_EQ(order.symbol(), "IBM");
}

// Neither a venue's own fields nor those of a newer version end the entry.
TEST(Reader, UnknownFieldsInAnEntryEndNothing) {
  const Indexed message("35=D|11=A|453=2|448=P0|20001=x|452=1|448=P1|3999=y|452=3|55=IBM|54=1|");
  const fix44::NewOrderSingle order(message.view);
  const auto parties = order.no_party_ids();
  EXPECT_EQ(parties.fault(), wire::GroupFault::None);
  EXPECT_EQ(parties.entry(0)->party_role(), fix44::PartyRole::ExecutingFirm);
  EXPECT_EQ(parties.entry(1)->party_role(), fix44::PartyRole::ClientID);
  EXPECT_EQ(parties.entry(0)->view().text(20001), "x");
  EXPECT_EQ(order.symbol(), "IBM");
}

// News has 58 in its lines; an order's 5.0SP2 parties are also in its allocations.
TEST(Reader, AGroupsFieldIsNotTakenForTheMessages) {
  const Indexed message("35=D|11=A|78=1|79=acc|539=1|524=inner|54=1|");
  const fix50sp2::NewOrderSingle order(message.view);
  EXPECT_FALSE(order.no_party_ids().present());
  EXPECT_EQ(order.no_allocs().entry(0)->no_nested_party_ids().entry(0)->nested_party_id(), "inner");
  const Indexed strange("35=D|11=A|78=1|79=acc|661=99|80=7|1=own|");
  const fix50sp2::NewOrderSingle allocated(strange.view);
  EXPECT_EQ(allocated.account(), "own");
}

TEST(Reader, FieldsOutsideGroups) {
  static constexpr std::array<std::uint32_t, 2> line_members = {58, 354};
  static constexpr wire::GroupDescription lines{33, 58, line_members, {}};
  static constexpr const wire::GroupDescription* groups[] = {&lines};
  const Indexed inside("35=B|33=2|58=one|58=two|148=h|");
  EXPECT_EQ(OutsideGroups(inside.view, groups).position_of(58), wire::no_position);
  EXPECT_EQ(OutsideGroups(inside.view, groups).text(148), "h");
  const Indexed before("35=B|58=own|33=1|58=one|");
  EXPECT_EQ(OutsideGroups(before.view, groups).text(58), "own");
  // A counter without entries does not stop the walk.
  const Indexed empty("35=B|33=1|148=h|58=own|");
  EXPECT_EQ(OutsideGroups(empty.view, groups).text(58), "own");
}

TEST(Reader, AllocatesNothing) {
  const Indexed message("35=D|11=A|453=2|448=P0|452=1|448=P1|802=1|523=x|55=IBM|54=1|44=1.5|");
  const std::uint64_t before = support::allocation_count();
  const auto order = fix44::NewOrderSingle::from(message.view);
  std::size_t size = order->cl_ord_id()->size() + (order->price() == Price(15, -1) ? 1U : 0U);
  for (const auto& party : order->no_party_ids()) {
    size += party.party_id()->size() + party.no_party_sub_ids().size();
  }
  std::array<char, 512> buffer;
  wire::Encoder encoder(buffer);
  encoder.begin("FIX.4.4", "D");
  fix44::NewOrderSingleWriter writer(encoder);
  writer.cl_ord_id("A").no_party_ids(1, [](auto& party, std::size_t) {
    party.party_id("P").party_role(fix44::PartyRole::ExecutingFirm);
  });
  size += writer.finish().has_value() ? 1U : 0U;
  EXPECT_EQ(support::allocation_count(), before);
  EXPECT_GT(size, 0U);
}

}  // namespace
}  // namespace affix::messages
