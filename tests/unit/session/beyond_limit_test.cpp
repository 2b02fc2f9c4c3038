// SPDX-License-Identifier: MIT
// Messages beyond the limits: the peer gets a reason, their numbers are consumed, and later
// messages are processed normally.

#include "session_case.hpp"

namespace affix::session_test {
namespace {

constexpr std::size_t fields_max = 1024;  // Of the endpoint's index.

std::string many_fields() {
  std::string fields = "11=1";
  for (std::size_t field = 0; field < fields_max; ++field) {
    fields += "|448=p";
  }
  return fields;
}

void expect_limit_reject(Case& one, const std::string& message, std::string_view sequence,
                         std::string_view limit) {
  EXPECT_EQ(type_of(message), "3") << readable(message);
  EXPECT_EQ(field_of(message, 45), sequence);
  EXPECT_EQ(field_of(message, 58), "Message is beyond the limit of " + std::string(limit));
  EXPECT_FALSE(has_field(message, 371));
  EXPECT_EQ(field_of(message, 373), one.version() >= Version::Fix44   ? "99"
                                    : one.version() >= Version::Fix42 ? "5"
                                                                      : "");
}

TEST(BeyondLimit, TooManyFieldsAreRejectedAndCounted) {
  each_session([](Case& one) {
    const Messages sent = one.peer.say("AE", many_fields());
    ASSERT_EQ(sent.size(), 1U);
    expect_limit_reject(one, sent[0], "2", "1024 fields");
    EXPECT_EQ(one.expected(), 3U);
    EXPECT_EQ(one.delivered(), 0U);
    EXPECT_TRUE(one.endpoint.reported(Event::BeyondLimit));
    EXPECT_EQ(types_of(one.order("next")), "");
    EXPECT_EQ(one.delivered(), 1U);
  });
}

TEST(BeyondLimit, AheadOfAGapTheNumberWaits) {
  each_session([](Case& one) {
    const Messages sent = one.peer.say("AE", many_fields(), {.sequence = 3});
    ASSERT_EQ(types_of(sent), "3 2");
    expect_limit_reject(one, sent[0], "3", "1024 fields");
    EXPECT_EQ(field_of(sent[1], 7), "2");
    // The resend brings both; the large one is not rejected again.
    EXPECT_EQ(types_of(one.order(
                  "2", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)})),
              "");
    EXPECT_EQ(one.expected(), 4U);
    EXPECT_EQ(types_of(one.peer.say(
                  "AE", many_fields(),
                  {.sequence = 3, .possible_duplicate = true, .extra = "122=" + one.ago(1)})),
              "");
    EXPECT_EQ(types_of(one.order("4", {.sequence = 4})), "");
    EXPECT_EQ(one.delivered(), 2U);
  });
}

TEST(BeyondLimit, AResendOfItClosesTheGap) {
  each_session([](Case& one) {
    // It was lost, as the next message shows.
    EXPECT_EQ(types_of(one.order("3", {.sequence = 3})), "2");
    const Messages sent =
        one.peer.say("AE", many_fields(),
                     {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
    EXPECT_EQ(types_of(sent), "3");
    EXPECT_EQ(one.expected(), 4U);
    EXPECT_EQ(one.endpoint.state().gap, session::GapState());
    EXPECT_EQ(one.delivered(), 1U);
  });
}

TEST(BeyondLimit, AWrongSumIsGarbledAsEver) {
  each_session([](Case& one) {
    std::string message = one.peer.message("AE", many_fields());
    message[message.size() - 2] = message[message.size() - 2] == '0' ? '1' : '0';
    EXPECT_TRUE(one.peer.say_bytes(message).empty());
    EXPECT_EQ(one.expected(), 2U);
    EXPECT_TRUE(one.endpoint.reported(Event::Garbled));
    EXPECT_FALSE(one.endpoint.reported(Event::BeyondLimit));
  });
}

TEST(BeyondLimit, AMessageWithoutANumberEndsTheSessionWithAText) {
  each_session([](Case& one) {
    const Messages sent = one.peer.say("5", many_fields());
    ASSERT_EQ(types_of(sent), "5");
    EXPECT_EQ(field_of(sent[0], 58), "Message is beyond the limit of 1024 fields");
  });
}

TEST(BeyondLimit, TooManyBytesAreReportedByTheFramer) {
  each_session([](Case& one) {
    const std::string message = one.peer.message("D", "11=1|58=" + std::string(5'000, 'x'));
    const std::string_view head = std::string_view(message).substr(0, message.find("58=xx"));
    wire::FieldIndexOf<32> index;
    wire::index_message(head, index);
    one.endpoint.now = one.clock.now();
    one.endpoint.session().on_too_large(wire::MessageView(head, index), 4'096, one.clock.now(),
                                        one.endpoint.out());
    one.endpoint.carry_out();
    const Messages sent = one.peer.listen();
    ASSERT_EQ(sent.size(), 1U);
    expect_limit_reject(one, sent[0], "2", "4096 bytes");
    EXPECT_EQ(one.expected(), 3U);
    ASSERT_FALSE(one.endpoint.received.empty());
    EXPECT_EQ(one.endpoint.received.back().bytes, "");  // No part of it is taken for a message.
  });
}

TEST(BeyondLimit, NoLogonIsOne) {
  each_version(Role::Acceptor, [](Case& one) {
    one.connect();
    EXPECT_TRUE(one.peer.say("A", one.logon_fields(many_fields())).empty());
    EXPECT_EQ(one.endpoint.disconnect_reason, DisconnectReason::FirstNotLogon);
    EXPECT_EQ(one.expected(), 1U);
  });
}

}  // namespace
}  // namespace affix::session_test
