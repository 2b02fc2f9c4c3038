// SPDX-License-Identifier: MIT
// Sequence numbers that are used up: reported once, and the session ends in order.

#include "session_case.hpp"

namespace affix::session_test {
namespace {

constexpr std::uint64_t last = 0x7FFF'FFFF'FFFF'FFFF;

TEST(Exhausted, TheLastNumberIsTheLogouts) {
  each_session([](Case& one) {
    ASSERT_TRUE(one.endpoint.session().set_next_outgoing(last - 1, one.endpoint.out()));
    one.endpoint.carry_out();
    ASSERT_TRUE(one.endpoint.send("D", "11=1"));
    EXPECT_EQ(one.endpoint.send("D", "11=2").error(), session::SendError::SequenceExhausted);
    static_cast<void>(one.peer.listen());
    const Messages sent = one.peer.pass(1);
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 34), std::to_string(last));
    EXPECT_EQ(field_of(sent[0], 58), "Sequence numbers are exhausted");
    one.peer.say("5");
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutComplete);
    EXPECT_EQ(one.endpoint.report_count(Event::OutboxFull), 0U);
  });
}

TEST(Exhausted, NoTimerIsDueForEver) {
  each_session([](Case& one) {
    ASSERT_TRUE(one.endpoint.session().set_next_outgoing(last, one.endpoint.out()));
    one.endpoint.carry_out();
    static_cast<void>(one.peer.pass(1));
    // From a peer that answers nothing and requests Heartbeats, for which there is no number.
    for (int count = 0; count < 20; ++count) {
      one.peer.say("1", "112=x");
      one.endpoint.now = one.clock.now();
      one.endpoint.tick();
      if (one.endpoint.disconnect_reason) {
        break;
      }
      EXPECT_GT(one.endpoint.session().deadline(), one.clock.now().steady_ns);
    }
    static_cast<void>(one.peer.pass(6 * ns_per_second));
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::LogoutTimeout);
    EXPECT_LE(one.endpoint.report_count(Event::OutboxFull), 0U);
  });
}

TEST(Exhausted, NoSessionBeginsWithoutAReset) {
  each_case([](Case& one) {
    ASSERT_TRUE(one.endpoint.session().set_next_outgoing(last, one.endpoint.out()));
    one.endpoint.carry_out();
    Messages sent = one.connect();
    if (one.acceptor()) {
      sent = one.peer.say("A", one.logon_fields());
    }
    EXPECT_EQ(types_of(sent), "");
    EXPECT_TRUE(one.endpoint.disconnect_reason.has_value());
    EXPECT_EQ(one.endpoint.state().next_outgoing, last);
  });
}

TEST(Exhausted, AResetBeginsAnew) {
  each_version(Role::Acceptor, [](Case& one) {
    if (one.version() == Version::Fix40) {
      return;  // This version has no ResetSeqNumFlag.
    }
    ASSERT_TRUE(one.endpoint.session().set_next_outgoing(last, one.endpoint.out()));
    one.endpoint.carry_out();
    one.log_on("141=Y");
    EXPECT_EQ(one.endpoint.state().next_outgoing, 2U);
  });
}

}  // namespace
}  // namespace affix::session_test
