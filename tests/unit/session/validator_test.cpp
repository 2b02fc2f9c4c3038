// SPDX-License-Identifier: MIT
// Scenarios 2q, 2r and 14 as far as a dictionary covers them: the validator's result and its
// consequences.

#include "session_case.hpp"

namespace affix::session_test {

namespace {

/// Validates by the text of field 58: a script for the validator inside the message.
session::Validation judge(const void* context, const wire::MessageView& message) noexcept {
  ++*static_cast<int*>(const_cast<void*>(context));
  const std::string_view word = message.find(58).value_or("");
  if (word == "reject") {
    return {session::Verdict::Reject, 2, 9999, true, "Tag not defined for this message type"};
  }
  if (word == "reject without tag") {
    return {session::Verdict::Reject, 11, 0, false, {}};
  }
  if (word == "business") {
    return {session::Verdict::RejectBusiness, 3, 0, false, "Unsupported Message Type"};
  }
  if (word == "warn") {
    return {session::Verdict::Warn, 0, 58, true, "odd"};
  }
  return {};
}

class JudgedCase : public Case {
 public:
  explicit JudgedCase(SessionOptions options, int* calls) : Case(with(options, calls)) {}

 private:
  static SessionOptions with(SessionOptions options, int* calls) {
    options.validator = {judge, calls};
    return options;
  }
};

template <typename Check>
void each_judged(Check check) {
  for (const Role role : {Role::Acceptor, Role::Initiator}) {
    for (const std::string_view version : versions) {
      SCOPED_TRACE(version);
      int calls = 0;
      JudgedCase one(make_options(role, version), &calls);
      one.log_on();
      check(one, calls);
    }
  }
}

}  // namespace

TEST(Validator2q, ABusinessRejectIsNotAnsweredByAnother) {
  each_judged([](Case& one, int&) {
    EXPECT_TRUE(one.peer.say("j", "58=business").empty());
    EXPECT_TRUE(one.peer.say("3", "45=1|58=business").empty());
    EXPECT_EQ(one.expected(), 4u);
    // A session-level fault is reported once: the other side does not answer that.
    EXPECT_EQ(types_of(one.peer.say("j", "58=reject")), "3");
    EXPECT_TRUE(one.peer.say("3", "45=1|58=reject").empty());
  });
}

TEST(Validator2q, RejectCountsAndNothingIsDelivered) {
  each_judged([](Case& one, int&) {
    Messages sent = one.peer.say("D", "58=reject");
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "2", "9999", "2");
    sent = one.peer.say("D", "58=reject without tag");
    ASSERT_EQ(types_of(sent), "3");
    expect_reject(one, sent[0], "11", "", "3");
    EXPECT_EQ(field_of(sent[0], 58), "Invalid MsgType");
    EXPECT_EQ(one.expected(), 4u);
    EXPECT_EQ(one.delivered(), 0u);
  });
}

TEST(Validator2r, UnsupportedTypeGetsABusinessReject) {
  each_judged([](Case& one, int&) {
    const Messages sent = one.peer.say("D", "58=business");
    ASSERT_EQ(types_of(sent), one.version() <= Version::Fix41 ? "3" : "j");
    EXPECT_EQ(one.expected(), 3u);
    EXPECT_EQ(one.delivered(), 0u);
  });
}

TEST(Validator, WarningIsReportedAndTheMessageDelivered) {
  each_judged([](Case& one, int&) {
    EXPECT_TRUE(one.peer.say("D", "58=warn").empty());
    EXPECT_EQ(one.delivered(), 1u);
    EXPECT_TRUE(one.endpoint.reported(Event::Warned));
  });
}

TEST(Validator, TextOfAReasonIsFilledIn) {
  each_judged([](Case& one, int&) {
    const Messages sent = one.peer.say("D", "58=reject without tag");
    ASSERT_EQ(types_of(sent), "3");
    EXPECT_EQ(field_of(sent[0], 58), "Invalid MsgType");
  });
}

TEST(Validator, BeforeTheNumberItIsAskedForEveryMessage) {
  int calls = 0;
  SessionOptions options = make_options(Role::Acceptor, "FIX.4.4");
  options.validation_place = session::ValidationPlace::BeforeNumber;
  JudgedCase one(options, &calls);
  one.log_on();
  calls = 0;
  // Ahead of a gap: rejected at once, without consuming a number, without a request, and not held.
  EXPECT_EQ(types_of(one.peer.say("D", "58=reject", {.sequence = 5})), "3");
  EXPECT_EQ(one.expected(), 2u);
  EXPECT_EQ(calls, 1);
  // Valid and ahead: validated at arrival, and not again when it is in sequence.
  one.order("3", {.sequence = 3});
  EXPECT_EQ(calls, 2);
  one.order("2", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(one.delivered(), 2u);
  EXPECT_EQ(types_of(one.peer.say("D", "58=reject", {.sequence = 4})), "3");
  EXPECT_EQ(one.expected(), 5u);
}

TEST(Validator, JudgesALogonThatResetsInMidSession) {
  int calls = 0;
  JudgedCase one(make_options(Role::Acceptor, "FIX.4.4"), &calls);
  one.log_on();
  EXPECT_EQ(types_of(one.peer.say("A", one.logon_fields("141=Y|58=reject"), {.sequence = 1})), "3");
  EXPECT_EQ(one.expected(), 2u);
}

TEST(Validator, IsAskedOnceAndOnlyWhenTheMessageIsNext) {
  each_judged([](Case& one, int& calls) {
    calls = 0;
    one.order("3", {.sequence = 3});
    EXPECT_EQ(calls, 0);
    one.order("2", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
    EXPECT_EQ(calls, 2);
    one.order("2", {.sequence = 2, .possible_duplicate = true, .extra = "122=" + one.ago(1)});
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(one.delivered(), 2u);
  });
}

TEST(Validator, HasItsOwnWordOnEmptyValues) {
  each_judged([](Case& one, int&) {
    EXPECT_TRUE(one.peer.say("D", "11=|55=X").empty());
    EXPECT_EQ(one.delivered(), 1u);
  });
}

TEST(Validator, LogonThatFailsItIsRefusedAndTheSessionStaysFree) {
  int calls = 0;
  JudgedCase one(make_options(Role::Acceptor, "FIX.4.4"), &calls);
  one.connect();
  const Messages sent = one.peer.say("A", one.logon_fields("58=reject"), {.sequence = 1});
  ASSERT_EQ(types_of(sent), "5");
  EXPECT_EQ(field_of(sent[0], 58), "Tag not defined for this message type");
  one.endpoint.disconnect();
  one.log_on();
}

TEST(Validator, PoisonMessageDoesNotStopTheSession) {
  each_judged([](Case& one, int&) {
    for (int number = 0; number < 50; ++number) {
      EXPECT_EQ(types_of(one.peer.say("D", "58=reject")), "3");
    }
    EXPECT_TRUE(one.order("good").empty());
    EXPECT_EQ(one.delivered(), 1u);
  });
}

}  // namespace affix::session_test
