// SPDX-License-Identifier: MIT
// Explanations for operators about a first message that opens no session.
#include "engine/unknown_peer.hpp"

#include "host/session_slot.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::engine {
namespace {

class UnknownPeer : public testing::Test {
 protected:
  void add(const char* begin_string, const char* ours, const char* theirs) {
    sessions_.push_back(
        slots_.emplace_back(host::SeatNames{ours, "SERVER", begin_string, ours, theirs, ""})
            .handle());
  }

  std::string text(std::string fields) {
    for (char& c : fields) {
      c = c == '|' ? wire::soh : c;
    }
    const std::string body = "35=" + fields;
    bytes_ =
        "8=FIX.4.4\x01"
        "9=" +
        std::to_string(body.size()) + "\x01" + body;
    std::uint32_t sum = 0;
    for (const char c : bytes_) {
      sum += static_cast<unsigned char>(c);
    }
    bytes_ += "10=" + std::to_string(1'000 + sum % 256).substr(1) + "\x01";
    wire::index_message(bytes_, index_);
    const wire::MessageView view(bytes_, index_);
    return view.type() == wire::MsgType("A") ? why_no_session(view, sessions_, templates_)
                                             : why_no_logon(view);
  }

  std::deque<host::SessionSlot> slots_;
  std::vector<host::SessionHandle> sessions_;
  std::vector<config::SessionIds> templates_;
  std::string bytes_;
  wire::FieldIndexOf<64> index_;
};

constexpr const char* lead = "the first message is not a Logon for a session of ours: ";

TEST_F(UnknownPeer, AMessageThatIsNotALogonIsNamed) {
  EXPECT_EQ(text("D|49=FIRM|56=VENUE|554=secret|"),
            std::string(lead) + "35=D 8=FIX.4.4 49=FIRM 56=VENUE; a session begins with 35=A");
}

TEST_F(UnknownPeer, TheNearestSessionIsNamed) {
  EXPECT_EQ(text("A|49=FIRM|56=VENUE|"),
            std::string(lead) + "35=A 8=FIX.4.4 49=FIRM 56=VENUE; this port has no session");
  add("FIX.4.2", "VENUE", "FIRM");
  add("FIX.4.4", "VENUE", "OTHER");
  add("FIX.4.4", "DESK", "PEER");
  EXPECT_EQ(text("A|49=FIRM|56=VENUE|"), std::string(lead) +
                                             "35=A 8=FIX.4.4 49=FIRM 56=VENUE; this pair of "
                                             "CompIDs has 8=FIX.4.2");
  EXPECT_NE(text("A|49=VENUE|56=OTHER|").find("; 49 and 56 are the other way round"),
            std::string::npos);
  EXPECT_NE(text("A|49=X|56=VENUE|").find("; sessions of this 56 have 49=FIRM and OTHER"),
            std::string::npos);
  EXPECT_NE(text("A|49=PEER|56=X|").find("; this 49 has 56=DESK"), std::string::npos);
  EXPECT_NE(text("A|49=X|56=Y|").find("; sessions of this port have 56=DESK and VENUE"),
            std::string::npos);
  EXPECT_NE(text("A|56=Y|").find(" without 49 56=Y"), std::string::npos);
}

TEST_F(UnknownPeer, TemplatesOfThePortAreNamed) {
  templates_.push_back({"FIX.4.4", {"VENUE", "DESK*"}});
  templates_.push_back({"FIX.4.2", {"VENUE", "*"}});
  EXPECT_EQ(text("A|49=FIRM|56=VENUE|"),
            std::string(lead) +
                "35=A 8=FIX.4.4 49=FIRM 56=VENUE; templates of this port are for 8=FIX.4.2 49=* "
                "56=VENUE and 8=FIX.4.4 49=DESK* 56=VENUE");
  add("FIX.4.4", "VENUE", "OTHER");
  EXPECT_NE(text("A|49=FIRM|56=VENUE|").find("; sessions of this 56 have 49=OTHER; templates of "),
            std::string::npos);
}

TEST_F(UnknownPeer, ManyNamesAreCounted) {
  const std::vector<std::string> names{"A", "B", "C", "D", "E", "F", "G"};
  for (const std::string& name : names) {
    add("FIX.4.4", "VENUE", name.c_str());
  }
  EXPECT_NE(text("A|49=X|56=VENUE|").find("49=A, B, C, D, E and 2 more"), std::string::npos)
      << text("A|49=X|56=VENUE|");
}

TEST_F(UnknownPeer, StrangersTextsAreCutAndHarmless) {
  const std::string what = text("A|49=" + std::string(500, 'x') + "|56=a\x1b[2Jb|554=secret|");
  EXPECT_NE(what.find(std::string(64, 'x') + "..."), std::string::npos);
  EXPECT_EQ(what.find(std::string(65, 'x')), std::string::npos);
  EXPECT_NE(what.find("56=a?[2Jb"), std::string::npos);
  EXPECT_EQ(what.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace affix::engine
