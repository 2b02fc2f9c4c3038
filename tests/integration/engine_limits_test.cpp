// SPDX-License-Identifier: MIT
// Messages beyond the engine's limits, over a socket: the peer gets a reason and the session
// continues; and a flood of events is reported in a few lines.
#include "support/venue_case.hpp"

#include <string>
#include <vector>

namespace affix::support {
namespace {

class EngineLimits : public VenueCase {};

TEST_F(EngineLimits, AMessageOfTooManyBytesIsRejectedAndTheSessionGoesOn) {
  open([](config::SessionSettings& settings) { settings.max_message_bytes = 4'096; });
  RawPeer& firm = connect();
  firm.log_on();
  const std::string large = "11=large|58=" + std::string(6'000, 'x') + "|";
  firm.send("D", large);
  const RawMessage reject = firm.expect("3");
  EXPECT_EQ(reject[45], "2");
  EXPECT_EQ(reject[372], "D");
  EXPECT_EQ(reject[58], "Message is beyond the limit of 4096 bytes");
  firm.send("D", "11=next|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"next"});
  EXPECT_EQ(session().next_target_seq(), 4U);
  EXPECT_TRUE(application_.heard_code("S128", "34=2, 35=D, more than 4096 bytes"))
      << application_.all_events();
}

TEST_F(EngineLimits, OneThatWasLostComesAgainAndClosesItsGap) {
  open([](config::SessionSettings& settings) { settings.max_message_bytes = 4'096; });
  RawPeer& firm = connect();
  firm.log_on();
  firm.next_sequence = 3;
  firm.send("D", "11=three|");
  firm.expect("2");
  firm.send_bytes(
      firm.message("D", 2, "43=Y|122=" + utc_text() + "|58=" + std::string(70'000, 'x') + "|"));
  EXPECT_EQ(firm.expect("3")[45], "2");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  EXPECT_EQ(session().next_target_seq(), 4U);
}

TEST_F(EngineLimits, TooManyFieldsAreRejectedAndTheSessionGoesOn) {
  open();
  RawPeer& firm = connect();
  firm.log_on();
  std::string parties = "571=1|";
  for (int party = 0; party < 1'200; ++party) {
    parties += "448=p|452=1|";
  }
  firm.send("AE", parties);
  EXPECT_EQ(firm.expect("3")[58], "Message is beyond the limit of 2048 fields");
  firm.send("D", "11=next|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  EXPECT_TRUE(application_.heard_code("S128", "more than 2048 fields"))
      << application_.all_events();
}

TEST_F(EngineLimits, ABodyLengthThatIsTooLargeHidesNoMessage) {
  open();
  RawPeer& firm = connect();
  firm.log_on();
  std::string wrong = firm.message("D", 2, "11=wrong|");
  wrong.replace(wrong.find("9="), wrong.find('\x01', 10) - wrong.find("9="), "9=900000");
  firm.send_bytes(wrong);
  firm.send("D", "11=right|");
  ASSERT_TRUE(turn_until([&] { return application_.messages.size() == 1; }));
  EXPECT_EQ(application_.ids(), std::vector<std::string>{"right"});
  EXPECT_TRUE(application_.heard_code("S127"));
}

TEST_F(EngineLimits, AFloodAheadOfAGapIsReportedInAFewLines) {
  open();
  RawPeer& firm = connect();
  firm.log_on();
  firm.next_sequence = 10;
  std::string flood;
  for (int order = 0; order < 500; ++order) {
    flood += firm.message("D", firm.next_sequence++, "11=x|");
  }
  firm.send_bytes(flood);
  firm.expect("2");
  ASSERT_TRUE(turn_until([&] { return application_.heard_code("S307", "MsgSeqNum too"); }));
  // Ten in each second of the test, and the number of others.
  EXPECT_LE(application_.times_heard("S117") + application_.times_heard("S307"), 40);
  EXPECT_TRUE(session().logged_on());
}

TEST_F(EngineLimits, ATestReqIdOfManyBytesIsAnsweredWhole) {
  open();
  RawPeer& firm = connect();
  firm.log_on();
  const std::string id(60'000, 'x');
  for (int count = 0; count < 40; ++count) {  // More than the outbox holds.
    firm.send("1", "112=" + id + "|");
    EXPECT_TRUE(firm.expect("0")[112] == id);
  }
  EXPECT_FALSE(application_.heard_code("S137"));
}

}  // namespace
}  // namespace affix::support
