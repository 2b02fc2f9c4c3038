// SPDX-License-Identifier: MIT
// Texts of events, and that no text of a peer breaks a log line.
#include "host/report_text.hpp"

#include "affix/dictionary/load.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace affix::host {
namespace {

std::string written(const session::Report& report, const SessionDictionary& dictionary = {}) {
  ReportText text;
  return std::string(text.write(report, dictionary));
}

/// A session's dictionary that only has names.
SessionDictionary with_names() {
  const dictionary::Loaded loaded = dictionary::load_text(
      "<fix type='FIX' major='5' minor='0'><header/><trailer/><messages>"
      "<message name='NewOrderSingle' msgtype='D' msgcat='app'><field name='OrderQty' "
      "required='N'/>"
      "</message><message name='VenueNotice' msgtype='UVENUE' msgcat='app'>"
      "<field name='OrderQty' required='N'/></message></messages><components/>"
      "<fields><field number='38' name='OrderQty' type='QTY'/></fields></fix>");
  return SessionDictionary(nullptr, {},
                           {std::make_shared<const dictionary::Names>(loaded.dictionary.value())},
                           nullptr, nullptr, dictionary::Rules::strict());
}

TEST(ReportText, WithoutADictionaryTagsAndTypesAreNumbers) {
  EXPECT_EQ(written({session::Event::Rejected, 5, 38, "why", "D"}),
            "message rejected: 35=D, tag 38, reason 5: why");
  EXPECT_EQ(written({session::Event::Rejected, 11, 0, "why", "D"}),
            "message rejected: 35=D, reason 11: why");
  EXPECT_EQ(written({session::Event::FirstNotLogon, 7, 0, {}, "D"}),
            "first message is not a Logon: 34=7, 35=D");
  EXPECT_EQ(written({session::Event::DuplicateIgnored, 7, 0, {}, "8"}),
            "possible duplicate ignored: 7, 35=8");
}

TEST(ReportText, ADictionaryNamesThemOrIsSaidNotToKnowThem) {
  const SessionDictionary names = with_names();
  EXPECT_EQ(written({session::Event::Warned, 0, 38, "why", "D"}, names),
            "message delivered with a warning: 35=D (NewOrderSingle), tag 38 (OrderQty), reason 0: "
            "why");
  EXPECT_EQ(written({session::Event::RejectedBusiness, 3, 0, "no", "UVENUE"}, names),
            "message rejected on the business level: 35=UVENUE (VenueNotice), reason 3: no");
  EXPECT_EQ(written({session::Event::Rejected, 0, 9999, "why", "ZZ"}, names),
            "message rejected: 35=ZZ (unknown to the dictionary), tag 9999 (unknown to the "
            "dictionary), reason 0: why");
  EXPECT_EQ(written({session::Event::RejectReceived, 12, 38, "no good", "D"}, names),
            "Reject received: 34=12, 35=D (NewOrderSingle), tag 38 (OrderQty): no good");
  EXPECT_EQ(written({session::Event::LogonRefused, 1, 38, "why"}, names),
            "Logon refused: 34=1, tag 38 (OrderQty): why");
  EXPECT_EQ(written({session::Event::WrongCompId, 2, UINT64_MAX, {}}, names),
            "CompID wrong: 34=2, tag 18446744073709551615 (unknown to the dictionary)");
  EXPECT_EQ(written({session::Event::SequenceTooHigh, 3, 9, {}, "D"}, names),
            "MsgSeqNum too high: 3, 9, 35=D (NewOrderSingle)");
}

TEST(ReportText, ATypeThatWasCutIsShownAsCut) {
  EXPECT_EQ(written({session::Event::FirstNotLogon, 0, 0, {}, "UVENUES"}, with_names()),
            "first message is not a Logon: 35=UVENUES...");
  EXPECT_EQ(written({session::Event::FirstNotLogon, 0, 0, {}, "UVENUESAREMANY"}),
            "first message is not a Logon: 35=UVENUES...");
  EXPECT_EQ(written({session::Event::FirstNotLogon, 0, 0, {}, "a\x1b[2J"}),
            "first message is not a Logon: 35=a|[2J");
}

TEST(ReportText, NumbersOfALogonAndALimitAreNamed) {
  EXPECT_EQ(written({session::Event::LoggedOn, 2, 7, {}}),
            "logged on, next outgoing 2, next incoming 7");
  EXPECT_EQ(written({session::Event::BeyondLimit, 5, 65'536, "bytes of a message", "D"}),
            "message beyond a limit of ours: 34=5, 35=D, more than 65536 bytes of a message");
  EXPECT_EQ(written({session::Event::WrongCompId, 2, 49, "STRANGER", "D"}),
            "CompID wrong: 34=2, 35=D, tag 49: STRANGER");
}

TEST(ReportText, AWrongIdIsFollowedByTheSessionsOwn) {
  session::SessionOptions options;
  options.begin_string = "FIX.4.4";
  options.sender_comp_id = "VENUE";
  options.target_comp_id = "FIRM";
  const auto whole = [&](const session::Report& report) {
    ReportText text;
    return std::string(text.write(report, SessionDictionary(), right_value(report, options)));
  };
  EXPECT_EQ(whole({session::Event::WrongCompId, 2, 49, "STRANGER", "D"}),
            "CompID wrong: 34=2, 35=D, tag 49: STRANGER, this session has FIRM");
  EXPECT_EQ(whole({session::Event::WrongCompId, 1, 56, {}, "A"}),
            "CompID wrong: 34=1, 35=A, tag 56: this session has VENUE");
  EXPECT_EQ(whole({session::Event::WrongBeginString, 2, 0, "FIX.4.2", "D"}),
            "BeginString wrong: 2, 35=D: FIX.4.2, this session has FIX.4.4");
  EXPECT_EQ(whole({session::Event::SequenceTooHigh, 7, 0, {}}), "MsgSeqNum too high: 7");
}

TEST(ReportText, NumbersAndTextFollowTheEvent) {
  const std::string event = session::to_text(session::Event::SequenceTooHigh);
  EXPECT_EQ(written({session::Event::SequenceTooHigh, 0, 0, {}}), event);
  EXPECT_EQ(written({session::Event::SequenceTooHigh, 7, 0, {}}), event + ": 7");
  EXPECT_EQ(written({session::Event::SequenceTooHigh, 7, 9, {}}), event + ": 7, 9");
  EXPECT_EQ(written({session::Event::SequenceTooHigh, 7, 9, "why"}), event + ": 7, 9: why");
  EXPECT_EQ(written({session::Event::SequenceTooHigh, UINT64_MAX, UINT64_MAX, {}}),
            event + ": 18446744073709551615, 18446744073709551615");
}

TEST(ReportText, ControlCharactersAreShownAsBars) {
  const std::string text = written({session::Event::LogoutReceived, 1, 0,
                                    "a\x01"
                                    "b\nc\x1b[2J"});
  EXPECT_NE(text.find("a|b|c|[2J"), std::string::npos) << text;
  const std::string deleted = written({session::Event::LogoutReceived, 1, 0, "a\x7f"});
  EXPECT_EQ(deleted.find('\x7f'), std::string::npos);
}

TEST(ReportText, LongTextsAreCut) {
  const std::string words(5'000, 'x');
  const std::string text = written({session::Event::LogoutReceived, 1, 0, words});
  EXPECT_EQ(text.size(), 512U);
}

TEST(ReportText, EverySendErrorHasAStatus) {
  EXPECT_EQ(status_of(session::SendError::OutboxFull), SendStatus::Backlogged);
  EXPECT_EQ(status_of(session::SendError::Encoding), SendStatus::Invalid);
  EXPECT_EQ(status_of(session::SendError::TooLargeForPeer), SendStatus::TooLarge);
  EXPECT_EQ(status_of(session::SendError::BadType), SendStatus::TypeRefused);
  EXPECT_EQ(status_of(session::SendError::RejectOfReject), SendStatus::RejectOfReject);
  EXPECT_EQ(status_of(session::SendError::LoggingOut), SendStatus::NotLoggedOn);
  EXPECT_STREQ(to_text(SendStatus::Sent), "sent");
  EXPECT_STREQ(to_text(static_cast<SendStatus>(200)), "unknown");
}

TEST(ReportText, FaultsThatEndASessionAreErrors) {
  using Severity = Event::Severity;
  EXPECT_EQ(severity_of(session::Event::PeerSilent), Severity::Error);
  EXPECT_EQ(severity_of(session::Event::SequenceTooLow), Severity::Error);
  EXPECT_EQ(severity_of(session::Event::LoggedOn), Severity::Info);
  EXPECT_EQ(severity_of(session::Event::Garbled), Severity::Warning);
  EXPECT_EQ(severity_of(session::Event::TestRequestSent), Severity::Debug);
}

}  // namespace
}  // namespace affix::host
