// SPDX-License-Identifier: MIT
// Logon, orders in both directions, logout: over real sockets and journals, in every version.
#include "support/engine_case.hpp"

namespace affix::support {
namespace {

class EngineTrade : public testing::TestWithParam<std::string> {};

TEST_P(EngineTrade, OrdersGoBothWaysAndBothSidesLogOut) {
  Pair pair(GetParam());
  pair.venue_application.when_message =
      [](host::SessionHandle session, const wire::MessageView& message, const host::Delivery&) {
        wire::Encoder report = session.begin("8");
        report.text(37, "order");
        report.text(11, message.find(11U).value_or("?"));
        EXPECT_TRUE(session.commit(report).sent());
      };
  ASSERT_TRUE(pair.log_on());
  EXPECT_EQ(pair.venue_application.logon_requests, 1);
  EXPECT_EQ(pair.firm_application.logon_requests, 0);  // Only for acceptors.
  for (int order = 1; order <= 100; ++order) {
    const host::SendResult result = send_order(pair.firm(), std::to_string(order));
    ASSERT_EQ(result.status, host::SendStatus::Sent);
    ASSERT_EQ(result.sequence, static_cast<std::uint64_t>(order + 1));
  }
  ASSERT_TRUE(pair.turn_until([&] { return pair.firm_application.messages.size() == 100; }));
  for (std::size_t order = 0; order < 100; ++order) {
    EXPECT_EQ(pair.venue_application.messages[order].id, std::to_string(order + 1));
    EXPECT_EQ(pair.firm_application.messages[order].id, std::to_string(order + 1));
    EXPECT_EQ(pair.firm_application.messages[order].type, "8");
    EXPECT_EQ(pair.firm_application.messages[order].delivery.sequence, order + 2);
    EXPECT_FALSE(pair.firm_application.messages[order].delivery.redelivered);
  }
  pair.firm().logout("done");
  ASSERT_TRUE(pair.turn_until(
      [&] { return pair.firm().disconnected() && pair.venue_application.logouts.size() == 1; }));
  EXPECT_EQ(pair.firm_application.logouts.size(), 1U);
  EXPECT_EQ(pair.firm_application.logouts[0].second, "logout complete");
  EXPECT_EQ(pair.firm().next_sender_seq(), 103U);
  EXPECT_EQ(pair.venue().next_sender_seq(), 103U);
  EXPECT_EQ(pair.firm().next_target_seq(), 103U);
  EXPECT_FALSE(pair.firm_application.nested);
  EXPECT_FALSE(pair.venue_application.nested);
  // No callback reported anything false.
  EXPECT_EQ(send_order(pair.firm(), "late").status, host::SendStatus::NotLoggedOn);
}

INSTANTIATE_TEST_SUITE_P(Versions, EngineTrade, testing::Values("FIX.4.2", "FIX.4.4", "FIXT.1.1"),
                         [](const auto& version) {
                           std::string name = version.param;
                           std::erase(name, '.');
                           return name;
                         });

}  // namespace
}  // namespace affix::support
