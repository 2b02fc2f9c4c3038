// SPDX-License-Identifier: MIT
// What events read like, and that nothing a peer wrote breaks a log line.
#include "engine/report_text.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace affix::engine {
namespace {

std::string written(const session::Report& report) {
  ReportText text;
  return std::string(text.write(report));
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
  const std::string text = written({session::Event::LogoutReceived, 1, 0, std::string(5'000, 'x')});
  EXPECT_EQ(text.size(), 512U);
}

TEST(ReportText, EverySendErrorHasAStatus) {
  EXPECT_EQ(status_of(session::SendError::OutboxFull), SendStatus::Backlogged);
  EXPECT_EQ(status_of(session::SendError::Encoding), SendStatus::Invalid);
  EXPECT_EQ(status_of(session::SendError::TooLargeForPeer), SendStatus::TooLarge);
  EXPECT_EQ(status_of(session::SendError::BadType), SendStatus::TypeRefused);
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
}  // namespace affix::engine
