// SPDX-License-Identifier: MIT
// Power lost again and again under a journal, in the middle of any call to the disk, with every
// page that was not flushed there or not: what was durable is there, what is there is what was
// appended, in its order, and no number that may have been seen is used again.
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

/// What was appended, or found at opening.
struct Written {
  Kind kind = Kind::Sent;
  std::uint64_t sequence = 0;
  std::uint64_t number_after = 0;
  std::string bytes;
  bool marked = false;
};

class JournalPowerLoss : public JournalTest {
 protected:
  JournalPowerLoss() : random_(seed_), disk_(seed_ + 1) {}

  [[nodiscard]] journal::Options durable_options(Durability durability) {
    journal::Options with = options();
    with.durability = durability;
    with.disk = &disk_;
    with.first_segment_bytes = 8 * 1024;
    with.max_segment_bytes = 16 * 1024;
    // Small ones are used up before anybody renews them.
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
    std::filesystem::remove_all(directory());
    std::filesystem::create_directories(directory());
    written_.clear();
    durable_ = 0;
    seen_outgoing_ = 1;
    disk_.forget();
  }

  // One life: opened, checked against what was written before, used until the power goes.
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
      const std::uint64_t steps = random_() % 80;
      if (random_() % 2 == 0) {
        disk_.lose_power_after(random_() % 60);
      }
      for (std::uint64_t step = 0; step < steps && disk_.powered(); ++step) {
        do_something(journal, durability);
        if (keep_bytes_ != 0 && random_() % 2 == 0) {
          static_cast<void>(journal.prepare());
        }
      }
      if (disk_.powered() && random_() % 8 == 0) {
        // A clean close that the power may interrupt.
        disk_.lose_power_after(random_() % 12);
        if (journal.close() && durability != Durability::Process) {
          durable_ = written_.size();
        }
      }
      journal.abandon();
    }
    opened = std::unexpected(base::Error{});
    disk_.restart(directory());
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
          // Whoever appends sends; with sync only what is durable was seen.
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
          // A message without a mark keeps its segment.
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

  // How many rows are what was written from `at` on.
  [[nodiscard]] std::size_t same_from(const Contents& contents, std::size_t at) const {
    std::size_t same = 0;
    while (same < contents.rows.size() && at + same < written_.size() &&
           is_same(contents.rows[same], written_[at + same])) {
      ++same;
    }
    return same;
  }

  // The oldest went with their segments; a segment that stays keeps all that follows. Two records
  // can be alike, so it is the place from which most is the same.
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

  // What is there begins like what was written, and reaches at least as far as was durable.
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
      // A mark that is there was set; that one is missing means a redelivery.
      ASSERT_TRUE(!record.processed || wanted.marked || record.kind != Kind::Received);
      ++same;
    }
    ASSERT_GE(same, durable_) << "records that were durable are gone";
    lost_ += written_.size() - same;
    written_.resize(same);
    // Openings tell of numbers that may be lost; the power may have gone in one that did.
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
  std::size_t durable_ = 0;          // So many of written_ must be there.
  std::uint64_t seen_outgoing_ = 1;  // Numbers below it may have been seen by the peer.
  std::uint64_t opened_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t keep_bytes_ = 0;  // Of old segments; 0: all.
  std::uint64_t let_go_ = 0;
};

TEST_F(JournalPowerLoss, SyncKeepsEverythingThatWasDurable) {
  run(Durability::Sync);
}

TEST_F(JournalPowerLoss, GroupKeepsWhatWasFlushedAndUsesNoNumberTwice) {
  run(Durability::Group);
}

TEST_F(JournalPowerLoss, ProcessUsesNoNumberTwice) {
  run(Durability::Process);
}

// Old segments go, and the power with them: in any call, and with their names back or not.
TEST_F(JournalPowerLoss, ASegmentThatIsLetGoOfLeavesNoHole) {
  keep_bytes_ = 1;
  for (const Durability durability : {Durability::Sync, Durability::Group, Durability::Process}) {
    run(durability);
    start_anew();
  }
  EXPECT_GT(let_go_, support::chosen_number("AFFIX_ROUNDS", 1'000)) << "no segment was let go of";
}

}  // namespace
}  // namespace affix::journal_test
