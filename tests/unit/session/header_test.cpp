// SPDX-License-Identifier: MIT
#include "session/header.hpp"

#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "support/fix_text.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace affix::session {
namespace {

using wire::no_position;

/// Scans messages in sequence, like a session.
class HeaderTest : public ::testing::Test {
 protected:
  const Header& scan(const std::string& body) {
    bytes_ = support::make_message(body);
    wire::index_message(bytes_, index_);
    header_ = scan_header({bytes_, index_}, shapes_);
    return header_;
  }

  std::uint32_t at(HeaderField field) const {
    return header_.positions[static_cast<std::size_t>(field)];
  }

  std::string text(HeaderField field) const {
    return std::string(header_.text({bytes_, index_}, field));
  }

  wire::FieldIndexOf<256> index_;

 private:
  HeaderShapes shapes_;
  std::string bytes_;
  Header header_;
};

TEST_F(HeaderTest, FindsPresentFields) {
  const Header& header = scan(
      "35=D|49=A|56=B|34=7|52=20251231-18:21:36|43=Y|97=N|122=x|50=s|57=t|115=o|128=d|142=l|"
      "143=m|11=1|");
  EXPECT_EQ(at(HeaderField::BeginString), 0U);
  EXPECT_EQ(at(HeaderField::BodyLength), 1U);
  EXPECT_EQ(at(HeaderField::MsgType), 2U);
  EXPECT_EQ(at(HeaderField::MsgSeqNum), 5U);
  EXPECT_EQ(at(HeaderField::CheckSum), index_.count - 1);
  EXPECT_EQ(text(HeaderField::SenderCompId), "A");
  EXPECT_EQ(text(HeaderField::TargetCompId), "B");
  EXPECT_EQ(text(HeaderField::SendingTime), "20251231-18:21:36");
  EXPECT_EQ(text(HeaderField::OrigSendingTime), "x");
  EXPECT_EQ(text(HeaderField::SenderSubId), "s");
  EXPECT_EQ(text(HeaderField::TargetSubId), "t");
  EXPECT_EQ(text(HeaderField::OnBehalfOfCompId), "o");
  EXPECT_EQ(text(HeaderField::DeliverToCompId), "d");
  EXPECT_EQ(text(HeaderField::SenderLocationId), "l");
  EXPECT_EQ(text(HeaderField::TargetLocationId), "m");
  EXPECT_EQ(header.sequence, 7U);
  EXPECT_TRUE(header.possible_duplicate);
  EXPECT_FALSE(header.possible_resend);
  EXPECT_EQ(header.repeated_tag, 0U);
  EXPECT_EQ(header.first_empty, no_position);
}

TEST_F(HeaderTest, ReadsTheValuesOfAMessageWhoseTagsItKnows) {
  scan("35=D|49=A|56=B|34=7|43=Y|");
  const Header& header = scan("35=8|49=AA|56=BB|34=123456789012|43=N|");
  EXPECT_EQ(text(HeaderField::SenderCompId), "AA");
  EXPECT_EQ(text(HeaderField::MsgType), "8");
  EXPECT_EQ(header.sequence, 123'456'789'012U);
  EXPECT_FALSE(header.possible_duplicate);
  EXPECT_EQ(header.type, wire::MsgType("8"));
}

TEST_F(HeaderTest, SeesAnotherOrderOfAsManyFields) {
  scan("35=D|49=A|56=B|34=7|");
  scan("35=D|34=7|56=B|49=A|");
  EXPECT_EQ(at(HeaderField::MsgSeqNum), 3U);
  EXPECT_EQ(text(HeaderField::SenderCompId), "A");
}

TEST_F(HeaderTest, TakesNoTagForAnotherWithTheSameLowByte) {
  // 290 is 34 and 256, 305 is 49 and 256, 65570 is 34 and 65536.
  scan("35=D|290=1|305=X|65570=9|56=B|34=7|");
  EXPECT_EQ(at(HeaderField::MsgSeqNum), 7U);
  EXPECT_EQ(at(HeaderField::SenderCompId), no_position);
  // Also not if the places were learnt from the real tags.
  scan("35=D|49=A|34=7|56=B|");
  scan("35=D|305=A|290=7|56=B|");
  EXPECT_EQ(at(HeaderField::MsgSeqNum), no_position);
  EXPECT_EQ(at(HeaderField::SenderCompId), no_position);
}

TEST_F(HeaderTest, NamesARepeatedTagEveryTime) {
  for (int time = 0; time < 3; ++time) {
    EXPECT_EQ(scan("35=D|49=A|56=B|34=7|49=C|").repeated_tag, 49U);
    EXPECT_EQ(text(HeaderField::SenderCompId), "A");
    EXPECT_EQ(scan("35=D|49=A|56=B|34=7|34=8|").repeated_tag, 34U);
    // The sub ids may occur again, in groups.
    EXPECT_EQ(scan("35=D|49=A|50=B|34=7|50=C|").repeated_tag, 0U);
  }
}

TEST_F(HeaderTest, NumberIsZeroMissingOrTooLarge) {
  EXPECT_EQ(scan("35=D|49=A|").sequence, 0U);
  EXPECT_TRUE(scan("35=D|34=0|").sequence_zero);
  EXPECT_FALSE(scan("35=D|34=x|").sequence_zero);
  EXPECT_EQ(scan("35=D|34=-1|").sequence, 0U);
  EXPECT_EQ(scan("35=D|34=9223372036854775807|").sequence, 9'223'372'036'854'775'807U);
  EXPECT_EQ(scan("35=D|34=9223372036854775808|").sequence, 0U);
}

TEST_F(HeaderTest, FindsTheFirstEmptyValueAnywhere) {
  for (const std::uint32_t fields : {1U, 9U, 11U, 12U, 13U, 15U, 16U, 27U, 28U, 29U, 45U, 60U}) {
    for (std::uint32_t empty = 0; empty <= fields; ++empty) {
      std::string body = "35=D|";
      for (std::uint32_t at = 0; at < fields; ++at) {
        body += std::to_string(1000 + at) + (at == empty ? "=|" : "=x|");
      }
      EXPECT_EQ(scan(body).first_empty, empty == fields ? no_position : empty + 3) << fields;
    }
  }
}

/// The same by the simplest algorithm.
HeaderPositions slow_positions(const wire::FieldIndex& index, std::uint32_t& repeated_tag) {
  constexpr std::array<std::uint32_t, header_field_count> tags{
      0, 8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122, 50, 57, 115, 128, 142, 143};
  HeaderPositions positions;
  positions.fill(no_position);
  repeated_tag = 0;
  for (std::uint32_t at = 0; at < index.count; ++at) {
    for (std::size_t field = 1; field < tags.size(); ++field) {
      if (tags[field] != index.tags[at]) {
        continue;
      }
      if (positions[field] == no_position) {
        positions[field] = at;
      } else if (field <= static_cast<std::size_t>(HeaderField::OrigSendingTime) &&
                 repeated_tag == 0) {
        repeated_tag = tags[field];
      }
    }
  }
  return positions;
}

TEST_F(HeaderTest, AgreesWithASlowScanOverMixedMessages) {
  std::mt19937 random(20'251'231);  // NOLINT(cert-msc51-cpp): the same messages every time.
  constexpr std::array<std::uint32_t, 16> tags{34,  49,  56, 52, 43,  97,  122,    50,
                                               115, 142, 11, 55, 290, 305, 65'570, 9};
  std::vector<std::string> bodies;
  for (int number = 0; number < 60; ++number) {
    std::string body = "35=D|";
    for (auto left = random() % 70; left != 0; --left) {
      // Usually others, so that not every message has a duplicate header field.
      const std::uint32_t tag = random() % 4 == 0 ? tags[random() % tags.size()]
                                                  : static_cast<std::uint32_t>(200 + random() % 90);
      body += std::to_string(tag) + "=1|";
    }
    bodies.push_back(body);
  }
  for (int time = 0; time < 2000; ++time) {
    const Header& header = scan(bodies[random() % bodies.size()]);
    std::uint32_t repeated_tag = 0;
    const HeaderPositions expected = slow_positions(index_, repeated_tag);
    EXPECT_EQ(header.repeated_tag, repeated_tag);
    for (std::size_t field = 1; field < expected.size(); ++field) {
      EXPECT_EQ(header.positions[field], expected[field]) << field;
    }
  }
}

}  // namespace
}  // namespace affix::session
