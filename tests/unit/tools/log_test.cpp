// SPDX-License-Identifier: MIT
// Finds journals, merges them by time, filters and shows them; follows an order through its names.
#include "log/merge.hpp"
#include "log/open_sources.hpp"
#include "log/order_trace.hpp"
#include "log/record_text.hpp"
#include "support/has_message.hpp"
#include "unit/tools/log_case.hpp"

#include <nlohmann/json.hpp>

namespace affix::tools::log {
namespace {

using support::make_message;

class JournalLog : public LogCase {
 protected:
  /// Appends sent messages with these time stamps to the journal `name`.
  void fill(const std::string& name, const std::vector<std::int64_t>& times) {
    auto journal = affix::journal::Journal::open(journal_options(name));
    ASSERT_TRUE(journal) << journal.error().text();
    std::uint64_t sequence = 0;
    for (const std::int64_t time : times) {
      ASSERT_EQ((*journal)->append_sent(++sequence, time, name),
                affix::journal::AppendResult::Appended);
    }
    ASSERT_TRUE((*journal)->close());
  }

  struct Step {
    bool sent = true;
    std::int64_t time = 0;
    std::string body;
  };

  void play(const std::string& name, const std::vector<Step>& steps) {
    auto journal = affix::journal::Journal::open(journal_options(name));
    ASSERT_TRUE(journal) << journal.error().text();
    for (const Step& step : steps) {
      const std::string message = make_message(step.body);
      if (step.sent) {
        ASSERT_EQ((*journal)->append_sent((*journal)->next_outgoing(), step.time, message),
                  affix::journal::AppendResult::Appended);
      } else {
        // The message's own number, so that gaps are in the journal too.
        const std::size_t at = step.body.find("|34=");
        const std::uint64_t number = at == std::string::npos
                                         ? (*journal)->next_expected()
                                         : std::stoull(step.body.substr(at + 4));
        ASSERT_EQ((*journal)
                      ->append_received(number, number + 1, step.time, message,
                                        affix::journal::Delivery::SessionOnly)
                      .result(),
                  affix::journal::AppendResult::Appended);
      }
    }
    ASSERT_TRUE((*journal)->close());
  }
};

TEST_F(JournalLog, MergesByTime) {
  fill("deep/one", {10, 30, 30, 50});
  fill("two", {20, 30, 60});
  const auto found = find_sources(directory_.path());
  ASSERT_TRUE(found) << found.error().text();
  ASSERT_EQ(found->size(), 2U);
  const RawFilter all;
  Merge merge;
  for (const Found& one : *found) {
    auto source = open_source(one, {}, all);
    ASSERT_TRUE(source) << source.error().text();
    merge.add(std::move(*source));
  }
  std::vector<std::int64_t> times;
  while (const auto entry = merge.next()) {
    times.push_back(entry->utc_ns);
    EXPECT_EQ(entry->bytes, entry->session);
  }
  EXPECT_EQ(times, (std::vector<std::int64_t>{10, 20, 30, 30, 30, 50, 60}));
  EXPECT_TRUE(merge.problems().empty());
}

TEST_F(JournalLog, GoesOnWithRecordsOfALiveWriter) {
  auto journal = affix::journal::Journal::open(journal_options("live"));
  ASSERT_TRUE(journal);
  const RawFilter all;
  Merge merge;
  merge.add(std::move(*open_source({Found::Kind::Journal, path("live")}, {}, all)));
  EXPECT_FALSE(merge.next());
  for (std::uint64_t number = 1; number <= 3'000; ++number) {
    ASSERT_EQ((*journal)->append_sent(number, 1, std::string(100, 'x')),
              affix::journal::AppendResult::Appended);
    const auto entry = merge.next();
    ASSERT_TRUE(entry) << number;
    EXPECT_EQ(entry->sequence, number);
    EXPECT_FALSE(merge.next());
  }
}

TEST_F(JournalLog, SaysWhenThereIsNothingToRead) {
  const auto none = find_sources(directory_.path());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, base::ErrorCode::NotFound);
  const auto missing = find_sources(directory_.path() + "/missing");
  ASSERT_FALSE(missing);
  EXPECT_TRUE(support::has_message(missing.error().text(), "P126", {"/missing"}));
}

TEST_F(JournalLog, PassesOverADamagedSegmentAndSaysSo) {
  affix::journal::Options options = journal_options("A");
  options.first_segment_bytes = options.max_segment_bytes = 8 * 1024;
  {
    auto journal = affix::journal::Journal::open(options);
    ASSERT_TRUE(journal);
    for (std::uint64_t number = 1; number <= 200; ++number) {
      ASSERT_EQ((*journal)->append_sent(number, 1, make_message("35=D|34=1|")),
                affix::journal::AppendResult::Appended);
    }
  }
  std::fstream file(path("A") + "/0000000002.journal");
  file.seekp(4096 + 60);
  file.put('!');
  file.close();
  const auto before = lines_of(shown({.paths = {path("A")}}, 1));
  EXPECT_LT(before.size(), 200U);
  EXPECT_NE(before.back().find(" OUT 200 "), std::string::npos) << before.back();
  std::filesystem::remove(path("A") + "/0000000002.journal");
  EXPECT_EQ(lines_of(shown({.paths = {path("A")}}, 1)).back(), before.back());
}

TEST_F(JournalLog, FiltersByEverything) {
  play("FIX.4.4:A->B", {{true, 1'000'000'000, "35=A|49=A|56=B|34=1|98=0|108=30|554=geheim|"},
                        {true, 2'000'000'000, "35=D|49=A|56=B|34=2|11=X1|54=1|58=a|b|"},
                        {false, 3'000'000'000, "35=8|49=B|56=A|34=1|11=X1|54=1|39=0|"},
                        {true, 4'000'000'000, "35=D|49=A|56=B|34=3|11=X2|54=2|44=10.5|"},
                        {true, 5'000'000'000, "35=0|49=A|56=B|34=4|"}});
  const auto count = [&](const FilterOptions& filter, int expected_status = 0) {
    LogOptions options{.paths = {directory_.path()}, .filter = filter};
    return lines_of(shown(options, expected_status)).size();
  };
  EXPECT_EQ(count({}), 4U);
  EXPECT_EQ(count({.heartbeats = true}), 5U);
  EXPECT_EQ(count({.types = {"0"}}), 1U) << "asked for by name, it is not hidden";
  EXPECT_EQ(count({.types = {"D"}}), 2U);
  EXPECT_EQ(count({.types = {"NewOrderSingle", "8"}}), 3U);
  EXPECT_EQ(count({.conditions = {"54=1"}}), 2U);
  EXPECT_EQ(count({.conditions = {"54=Buy"}}), 2U);
  EXPECT_EQ(count({.conditions = {"54=Sell"}}), 1U);
  EXPECT_EQ(count({.conditions = {"44"}}), 1U);
  EXPECT_EQ(count({.conditions = {"11~X", "54!=1"}}), 1U);
  EXPECT_EQ(count({.direction = "in"}), 1U);
  EXPECT_EQ(count({.texts = {"11=X1|54=1"}}), 2U);
  EXPECT_EQ(count({.texts = {"geheim"}}, 1), 0U) << "a password cannot be searched for";
  EXPECT_EQ(count({.sessions = {"A->"}}), 4U);
  EXPECT_EQ(count({.sessions = {"C->", "->B"}}), 4U);
  EXPECT_EQ(count({.sessions = {"C->"}}, 1), 0U);
  EXPECT_EQ(count({.from = "1970-01-01 00:00:02", .to = "1970-01-01 00:00:03"}), 2U);
  EXPECT_EQ(count({.from = "00:00:03"}), 2U);
  EXPECT_EQ(count({.to = "00:00"}), 4U) << "the whole minute";
  EXPECT_EQ(count({.to = "1970-01-01"}), 4U) << "the whole day";
  EXPECT_EQ(count({.from = "1970-01-02"}, 1), 0U);
  for (const FilterOptions& wrong :
       {FilterOptions{.from = "yesterday"}, FilterOptions{.to = "25:00:00"},
        FilterOptions{.direction = "up"}, FilterOptions{.conditions = {"=5"}},
        FilterOptions{.conditions = {"0=5"}}, FilterOptions{.conditions = {"54>1"}}}) {
    EXPECT_FALSE(Filter::make(wrong));
  }
}

TEST_F(JournalLog, NoStyleShowsAPassword) {
  play("S", {{true, 1, "35=A|49=A|56=B|34=1|98=0|108=30|95=4|96=raww|553=me|554=geheim|925=neues|"},
             {true, 2, "35=D|49=A|56=B|34=2|11=1|9999=venue|"},
             {true, 3, "35=D|49=A|56=B|34=3|11=2|554=open sesame|"}});
  for (const Style style :
       {Style::Line, Style::Names, Style::Fields, Style::Columns, Style::Json, Style::Raw}) {
    LogOptions options{.paths = {directory_.path()},
                       .print = {.style = style, .columns = {554, 96, 9999}}};
    options.secret_tags = {9999};
    const std::string text = shown(options);
    EXPECT_FALSE(text.empty());
    for (const char* secret : {"geheim", "neues", "raww", "venue", "open", "sesame"}) {
      EXPECT_EQ(text.find(secret), std::string::npos) << text;
    }
    EXPECT_NE(text.find('*'), std::string::npos);
  }
  const std::string log =
      write("x.log",
            "2026-01-31 12:00:00 logged on with 554=geheim|58=x\n"
            "2026-01-31 12:00:00 logged on with 554=geh eim, geh;eim^\n"
            "2026-01-31 12:00:00 cut: 35=A|95=9|96=geh|eim 1|58=x\n"
            "2026-01-31 12:00:00 cut: 35=B|95=4|96=news|58=x\n"
            "2026-01-31 12:00:00 8=FIX.4.4|9=1|35=A|554=geheim|10=000|\n"
            "2026-01-31 12:00:00 8=FIX.4.4|9=99|35=A|554=geh eim, geh;eim|58=x\n"
            "2026-01-31 12:00:00 8=FIX.4.4|9=9|35=A|554=geh");
  const std::string text = shown({.paths = {log}});
  const std::vector<std::string> lines = lines_of(text);
  ASSERT_EQ(lines.size(), 7U) << text;
  EXPECT_EQ(text.find("geh"), std::string::npos) << text;
  EXPECT_EQ(text.find("eim"), std::string::npos) << text;
  EXPECT_NE(lines[0].find("554=*|58=x"), std::string::npos) << lines[0];
  EXPECT_NE(lines[3].find("96=news|58=x"), std::string::npos) << lines[3];
}

TEST_F(JournalLog, StylesSayTheSame) {
  play("FIX.4.4:A->B", {{true, 1'500'000'000, "35=D|49=A|56=B|34=1|11=X|54=1|58=caf\xC3\xA9|"},
                        {false, 1'500'000'001, "35=8|49=B|56=A|34=1|11=X|39=2|58=\xFF|"}});
  const LogOptions base{.paths = {directory_.path()}};
  LogOptions options = base;
  options.print.timestamps = false;
  EXPECT_EQ(lines_of(shown(options))[0].substr(0, 30), "FIX.4.4:A->B OUT 1 8=FIX.4.4|9");
  options = base;
  options.print.style = Style::Names;
  EXPECT_NE(shown(options).find("|MsgType=NewOrderSingle|"), std::string::npos);
  EXPECT_NE(shown(options).find("|Side=Buy|"), std::string::npos);
  options.print.style = Style::Fields;
  EXPECT_NE(shown(options).find("        54 Side                 = 1  (Buy)\n"), std::string::npos);
  options.print.style = Style::Columns;
  options.print.columns = {11, 39};
  const auto rows = lines_of(shown(options));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_NE(rows[2].find("ExecutionReport"), std::string::npos);
  EXPECT_NE(rows[2].find(" Filled "), std::string::npos);
  options.print.style = Style::Raw;
  EXPECT_EQ(shown(options), make_message("35=D|49=A|56=B|34=1|11=X|54=1|58=caf\xC3\xA9|") +
                                make_message("35=8|49=B|56=A|34=1|11=X|39=2|58=\xFF|"));
  options.print.style = Style::Json;
  const auto objects = lines_of(shown(options));
  ASSERT_EQ(objects.size(), 2U);
  const auto sent = nlohmann::json::parse(objects[0]);
  EXPECT_EQ(sent["direction"], "out");
  EXPECT_EQ(sent["name"], "NewOrderSingle");
  EXPECT_EQ(sent["time"], "1970-01-01 00:00:01.500000000");
  EXPECT_EQ(sent["fields"][8]["value"], "caf\xC3\xA9");
  EXPECT_EQ(sent["fields"][7]["meaning"], "Buy");
  EXPECT_EQ(nlohmann::json::parse(objects[1])["fields"][8]["hex"], "ff");
}

TEST_F(JournalLog, ColoursOnlyWhenAsked) {
  play("S", {{true, 1, "35=D|49=A|56=B|34=1|11=X|"}});
  LogOptions options{.paths = {directory_.path()}};
  EXPECT_EQ(shown(options).find('\x1B'), std::string::npos);
  options.print.colours = true;
  EXPECT_EQ(shown(options)[0], '\x1B');
}

TEST_F(JournalLog, WritesToAFile) {
  play("S", {{true, 1, "35=D|49=A|56=B|34=1|11=X|"}});
  LogOptions options{.paths = {path("S")}, .out = path("out.txt")};
  EXPECT_EQ(shown(options), "");
  EXPECT_GT(std::filesystem::file_size(path("out.txt")), 50U);
  options.out = "/nowhere/out.txt";
  EXPECT_EQ(shown(options, 1), "");
}

TEST_F(JournalLog, ShowsAnOrdersWholeLifeFromAnyOfItsNames) {
  // A gateway forwards ALICE's order; it is replaced and filled; there are other orders.
  play("FIX.4.4:US->ALICE",
       {{false, 1'000'000, "35=D|49=ALICE|56=US|34=1|11=A1|"},
        {false, 1'100'000, "35=D|49=ALICE|56=US|34=2|11=Z1|"},
        {true, 2'000'000, "35=8|49=US|56=ALICE|34=1|11=A1|37=NONE|39=A|"},
        {true, 4'000'000, "35=8|49=US|56=ALICE|34=2|11=A1|37=77|39=0|14=0|6=0|"},
        {true, 4'100'000, "35=8|49=US|56=ALICE|34=2|11=Z1|37=NONE|39=8|"},
        {false, 5'000'000, "35=G|49=ALICE|56=US|34=3|41=A1|11=A2|"},
        {true, 8'000'000, "35=8|49=US|56=ALICE|34=3|41=A1|11=A2|37=77|39=5|"},
        {true, 9'000'000, "35=8|49=US|56=ALICE|34=4|11=|37=77|39=2|14=5|6=10|"},
        {true, 9'100'000, "35=8|49=US|56=ALICE|34=5|11=Y|37=78|39=2|"}});
  play("FIX.4.4:US->EXCH", {{true, 3'000'000, "35=D|49=US|56=EXCH|34=1|11=G1|526=A1|"},
                            {false, 3'500'000, "35=8|49=EXCH|56=US|34=1|11=G1|37=77|39=0|"},
                            {false, 3'600'000, "35=8|49=EXCH|56=US|34=2|11=G9|37=78|39=0|"}});
  std::string whole;
  for (const char* name : {"A1", "A2", "G1"}) {
    const std::string text = shown({.paths = {directory_.path()}, .order = name});
    const auto lines = lines_of(text);
    ASSERT_EQ(lines.size(), 12U) << name << '\n' << text;
    EXPECT_EQ(text.find("Z1"), std::string::npos);
    EXPECT_EQ(text.find("37=78"), std::string::npos);
    EXPECT_NE(lines[0].find("[first]"), std::string::npos);
    EXPECT_NE(lines[1].find("[+1.000 ms answered in 1.000 ms]"), std::string::npos) << lines[1];
    EXPECT_NE(text.find("8 messages on 2 sessions, 8.000 ms from first to last"), std::string::npos)
        << text;
    EXPECT_NE(text.find("  names A1 A2 G1\n"), std::string::npos) << text;
    EXPECT_NE(text.find("  last OrdStatus 2 (Filled), CumQty 5, AvgPx 10\n"), std::string::npos);
    EXPECT_NE(text.find("  3 requests answered, in 500.000 us to 3.000 ms\n"), std::string::npos);
    const std::string life = text.substr(0, text.find("order "));
    whole = whole.empty() ? life : whole;
    EXPECT_EQ(life, whole) << "whatever name it is asked for by";
  }
  EXPECT_EQ(shown({.paths = {directory_.path()}, .order = "unknown"}),
            "order unknown: no message\n");
}

TEST_F(JournalLog, CountsMissingMessagesAndMeasuresAnswers) {
  play("FIX.4.4:US->THEM", {{true, 1'000'000'000, "35=D|49=US|56=THEM|34=1|11=1|"},
                            {false, 1'000'100'000, "35=8|49=THEM|56=US|34=1|11=1|"},
                            {true, 2'000'000'000, "35=D|49=US|56=THEM|34=2|11=2|"},
                            {false, 2'000'300'000, "35=8|49=THEM|56=US|34=5|11=2|"},
                            {true, 2'100'000'000, "35=2|49=US|56=THEM|34=3|7=2|16=4|"},
                            {false, 2'200'000'000, "35=8|49=THEM|56=US|34=2|43=Y|11=1|"},
                            {true, 2'300'000'000, "35=D|49=US|56=THEM|34=4|11=3|"},
                            {true, 2'400'000'000, "35=0|49=US|56=THEM|34=5|"}});
  LogOptions options{.paths = {directory_.path()}, .statistics = true};
  options.filter.heartbeats = true;
  const std::string text = shown(options);
  EXPECT_NE(text.find("8 messages on 1 sessions"), std::string::npos) << text;
  EXPECT_NE(text.find(" 1 gaps (3 numbers missing), 1 sent again"), std::string::npos) << text;
  EXPECT_NE(text.find(" 1 resend requests"), std::string::npos);
  EXPECT_NE(text.find("6 at most"), std::string::npos);
  EXPECT_NE(text.find("request to first report: 2 measured, 1 without a report"),
            std::string::npos);
  EXPECT_NE(text.find("#"), std::string::npos);
  options.print.style = Style::Json;
  const auto object = nlohmann::json::parse(shown(options));
  const auto& session = object["sessions"]["FIX.4.4:US->THEM"];
  EXPECT_EQ(session["in"]["gaps"], 1);
  EXPECT_EQ(session["out"]["types"]["D"], 3);
  EXPECT_EQ(object["latency_ns"]["measured"], 2);
  EXPECT_NEAR(object["latency_ns"]["max"].get<double>(), 300'000, 3'000);
}

TEST_F(JournalLog, AnswersOfTheSameTurnAreNoLatencyOfZero) {
  play("FIX.4.4:US->THEM", {{false, 1'000'000'000, "35=D|49=THEM|56=US|34=1|11=1|"},
                            {true, 1'000'000'000, "35=8|49=US|56=THEM|34=1|11=1|37=X|39=0|"},
                            {false, 2'000'000'000, "35=D|49=THEM|56=US|34=2|11=2|"},
                            {true, 2'000'300'000, "35=8|49=US|56=THEM|34=2|11=2|37=Y|39=0|"}});
  LogOptions options{.paths = {directory_.path()}, .statistics = true};
  std::string text = shown(options);
  EXPECT_NE(text.find("request to first report: 1 measured, 1 in the same turn"), std::string::npos)
      << text;
  EXPECT_EQ(text.find(" 0 ns"), std::string::npos) << text;
  options.print.style = Style::Json;
  const auto object = nlohmann::json::parse(shown(options));
  EXPECT_EQ(object["latency_ns"]["measured"], 1);
  EXPECT_EQ(object["latency_ns"]["in_same_turn"], 1);
  text = shown({.paths = {directory_.path()}, .order = "1"});
  EXPECT_NE(text.find("[same turn, answered in the same turn]"), std::string::npos) << text;
  EXPECT_NE(text.find("1 requests answered in the same turn"), std::string::npos) << text;
  EXPECT_EQ(text.find("0 ns"), std::string::npos) << text;
  EXPECT_NE(text.find("order 1: 2 messages on 1 session, in one turn\n"), std::string::npos)
      << text;
}

TEST_F(JournalLog, AnAnswerBeforeItsRequestIsNoLatency) {
  play("FIX.4.4:US->THEM", {{true, 2'000'000'000, "35=D|49=US|56=THEM|34=1|11=1|"},
                            // The clock was set back.
                            {false, 1'000'000'000, "35=8|49=THEM|56=US|34=1|11=1|37=X|39=0|"},
                            {true, 3'000'000'000, "35=G|49=US|56=THEM|34=2|41=1|11=2|"},
                            {false, 3'000'500'000, "35=8|49=THEM|56=US|34=2|11=2|37=X|39=5|"}});
  const std::string text = shown({.paths = {directory_.path()}, .order = "1"});
  EXPECT_NE(text.find("[-1.000 s, answered before its request]"), std::string::npos) << text;
  EXPECT_NE(text.find("  1 requests answered, in 500.000 us to 500.000 us\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  1 requests not measured: the answer's time is earlier\n"),
            std::string::npos)
      << text;
}

TEST_F(JournalLog, NumbersThatASequenceResetPassesOverAreNotMissing) {
  play("FIX.4.4:US->THEM",
       {{false, 1'000'000'000, "35=0|49=THEM|56=US|34=1|"},
        // Reset mode: its own number is ignored.
        {false, 1'100'000'000, "35=4|49=THEM|56=US|34=9|36=20|"},
        {false, 1'200'000'000, "35=0|49=THEM|56=US|34=20|"},
        // A gap fill as the answer to a resend request, at the number that is expected.
        {false, 1'300'000'000, "35=4|49=THEM|56=US|34=21|43=Y|123=Y|36=30|"},
        {false, 1'400'000'000, "35=0|49=THEM|56=US|34=30|"},
        // Reset mode as a possible duplicate.
        {false, 1'500'000'000, "35=4|49=THEM|56=US|34=31|43=Y|36=40|"},
        {false, 1'600'000'000, "35=0|49=THEM|56=US|34=40|"},
        // Earlier messages are repeated, and then a number is missing.
        {false, 1'700'000'000, "35=4|49=THEM|56=US|34=21|43=Y|123=Y|36=30|"},
        {false, 1'800'000'000, "35=0|49=THEM|56=US|34=42|"}});
  LogOptions options{.paths = {directory_.path()}, .statistics = true};
  options.filter.heartbeats = true;
  const std::string text = shown(options);
  EXPECT_NE(text.find(" 1 gaps (1 numbers missing), 3 sent again"), std::string::npos) << text;
  EXPECT_NE(text.find(" 2 resets"), std::string::npos) << text;
}

TEST(RecordText, ShowsTimesOfEveryAge) {
  EXPECT_EQ(time_text(0), "1970-01-01 00:00:00.000000000");
  EXPECT_EQ(time_text(1'767'182'400'123'456'789), "2025-12-31 12:00:00.123456789");
  EXPECT_EQ(time_text(-1), "1969-12-31 23:59:59.999999999");
  EXPECT_EQ(duration_text(999), "999 ns");
  EXPECT_EQ(duration_text(1'234), "1.234 us");
  EXPECT_EQ(duration_text(-2'500'000'000), "-2.500 s");
}

TEST(RecordText, HidesNoByte) {
  EXPECT_EQ(readable(std::string("8=FIX\x01"
                                 "58=a\x02"
                                 "b\xC3\xA9\x7F\x01")),
            "8=FIX|58=a\\x02b\xC3\xA9\\x7f|");
}

TEST_F(JournalLog, ReportsTheKindOfARecord) {
  {
    auto journal = affix::journal::Journal::open(journal_options("S"));
    ASSERT_TRUE(journal);
    static_cast<void>((*journal)->append_received(7, 8, 1, make_message("35=D|34=7|")));
    static_cast<void>((*journal)->append_resent(1, 3, 2));
    static_cast<void>(
        (*journal)->append_event(affix::journal::EventType::Reset, 1, 1, 3, "by hand"));
    static_cast<void>((*journal)->append_queued(1, 4, make_message("35=D|34=1|")));
  }
  const auto lines = lines_of(shown({.paths = {directory_.path()}}));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].substr(0, 54), "S 1970-01-01 00:00:00.000000001 IN  7 unprocessed 8=FI");
  EXPECT_EQ(lines[1], "S 1970-01-01 00:00:00.000000002 RES 1 to 3");
  EXPECT_EQ(lines[2], "S 1970-01-01 00:00:00.000000003 EVT 1/1 reset by hand");
  EXPECT_EQ(lines[3].substr(0, 49), "S 1970-01-01 00:00:00.000000004 OUT 1 queued 8=FI");
}

}  // namespace
}  // namespace affix::tools::log
