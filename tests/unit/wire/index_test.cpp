// SPDX-License-Identifier: MIT
#include "affix/wire/index.hpp"

#include "affix/wire/kernel.hpp"

#include "support/fix_text.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::wire {
namespace {

using support::make_message;
using support::trailer_of;
using support::with_soh;

constexpr std::uint32_t index_capacity = 128;

/// Contents of an index for a test: `tag=value` of each field, then fault and defect with their
/// places.
std::string describe(std::string_view message, const FieldIndex& index) {
  std::string result;
  for (std::uint32_t position = 0; position < index.count; ++position) {
    result += std::to_string(index.tags[position]) + "=";
    result += message.substr(index.begins[position], index.ends[position] - index.begins[position]);
    result += '|';
  }
  if (index.fault_count != 0) {
    result += " fault " + std::to_string(static_cast<int>(index.fault)) + " at " +
              std::to_string(index.fault_at) + " of " + std::to_string(index.fault_count);
  }
  if (index.defect != MessageDefect::None) {
    result += " defect " + std::to_string(static_cast<int>(index.defect)) + " at " +
              std::to_string(index.defect_at);
  }
  return result;
}

std::string fault_text(FieldFault fault, std::size_t at, int count = 1) {
  return " fault " + std::to_string(static_cast<int>(fault)) + " at " + std::to_string(at) +
         " of " + std::to_string(count);
}

std::string defect_text(MessageDefect defect, std::size_t at) {
  return " defect " + std::to_string(static_cast<int>(defect)) + " at " + std::to_string(at);
}

std::string indexed(std::string_view message,
                    const DataFields& data_fields = DataFields::standard()) {
  FieldIndexOf<index_capacity> index;
  index_message(message, index, data_fields);
  return describe(message, index);
}

TEST(Index, GivesTagOffsetAndEndOfEveryField) {
  const std::string message = with_soh("8=FIX.4.2|9=15|35=0|34=2|112=a|10=176|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index);
  ASSERT_EQ(index.count, 6U);
  const std::vector<std::uint32_t> tags{8, 9, 35, 34, 112, 10};
  const std::vector<std::uint32_t> begins{2, 12, 18, 23, 29, 34};
  const std::vector<std::uint32_t> ends{9, 14, 19, 24, 30, 37};
  for (std::uint32_t position = 0; position < index.count; ++position) {
    EXPECT_EQ(index.tags[position], tags[position]);
    EXPECT_EQ(index.begins[position], begins[position]);
    EXPECT_EQ(index.ends[position], ends[position]);
  }
  EXPECT_EQ(index.field_begin(0), 0U);
  EXPECT_EQ(index.field_begin(4), 25U);
}

TEST(Index, AcceptsAGoodMessage) {
  const std::string message =
      make_message("35=8|34=12|49=A|56=B|52=20240101-00:00:00.123|55=IBM|38=100|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index);
  EXPECT_TRUE(index.clean());
  EXPECT_EQ(index.count, 10U);
  EXPECT_EQ(index.fault_count, 0U);
}

TEST(Index, ForgetsTheMessageBefore) {
  FieldIndexOf<index_capacity> index;
  index_message(with_soh("x|=|8=3|"), index);
  EXPECT_FALSE(index.clean());
  index_message(make_message("35=0|"), index);
  EXPECT_TRUE(index.clean());
  EXPECT_EQ(index.fault_count, 0U);
  EXPECT_EQ(index.fault_at, 0U);
  EXPECT_EQ(index.defect_at, 0U);
  EXPECT_EQ(index.count, 4U);
}

TEST(Index, KeepsEqualsSignsOfValues) {
  const std::string message = make_message("35=0|58=a=b==|1==|2=====|96=8=9=|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index);
  EXPECT_TRUE(index.clean());
  EXPECT_EQ(message.substr(index.begins[3], index.ends[3] - index.begins[3]), "a=b==");
  EXPECT_EQ(message.substr(index.begins[4], index.ends[4] - index.begins[4]), "=");
  EXPECT_EQ(message.substr(index.begins[5], index.ends[5] - index.begins[5]), "====");
}

TEST(Index, TakesEmptyValues) {
  const std::string message = make_message("35=0|58=|1=|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index);
  EXPECT_TRUE(index.clean());
  EXPECT_EQ(index.begins[3], index.ends[3]);
}

TEST(Index, TakesTagsOfEveryLength) {
  const std::vector<std::string> tags{
      "1",
      "12",
      "123",
      "1234",
      "12345",
      "123456",
      "1234567",
      "12345678",
      "123456789",
      "1234567890",
      "2147483647",
      "0055",
      "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000077"};
  for (const std::string& tag : tags) {
    const std::string message = make_message("35=0|" + tag + "=x|" + tag + "=y|");
    FieldIndexOf<index_capacity> index;
    index_message(message, index);
    EXPECT_TRUE(index.clean()) << tag;
    EXPECT_EQ(index.tags[3], std::stoul(tag));
    EXPECT_EQ(index.tags[4], std::stoul(tag));
  }
}

TEST(Index, ReportsFaultyTagsAndGoesOn) {
  const std::vector<std::pair<std::string, FieldFault>> cases{
      {"nothing", FieldFault::MissingEquals},
      {"", FieldFault::MissingEquals},
      {"=x", FieldFault::TagEmpty},
      {"5a=x", FieldFault::TagNotNumber},
      {"a=x", FieldFault::TagNotNumber},
      {"-=x", FieldFault::TagNotNumber},
      {"--5=x", FieldFault::TagNotNumber},
      {"+5=x", FieldFault::TagNotNumber},
      {" 5=x", FieldFault::TagNotNumber},
      {"5 =x", FieldFault::TagNotNumber},
      {"5/=x", FieldFault::TagNotNumber},
      {"5:=x", FieldFault::TagNotNumber},
      {"\xb5=x", FieldFault::TagNotNumber},
      {std::string("5\0=x", 4), FieldFault::TagNotNumber},
      {"12345x=x", FieldFault::TagNotNumber},
      {"x123456789=x", FieldFault::TagNotNumber},
      {"-5=x", FieldFault::TagNegative},
      {"-0=x", FieldFault::TagNegative},
      {"-99999999999999999999999=x", FieldFault::TagNegative},
      {"0=x", FieldFault::TagZero},
      {"0000=x", FieldFault::TagZero},
      {"00000=x", FieldFault::TagZero},
      {"2147483648=x", FieldFault::TagTooLarge},
      {"9999999999=x", FieldFault::TagTooLarge},
      {"18446744073709551617=x", FieldFault::TagTooLarge},
      {"99999999999999999999999999999999=x", FieldFault::TagTooLarge},
  };
  for (const auto& [field, fault] : cases) {
    const std::string message = make_message("35=0|" + field + "|58=y|" + field + "|");
    FieldIndexOf<index_capacity> index;
    index_message(message, index);
    EXPECT_TRUE(index.whole()) << field;
    EXPECT_EQ(index.fault, fault) << field;
    EXPECT_EQ(index.fault_count, 2U) << field;
    EXPECT_EQ(index.fault_at, message.find("35=0") + 5) << field;
    ASSERT_EQ(index.count, 7U) << field;
    EXPECT_EQ(index.tags[3], 0U) << field;
    EXPECT_EQ(index.tags[4], 58U) << field;
    EXPECT_EQ(index.tags[6], 10U) << field;
    const std::string_view value =
        std::string_view(message).substr(index.begins[3], index.ends[3] - index.begins[3]);
    EXPECT_EQ(value, fault == FieldFault::MissingEquals ? std::string_view(field) : "x") << field;
    EXPECT_EQ(index.ends[3], index.fault_at + field.size()) << field;
  }
}

TEST(Index, ReportsTheFirstOfSeveralFaults) {
  const std::string message = make_message("35=0|0=1|a=2|oops|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index);
  EXPECT_EQ(index.fault, FieldFault::TagZero);
  EXPECT_EQ(index.fault_at, 20U);
  EXPECT_EQ(index.fault_count, 3U);
}

TEST(Index, ReportsDefects) {
  const std::string body = "35=0|34=1|";
  const std::string begin = "8=FIX.4.2|9=10|";
  const auto summed = [](std::string_view text) {
    const std::string bytes = with_soh(text);
    return bytes + trailer_of(bytes);
  };
  EXPECT_EQ(indexed(""), defect_text(MessageDefect::Empty, 0));
  EXPECT_EQ(indexed("8=FIX"), defect_text(MessageDefect::NotTerminated, 5));
  EXPECT_EQ(indexed(with_soh("8=F|9")), "8=F|" + defect_text(MessageDefect::NotTerminated, 5));
  EXPECT_EQ(indexed("\x01"), "0=|" + fault_text(FieldFault::MissingEquals, 0) +
                                 defect_text(MessageDefect::HeaderOrder, 0));
  EXPECT_EQ(indexed(with_soh("8=F|")), "8=F|" + defect_text(MessageDefect::HeaderOrder, 4));
  EXPECT_EQ(indexed(with_soh("8=F|9=0|")), "8=F|9=0|" + defect_text(MessageDefect::HeaderOrder, 8));
  EXPECT_EQ(indexed(with_soh("8=F|9=5|10=160|")),
            "8=F|9=5|10=160|" + defect_text(MessageDefect::HeaderOrder, 8));
  EXPECT_EQ(indexed(with_soh("8=F|35=0|9=5|10=0|")),
            "8=F|35=0|9=5|10=0|" + defect_text(MessageDefect::HeaderOrder, 4));
  EXPECT_EQ(indexed(with_soh("9=F|8=0|35=5|10=0|")),
            "9=F|8=0|35=5|10=0|" + defect_text(MessageDefect::HeaderOrder, 0));
  for (const char* length : {"", "-10", "+10", "1x", " 10", "10 "}) {
    const std::string message = summed("8=FIX.4.2|9=" + std::string(length) + "|" + body);
    EXPECT_NE(indexed(message).find(defect_text(MessageDefect::BodyLengthValue, 12)),
              std::string::npos)
        << length;
  }
  for (const char* length : {"0", "9", "11", "100", "4294967306", "18446744073709551626",
                             "99999999999999999999999999"}) {
    const std::string message = summed("8=FIX.4.2|9=" + std::string(length) + "|" + body);
    EXPECT_NE(indexed(message).find(defect_text(MessageDefect::BodyLength, 12)), std::string::npos)
        << length;
  }
  EXPECT_EQ(indexed(summed("8=FIX.4.2|9=0000000000000000000010|" + body)).find("defect"),
            std::string::npos);
  const std::string head = with_soh(begin + body);
  EXPECT_EQ(indexed(head), begin + body + defect_text(MessageDefect::CheckSumMissing, 20));
  EXPECT_EQ(indexed(with_soh("8=FIX.4.2|9=17|35=0|10=123|34=1|")),
            "8=FIX.4.2|9=17|35=0|10=123|34=1|" + defect_text(MessageDefect::CheckSumMissing, 27));
  for (const char* sum : {"", "1", "12", "1234", "12a", "a12", "1 2", "-12", "1=2"}) {
    EXPECT_EQ(indexed(head + with_soh(std::string("10=") + sum + "|")),
              begin + body + "10=" + sum + "|" +
                  defect_text(MessageDefect::CheckSumFormat, head.size() + 3));
  }
  const std::string good = head + trailer_of(head);
  for (int sum = 0; sum < 1000; ++sum) {
    char trailer[16];
    std::snprintf(trailer, sizeof trailer, "10=%03d\x01", sum);
    const bool right = good == head + trailer;
    EXPECT_EQ(indexed(head + trailer).find(defect_text(MessageDefect::CheckSum, head.size() + 3)) ==
                  std::string::npos,
              right)
        << sum;
  }
}

TEST(Index, SeesEveryByteInTheChecksum) {
  const std::string good =
      make_message("35=8|34=12|49=SENDER|56=TARGET|52=20240101-00:00:00.123|55=IBM|38=100|58=" +
                   std::string(200, 'x') + "|");
  for (std::size_t at = 0; at + 8 < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x40);
    FieldIndexOf<index_capacity> index;
    index_message(bad, index);
    EXPECT_FALSE(index.whole()) << at;
  }
}

TEST(Index, StopsAtItsCapacity) {
  for (std::size_t fields = 3; fields < 300; ++fields) {
    std::string body = "35=0|";
    for (std::size_t field = 4; field < fields; ++field) {
      body += "1=|";
    }
    const std::string message = make_message(body);
    FieldIndexOf<100> index;
    index_message(message, index);
    const std::size_t total = 4 + (fields > 4 ? fields - 4 : 0);
    if (total <= 100) {
      EXPECT_TRUE(index.clean());
      EXPECT_EQ(index.count, total);
    } else {
      EXPECT_EQ(index.defect, MessageDefect::TooManyFields);
      EXPECT_EQ(index.count, 100U);
      EXPECT_EQ(index.defect_at, index.field_begin(100));
      EXPECT_EQ(index.tags[99], 1U);
    }
  }
}

TEST(Index, IndexesNothingWithoutCapacity) {
  FieldIndexOf<0> index;
  index_message(make_message("35=0|"), index);
  EXPECT_EQ(index.count, 0U);
  EXPECT_EQ(index.defect, MessageDefect::TooManyFields);
  EXPECT_EQ(index.defect_at, 0U);
}

TEST(DataFieldsInIndex, KeepSohInsideData) {
  const std::string data = with_soh("a|b=c|10=000|");
  const std::string message =
      make_message("35=0|95=" + std::to_string(data.size()) + "|96=" + data + "|58=x|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index);
  EXPECT_TRUE(index.clean());
  ASSERT_EQ(index.count, 7U);
  EXPECT_EQ(index.tags[4], 96U);
  EXPECT_EQ(std::string_view(message).substr(index.begins[4], index.ends[4] - index.begins[4]),
            data);
  EXPECT_EQ(index.tags[5], 58U);
}

TEST(DataFieldsInIndex, HonourEveryStandardPair) {
  for (const auto& [length_tag, data_tag] :
       std::vector<std::pair<std::string, std::string>>{{"90", "91"},
                                                        {"93", "89"},
                                                        {"95", "96"},
                                                        {"212", "213"},
                                                        {"354", "355"},
                                                        {"1401", "1402"},
                                                        {"1525", "1527"},
                                                        {"43109", "42684"}}) {
    const std::string message =
        make_message("35=0|" + length_tag + "=3|" + data_tag + "=|||" + "|58=x|");
    FieldIndexOf<index_capacity> index;
    index_message(message, index);
    EXPECT_TRUE(index.clean()) << length_tag;
    EXPECT_EQ(index.count, 7U) << length_tag;
  }
}

TEST(DataFieldsInIndex, TakeEmptyAndPlainData) {
  for (const char* body :
       {"35=0|95=0|96=|58=x|", "35=0|95=3|96=abc|58=x|", "35=0|95=003|96=abc|58=x|"}) {
    FieldIndexOf<index_capacity> index;
    index_message(make_message(body), index);
    EXPECT_TRUE(index.clean()) << body;
    EXPECT_EQ(index.count, 7U) << body;
  }
}

TEST(DataFieldsInIndex, ReportALengthThatDoesNotFit) {
  for (const char* length :
       {"2", "4", "1000", "4294967299", "18446744073709551619", "", "x", "-3", "3x"}) {
    const std::string message = make_message("35=0|95=" + std::string(length) + "|96=abc|58=x|");
    FieldIndexOf<index_capacity> index;
    index_message(message, index);
    EXPECT_TRUE(index.whole()) << length;
    EXPECT_EQ(index.fault, FieldFault::DataLength) << length;
    EXPECT_EQ(index.fault_at, message.find("95=")) << length;
    EXPECT_EQ(index.fault_count, 1U) << length;
    EXPECT_EQ(index.tags[3], 95U) << length;
    EXPECT_EQ(index.count, 7U) << length;
  }
}

TEST(DataFieldsInIndex, LeaveALengthAloneThatItsDataDoesNotFollow) {
  for (const char* body : {"35=0|95=3|58=a|96=abc|", "35=0|95=300|", "35=0|96=abc|95=9|",
                           "35=0|95=9|noequals|96=x|"}) {
    FieldIndexOf<index_capacity> index;
    index_message(make_message(body), index);
    EXPECT_NE(index.fault, FieldFault::DataLength) << body;
    EXPECT_TRUE(index.whole()) << body;
  }
}

TEST(DataFieldsInIndex, MaySwallowTheTrailer) {
  const std::string message = with_soh("8=F|9=30|35=0|95=11|96=abc|10=1234|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index);
  EXPECT_EQ(index.count, 5U);
  EXPECT_EQ(index.fault, FieldFault::None);
  EXPECT_NE(index.defect, MessageDefect::None);
}

TEST(DataFieldsInIndex, FollowTheGivenPairs) {
  DataFields own = DataFields::none();
  const std::string message = make_message("35=0|95=1|96=||9001=2|9002=|||58=x|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index, own);
  EXPECT_EQ(index.fault, FieldFault::MissingEquals);
  EXPECT_EQ(index.fault_count, 3U);
  EXPECT_TRUE(own.add(9001, 9002));
  EXPECT_TRUE(own.add(95, 96));
  index_message(message, index, own);
  EXPECT_TRUE(index.clean());
  EXPECT_EQ(index.count, 9U);
}

TEST(DataFieldsInIndex, ChainFromDataToData) {
  DataFields own = DataFields::none();
  own.add(9001, 9002);
  own.add(9002, 9003);
  const std::string message = make_message("35=0|9001=1|9002=2|9003=|||58=x|");
  FieldIndexOf<index_capacity> index;
  index_message(message, index, own);
  EXPECT_TRUE(index.clean());
  EXPECT_EQ(index.count, 8U);
}

TEST(Index, SaysTheSameOfPaddedBytes) {
  const std::string message = make_message("35=8|34=12|55=IBM|");
  std::string padded = message + std::string(base::PaddedBytes::padding, '\x01');
  FieldIndexOf<index_capacity> plain;
  FieldIndexOf<index_capacity> from_padded;
  index_message(message, plain);
  index_message(base::PaddedBytes(std::string_view(padded).substr(0, message.size())), from_padded);
  EXPECT_EQ(describe(message, plain), describe(message, from_padded));
  EXPECT_TRUE(from_padded.clean());
}

TEST(Index, NamesDefectsAndFaults) {
  for (int defect = 0; defect <= static_cast<int>(MessageDefect::TooManyFields); ++defect) {
    EXPECT_STRNE(to_text(static_cast<MessageDefect>(defect)), "?");
  }
  for (int fault = 0; fault <= static_cast<int>(FieldFault::DataLength); ++fault) {
    EXPECT_STRNE(to_text(static_cast<FieldFault>(fault)), "?");
  }
}

}  // namespace
}  // namespace affix::wire
