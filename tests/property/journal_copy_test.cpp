// SPDX-License-Identifier: MIT
// Random work of a journal, whose stores a copy makes up to any of them, while it is killed, closed
// and loses its power: it is what a kill at that store would have left of the journal. Then the
// copy leads, and the former writer is cut back and follows. AFFIX_SEED and AFFIX_ROUNDS.
#include "affix/journal/late_marks.hpp"

#include "support/recording_disk.hpp"
#include "unit/journal/copy_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::EventType;
using journal::Followed;
using journal::HistoryPiece;
using journal::Journal;
using journal::JournalRole;
using journal::LateMarks;
using journal::MarkTrust;
using journal::Position;
using support::RecordingDisk;

/// The machine of another disk, as a process there sees it that opens a copy of its files.
class SameBoot final : public journal::Disk {
 public:
  explicit SameBoot(const journal::BootId& boot) : boot_(boot) {}

  journal::BootId boot_id() noexcept override { return boot_; }

 private:
  journal::BootId boot_;
};

/// A machine with the journal.
struct Node {
  Node(std::string path, std::uint64_t seed) : directory(std::move(path)), disk(seed) {}

  std::string directory;
  RecordingDisk disk;
  LateMarks late{4};
  std::unique_ptr<Journal> journal;
  bool lost_power = false;  // Since it has the journal.
};

class JournalCopies : public JournalTest {
 protected:
  JournalCopies() : random_(seed_) {}

  [[nodiscard]] journal::Options options_of(Node& node, JournalRole role) const {
    journal::Options with = small_segments();
    with.directory = node.directory;
    with.durability = durability_;
    with.mark_trust = trust_;
    with.disk = &node.disk;
    with.sequence_reserve = 40;
    with.keep_bytes = keep_bytes_;
    with.sync_on_close = true;
    with.role = role;
    return with;
  }

  void run(Durability durability, MarkTrust trust, std::uint64_t keep_bytes = 0) {
    SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
    durability_ = durability;
    trust_ = trust;
    keep_bytes_ = keep_bytes;
    const std::uint64_t rounds = support::chosen_number("AFFIX_ROUNDS", 12);
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      lead_and_follow();
    }
    EXPECT_GT(compared_, rounds) << "no moment was compared";
    EXPECT_TRUE(keep_bytes != 0 || lost_ > 0 || rounds < 12) << "no power loss took anything";
  }

  void open(Node& node, JournalRole role) {
    auto opened = Journal::open(options_of(node, role));
    ASSERT_TRUE(opened) << opened.error().text();
    node.journal = std::move(*opened);
    if (trust_ == MarkTrust::Vouched) {
      node.journal->set_late_marks(&node.late);
    }
  }

  void kill(Node& node) {
    node.journal->abandon();
    static_cast<void>(node.late.take_out(*node.journal));
    node.late.confirm(node.late.size());  // They have no journal any more.
    node.journal.reset();
  }

  // An election or two between two machines.
  void lead_and_follow() {
    make_empty_directory();
    tap_.stores.clear();
    Node a(directory() + "/a", random_());
    Node b(directory() + "/b", random_());
    ASSERT_NO_FATAL_FAILURE(open(a, JournalRole::Writer));
    a.journal->set_tap(&tap_, 1);
    ASSERT_EQ(a.journal->append_epoch(1, start_ns, "a"), AppendResult::Appended);
    for (std::uint64_t step = random_() % 60; step > 0; --step) {
      do_something(a);
    }
    ASSERT_NO_FATAL_FAILURE(begin_anew(b, a));
    Node* leader = &a;
    Node* copy = &b;
    for (std::uint64_t epoch = 2; epoch < 5 && !HasFailure(); ++epoch) {
      SCOPED_TRACE("epoch " + std::to_string(epoch));
      ASSERT_NO_FATAL_FAILURE(work(*leader, *copy));
      ASSERT_NO_FATAL_FAILURE(elect(*copy, *leader, epoch));
      std::swap(leader, copy);
    }
    tap_.after_store = nullptr;
    leader->journal->set_tap(nullptr, 0);
    kill(*leader);
    kill(*copy);
  }

  // A copy from nothing: plants it and brings all history.
  void begin_anew(Node& copy, Node& leader) {
    const auto done =
        journal::plant(options_of(copy, JournalRole::Copy), oldest_header(leader.directory));
    ASSERT_TRUE(done) << done.error().text();
    copy.lost_power = false;
    ASSERT_NO_FATAL_FAILURE(open(copy, JournalRole::Copy));
    ASSERT_EQ(copy.journal->epoch(), oldest_header(leader.directory).epoch);
    ASSERT_NO_FATAL_FAILURE(join(copy, leader));
  }

  // Catches up with history, and takes the place in the stream where that ends.
  void join(Node& copy, Node& leader) {
    ASSERT_TRUE(leader.journal->flush());
    Position from = copy.journal->end();
    const bool looks_back = random_() % 2 == 0;
    if (looks_back) {
      from = std::min(from, journal::HistoryReader(leader.directory).oldest());
    }
    // A reader of history may be slow: the segment is gone, or the records before are.
    const HistoryPiece::State state = catch_up_slowly(copy, leader, from);
    ASSERT_FALSE(HasFailure());
    if (state == HistoryPiece::State::Gone) {
      ASSERT_NE(keep_bytes_, 0U);
      kill(copy);
      ASSERT_TRUE(journal::set_aside(options_of(copy, JournalRole::Copy), "old"));
      copy.disk.forget();
      ++begun_anew_;
      ASSERT_NO_FATAL_FAILURE(begin_anew(copy, leader));
      return;
    }
    ASSERT_EQ(state, HistoryPiece::State::AtEnd);
    ASSERT_EQ(copy.journal->end(), leader.journal->end());
    if (random_() % 2 == 0) {
      tap_.stores.clear();
    } else {
      // Everything on the way comes again.
      while (!tap_.stores.empty()) {
        const Followed followed = follow(*copy.journal, tap_.stores.front());
        ASSERT_TRUE(followed == Followed::Stored || followed == Followed::AlreadyThere)
            << to_text(followed);
        tap_.stores.pop_front();
      }
    }
    static_cast<void>(copy.journal->follow_reserve(leader.journal->reserved_outgoing()));
    const Followed marked =
        copy.journal->follow_unprocessed(leader.journal->unprocessed_positions());
    ASSERT_TRUE(marked == Followed::Stored || marked == Followed::AlreadyThere) << to_text(marked);
    // The count of queued messages may have changed without a record: only a later record has it.
    if (leader.journal->queued() == copy.journal->queued()) {
      expect_same_standing(*copy.journal, *leader.journal);
      ++compared_;
    }
  }

  // Between two pieces the leader works, and the copy is killed.
  HistoryPiece::State catch_up_slowly(Node& copy, Node& leader, Position from) {
    journal::HistoryReader reader(leader.directory);
    const bool works = random_() % 2 == 0;
    for (;;) {
      const HistoryPiece piece = reader.read(from, 1 + random_() % 5'000);
      store_piece(*copy.journal, from, piece);
      if (piece.state != HistoryPiece::State::More || HasFailure()) {
        return piece.state;
      }
      from = piece.next;
      if (works && random_() % 3 == 0) {
        do_something(leader);
        EXPECT_TRUE(leader.journal->flush());
      }
      if (works && random_() % 12 == 0) {
        kill(copy);
        open(copy, JournalRole::Copy);
        from = copy.journal->end();
      }
    }
  }

  // The leader appends, and the copy makes some of it and suffers some.
  void work(Node& leader, Node& copy) {
    for (std::uint64_t step = 40 + random_() % 80; step > 0 && !HasFatalFailure(); --step) {
      std::uint64_t stop = tap_.made + 1 + random_() % 2;
      bool killed = false;
      if (random_() % 12 == 0) {
        tap_.after_store = [&] {
          if (tap_.made == stop && tap_.stores.back().what == Store::What::Reserve) {
            ++stop;  // The record that is told next is stored already.
          } else if (tap_.made == stop) {
            // The leader's files as a kill within this very call leaves them.
            std::filesystem::remove_all(snapshot());
            std::filesystem::copy(leader.directory, snapshot(),
                                  std::filesystem::copy_options::recursive);
            killed = true;
          }
        };
      }
      do_something(leader);
      tap_.after_store = nullptr;
      if (killed) {
        const std::size_t later = tap_.made - stop;
        ASSERT_NO_FATAL_FAILURE(make(copy, tap_.stores.size() - later));
        ASSERT_NO_FATAL_FAILURE(compare_with_snapshot(copy, leader));
      } else if (random_() % 3 == 0) {
        ASSERT_NO_FATAL_FAILURE(make(copy, random_() % (tap_.stores.size() + 1)));
      }
      ASSERT_NO_FATAL_FAILURE(suffer(copy, leader));
    }
  }

  [[nodiscard]] static Marks marks_of(const Node& one, const Node& other) {
    return one.lost_power || other.lost_power ? Marks::None : Marks::Meaning;
  }

  [[nodiscard]] std::string snapshot() const { return directory() + "/killed"; }

  // Makes the next `count` stores.
  void make(Node& copy, std::size_t count) {
    for (; count > 0; --count) {
      const Store& store = tap_.stores.front();
      const Followed followed = follow(*copy.journal, store);
      // After a kill the copy may have more than it was told last.
      ASSERT_TRUE(followed == Followed::Stored || followed == Followed::AlreadyThere)
          << to_text(followed) << " of store " << static_cast<int>(store.what);
      tap_.stores.pop_front();
      if (random_() % 4 == 0) {
        ASSERT_NO_FATAL_FAILURE(help(copy));
      }
    }
  }

  void compare_with_snapshot(Node& copy, Node& leader) {
    SameBoot boot(leader.disk.boot_id());
    journal::Options with = options_of(leader, JournalRole::Writer);
    with.directory = snapshot();
    with.disk = &boot;
    with.keep_bytes = 0;
    auto opened = Journal::open(with);
    ASSERT_TRUE(opened) << opened.error().text();
    ASSERT_EQ((*opened)->recovered().skipped_from, 0U);
    expect_same_standing(*copy.journal, **opened);
    ASSERT_TRUE(copy.journal->flush());
    expect_same_history(copy.directory, snapshot(), marks_of(copy, leader));
    ++compared_;
    (*opened)->abandon();
  }

  // Acts of other threads.
  void help(Node& node) {
    switch (random_() % 6) {
      case 0:
      case 1:
        ASSERT_TRUE(!node.journal->needs_preparation() || node.journal->prepare());
        break;
      case 2:
        ASSERT_TRUE(node.journal->flush());
        break;
      case 3:
        node.disk.write_back_something();
        break;
      case 4:
        settle(node);
        break;
      default:
        break;
    }
  }

  // Vouches for all marks, as one does who has flushed all journals.
  void settle(Node& node) {
    const std::size_t late = node.late.size();
    const journal::SettledMarks settled = node.journal->settle_marks();
    ASSERT_TRUE(node.journal->flush());
    node.journal->vouch_for_marks(settled);
    node.late.confirm(late);
  }

  void suffer(Node& copy, Node& leader) {
    switch (random_() % 30) {
      case 0: {
        const Position end = copy.journal->end();
        const std::vector<Position> unprocessed = copy.journal->unprocessed_positions();
        kill(copy);
        ASSERT_NO_FATAL_FAILURE(open(copy, JournalRole::Copy));
        ASSERT_EQ(copy.journal->end(), end) << "a kill lost records";
        ASSERT_EQ(copy.journal->unprocessed_positions(), unprocessed);
        break;
      }
      case 1: {
        const Position end = copy.journal->end();
        const auto closed = copy.journal->close();
        ASSERT_TRUE(closed) << closed.error().text();
        kill(copy);
        ASSERT_NO_FATAL_FAILURE(open(copy, JournalRole::Copy));
        ASSERT_EQ(copy.journal->end(), end);
        ASSERT_TRUE(copy.journal->recovered().clean);
        break;
      }
      case 2: {
        const Position end = copy.journal->end();
        const Position durable =
            durability_ == Durability::Process ? Position{} : copy.journal->durable();
        kill(copy);
        copy.disk.restart(copy.directory);
        copy.lost_power = true;
        auto opened = Journal::open(options_of(copy, JournalRole::Copy));
        ASSERT_TRUE(opened) << opened.error().text();
        opened->reset();
        ASSERT_NO_FATAL_FAILURE(open(copy, JournalRole::Copy));
        ASSERT_LE(copy.journal->end(), end);
        ASSERT_GE(copy.journal->end(), durable);
        lost_ += copy.journal->end() < end ? 1U : 0U;
        ASSERT_NO_FATAL_FAILURE(join(copy, leader));
        break;
      }
      default:
        ASSERT_NO_FATAL_FAILURE(help(copy));
        break;
    }
  }

  // `copy` leads from what it has, and `former` is cut back and follows.
  void elect(Node& copy, Node& former, std::uint64_t epoch) {
    ASSERT_NO_FATAL_FAILURE(make(copy, random_() % (tap_.stores.size() + 1)));
    const bool skips = random_() % 3 == 0 && copy.journal->reserved_outgoing() != 0;
    const std::uint64_t reserved = copy.journal->reserved_outgoing();
    const std::uint64_t former_epoch = former.journal->epoch();
    if (random_() % 2 == 0) {
      kill(former);
    } else {
      former.journal->set_tap(nullptr, 0);
      ASSERT_TRUE(former.journal->close());
      kill(former);
    }
    tap_.stores.clear();
    const auto led = copy.journal->lead();
    ASSERT_TRUE(led) << led.error().text();
    copy.journal->set_tap(&tap_, 2);
    ASSERT_EQ(copy.journal->recovered().next_outgoing, copy.journal->next_outgoing());
    const Position end = copy.journal->end();
    ASSERT_EQ(copy.journal->append_epoch(epoch, start_ns, "other"), AppendResult::Appended);
    if (skips) {
      const auto skipped = copy.journal->skip_to_reserve();
      ASSERT_TRUE(skipped) << skipped.error().text();
      ASSERT_GE(copy.journal->next_outgoing(), reserved);
    }
    for (std::uint64_t step = random_() % 30; step > 0; --step) {
      do_something(copy);
    }
    ASSERT_TRUE(copy.journal->flush());
    // One of the two may have let go of what the other would have to be compared with.
    const auto is_gone = [&](const base::Error& error) {
      return keep_bytes_ != 0 && error.code == base::ErrorCode::NotFound;
    };
    const auto copy_anew = [&] {
      ASSERT_TRUE(journal::set_aside(options_of(former, JournalRole::Copy), "old"));
      former.disk.forget();
      ASSERT_NO_FATAL_FAILURE(begin_anew(former, copy));
    };
    const auto from = journal::epoch_after(copy.directory, former_epoch);
    if (!from && is_gone(from.error())) {
      copy_anew();
      return;
    }
    ASSERT_TRUE(from) << from.error().text();
    ASSERT_TRUE(*from);
    ASSERT_TRUE(**from == end || (**from).segment == end.segment + 1);
    // Where the epoch begins a segment, the former writer may have more in the one before.
    const auto cut =
        journal::cut(options_of(former, JournalRole::Copy), end, "epoch-" + std::to_string(epoch));
    if (!cut && is_gone(cut.error())) {
      copy_anew();
      return;
    }
    ASSERT_TRUE(cut) << cut.error().text();
    cut_ += *cut ? 1U : 0U;
    ASSERT_NO_FATAL_FAILURE(open(former, JournalRole::Copy));
    ASSERT_LE(former.journal->end(), **from);
    ASSERT_NO_FATAL_FAILURE(join(former, copy));
    ASSERT_TRUE(former.journal->flush());
    expect_same_history(former.directory, copy.directory, marks_of(former, copy));
    if (HasFailure()) {
      FAIL();
    }
  }

  // --- The leader's work. ---

  void do_something(Node& node) {
    Journal& journal = *node.journal;
    const std::uint64_t sent = journal.next_outgoing();
    const std::uint64_t expected = journal.next_expected();
    const std::size_t bytes = 1 + (random_() % 20 == 0 ? random_() % 7'000 : random_() % 700);
    switch (random_() % 24) {
      case 0:
      case 1:
      case 2:
      case 3:
        appended(journal.append_sent(sent, start_ns, message_of(sent, bytes)));
        break;
      case 4:
      case 5:
        appended(journal.append_queued(sent, start_ns, message_of(sent, bytes)));
        break;
      case 6:
        appended(
            journal.append_sent(sent, sent + 1 + random_() % 5, start_ns, message_of(sent, bytes)));
        break;
      case 7:
      case 8:
      case 9:
      case 10:
        appended(journal
                     .append_received(expected, expected + 1, start_ns, message_of(expected, bytes),
                                      random_() % 4 == 0 ? journal::Delivery::SessionOnly
                                                         : journal::Delivery::Application)
                     .result());
        break;
      case 11:
        appended(journal.append_held(expected + 3, start_ns, message_of(expected, bytes)));
        break;
      case 12:
        if (random_() % 2 == 0) {
          journal.set_unsent(static_cast<std::uint32_t>(random_() % 4));
        }
        appended(journal.append_resent(1, sent, start_ns, "resent"));
        break;
      case 13:
        appended(random_event(journal));
        break;
      case 14:
      case 15:
      case 16:
      case 17:
      case 18: {
        const std::vector<Position> positions = journal.unprocessed_positions();
        if (!positions.empty()) {
          // Mostly the oldest, so that segments can be let go of.
          const std::size_t which = random_() % 4 == 0 ? random_() % positions.size() : 0;
          journal.mark_processed(positions[which]);
        }
        break;
      }
      default:
        help(node);
        break;
    }
  }

  AppendResult random_event(Journal& journal) {
    const std::uint64_t sent = journal.next_outgoing();
    switch (random_() % 6) {
      case 0:
        return journal.append_event(EventType::Reset, 1, 1, start_ns, "reset");
      case 1:
        return journal.append_event(EventType::NumbersSet, 1 + sent / 2, 7, start_ns, "lower");
      case 2:
        return journal.append_event(EventType::NumbersSet, sent + random_() % 200, 9, start_ns,
                                    "higher");
      case 3:
        return journal.append_event(EventType::TradingDay, sent, 1, start_ns, "day");
      default:
        return journal.append_event(EventType::Remark, 0, 0, start_ns, "remark");
    }
  }

  static void appended(AppendResult result) {
    ASSERT_EQ(result, AppendResult::Appended) << to_text(result);
  }

  const std::uint64_t seed_ = support::chosen_seed();
  std::mt19937_64 random_;
  QueueTap tap_;
  Durability durability_ = Durability::Process;
  MarkTrust trust_ = MarkTrust::Stored;
  std::uint64_t keep_bytes_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t cut_ = 0;
  std::uint64_t begun_anew_ = 0;
};

TEST_F(JournalCopies, AreWhatAKillWouldHaveLeftWithProcess) {
  run(Durability::Process, MarkTrust::Stored);
}

TEST_F(JournalCopies, AreWhatAKillWouldHaveLeftWithGroup) {
  run(Durability::Group, MarkTrust::Stored);
}

TEST_F(JournalCopies, AreWhatAKillWouldHaveLeftWithVouchedMarks) {
  run(Durability::Group, MarkTrust::Vouched);
}

TEST_F(JournalCopies, AreWhatAKillWouldHaveLeftWithSync) {
  run(Durability::Sync, MarkTrust::Vouched);
}

TEST_F(JournalCopies, AreWhatAKillWouldHaveLeftWithRetention) {
  for (const Durability durability : {Durability::Process, Durability::Sync}) {
    run(durability, MarkTrust::Vouched, 1);
  }
}

}  // namespace
}  // namespace affix::journal_test
