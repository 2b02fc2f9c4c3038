// SPDX-License-Identifier: MIT
// Journals found, merged by time and shown as text; an order followed through its names.
#include "affix/journal/journal.hpp"
#include "affix/wire/index.hpp"

#include "log/journal_merge.hpp"
#include "log/order_filter.hpp"
#include "log/record_text.hpp"
#include "support/fix_text.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace affix::tools::log {
namespace {

/// A directory that goes with the test.
class JournalTree : public ::testing::Test {
 protected:
  JournalTree() {
    std::string pattern = ::testing::TempDir() + "affix-log-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }

  ~JournalTree() override { std::filesystem::remove_all(path_); }

  /// Appends sent messages with these time stamps to the journal `name`.
  void write(const std::string& name, const std::vector<std::int64_t>& times) {
    journal::Options options;
    options.directory = path_ + "/" + name;
    options.identity = name;
    auto journal = journal::Journal::open(options);
    ASSERT_TRUE(journal) << journal.error().text();
    std::uint64_t sequence = 0;
    for (const std::int64_t time : times) {
      ASSERT_EQ((*journal)->append_sent(++sequence, time, name), journal::AppendResult::Appended);
    }
    ASSERT_TRUE((*journal)->close());
  }

  std::string path_;
};

TEST_F(JournalTree, MergesByTime) {
  write("deep/one", {10, 30, 30, 50});
  write("two", {20, 30, 60});
  const auto directories = find_journals(path_);
  ASSERT_TRUE(directories) << directories.error().text();
  ASSERT_EQ(directories->size(), 2U);
  auto merge = JournalMerge::open(*directories);
  ASSERT_TRUE(merge) << merge.error().text();
  std::vector<std::int64_t> times;
  while (const auto merged = merge->next()) {
    times.push_back(merged->record.utc_ns);
    EXPECT_EQ(merged->record.bytes, merge->identities()[merged->source]);
  }
  EXPECT_EQ(times, (std::vector<std::int64_t>{10, 20, 30, 30, 30, 50, 60}));
  EXPECT_TRUE(merge->damage().empty());
}

TEST_F(JournalTree, SaysWhenThereIsNothingToRead) {
  const auto none = find_journals(path_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, base::ErrorCode::NotFound);
  const auto missing = find_journals(path_ + "/missing");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("missing"), std::string::npos);
}

TEST(RecordText, ShowsTimesOfEveryAge) {
  EXPECT_EQ(time_text(0), "1970-01-01 00:00:00.000000000");
  EXPECT_EQ(time_text(1'767'182'400'123'456'789), "2025-12-31 12:00:00.123456789");
  EXPECT_EQ(time_text(-1), "1969-12-31 23:59:59.999999999");
}

TEST(RecordText, HidesNoByte) {
  EXPECT_EQ(message_line(std::string("8=FIX\x01"
                                     "58=a\x02"
                                     "b\xC3\xA9\x7F\x01")),
            "8=FIX|58=a\\x02b\xC3\xA9\\x7f|");
}

TEST(RecordText, TellsWhatARecordIs) {
  journal::Record record;
  record.kind = journal::Kind::Received;
  record.sequence = 7;
  record.bytes = "8=X\x01";
  EXPECT_EQ(record_line(record), "1970-01-01 00:00:00.000000000 IN  7 unprocessed 8=X|");
  record.processed = true;
  record.message_omitted = true;
  record.bytes = {};
  EXPECT_EQ(record_line(record), "1970-01-01 00:00:00.000000000 IN  7 (message not kept)");
}

TEST(OrderFilter, FollowsAnOrderThroughItsNames) {
  OrderFilter filter("A1");
  const auto matches = [&filter](std::string_view body) {
    const std::string bytes = support::make_message(body);
    wire::FieldIndexOf<16> index;
    wire::index_message(bytes, index);
    return filter.matches(wire::MessageView(bytes, index));
  };
  EXPECT_TRUE(matches("35=D|11=A1|"));
  EXPECT_FALSE(matches("35=D|11=B1|"));
  EXPECT_TRUE(matches("35=G|41=A1|11=A2|"));
  EXPECT_TRUE(matches("35=8|11=A2|"));
  EXPECT_FALSE(matches("35=0|112=A1|"));
}

}  // namespace
}  // namespace affix::tools::log
