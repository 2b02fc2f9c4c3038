// SPDX-License-Identifier: MIT
// Repeated power losses for a journal, within any call to the disk, with any subset of unflushed
// pages written: durable records are there, all records are as appended and in order, and no number
// that may have been seen is used again. Some lives end by a kill instead, which loses nothing, and
// leaves data that the next opening must flush.
#include "support/files_used_again.hpp"
#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::Journal;
using journal::Kind;
using support::RecordingDisk;

/// A record as appended, or as found by opening.
struct Written {
  Kind kind = Kind::Sent;
  std::uint64_t sequence = 0;
  std::uint64_t number_after = 0;
  std::string bytes;
  bool marked = false;
};

class JournalPowerLoss : public JournalTest {
 protected:
  JournalPowerLoss() : random_(seed_), disk_(seed_ + 1) {
    disk_.fault = [this](RecordingDisk::Call call, const std::string& path) {
      used_again_ += call == RecordingDisk::Call::Rename && path.ends_with("/spare") ? 1U : 0U;
      return 0;
    };
  }

  [[nodiscard]] journal::Options durable_options(Durability durability) {
    journal::Options with = small_segments();
    with.durability = durability;
    with.disk = &disk_;
    // Small reserves are used up before they are renewed.
    with.sequence_reserve = random_() % 2 == 0 ? 400 : 1 + random_() % 40;
    with.keep_bytes = keep_bytes_;
    return with;
  }

  void run(Durability durability) {
    SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
    SCOPED_TRACE("durability " + std::to_string(static_cast<int>(durability)));
    const std::uint64_t rounds = support::chosen_number("AFFIX_ROUNDS", 1'000);
    for (std::uint64_t round = 0; round < rounds && !HasFatalFailure(); ++round) {
      SCOPED_TRACE(round);
      if (round % 25 == 0) {
        start_anew();
      }
      ASSERT_NO_FATAL_FAILURE(live_and_die(durability));
    }
    EXPECT_GT(opened_, rounds / 2);
    EXPECT_GT(lost_, rounds / 20) << "nothing was ever lost: the test loses no power";
  }

  void start_anew() {
    make_empty_directory();
    written_.clear();
    killed_ = false;
    durable_ = 0;
    seen_outgoing_ = 1;
    disk_.forget();
  }

  // One life: opens, checks against earlier writes, and works until the power fails.
  void live_and_die(Durability durability) {
    if (random_() % 3 == 0) {
      disk_.lose_power_after(random_() % 40);
    }
    auto opened = Journal::open(durable_options(durability));
    if (!opened && disk_.powered()) {
      FAIL() << opened.error().text();
    }
    if (opened) {
      Journal& journal = **opened;
      ++opened_;
      check(journal, durability);
      if (HasFatalFailure()) {
        return;
      }
      // A segment is removed once several newer ones are on the disk, and with durability process
      // these must be made in one life.
      const std::uint64_t longer = keep_bytes_ != 0 && durability == Durability::Process ? 5 : 1;
      const std::uint64_t steps = random_() % (80 * longer);
      if (random_() % 2 == 0) {
        disk_.lose_power_after(random_() % (60 * longer));
      }
      for (std::uint64_t step = 0; step < steps && disk_.powered(); ++step) {
        do_something(journal, durability);
        // Removing a segment and making another from its file takes several calls.
        for (std::uint64_t calls = keep_bytes_ != 0 ? random_() % 8 : 0;
             calls != 0 && journal.needs_preparation() && disk_.powered(); --calls) {
          static_cast<void>(journal.prepare());
        }
      }
      if (disk_.powered() && random_() % 8 == 0) {
        // A clean close that a power loss may interrupt.
        disk_.lose_power_after(random_() % 12);
        if (journal.close() && durability != Durability::Process) {
          durable_ = written_.size();
        }
      }
      journal.abandon();
    }
    opened = std::unexpected(base::Error{});
    killed_ = disk_.powered() && random_() % 3 == 0;
    if (!killed_) {
      disk_.restart(directory());
    }
  }

  void do_something(Journal& journal, Durability durability) {
    const std::uint64_t sent = journal.next_outgoing();
    const std::uint64_t expected = journal.next_expected();
    switch (random_() % 12) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const std::string bytes = message_of(sent, 40 + random_() % 900);
        if (journal.append_sent(sent, start_ns, bytes) == AppendResult::Appended) {
          written_.push_back({Kind::Sent, sent, sent + 1, bytes, false});
          // Every appended message is sent; with sync only durable ones were seen.
          seen_outgoing_ = durability == Durability::Sync ? seen_outgoing_ : sent + 1;
        }
        break;
      }
      case 4:
      case 5:
      case 6: {
        const std::string bytes = message_of(expected, 40 + random_() % 400);
        const journal::Appended appended =
            journal.append_received(expected, expected + 1, start_ns, bytes);
        if (appended.result() == AppendResult::Appended) {
          // An unmarked message keeps its segment.
          const bool marks = random_() % (keep_bytes_ != 0 ? 8 : 2) != 0;
          written_.push_back({Kind::Received, expected, expected + 1, bytes, marks});
          if (marks) {
            journal.mark_processed(appended.position());
          }
        }
        break;
      }
      case 7:
        if (journal.append_held(expected + 5, start_ns, "held") == AppendResult::Appended) {
          written_.push_back({Kind::Held, expected + 5, expected, "held", false});
        }
        break;
      case 8:
        static_cast<void>(journal.prepare());
        break;
      case 9:
        disk_.write_back_something();
        break;
      default:
        if (journal.flush() && durability != Durability::Process) {
          note_durable(journal);
        }
        break;
    }
  }

  void note_durable(const Journal& journal) {
    ASSERT_EQ(journal.durable(), journal.end());
    durable_ = written_.size();
    seen_outgoing_ = journal.next_outgoing();
  }

  [[nodiscard]] static bool is_same(const Contents::Row& row, const Written& wanted) {
    return row.record.kind == wanted.kind && row.record.sequence == wanted.sequence &&
           row.bytes == wanted.bytes;
  }

  // Number of rows that match those written from `at` on.
  [[nodiscard]] std::size_t same_from(const Contents& contents, std::size_t at) const {
    std::size_t same = 0;
    while (same < contents.rows.size() && at + same < written_.size() &&
           is_same(contents.rows[same], written_[at + same])) {
      ++same;
    }
    return same;
  }

  // The oldest are gone with their segments; a segment that stays keeps everything after it.
  // Records may be equal, so this finds the position with the longest match.
  void forget_what_is_not_kept(const Contents& contents) {
    if (keep_bytes_ == 0) {
      return;
    }
    std::size_t gone = 0;
    for (std::size_t at = 1; at < written_.size(); ++at) {
      gone = same_from(contents, at) > same_from(contents, gone) ? at : gone;
    }
    let_go_ += gone;
    durable_ -= std::min(durable_, gone);
    written_.erase(written_.begin(), written_.begin() + static_cast<std::ptrdiff_t>(gone));
  }

  // The contents are a prefix of the writes, at least as long as the durable part.
  void check(Journal& journal, Durability durability) {
    const Contents contents = read_all();
    ASSERT_FALSE(contents.damage) << contents.damage->text();
    forget_what_is_not_kept(contents);
    std::size_t same = 0;
    while (same < contents.rows.size() && same < written_.size()) {
      const journal::Record& record = contents.rows[same].record;
      const Written& wanted = written_[same];
      if (!is_same(contents.rows[same], wanted)) {
        break;
      }
      // An existing mark was set; a missing one means a redelivery.
      ASSERT_TRUE(!record.processed || wanted.marked || record.kind != Kind::Received);
      ++same;
    }
    ASSERT_GE(same, durable_) << "records that were durable are gone";
    ASSERT_TRUE(!killed_ || same == written_.size()) << "a kill lost records";
    ASSERT_TRUE(!killed_ || !journal.recovered().other_boot);
    lost_ += written_.size() - same;
    written_.resize(same);
    // Opening records possible losses of numbers; the power may have failed during an earlier
    // opening that did.
    for (std::size_t at = same; at < contents.rows.size(); ++at) {
      const journal::Record& record = contents.rows[at].record;
      ASSERT_EQ(record.kind, Kind::Event) << "a record that nobody wrote";
      written_.push_back(
          {Kind::Event, record.sequence, record.number_after, contents.rows[at].bytes, false});
    }
    ASSERT_GE(journal.next_outgoing(), seen_outgoing_) << "a number the peer has seen is free";
    if (durability == Durability::Sync && journal.recovered().cut_bytes == 0) {
      ASSERT_EQ(journal.recovered().skipped_from, 0U) << "nothing can be lost, yet it skipped";
    }
    if (durability != Durability::Process) {
      ASSERT_EQ(journal.durable(), journal.end());
      durable_ = written_.size();
    }
    seen_outgoing_ = journal.next_outgoing();
    check_redelivery(journal);
  }

  void check_redelivery(Journal& journal) {
    std::vector<std::uint64_t> wanted;
    for (const Written& one : written_) {
      if (one.kind == Kind::Received && !one.marked) {
        wanted.push_back(one.sequence);
      }
    }
    journal::Replay walk = journal.unprocessed();
    std::size_t next = 0;
    while (const auto record = walk.next()) {
      if (next < wanted.size() && record->sequence == wanted[next]) {
        ++next;
      }
      if (keep_bytes_ != 0 || random_() % 2 == 0) {
        journal.mark_processed(record->position);
        for (Written& one : written_) {
          one.marked = one.marked || (one.kind == Kind::Received && one.bytes == record->bytes);
        }
      }
    }
    ASSERT_FALSE(walk.damaged());
    ASSERT_EQ(next, wanted.size()) << "a message the application has not had was not handed again";
  }

  const std::uint64_t seed_ = support::chosen_seed();
  std::mt19937_64 random_;
  RecordingDisk disk_;
  std::vector<Written> written_;
  std::size_t durable_ = 0;          // Number of elements of written_ that must be there.
  std::uint64_t seen_outgoing_ = 1;  // The peer may have seen numbers below it.
  bool killed_ = false;              // The last life was ended by a kill.
  std::uint64_t opened_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t keep_bytes_ = 0;  // Retention of old segments; 0: all.
  std::uint64_t let_go_ = 0;
  std::uint64_t used_again_ = 0;  // Number of files reused as newer segments.
};

TEST_F(JournalPowerLoss, SyncKeepsEverythingThatWasDurable) {
  run(Durability::Sync);
}

TEST_F(JournalPowerLoss, GroupKeepsFlushedRecordsAndUsesNoNumberTwice) {
  run(Durability::Group);
}

TEST_F(JournalPowerLoss, ProcessUsesNoNumberTwice) {
  run(Durability::Process);
}

// Old segments are removed while the power fails: in any call, and with their names restored or
// not. Their files become newer ones, without any of the old contents.
TEST_F(JournalPowerLoss, ASegmentThatIsLetGoOfLeavesNoHole) {
  keep_bytes_ = 1;
  for (const Durability durability : {Durability::Sync, Durability::Group, Durability::Process}) {
    used_again_ = 0;
    run(durability);
    if (support::overwrites_in_place(directory())) {
      EXPECT_GT(used_again_, support::chosen_number("AFFIX_ROUNDS", 1'000) / 10)
          << "no file was used again with durability " << static_cast<int>(durability);
    }
    start_anew();
  }
  EXPECT_GT(let_go_, support::chosen_number("AFFIX_ROUNDS", 1'000)) << "no segment was let go of";
}

}  // namespace
}  // namespace affix::journal_test
