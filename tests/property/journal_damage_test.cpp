// SPDX-License-Identifier: MIT
// Random damage to journals of every durability, with one segment or many, some in reused files,
// closed or killed: each opens with exactly its contents, or is cut where a kill may cut, or is
// refused unchanged. After a repair each one opens and verifies, with every complete record, and no
// number is used again. Unprocessed messages are redelivered. AFFIX_ROUNDS sets the number,
// AFFIX_SEED the seed.
#include "support/damaged_bytes.hpp"
#include "support/files_used_again.hpp"
#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Delivery;
using journal::Durability;
using journal::Journal;

/// A record as appended or found.
struct Row {
  journal::Kind kind = journal::Kind::Sent;
  std::uint64_t sequence = 0;
  std::uint64_t number_after = 0;
  std::string bytes;
  journal::Position position;
  friend bool operator==(const Row&, const Row&) = default;
};

/// An undamaged journal, and its contents.
struct Original {
  Durability durability = Durability::Process;
  bool closed = false;
  bool keeps_all = true;
  Files files;
  std::vector<Row> rows;
  std::vector<Row> unprocessed;
  std::uint64_t next_outgoing = 1;
  std::uint64_t next_expected = 1;
};

class JournalDamage : public JournalTest {
 protected:
  JournalDamage() : random_(seed_) {}

  [[nodiscard]] std::uint64_t any(std::uint64_t below) { return random_() % below; }

  [[nodiscard]] journal::Options options_of(Durability durability) const {
    journal::Options with = small_segments();
    with.durability = durability;
    with.sequence_reserve = 1'000;
    with.sync_on_close = true;
    return with;
  }

  [[nodiscard]] std::vector<Row> read_rows() const {
    std::vector<Row> rows;
    auto reader = journal::Reader::open(directory());
    while (reader) {
      const auto record = reader->next();
      if (!record) {
        break;
      }
      rows.push_back({record->kind, record->sequence, record->number_after,
                      std::string(record->bytes), record->position});
    }
    return rows;
  }

  // A journal written by up to three writers, the last of which closed it or was killed.
  Original make_original() {
    constexpr Durability durabilities[] = {Durability::Process, Durability::Group,
                                           Durability::Sync};
    Original made;
    made.durability = durabilities[any(3)];
    made.closed = any(2) == 0;
    made.keeps_all = any(3) != 0;
    std::filesystem::remove_all(directory());
    const std::uint64_t writers = 1 + any(3);
    // A segment is removed once there are several newer ones.
    const std::uint64_t records = !made.keeps_all ? 100 + any(300)
                                  : any(3) == 0   ? 1 + any(12)
                                                  : 1 + any(160);
    for (std::uint64_t writer = 0; writer < writers; ++writer) {
      journal::Options with = options_of(made.durability);
      if (!made.keeps_all) {
        with.keep_bytes = 1;
        with.max_segment_bytes = with.first_segment_bytes;
      }
      with.disk = &disk_;
      const auto journal = open(with);
      for (std::uint64_t at = 0; at < records; ++at) {
        append(*journal, made);
        // Removing a segment and making another from its file takes several calls.
        for (std::uint64_t calls = made.keeps_all ? any(4) / 3 : any(8);
             calls != 0 && journal->needs_preparation(); --calls) {
          EXPECT_TRUE(journal->prepare());
        }
        if (any(16) == 0) {
          EXPECT_TRUE(journal->flush());
        }
      }
      // With sync, only flushed messages were seen.
      EXPECT_TRUE(journal->flush());
      made.next_outgoing = journal->next_outgoing();
      made.next_expected = journal->next_expected();
      if (writer + 1 == writers ? made.closed : any(2) == 0) {
        EXPECT_TRUE(journal->close());
      } else {
        journal->abandon();
      }
    }
    made.files = read_files();
    const std::uint32_t oldest = journal::segment_file_number(segments_of(made.files).front());
    std::erase_if(made.rows, [&](const Row& row) { return row.position.segment < oldest; });
    return made;
  }

  void append(Journal& journal, Original& made) {
    const std::size_t bytes = 20 + any(any(8) == 0 ? 900 : 200);
    if (any(2) == 0) {
      const std::uint64_t number = journal.next_outgoing();
      const std::string text = message_of(number, bytes);
      ASSERT_EQ(journal.append_sent(number, start_ns, text), AppendResult::Appended);
      // It ends at the next record's begin.
      const journal::Position end = journal.end();
      made.rows.push_back(
          {journal::Kind::Sent,
           number,
           number + 1,
           text,
           {end.segment, end.offset - static_cast<std::uint32_t>(format::record_bytes(bytes))}});
    } else {
      const std::uint64_t number = journal.next_expected();
      const std::string text = message_of(number, bytes);
      const bool own = any(2) == 0;
      const auto appended = journal.append_received(
          number, number + 1, start_ns, text, own ? Delivery::SessionOnly : Delivery::Application);
      ASSERT_EQ(appended.result(), AppendResult::Appended);
      // An unmarked message keeps its segment.
      const bool marks = !made.keeps_all || any(2) == 0;
      if (marks) {
        journal.mark_processed(appended.position());
      }
      made.rows.push_back({journal::Kind::Received, number, number + 1, text, appended.position()});
      if (!own && !marks) {
        made.unprocessed.push_back(made.rows.back());
      }
    }
  }

  [[nodiscard]] static bool is_segment(const std::string& name) {
    return journal::segment_file_number(name) != 0;
  }

  [[nodiscard]] std::vector<std::string> segments_of(const Files& files) const {
    std::vector<std::string> names;
    for (const auto& [name, bytes] : files) {
      if (is_segment(name)) {
        names.push_back(name);
      }
    }
    return names;
  }

  /// The last segment that is in use.
  [[nodiscard]] std::string newest_of(const Files& files) const {
    std::string newest;
    for (const std::string& name : segments_of(files)) {
      newest = journal::SegmentScan::begun(files.at(name)) || newest.empty() ? name : newest;
    }
    return newest;
  }

  /// Begins of a segment's records, and their end.
  [[nodiscard]] static std::vector<std::size_t> offsets_of(const std::string& name,
                                                           const std::string& bytes) {
    std::vector<std::size_t> offsets;
    auto scan = journal::SegmentScan::open(bytes, journal::segment_file_number(name), name);
    while (scan) {
      offsets.push_back(scan->offset());
      if (!scan->next()) {
        break;
      }
    }
    return offsets;
  }

  // Damages the files in one way; returns its description.
  std::string damage(Files& files) {
    const std::vector<std::string> names = segments_of(files);
    const bool newest = any(3) != 0;
    std::string name = newest ? newest_of(files) : names[any(names.size())];
    if (any(25) == 0 && files.contains("summary")) {
      name = "summary";
    }
    std::string& bytes = files[name];
    const auto zero = [&bytes](std::size_t from, std::size_t to) {
      to = std::min(to, bytes.size());
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(std::min(from, to)),
                bytes.begin() + static_cast<std::ptrdiff_t>(to), '\0');
    };
    const std::vector<std::size_t> offsets = offsets_of(name, bytes);
    const std::size_t used = offsets.empty() ? bytes.size() : offsets.back() + 16;
    const std::size_t somewhere = any(2) == 0 ? any(used) : any(bytes.size());
    switch (any(16)) {
      case 0:
        zero(0, bytes.size());
        return name + ": all zeros";
      case 1: {
        constexpr std::size_t heads[] = {8, 512, 1'100, 4'096};
        const std::size_t head = heads[any(4)];
        zero(0, head);
        return name + ": head of " + std::to_string(head) + " zeros";
      }
      case 2:
        files.erase(name);
        return name + ": removed";
      case 3: {
        const std::string other = names[any(names.size())];
        std::swap(files[name], files[other]);
        return name + " and " + other + ": swapped";
      }
      case 4: {
        const std::string other = names[any(names.size())];
        files[other] = std::string(files[name]);
        return name + ": doubled as " + other;
      }
      case 5: {
        std::string next = journal::segment_file_path("", journal::segment_file_number(name) + 1);
        next.erase(0, 1);
        files[next] = std::string(files[name]);
        return name + ": doubled as " + next;
      }
      case 6:
        if (offsets.size() > 1) {
          zero(offsets[offsets.size() - 2], offsets[offsets.size() - 2] + 4);
          return name + ": last commit word zeroed";
        }
        return damage(files);
      case 7:
        if (offsets.size() > 1) {
          const std::size_t from = offsets[any(offsets.size() - 1)];
          zero(from, bytes.size());
          return name + ": whole records zeroed from " + std::to_string(from);
        }
        return damage(files);
      case 8:
        if (offsets.size() > 1) {
          const std::size_t at = any(offsets.size() - 1);
          zero(offsets[at], offsets[at + 1]);
          return name + ": one record zeroed at " + std::to_string(offsets[at]);
        }
        return damage(files);
      case 9:
        if (offsets.size() > 1) {
          const std::size_t at = offsets[any(offsets.size() - 1)] + any(40);
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << any(8)));
          return name + ": bit flipped in a record's header at " + std::to_string(at);
        }
        return damage(files);
      default:
        return name + ": " + support::damage(bytes, somewhere, random_);
    }
  }

  void check(const Original& original, const Files& damaged) {
    put_files(damaged);
    auto opened = Journal::open(options_of(original.durability));
    if (!opened) {
      ++refused_;
      EXPECT_EQ(read_files(), damaged) << "refused, and yet changed: " << opened.error().text();
      const auto verified = journal::verify(directory());
      EXPECT_TRUE(!verified || verified->damaged())
          << "refused, and yet verified: " << opened.error().text();
      check_repair(original, damaged, opened.error().text());
      return;
    }
    ++opened_;
    const journal::Recovered& found = (*opened)->recovered();
    const bool reported = found.skipped_from != 0;
    EXPECT_GE((*opened)->next_outgoing(), original.next_outgoing);
    EXPECT_TRUE(reported || (*opened)->next_outgoing() == original.next_outgoing);
    EXPECT_TRUE(reported || (*opened)->next_expected() == original.next_expected);
    check_unprocessed(original, damaged, **opened);
    (*opened)->abandon();
    opened->reset();
    if (const auto verified = journal::verify(directory()); verified && verified->damaged()) {
      ++mended_history_;
      check_repair(original, damaged, "verified as damaged");
    } else {
      // Everything found is as it was appended.
      EXPECT_TRUE(verified);
      check_rows(original);
    }
    check_use(original);
  }

  // Every message found was appended, in order; events report missing ones.
  void check_rows(const Original& original) {
    std::size_t next = 0;
    for (const Row& row : read_rows()) {
      if (row.kind == journal::Kind::Event) {
        continue;
      }
      while (next < original.rows.size() && !(original.rows[next] == row)) {
        ++next;
      }
      ASSERT_LT(next, original.rows.size()) << "a message that nobody appended";
      ++next;
    }
  }

  /// True if it is undamaged; no checksum covers the mark, which follows the message.
  [[nodiscard]] static bool is_untouched(const Original& original, const Files& damaged,
                                         const Row& row) {
    std::string name = journal::segment_file_path("", row.position.segment);
    name.erase(0, 1);
    const std::size_t bytes = format::record_header_bytes + row.bytes.size() + 1;
    const auto file = damaged.find(name);
    return file != damaged.end() && file->second.size() >= row.position.offset + bytes &&
           file->second.compare(row.position.offset, bytes, original.files.at(name),
                                row.position.offset, bytes) == 0;
  }

  // Redelivered messages were unprocessed, and existing unprocessed ones are redelivered.
  void check_unprocessed(const Original& original, const Files& damaged,
                         const Journal& journal) const {
    std::map<std::uint64_t, std::string> again;
    journal::Replay replay = journal.unprocessed();
    while (const auto record = replay.next()) {
      again[record->sequence] = record->bytes;
    }
    EXPECT_FALSE(replay.damaged());
    EXPECT_EQ(journal.unprocessed_count(), again.size());
    const std::vector<Row> rows = read_rows();
    for (const Row& row : original.unprocessed) {
      if (std::ranges::find(rows, row) != rows.end() && is_untouched(original, damaged, row)) {
        EXPECT_TRUE(again.contains(row.sequence)) << row.sequence << " does not come again";
      }
      again.erase(row.sequence);
    }
    for (const Row& row : original.rows) {
      if (row.kind == journal::Kind::Received && !is_untouched(original, damaged, row)) {
        again.erase(row.sequence);
      }
    }
    EXPECT_TRUE(again.empty()) << again.begin()->first << " comes again, and was processed";
  }

  // Unless the newest segment had to be begun again.
  void check_kept(const Original& original, const Files& damaged, const std::string& losses) const {
    if (losses.find("nothing of it could be used") != std::string::npos) {
      return;
    }
    const std::vector<Row> rows = read_rows();
    for (const Row& row : original.rows) {
      if (is_untouched(original, damaged, row)) {
        EXPECT_TRUE(std::ranges::find(rows, row) != rows.end())
            << "a whole record is gone, in segment " << row.position.segment << " at "
            << row.position.offset << '\n'
            << losses;
      }
    }
  }

  void check_repair(const Original& original, const Files& damaged, const std::string& why) {
    journal::RepairOptions with;
    with.directory = directory();
    with.identity = options().identity;
    with.now_utc_ns = start_ns;
    const Files before = read_files();
    const auto planned = journal::repair(with);
    ASSERT_TRUE(planned) << why << '\n' << planned.error().text();
    EXPECT_EQ(read_files(), before) << "a dry run changes nothing";
    with.apply = true;
    const auto repaired = journal::repair(with);
    ASSERT_TRUE(repaired) << why << '\n' << repaired.error().text();
    EXPECT_EQ(planned->next_outgoing, repaired->next_outgoing);
    EXPECT_FALSE(repaired->segments.empty()) << why << ": refused, and nothing to repair";
    std::string losses;
    for (const auto& segment : repaired->segments) {
      for (const std::string& loss : segment.losses) {
        losses += loss + '\n';
      }
    }
    EXPECT_TRUE(repaired->remaining.empty()) << why << '\n'
                                             << losses << repaired->remaining.front();
    const auto verified = journal::verify(directory());
    ASSERT_TRUE(verified);
    EXPECT_FALSE(verified->damaged()) << why << '\n' << losses << verified->findings.front().text;
    auto opened = Journal::open(options_of(original.durability));
    ASSERT_TRUE(opened) << why << '\n' << losses << opened.error().text();
    EXPECT_GE((*opened)->next_outgoing(), original.next_outgoing) << why << '\n' << losses;
    EXPECT_EQ((*opened)->next_outgoing(), repaired->next_outgoing) << why << '\n' << losses;
    EXPECT_FALSE(losses.empty());
    check_unprocessed(original, damaged, **opened);
    (*opened)->abandon();
    opened->reset();
    check_rows(original);
    check_kept(original, damaged, losses);
  }

  // It can be used, closed, and verified.
  void check_use(const Original& original) {
    std::uint64_t next = 0;
    {
      const auto journal = open(options_of(original.durability));
      ASSERT_TRUE(journal);
      for (int times = 0; times < 3; ++times) {
        next = journal->next_outgoing();
        ASSERT_EQ(journal->append_sent(next, start_ns, message_of(next)), AppendResult::Appended);
      }
      ASSERT_TRUE(journal->close());
    }
    const auto journal = open(options_of(original.durability));
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->next_outgoing(), next + 1);
  }

  const std::uint64_t seed_ = support::chosen_seed();
  std::mt19937_64 random_;
  std::atomic<std::uint64_t> used_again_{0};  // Number of files reused as newer segments.
  support::ReuseCountingDisk disk_{used_again_};
  std::uint64_t opened_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t mended_history_ = 0;
};

TEST_F(JournalDamage, OpensAsItWasOrIsRefusedAndRepaired) {
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
  const std::uint64_t rounds = support::chosen_number("AFFIX_ROUNDS", 400);
  Original original;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (round % 20 == 0) {
      original = make_original();
    }
    Files damaged = original.files;
    const std::string what = damage(damaged);
    SCOPED_TRACE("round " + std::to_string(round) + ", durability " +
                 std::to_string(static_cast<int>(original.durability)) +
                 (original.closed ? ", closed, " : ", killed, ") + what);
    ASSERT_NO_FATAL_FAILURE(check(original, damaged));
    if (HasNonfatalFailure() && support::chosen_number("AFFIX_KEEP_GOING", 0) == 0) {
      return;
    }
  }
  EXPECT_GT(opened_, rounds / 50);
  EXPECT_GT(refused_, rounds / 10);
  if (support::overwrites_in_place(directory())) {
    EXPECT_GT(used_again_, rounds / 20);
  }
  RecordProperty("opened", static_cast<int>(opened_));
  RecordProperty("refused", static_cast<int>(refused_));
  RecordProperty("mended_history", static_cast<int>(mended_history_));
}

}  // namespace
}  // namespace affix::journal_test
