// SPDX-License-Identifier: MIT
// Generated writers: their output, and refused input.
#include "affix/messages/writer.hpp"

#include "affix/fix43/new_order_single.hpp"
#include "affix/fix44/logon.hpp"
#include "affix/fix44/new_order_single.hpp"
#include "affix/fix44/news.hpp"
#include "affix/fix44/order_cancel_request.hpp"
#include "affix/fix44/reject.hpp"
#include "affix/wire/value_text.hpp"

#include "support/fix_text.hpp"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::messages {
namespace {

using fix44::NewOrderSingleWriter;
using fix44::OrdType;
using fix44::Price;
using fix44::Qty;
using fix44::Side;

/// A writer over a buffer of its own.
template <typename Writer>
struct Draft {
  std::array<char, 2048> buffer;
  wire::Encoder encoder{buffer};
  Writer writer = begun();

  Writer begun() {
    encoder.begin("FIX.4.4", Writer::message_type);
    return Writer(encoder);
  }

  std::string finish() {
    const auto message = writer.finish();
    return message ? std::string(*message) : std::string(wire::to_text(message.error()));
  }

  void refused(wire::EncodeError error, std::uint32_t tag) {
    EXPECT_EQ(finish(), wire::to_text(error));
    EXPECT_EQ(writer.encoder().error_tag(), tag);
  }
};

NewOrderSingleWriter& required(NewOrderSingleWriter& order) {
  return order.cl_ord_id("A")
      .symbol("IBM")
      .side(Side::Buy)
      .transact_time({0, 0})
      .order_qty(Qty(5))
      .ord_type(OrdType::Limit);
}

constexpr auto required_text = "35=D|11=A|55=IBM|54=1|60=19700101-00:00:00.000|38=5|40=2|";

TEST(Writer, WritesFieldsInTheDictionarysOrder) {
  Draft<NewOrderSingleWriter> draft;
  required(draft.writer).price(Price(1050, -2));
  EXPECT_EQ(draft.finish(), support::make_message(std::string(required_text) + "44=10.50|"));
}

TEST(Writer, RefusesAFieldThatComesTwice) {
  Draft<NewOrderSingleWriter> draft;
  required(draft.writer).ord_type(OrdType::Market);
  draft.refused(wire::EncodeError::FieldOrder, 40);
}

TEST(Writer, RefusesAFieldOutOfOrder) {
  Draft<NewOrderSingleWriter> draft;
  required(draft.writer).price(Price(1)).account("late");
  draft.refused(wire::EncodeError::FieldOrder, 1);
}

TEST(Writer, ARequiredFieldThatComesLateIsOutOfOrderNotMissing) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.symbol("IBM").cl_ord_id("A").side(Side::Buy);
  draft.refused(wire::EncodeError::FieldOrder, 11);
  EXPECT_EQ(wire::error_text(draft.writer.encoder()), "11 is out of order: after 55");
  // First the fields missing at 54, and then none.
  Draft<NewOrderSingleWriter> several;
  several.writer.side(Side::Buy).symbol("IBM").transact_time({0, 0}).cl_ord_id("A");
  several.refused(wire::EncodeError::FieldOrder, 11);
  EXPECT_EQ(wire::error_text(several.writer.encoder()), "11 is out of order: after 54");
}

TEST(Writer, NamesTheFieldBeforeTheOneOutOfOrder) {
  Draft<NewOrderSingleWriter> draft;
  required(draft.writer).price(Price(1)).account("late");
  EXPECT_EQ(draft.finish(), wire::to_text(wire::EncodeError::FieldOrder));
  EXPECT_EQ(wire::error_text(draft.writer.encoder()), "1 is out of order: after 44");
  Draft<NewOrderSingleWriter> twice;
  twice.writer.cl_ord_id("A").cl_ord_id("B");
  EXPECT_EQ(wire::error_text(twice.writer.encoder()), "11 comes twice");
}

TEST(Writer, SaysBeforeWhichFieldOneIsMissing) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.symbol("IBM").side(Side::Buy);
  EXPECT_EQ(wire::error_text(draft.writer.encoder()), "11 is missing: before 55");
}

TEST(Writer, AnIntegerThatItsFieldDoesNotHoldIsRefused) {
  Draft<fix44::RejectWriter> negative;
  negative.writer.ref_seq_num(-1);
  negative.refused(wire::EncodeError::BadValue, 45);
  Draft<fix44::LogonWriter> large;
  large.writer.encrypt_method(fix44::EncryptMethod::None).heart_bt_int(30);
  large.writer.max_message_size(5'000'000'000);
  large.refused(wire::EncodeError::BadValue, 383);
}

TEST(Writer, ANegativeNumberOfEntriesIsRefused) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.cl_ord_id("A").no_party_ids(-1, [](auto&, std::size_t) { FAIL(); });
  draft.refused(wire::EncodeError::BadValue, 453);
}

TEST(Writer, ReportsTheFirstRequiredFieldThatWasLeftOut) {
  Draft<NewOrderSingleWriter> none;
  none.refused(wire::EncodeError::MissingField, 11);
  Draft<NewOrderSingleWriter> behind;
  behind.writer.symbol("IBM");
  behind.refused(wire::EncodeError::MissingField, 11);
  Draft<NewOrderSingleWriter> end;
  end.writer.cl_ord_id("A").symbol("IBM").side(Side::Buy).transact_time({0, 0});
  end.refused(wire::EncodeError::MissingField, 40);
  // 4.3 requires HandlInst in between.
  Draft<fix43::NewOrderSingleWriter> between;
  between.writer.cl_ord_id("A").symbol("IBM");
  between.refused(wire::EncodeError::MissingField, 21);
}

TEST(Writer, GroupsCountThemselvesAndNest) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.cl_ord_id("A").no_party_ids(2, [](auto& party, std::size_t number) {
    party.party_id(number == 0 ? "P0" : "P1");
    if (number == 1) {
      party.party_role(fix44::PartyRole::ClientID)
          .no_party_sub_ids(std::vector<std::string>{"x", "y"},
                            [](auto& sub, const std::string& id) { sub.party_sub_id(id); });
    }
  });
  draft.writer.symbol("IBM").side(Side::Buy).transact_time({0, 0}).order_qty(Qty(5)).ord_type(
      OrdType::Limit);
  EXPECT_EQ(draft.finish(),
            support::make_message("35=D|11=A|453=2|448=P0|448=P1|452=3|802=2|523=x|523=y|55=IBM|"
                                  "54=1|60=19700101-00:00:00.000|38=5|40=2|"));
}

TEST(Writer, AGroupOfNoneIsNotWritten) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.cl_ord_id("A").no_party_ids(0, [](auto&, std::size_t) { FAIL(); });
  draft.writer.symbol("IBM").side(Side::Buy).transact_time({0, 0}).order_qty(Qty(5)).ord_type(
      OrdType::Limit);
  EXPECT_EQ(draft.finish(), support::make_message(required_text));
}

TEST(Writer, AnEntryBeginsWithItsFirstField) {
  Draft<NewOrderSingleWriter> empty;
  empty.writer.cl_ord_id("A").no_party_ids(1, [](auto&, std::size_t) {});
  empty.refused(wire::EncodeError::MissingField, 448);
  Draft<NewOrderSingleWriter> skipped;
  skipped.writer.cl_ord_id("A").no_party_ids(
      1, [](auto& party, std::size_t) { party.party_role(fix44::PartyRole::ClientID); });
  skipped.refused(wire::EncodeError::MissingField, 448);
  // A component at the beginning of an entry: its first field is the group's.
  Draft<NewOrderSingleWriter> component;
  component.writer.cl_ord_id("A").symbol("IBM").no_underlyings(
      1, [](auto& underlying, std::size_t) { underlying.underlying_cfi_code("ESXXXX"); });
  component.refused(wire::EncodeError::MissingField, 311);
}

TEST(Writer, ARequiredGroupMayNotBeEmpty) {
  Draft<fix44::NewsWriter> draft;
  draft.writer.headline("h").no_lines_of_text(0, [](auto&, std::size_t) {});
  draft.refused(wire::EncodeError::MissingField, 33);
}

TEST(Writer, LengthGoesWithItsData) {
  Draft<fix44::LogonWriter> draft;
  draft.writer.encrypt_method(fix44::EncryptMethod::None)
      .heart_bt_int(30)
      .raw_data({"a\x01"
                 "b",
                 3});
  EXPECT_EQ(draft.finish(), support::make_message("35=A|98=0|108=30|95=3|96=a|b|"));
}

TEST(Writer, SeveralCodesAreOneField) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.cl_ord_id("A").exec_inst({fix44::ExecInst::Held, fix44::ExecInst::Work});
  draft.writer.symbol("IBM").side(Side::Buy).transact_time({0, 0}).order_qty(Qty(5)).ord_type(
      OrdType::Limit);
  EXPECT_NE(draft.finish().find("\x01"
                                "18=5 2\x01"),
            std::string::npos);
  Draft<NewOrderSingleWriter> none;
  none.writer.cl_ord_id("A").exec_inst({});
  none.refused(wire::EncodeError::EmptyValue, 18);
}

TEST(Writer, HeaderComesFirstAndTrailerLast) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.header().sender_sub_id("desk");
  required(draft.writer);
  draft.writer.trailer().signature("sig");
  EXPECT_EQ(draft.finish(), support::make_message("35=D|50=desk|" + std::string(required_text + 5) +
                                                  "93=3|89=sig|"));
  Draft<NewOrderSingleWriter> late;
  static_cast<void>(late.writer.cl_ord_id("A").header());
  late.refused(wire::EncodeError::FieldOrder, 0);
  Draft<NewOrderSingleWriter> early;
  static_cast<void>(early.writer.trailer());
  early.refused(wire::EncodeError::MissingField, 11);
  Draft<NewOrderSingleWriter> behind;
  static_cast<void>(required(behind.writer).trailer());
  behind.writer.price(Price(1));
  behind.refused(wire::EncodeError::FieldOrder, 44);
}

TEST(Writer, FieldsOfNoDictionaryGoThroughTheEncoder) {
  Draft<NewOrderSingleWriter> draft;
  required(draft.writer).encoder().text(20001, "own");
  EXPECT_EQ(draft.finish(), support::make_message(std::string(required_text) + "20001=own|"));
}

TEST(Writer, TheEncodersErrorsStick) {
  Draft<NewOrderSingleWriter> draft;
  draft.writer.cl_ord_id("");
  draft.writer.symbol("IBM");
  draft.refused(wire::EncodeError::EmptyValue, 11);
}

TEST(Writer, NothingIsFinishedWithoutAMessageBegun) {
  std::array<char, 64> buffer;
  NewOrderSingleWriter order{wire::Encoder(buffer)};
  required(order);
  EXPECT_EQ(order.finish().error(), wire::EncodeError::NotBegun);
}

}  // namespace
}  // namespace affix::messages
