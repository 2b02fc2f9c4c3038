// SPDX-License-Identifier: MIT
// Other engines' logs: prefixes, delimiters, packing, rotation; and bytes that are no log.
#include "log/byte_window.hpp"
#include "log/line_text.hpp"
#include "log/text_source.hpp"
#include "unit/tools/log_case.hpp"

#include <zlib.h>
#include <zstd.h>

namespace affix::tools::log {
namespace {

using support::make_message;

constexpr std::int64_t noon = 1'769'860'800'000'000'000;  // 2026-01-31 12:00:00.

std::string with_delimiter(std::string_view message, std::string_view delimiter) {
  std::string text;
  for (const char c : message) {
    text += c == '\x01' ? std::string(delimiter) : std::string(1, c);
  }
  return text;
}

std::string gzipped(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(std::string_view bytes) {
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  return packed;
}

class TextLog : public LogCase {
 protected:
  struct Row {
    std::int64_t utc_ns = 0;
    Direction direction = Direction::Unknown;
    std::string session;
    std::string bytes;
    EntryKind kind = EntryKind::Message;
  };

  [[nodiscard]] std::vector<Row> read(const std::string& file, const TextOptions& options = {}) {
    const RawFilter all;
    auto window = ByteWindow::open(file);
    EXPECT_TRUE(window) << window.error().text();
    TextSource source(std::move(*window), file, options, all);
    std::vector<Row> rows;
    while (const auto entry = source.next()) {
      rows.push_back({entry->utc_ns, entry->direction, std::string(entry->session),
                      std::string(entry->bytes), entry->kind});
    }
    problems_ = source.problems();
    return rows;
  }

  [[nodiscard]] std::vector<Row> read_text(std::string_view text, const TextOptions& options = {},
                                           const std::string& name = "some.log") {
    return read(write(name, text), options);
  }

  std::vector<std::string> problems_;
  const std::string order_ =
      make_message("35=D|49=US|56=THEM|34=5|52=20260131-12:00:00|11=A|58=x|");
};

TEST_F(TextLog, EveryDelimiterGivesTheSameMessage) {
  for (const char* delimiter : {"\x01", "|", "^A", "<SOH>", "\\x01", "\\u0001", ";", " ", "^"}) {
    const auto rows =
        read_text("20260131-12:00:00.5 : " + with_delimiter(order_, delimiter) + "\n");
    ASSERT_EQ(rows.size(), 1U) << delimiter;
    EXPECT_EQ(rows[0].bytes, order_) << delimiter;
    EXPECT_EQ(rows[0].utc_ns, noon + 500'000'000) << delimiter;
    EXPECT_EQ(rows[0].session, "FIX.4.4:US->THEM");
  }
}

TEST_F(TextLog, EventsOfOurOwnAreReadBack) {
  const std::string head =
      "FIX.4.4:A COMPANY WITH A LONG NAME->A COUNTERPARTY WITH ONE 2026-01-31 ";
  const auto rows = read_text(head + "12:00:00.000000005 EVT 7/9 remark lost: EVT 1/1 reset\n" +
                              head + "12:00:00.000000006 EVT 1/1 numbers set\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].kind, EntryKind::Event);
  EXPECT_EQ(rows[0].utc_ns, noon + 5);
  EXPECT_EQ(rows[0].session, "FIX.4.4:A COMPANY WITH A LONG NAME->A COUNTERPARTY WITH ONE");
  EXPECT_EQ(rows[0].bytes, "lost: EVT 1/1 reset");
  EXPECT_EQ(rows[1].utc_ns, noon + 6);
  EXPECT_EQ(rows[1].bytes, "");
}

TEST_F(TextLog, LinesThatOnlyLookLikeOurEventsStayAsTheyAre) {
  for (const char* tail : {"EVT 7/9 remarks", "EVT 7 remark", "EVT /9 remark", "EVT 7/ remark",
                           "EVT 7/99999999999999999999 remark x", "EVT", "EVT 7/9"}) {
    const std::string line = "A->B 2026-01-31 12:00:00.000000005 " + std::string(tail);
    const auto rows = read_text(line + "\n");
    ASSERT_EQ(rows.size(), 1U) << line;
    EXPECT_EQ(rows[0].bytes, line);
  }
}

TEST_F(TextLog, EnginesPrefixesAreUnderstood) {
  const std::string piped = with_delimiter(order_, "|");

  struct Case {
    std::string line;
    std::int64_t utc_ns;
    Direction direction;
  };

  const std::vector<Case> cases{
      // QuickFIX, file log.
      {"20260131-12:00:00.123456789 : " + order_, noon + 123'456'789, Direction::Unknown},
      // QuickFIX/J.
      {"<20260131-12:00:00, FIX.4.4:US->THEM, outgoing> (" + piped + ")", noon, Direction::Out},
      {"<20260131-12:00:00, FIX.4.4:US->THEM, incoming> (" + piped + ")", noon, Direction::In},
      // QuickFIX, screen log.
      {"<20260131-12:00:00.000, FIX.4.4:US->THEM, incoming>\n  (" + piped + ")", noon,
       Direction::In},
      // Fix8.
      {"0000017 2026-01-31 12:00:00.250000000 in " + order_, noon + 250'000'000, Direction::In},
      {"2026-01-31 12:00:00.250 out 0000005 " + order_, noon + 250'000'000, Direction::Out},
      // Of other programs.
      {"2026-01-31T12:00:00,5Z INFO [main] sent: " + piped, noon + 500'000'000, Direction::Out},
      {"2026-01-31T14:00:00+02:00 <- " + piped, noon, Direction::In},
      {"2026/01/31 12:00:00 IN-DEALER1 " + piped, noon, Direction::Unknown},
      // Ours.
      {"FIX.4.4:US->THEM 2026-01-31 12:00:00.000000007 OUT 5 " + piped, noon + 7, Direction::Out},
      // No prefix: the message itself has the time.
      {piped, noon, Direction::Unknown},
      {order_, noon, Direction::Unknown},
  };
  for (const Case& each : cases) {
    for (const char* end : {"\n", "\r\n", ""}) {
      const auto rows = read_text(each.line + end);
      ASSERT_EQ(rows.size(), 1U) << each.line;
      EXPECT_EQ(rows[0].bytes, order_) << each.line;
      EXPECT_EQ(rows[0].utc_ns, each.utc_ns) << each.line;
      EXPECT_EQ(rows[0].direction, each.direction) << each.line;
    }
  }
}

TEST_F(TextLog, DirectionFollowsFromOurCompId) {
  const std::string answer = make_message("35=8|49=THEM|56=US|34=1|52=20260131-12:00:01|");
  const std::string text = order_ + '\n' + answer + '\n';
  for (const auto& rows : {read_text(text, {"US", false}),
                           read_text(text, {}, "FIX.4.4-US-THEM.messages.current.log")}) {
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].direction, Direction::Out);
    EXPECT_EQ(rows[1].direction, Direction::In);
    EXPECT_EQ(rows[0].session, "FIX.4.4:US->THEM");
    EXPECT_EQ(rows[1].session, "FIX.4.4:US->THEM");
  }
}

TEST_F(TextLog, MessagesNeedNoLines) {
  const auto rows = read_text(order_ + order_ + order_);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].bytes, order_);
}

TEST_F(TextLog, DataMayHoldLineEnds) {
  const std::string message = make_message(
      "35=B|49=US|56=THEM|34=1|95=7|96=a\nb\n\x01"
      "c|");
  const auto rows =
      read_text("20260131-12:00:00 : " + message + "\n20260131-12:00:00 : " + order_ + "\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].bytes, message);
  EXPECT_EQ(rows[1].bytes, order_);
}

TEST_F(TextLog, AWrongLengthSwallowsNoOtherMessage) {
  std::string wrong = order_;
  wrong.replace(wrong.find("58=x"), 4, "58=");  // Like a log that removes secrets.
  const auto rows = read_text(wrong + "\n" + order_ + "\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].bytes, wrong);
  EXPECT_EQ(rows[1].bytes, order_);
}

TEST_F(TextLog, ADelimiterInAValueStays) {
  const auto rows = read_text("8=FIX.4.4|9=5|35=B|58=a|b|c=d|34=7|10=001|\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].bytes, support::with_soh("8=FIX.4.4|9=5|35=B|58=a") + "|b|c=d" +
                               support::with_soh("|34=7|10=001|"));
}

TEST_F(TextLog, EventsAreShownAndOtherTextIsNot) {
  const auto rows = read_text("20260131-12:00:00 : Created session\nnothing\n\n58=FIX 9=\n8=FI");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].kind, EntryKind::Event);
  EXPECT_EQ(rows[0].bytes, "20260131-12:00:00 : Created session");
  EXPECT_EQ(rows[0].session, "some.log");
}

TEST_F(TextLog, PackedFilesReadAsUnpacked) {
  std::string text;
  for (int line = 0; line < 20'000; ++line) {
    text += "20260131-12:00:00 : " + order_ + "\n";
  }
  for (const std::string& packed :
       {gzipped(text), zstd_packed(text),
        gzipped(text.substr(0, 1'000)) + gzipped(text.substr(1'000)),
        zstd_packed(text.substr(0, 1'000)) + zstd_packed(text.substr(1'000))}) {
    const auto rows = read_text(packed);
    ASSERT_EQ(rows.size(), 20'000U);
    EXPECT_EQ(rows.back().bytes, order_);
    EXPECT_TRUE(problems_.empty());
    EXPECT_LT(read_text(packed.substr(0, packed.size() / 2)).size(), 20'000U);
    EXPECT_EQ(problems_.size(), 1U) << "cut in the middle";
  }
}

TEST_F(TextLog, AGrowingFileGivesItsLinesWhenTheyAreWhole) {
  const std::string name = write("grow.log", "");
  const RawFilter all;
  auto window = ByteWindow::open(name);
  ASSERT_TRUE(window);
  TextSource source(std::move(*window), name, {"", true}, all);
  std::ofstream file(name, std::ios::binary | std::ios::app);
  const std::string piped = with_delimiter(order_, "|");
  EXPECT_FALSE(source.next());
  file << piped.substr(0, 20) << std::flush;
  EXPECT_FALSE(source.next());
  file << piped.substr(20) << "\n" << std::flush;
  EXPECT_TRUE(source.next());
  EXPECT_FALSE(source.next());
  // Rotated by renaming, then by truncating.
  std::filesystem::rename(name, name + ".1");
  write("grow.log", piped + "\n" + piped + "\n");
  EXPECT_TRUE(source.next());
  EXPECT_TRUE(source.next());
  EXPECT_FALSE(source.next());
  write("grow.log", piped + "\n");
  EXPECT_TRUE(source.next());
  EXPECT_FALSE(source.next());
}

TEST_F(TextLog, AFilterThatMatchesLittleFindsTheSame) {
  std::string text;
  for (int line = 0; line < 1'000; ++line) {
    const std::string message =
        make_message("35=D|49=US|56=THEM|34=5|11=N" + std::to_string(line) + "|");
    text +=
        "20260131-12:00:00 : " + (line % 2 == 0 ? message : with_delimiter(message, "^A")) + "\n";
  }
  const std::string file = write("many.log", text);
  for (const char* wanted : {"11=N500", "11=N501"}) {
    const auto lines = lines_of(shown({.paths = {file}, .filter = {.conditions = {wanted}}}));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find(wanted), std::string::npos);
  }
}

TEST(LineText, TimesAreReadOrNot) {
  EXPECT_EQ(read_time("20260131-12:00:00").utc_ns, noon);
  EXPECT_EQ(read_time("2026-01-31 12:00:00.1234567891 x").size, 30U);
  EXPECT_EQ(read_time("2026-01-31 10:00:00-02:00").utc_ns, noon);
  for (const char* wrong :
       {"", "2026", "20261331-12:00:00", "20260131-24:00:00", "20260131 12-00-00",
        "2026-01/31 12:00:00", "20260131-12:00", "20260131"}) {
    EXPECT_EQ(read_time(wrong).size, 0U) << wrong;
  }
}

TEST(LineText, MessagesAreFoundOrNot) {
  EXPECT_FALSE(find_message("58=FIX.4.4|9=1|"));
  EXPECT_FALSE(find_message("8=FIX.4.4"));
  EXPECT_FALSE(find_message("8=FIX.4.49=5"));
  EXPECT_FALSE(find_message("8=FIX8=FIX9="));
  const auto found = find_message("58=FIX.4.4|9=1| then 8=FIXT.1.1^A9=5^A");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->begin, 21U);
  EXPECT_EQ(found->delimiter, "^A");
  EXPECT_EQ(message_length("8=F|9=1|58=10=123|10=045|tail", "|"), 25U);
  EXPECT_EQ(message_length("8=F|9=1|10=045", "|"), 14U);
  EXPECT_EQ(message_length("8=F|9=1|10=x45|", "|"), 15U);
}

}  // namespace
}  // namespace affix::tools::log
