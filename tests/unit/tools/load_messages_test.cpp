// SPDX-License-Identifier: MIT
// The load generator's messages are complete, correct for their version, and have the given values.
#include "bench/load/load_messages.hpp"

#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace affix::tools::bench {
namespace {

constexpr std::int64_t noon_ns = 1'767'268'800'123'456'789;  // 2026-01-01 12:00:00.123456789.

LoadIdentity identity(const std::string& begin_string) {
  return {.begin_string = begin_string,
          .sender_comp_id = "CLIENT1",
          .target_comp_id = "SERVER",
          .username = "me",
          .password = "secret",
          .precision = usual_precision(begin_string)};
}

LoadMessages messages(const std::string& begin_string) {
  OrderShape shape = standard_order(begin_string);
  shape.id_prefix = "RUN-";
  return std::move(*LoadMessages::make(identity(begin_string), shape));
}

/// Replaces SOH by `|`; empty unless it is one valid message.
std::string text_of(const Output& out) {
  wire::FieldIndexOf<256> index;
  wire::index_message(out.bytes(), index);
  EXPECT_TRUE(index.clean()) << out.bytes();
  std::string text(out.bytes());
  std::replace(text.begin(), text.end(), '\x01', '|');
  return text;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(LoadMessages, OrderCarriesNumberTimeAndId) {
  LoadMessages load = messages("FIXT.1.1");
  wire::TimeStampCache stamps;
  for (const std::uint64_t sequence : {1U, 9U, 10U, 99'999U, 100'000U}) {
    Output out;
    load.order(out, sequence, noon_ns, sequence + 7, stamps);
    const std::string text = text_of(out);
    const std::string number = std::to_string(sequence);
    EXPECT_TRUE(contains(text, "8=FIXT.1.1|9=")) << text;
    EXPECT_TRUE(contains(text, "|35=D|34=" + number +
                                   "|49=CLIENT1|52=20260101-12:00:00.123456789|"
                                   "56=SERVER|11=RUN-"))
        << text;
    EXPECT_TRUE(contains(text, "|60=20260101-12:00:00.123456789|10=")) << text;
  }
}

TEST(LoadMessages, OlderVersionsGetTheirFields) {
  wire::TimeStampCache stamps;
  Output fix40;
  messages("FIX.4.0").order(fix40, 1, noon_ns, 0, stamps);
  EXPECT_TRUE(contains(text_of(fix40), "|21=1|"));
  EXPECT_FALSE(contains(text_of(fix40), "|60="));
  Output fix42;
  messages("FIX.4.2").order(fix42, 1, noon_ns, 0, stamps);
  EXPECT_TRUE(contains(text_of(fix42), "|21=1|"));
  EXPECT_TRUE(contains(text_of(fix42), "|60=20260101-12:00:00.123|"));
  Output fix44;
  messages("FIX.4.4").order(fix44, 1, noon_ns, 0, stamps);
  EXPECT_FALSE(contains(text_of(fix44), "|21="));
}

TEST(LoadMessages, IdsComeBackAsOrdinals) {
  LoadMessages load = messages("FIX.4.4");
  wire::TimeStampCache stamps;
  Output out;
  load.order(out, 1, noon_ns, 1'234'567'890, stamps);
  wire::FieldIndexOf<64> index;
  wire::index_message(out.bytes(), index);
  const wire::MessageView view(out.bytes(), index);
  EXPECT_EQ(load.ordinal_of(*view.text(11)), 1'234'567'890U);
  EXPECT_EQ(load.ordinal_of("RUN-0000000042"), 42U);
  EXPECT_EQ(load.ordinal_of("OLD-0000000042"), std::nullopt);
  EXPECT_EQ(load.ordinal_of("RUN-000000004x"), std::nullopt);
  EXPECT_EQ(load.ordinal_of("RUN-42"), std::nullopt);
  EXPECT_EQ(load.ordinal_of(""), std::nullopt);
}

TEST(LoadMessages, LogonHasIdentityAndOptions) {
  LoadMessages load = messages("FIXT.1.1");
  Output first;
  load.logon(first, 1, noon_ns, true);
  EXPECT_TRUE(contains(text_of(first), "|98=0|108=30|141=Y|553=me|554=secret|1137=9|"));
  Output again;
  load.logon(again, 7, noon_ns, false);
  EXPECT_FALSE(contains(text_of(again), "|141="));
  Output older;
  messages("FIX.4.2").logon(older, 1, noon_ns, true);
  EXPECT_FALSE(contains(text_of(older), "|1137="));
}

TEST(LoadMessages, ResentOrderIsAPossibleDuplicate) {
  LoadMessages load = messages("FIX.4.4");
  Output out;
  load.resent_order(out, 5, noon_ns + 2'000'000'000, 3, noon_ns);
  const std::string text = text_of(out);
  EXPECT_TRUE(contains(text,
                       "|34=5|43=Y|49=CLIENT1|52=20260101-12:00:02.123|56=SERVER|"
                       "122=20260101-12:00:00.123|11=RUN-0000000003|"))
      << text;
}

TEST(LoadMessages, SessionMessagesAreWhole) {
  LoadMessages load = messages("FIX.4.1");
  Output out;
  load.heartbeat(out, 1, noon_ns, "TEST");
  EXPECT_TRUE(contains(text_of(out), "|112=TEST|"));
  out.clear();
  load.heartbeat(out, 1, noon_ns, {});
  EXPECT_FALSE(contains(text_of(out), "|112="));
  out.clear();
  load.resend_request(out, 2, noon_ns, 5);
  EXPECT_TRUE(contains(text_of(out), "|7=5|16=999999|"));
  out.clear();
  load.gap_fill(out, 3, noon_ns, 9);
  EXPECT_TRUE(contains(text_of(out), "|34=3|43=Y|"));
  EXPECT_TRUE(contains(text_of(out), "|123=Y|36=9|"));
}

TEST(LoadMessages, BodyOfTextReplacesTheOrder) {
  auto shape = order_of_text("55=ACME|54=2|38=5|11=mine|40=1|60=then|35=D");
  ASSERT_TRUE(shape);
  shape->id_prefix = "P-";
  auto load = LoadMessages::make(identity("FIX.4.4"), *shape);
  ASSERT_TRUE(load);
  wire::TimeStampCache stamps;
  Output out;
  load->order(out, 1, noon_ns, 5, stamps);
  EXPECT_TRUE(contains(text_of(out), "|11=P-0000000005|55=ACME|54=2|38=5|40=1|60=2026"));
}

TEST(LoadMessages, BadBodiesAreRefused) {
  EXPECT_FALSE(order_of_text("55"));
  EXPECT_FALSE(order_of_text("=ACME"));
  EXPECT_FALSE(order_of_text("x=ACME"));
  EXPECT_FALSE(order_of_text("0=ACME"));
  EXPECT_FALSE(order_of_text("55="));
  EXPECT_FALSE(order_of_text("55=A||54=1"));
  EXPECT_FALSE(order_of_text("11=only"));
  EXPECT_FALSE(order_of_text(""));
}

TEST(LoadMessages, ValuesThatNoMessageCanHoldAreRefused) {
  OrderShape shape = standard_order("FIX.4.4");
  LoadIdentity soh = identity("FIX.4.4");
  soh.sender_comp_id = "A\x01";
  EXPECT_FALSE(LoadMessages::make(soh, shape));
  LoadIdentity nobody = identity("FIX.4.4");
  nobody.target_comp_id.clear();
  EXPECT_FALSE(LoadMessages::make(nobody, shape));
  LoadIdentity password = identity("FIX.4.4");
  password.password =
      "a\x01"
      "b";
  EXPECT_FALSE(LoadMessages::make(password, shape));
  shape.id_prefix = "12345678901";
  EXPECT_FALSE(LoadMessages::make(identity("FIX.4.4"), shape));
}

}  // namespace
}  // namespace affix::tools::bench
