// SPDX-License-Identifier: MIT
// The raw baseline counts exactly the messages that the framer would find.
#include "bench/floor/floor_handler.hpp"

#include "affix/wire/index.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::tools::bench {
namespace {

TEST(FloorHandler, SampleReportIsSound) {
  const std::string report = sample_report();
  wire::FieldIndexOf<64> index;
  wire::index_message(report, index);
  EXPECT_TRUE(index.clean());
  EXPECT_GT(report.size(), 150U);
}

TEST(FloorHandler, CountsWholeMessagesAtEveryCut) {
  const std::string report = sample_report();
  const std::string three = report + report + report;
  for (std::size_t size = 0; size <= three.size(); ++size) {
    const CountedMessages counted = count_messages(std::string_view(three).substr(0, size));
    EXPECT_EQ(counted.count, size / report.size()) << size;
    EXPECT_EQ(counted.size, counted.count * report.size()) << size;
    EXPECT_TRUE(counted.is_fix) << size;
  }
}

TEST(FloorHandler, BytesThatAreNotFixAreReported) {
  EXPECT_FALSE(count_messages("GET / HTTP/1.1\r\nHost: nobody, and more of it").is_fix);
  EXPECT_FALSE(count_messages("8=FIX.4.4\x01"
                              "35=D\x01"
                              "49=A\x01"
                              "56=B\x01"
                              "10=000\x01")
                   .is_fix);
  EXPECT_FALSE(count_messages("8=FIX.4.4\x01"
                              "9=99999999999999999999\x01"
                              "35=D\x01"
                              "49=A\x01")
                   .is_fix);
  const CountedMessages behind = count_messages(sample_report() + std::string(50, 'x'));
  EXPECT_EQ(behind.count, 1U);
  EXPECT_FALSE(behind.is_fix);
}

}  // namespace
}  // namespace affix::tools::bench
