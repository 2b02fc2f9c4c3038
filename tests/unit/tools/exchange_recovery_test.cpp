// SPDX-License-Identifier: MIT
// State that outlives the exchange's process: commands and books as bytes and back, their file
// after a crash or damage, and the reports already sent.
#include "affix/journal/journal.hpp"

#include "exchange/book/matching_engine.hpp"
#include "exchange/recovery/command_file.hpp"
#include "exchange/recovery/command_record.hpp"
#include "exchange/recovery/exchange_state.hpp"
#include "exchange/recovery/sent_reports.hpp"
#include "recorded_events.hpp"
#include "support/temporary_directory.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

namespace affix::tools::exchange {
namespace {

using base::Decimal;
using Lines = std::vector<std::string>;
using support::TemporaryDirectory;

/// Records reports with their ids, which must be the same again.
class Witness final : public EventSink {
 public:
  void on_execution(const ExecutionReport& report) override {
    lines.push_back(line_of(report) + " order " + std::to_string(report.order_id) + " exec " +
                    std::to_string(report.exec_id) + " match " + std::to_string(report.match_id));
  }

  void on_cancel_reject(const CancelReject& reject) override {
    lines.push_back("refused " + std::string(reject.cl_ord_id) + " " +
                    std::to_string(reject.order_id) + " " + std::string(to_text(reject.reason)));
  }

  Lines take() { return std::exchange(lines, {}); }

  Lines lines;
};

/// Executes the command after a round trip through its record.
void command(MatchingEngine& engine, const CommandRecord& given) {
  std::string bytes;
  const auto read = read_command(write_command(given, 0, bytes));
  ASSERT_TRUE(read);
  if (const auto* order = std::get_if<MemberCommand<NewOrder>>(&*read)) {
    engine.submit(order->command);
  } else if (const auto* cancel = std::get_if<MemberCommand<CancelOrder>>(&*read)) {
    engine.cancel(cancel->command);
  } else if (const auto* replace = std::get_if<MemberCommand<ReplaceOrder>>(&*read)) {
    engine.replace(replace->command);
  } else if (const auto* status = std::get_if<MemberCommand<StatusRequest>>(&*read)) {
    engine.report_status(status->command);
  } else if (const auto* all = std::get_if<CancelAll>(&*read)) {
    engine.owner_gone(all->owner, all->reason);
  }
}

/// The `step`th command of a stream, reproducible.
void random_command(MatchingEngine& engine, std::uint64_t seed, std::uint32_t step) {
  std::mt19937_64 random(seed * 1'000'003 + step);
  const auto draw = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  const OwnerId owner = draw(3);
  const std::string name = "N" + std::to_string(draw(15) == 0 ? step / 2 : step);
  const std::string original = "N" + std::to_string(step - std::min(step, draw(20)));
  const Side side = draw(2) == 0 ? Side::Buy : Side::Sell;
  const char* const symbol = draw(2) == 0 ? "ACME" : "IBM";
  const Decimal quantity{1 + draw(20), 0};
  const Decimal price{1000 + draw(6), -2};
  switch (draw(12)) {
    case 0:
    case 1:
      command(engine, MemberCommand<CancelOrder>{{owner, name, original, {}, "", side}, step});
      break;
    case 2:
    case 3:
      command(
          engine,
          MemberCommand<ReplaceOrder>{
              {owner, name, original, {}, "", side, OrderType::Limit, {}, quantity, price}, step});
      break;
    case 4:
      command(engine, MemberCommand<StatusRequest>{{owner, original, {}, symbol, side}, step});
      break;
    case 5:
      if (draw(10) == 0) {
        command(engine, CancelAll{owner, Reason::OwnerGone});
      }
      break;
    default:
      command(engine, MemberCommand<NewOrder>{
                          {owner, name, symbol, side, OrderType::Limit,
                           draw(6) == 0 ? TimeInForce::ImmediateOrCancel : TimeInForce::Day,
                           quantity, price},
                          step});
      break;
  }
}

TEST(SavedBook, AnEngineMadeFromItAnswersEveryCommandAsTheOtherWould) {
  // Few names, so that ended orders are forgotten and their slots reused, and many.
  for (const std::size_t names : {64U, 5'000U}) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(std::to_string(names) + " names, seed " + std::to_string(seed));
      const EngineLimits limits{.cl_ord_ids_max = names};
      Witness first_witness;
      MatchingEngine first(limits, first_witness);
      ASSERT_TRUE(first.add_instrument({.symbol = "ACME"}));
      ASSERT_TRUE(first.add_instrument({.symbol = "IBM"}));
      const std::uint32_t cut = 50 + static_cast<std::uint32_t>(seed) * 17;
      for (std::uint32_t step = 0; step < cut; ++step) {
        random_command(first, seed, step);
      }
      ExchangeState state;
      state.book = first.save();
      const StateRecords records(state);
      const auto read = read_state(records.records());
      ASSERT_TRUE(read) << read.error().text();
      Witness second_witness;
      MatchingEngine second(limits, second_witness);
      const auto restored = second.restore(read->state.book);
      ASSERT_TRUE(restored) << restored.error().text();
      EXPECT_EQ(second.open_orders(), first.open_orders());
      first_witness.take();
      for (std::uint32_t step = cut; step < cut + 300; ++step) {
        random_command(first, seed, step);
        random_command(second, seed, step);
        ASSERT_EQ(second_witness.take(), first_witness.take()) << "step " << step;
      }
    }
  }
}

TEST(SavedBook, AContradictionIsAnErrorAndNoCrash) {
  Witness witness;
  MatchingEngine engine({.cl_ord_ids_max = 100}, witness);
  ASSERT_TRUE(engine.add_instrument({.symbol = "ACME"}));
  for (std::uint32_t step = 0; step < 60; ++step) {
    random_command(engine, 5, step);
  }
  const SavedBook good = engine.save();
  ASSERT_FALSE(good.orders.empty());
  const auto refused = [](const SavedBook& book) {
    Witness nobody;
    MatchingEngine other({.cl_ord_ids_max = 100}, nobody);
    return !other.restore(book);
  };
  EXPECT_FALSE(refused(good));
  SavedBook bad = good;
  bad.orders.push_back(good.orders.front());
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.orders.pop_back();
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.orders.front().instrument = 9;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.names.clear();
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.order_slots = 1'000'000;
  EXPECT_TRUE(refused(bad));
}

TEST(MatchingEngine, AClosedSymbolIsRefusedAndItsOrdersAreCanceled) {
  RecordedEvents events;
  MatchingEngine engine({}, events);
  ASSERT_TRUE(engine.add_instrument({.symbol = "ACME"}));
  ASSERT_TRUE(engine.add_instrument({.symbol = "IBM"}));
  const auto order = [&](const char* name, const char* symbol) {
    engine.submit({1, name, symbol, Side::Buy, OrderType::Limit, TimeInForce::Day, Decimal{5, 0},
                   Decimal{10, 0}});
    return events.take();
  };
  order("A", "ACME");
  order("B", "IBM");
  engine.close_instrument(0);
  EXPECT_EQ(events.take(), Lines{"canceled 1/A Canceled leaves 0 filled 0 because: Symbol is no "
                                 "longer traded here"});
  EXPECT_EQ(engine.open_orders(), 1U);
  EXPECT_EQ(order("C", "ACME").front(),
            "rejected 1/C Rejected leaves 0 filled 0 because: Symbol is not traded here");
  engine.open_instrument(0);
  EXPECT_EQ(order("D", "ACME").front(), "new 1/D New leaves 5 filled 0");
}

// --- The file ---

std::unique_ptr<CommandFile> open_file(const std::string& directory,
                                       CommandSafety safety = CommandSafety::Process) {
  auto file = CommandFile::open(directory, safety);
  EXPECT_TRUE(file) << file.error().text();
  return file ? std::move(*file) : nullptr;
}

Lines bodies(const CommandFile& file) {
  Lines lines;
  const auto contents = file.read();
  EXPECT_TRUE(contents) << contents.error().text();
  for (const StoredCommand& record : (*contents)->records) {
    lines.push_back(std::string(1, record.type) + std::to_string(record.utc_ns) +
                    std::string(record.body));
  }
  return lines;
}

std::string only_book_in(const std::string& directory) {
  std::string found;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".book") {
      EXPECT_TRUE(found.empty());
      found = entry.path().string();
    }
  }
  return found;
}

// Files of earlier versions are readable, and a request repeated after a kill is recognised by its
// key in them.
TEST(CommandRecord, LooksInTheFileAsItAlwaysDid) {
  ReplaceOrder replace;
  replace.owner = 4;
  replace.cl_ord_id = "A2";
  replace.orig_cl_ord_id = "A1";
  replace.symbol = "X";
  replace.quantity = Decimal(10);
  std::string bytes;
  const StoredCommand stored = write_command(MemberCommand<ReplaceOrder>{replace, 7}, 5, bytes);
  std::string digits;
  for (const char byte : stored.body) {
    digits += "0123456789abcdef"[static_cast<unsigned char>(byte) / 16];
    digits += "0123456789abcdef"[static_cast<unsigned char>(byte) % 16];
  }
  EXPECT_EQ(stored.type, 'r');
  EXPECT_EQ(digits,
            "0400000002000000413202000000413100000000000000000001000000583132003001"
            "0a0000000000000000000000000700000000000000");
  EXPECT_EQ(key_of(MemberCommand<ReplaceOrder>{replace, 0}, 9, "20260101-00:00:00.123", bytes),
            0xC70F'CB70'F3E1'DBF4U);
}

TEST(CommandFile, KeepsRecordsInTheirOrderAndBeginsAnew) {
  for (const CommandSafety safety :
       {CommandSafety::Process, CommandSafety::Soon, CommandSafety::OnFlush}) {
    const TemporaryDirectory directory;
    const std::string path = directory.path("book");
    {
      const auto file = open_file(path, safety);
      EXPECT_EQ(bodies(*file), Lines{});
      ASSERT_TRUE(file->begin(std::vector<StoredCommand>{{'B', 1, "one"}, {'Z', 2, ""}}));
      ASSERT_TRUE(file->append({'n', 3, "two"}));
      ASSERT_TRUE(file->flush());
      const auto other = CommandFile::open(path, safety);
      ASSERT_FALSE(other);
      EXPECT_EQ(other.error().code, base::ErrorCode::Locked);
    }
    const auto file = open_file(path, safety);
    EXPECT_EQ(bodies(*file), (Lines{"B1one", "Z2", "n3two"}));
    ASSERT_TRUE(file->begin(std::vector<StoredCommand>{{'B', 4, "new"}}));
    ASSERT_TRUE(file->append({'n', 5, "more"}));
    EXPECT_EQ(bodies(*file), (Lines{"B4new", "n5more"}));
    EXPECT_TRUE(only_book_in(path).ends_with("/0000000002.book"));
  }
}

TEST(CommandFile, ARecordCutShortAnywhereIsLeftOutAndNoOther) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("book");
  {
    const auto file = open_file(path);
    ASSERT_TRUE(file->begin(std::vector<StoredCommand>{{'B', 1, "begin"}}));
    ASSERT_TRUE(file->append({'n', 2, "kept"}));
    ASSERT_TRUE(file->append({'n', 3, "the last record"}));
  }
  const std::string book = only_book_in(path);
  const auto size = std::filesystem::file_size(book);
  constexpr std::uintmax_t last_bytes = 8 + 9 + 15;
  for (std::uintmax_t cut = 1; cut <= last_bytes; ++cut) {
    std::filesystem::resize_file(book, size - cut);
    EXPECT_EQ(bodies(*open_file(path)), (Lines{"B1begin", "n2kept"})) << cut;
    // As after a power loss: same length, zeros.
    std::filesystem::resize_file(book, size);
    const auto file = open_file(path);
    const auto contents = file->read();
    ASSERT_TRUE(contents) << cut;
    EXPECT_EQ((*contents)->records.size(), 2U);
    EXPECT_EQ((*contents)->cut_bytes, last_bytes);
  }
}

TEST(CommandFile, DamageThatNoCrashExplainsIsRefusedAndNothingIsChanged) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("book");
  {
    const auto file = open_file(path);
    ASSERT_TRUE(file->begin(std::vector<StoredCommand>{{'B', 1, "begin"}}));
    for (int count = 0; count < 4; ++count) {
      ASSERT_TRUE(file->append({'n', count, "record " + std::to_string(count)}));
    }
  }
  const std::string book = only_book_in(path);
  std::string good(std::filesystem::file_size(book), '\0');
  std::ifstream(book, std::ios::binary).read(good.data(), static_cast<long>(good.size()));
  const std::size_t last = good.size() - (8 + 9 + 8);
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int bit : {0, 6}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      std::ofstream(book, std::ios::binary) << bad;
      const auto file = open_file(path);
      const auto contents = file->read();
      if (at < last) {
        ASSERT_FALSE(contents) << "byte " << at;
        EXPECT_EQ(contents.error().code, base::ErrorCode::Damaged);
      } else {
        ASSERT_TRUE(contents);  // As after an interrupted write.
        EXPECT_EQ((*contents)->records.size(), 4U);
      }
    }
  }
}

// --- Sent reports ---

class SentJournal : public ::testing::Test {
 protected:
  void SetUp() override {
    affix::journal::Options options;
    options.directory = directory.path("journal");
    options.identity = "FIX.4.4:EXCHANGE->A";
    options.sequence_reserve = 0;
    auto opened = affix::journal::Journal::open(options);
    ASSERT_TRUE(opened);
    journal = std::move(*opened);
  }

  void send(const std::string& fields) {
    const std::uint64_t number = journal->next_outgoing();
    ASSERT_EQ(journal->append_sent(number, 1, soh("8=FIX.4.4|9=1|" + fields + "|10=000|")),
              affix::journal::AppendResult::Appended);
  }

  void receive(std::uint64_t number) {
    ASSERT_EQ(
        journal->append_received(number, number + 1, 1, soh("8=FIX.4.4|9=1|35=D|10=000|")).result(),
        affix::journal::AppendResult::Appended);
  }

  static std::string soh(std::string text) {
    std::replace(text.begin(), text.end(), '|', '\x01');
    return text;
  }

  [[nodiscard]] SentReports read(affix::journal::Position from = {}) const {
    auto sent = read_sent_reports(directory.path("journal"), from, "RUN-");
    EXPECT_TRUE(sent);
    return sent ? std::move(*sent) : SentReports{};
  }

  TemporaryDirectory directory;
  std::unique_ptr<affix::journal::Journal> journal;
};

TEST_F(SentJournal, ReportsTheNewestIdAndLaterReports) {
  send("35=8|17=RUN-7");
  send("35=8|17=0");
  send("35=8|17=RUN-9");
  send("35=0");
  send("35=9|11=X");
  send("35=8|17=0");
  SentReports sent = read();
  EXPECT_EQ(sent.last_exec_id, 9U);
  EXPECT_EQ(sent.without_id, 2U);
  const affix::journal::Position here = sent.end;
  sent = read(here);
  EXPECT_EQ(sent.last_exec_id, 0U);
  EXPECT_EQ(sent.without_id, 0U);
  send("35=9|11=Y");
  send("35=8|17=OTHER-11");  // From an earlier file.
  EXPECT_EQ(read(here).last_exec_id, 0U);
  EXPECT_EQ(read(here).without_id, 1U);
}

TEST_F(SentJournal, ReportsWhichMessagesWereAnsweredByAReject) {
  receive(1);
  send("35=j|45=1");
  receive(2);
  receive(3);
  send("35=3|45=3");
  EXPECT_EQ(read().rejected, (std::unordered_set<std::uint64_t>{1, 3}));
  receive(1);  // After a reset.
  EXPECT_EQ(read().rejected, (std::unordered_set<std::uint64_t>{3}));
}

TEST(SentFilter, LetsThroughExactlyLaterReports) {
  const auto execution = [](std::uint64_t exec_id) {
    ExecutionReport report;
    report.exec_id = exec_id;
    return report;
  };
  // Made again: 5, 6, a reject, a status, 8, a reject, 9; other members have the rest.
  for (std::size_t sent = 0; sent <= 7; ++sent) {
    const std::vector<std::uint64_t> made{5, 6, 0, 0, 8, 0, 9};
    SentReports known;
    for (std::size_t at = 0; at < sent; ++at) {
      known.without_id = made[at] == 0 ? known.without_id + 1 : 0;
      known.last_exec_id = made[at] == 0 ? known.last_exec_id : made[at];
    }
    SentFilter filter(known, 5);
    for (std::size_t at = 0; at < made.size(); ++at) {
      const bool was_sent =
          made[at] == 0 ? filter.was_sent(CancelReject{}) : filter.was_sent(execution(made[at]));
      EXPECT_EQ(was_sent, at < sent) << sent << " sent, report " << at;
    }
  }
}

}  // namespace
}  // namespace affix::tools::exchange
