// SPDX-License-Identifier: MIT
// How a primary judges copies by their epochs.
#include "replication/history_server.hpp"

#include "affix/journal/copying.hpp"
#include "affix/journal/journal.hpp"

#include "replication/frame.hpp"
#include "support/temporary_directory.hpp"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace affix::replication_test {
namespace {

namespace journal = affix::journal;
namespace format = affix::journal::format;

using journal::AppendResult;
using journal::EventType;
using journal::Position;
using replication::HistoryAnswer;
using replication::HistoryAnswerKind;
using replication::HistoryAsk;

constexpr const char* identity = "FIX.4.4:US->P";
constexpr std::size_t segment_bytes = 16 * 1024;

class HistoryServerTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<journal::Journal> open(const std::string& name) const {
    journal::Options options;
    options.directory = directory.path(name);
    options.identity = identity;
    options.first_segment_bytes = segment_bytes;
    options.max_segment_bytes = segment_bytes;
    auto opened = journal::Journal::open(options);
    EXPECT_TRUE(opened) << opened.error().text();
    return std::move(*opened);
  }

  /// A killed process leaves its files, and another machine has the same.
  void part(std::unique_ptr<journal::Journal> journal) {
    journal->abandon();
    journal.reset();
    std::filesystem::copy(directory.path("former"), directory.path("leader"));
  }

  [[nodiscard]] HistoryAsk ask_of(const journal::Journal& copy) const {
    journal::HistoryReader reader(directory.path("former"));
    const auto piece = reader.read({copy.end().segment, 0}, 1);
    return {.journal_id = piece.header->journal_id,
            .epoch = copy.epoch(),
            .epoch_at = copy.epoch_position(),
            .end = copy.end(),
            .identity = identity};
  }

  [[nodiscard]] HistoryAnswer answer(const HistoryAsk& ask) {
    std::string out;
    server.answer({"group", 2, {{identity, directory.path("leader")}}}, ask, out);
    const replication::FrameView frame = replication::first_frame(out);
    EXPECT_EQ(frame.type, replication::FrameType::Answer);
    return replication::read_answer(frame.payload).value_or(HistoryAnswer{});
  }

  support::TemporaryDirectory directory{support::TemporaryDirectory::On::Memory};
  replication::HistoryServer server;
};

TEST_F(HistoryServerTest, KeepsWhatItHasAndCutsWhatItNeverHad) {
  auto former = open("former");
  ASSERT_EQ(former->append_epoch(1, 1, "former"), AppendResult::Appended);
  ASSERT_EQ(former->append_sent(1, 1, "both"), AppendResult::Appended);
  part(std::move(former));
  former = open("former");
  const auto leader = open("leader");
  const Position common = leader->end();
  ASSERT_EQ(leader->append_epoch(2, 1, "leader"), AppendResult::Appended);
  EXPECT_EQ(answer(ask_of(*former)).kind, HistoryAnswerKind::Keep);
  ASSERT_EQ(former->append_sent(2, 1, "never seen"), AppendResult::Appended);
  const HistoryAnswer cut = answer(ask_of(*former));
  EXPECT_EQ(cut.kind, HistoryAnswerKind::Cut);
  EXPECT_EQ(cut.at, common);
}

// The record of the epoch did not fit into the segment where the former primary's next one did.
TEST_F(HistoryServerTest, CutsAtTheEndOfTheSegmentBeforeAnEpochThatBeginsOne) {
  auto former = open("former");
  ASSERT_EQ(former->append_epoch(1, 1, "former"), AppendResult::Appended);
  const std::size_t small = format::record_bytes(sizeof("x"));
  std::uint64_t number = 1;
  const auto room = [&] { return segment_bytes - format::end_mark_bytes - former->end().offset; };
  while (room() > 600) {
    ASSERT_EQ(former->append_sent(number++, 1, std::string(200, 'x')), AppendResult::Appended);
  }
  ASSERT_EQ(former->append_sent(number++, 1, std::string(room() - small - 100, 'x')),
            AppendResult::Appended);
  ASSERT_EQ(former->end().segment, 1U);
  part(std::move(former));
  former = open("former");
  const auto leader = open("leader");
  const Position common = leader->end();
  ASSERT_EQ(leader->append_epoch(2, 1, std::string(64, 'n')), AppendResult::Appended);
  ASSERT_EQ(leader->epoch_position(), (Position{2, format::records_offset}));
  EXPECT_EQ(answer(ask_of(*former)).kind, HistoryAnswerKind::Keep);
  ASSERT_EQ(former->append_sent(number, 1, "x"), AppendResult::Appended);
  ASSERT_EQ(former->end().segment, 1U);
  const HistoryAnswer cut = answer(ask_of(*former));
  EXPECT_EQ(cut.kind, HistoryAnswerKind::Cut);
  EXPECT_EQ(cut.at, common);
}

}  // namespace
}  // namespace affix::replication_test
