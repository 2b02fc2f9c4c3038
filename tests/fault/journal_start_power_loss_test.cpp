// SPDX-License-Identifier: MIT
// The power fails at every call to the disk while journals are opened together, some new and some
// old: the next opening opens all of them, and no number that may have been seen is used again.
// After a kill everything is there, and it is not mistaken for a power loss.
#include "support/recording_disk.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <cerrno>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::AppendResult;
using journal::Durability;
using journal::Journal;
using support::RecordingDisk;

class JournalStartPowerLoss : public JournalTest {
 protected:
  using Opened = std::vector<std::expected<std::unique_ptr<Journal>, base::Error>>;

  static constexpr std::size_t count = 6;

  [[nodiscard]] std::vector<journal::Options> all() {
    std::vector<journal::Options> wanted;
    for (std::size_t number = 0; number < count; ++number) {
      journal::Options with = options();
      with.directory += "/" + std::to_string(number);
      with.identity += std::to_string(number);
      with.sequence_reserve = 50;
      with.durability = number % 3 == 0   ? Durability::Process
                        : number % 3 == 1 ? Durability::Group
                                          : Durability::Sync;
      with.first_segment_bytes = 8 * 1024;
      with.max_segment_bytes = 16 * 1024;
      with.disk = &disk_;
      wanted.push_back(std::move(with));
    }
    return wanted;
  }

  /// Simulates a running engine: sends messages; with sync they count as seen when they are
  /// durable.
  void trade(const Opened& opened) {
    for (std::size_t number = 0; number < count && disk_.powered(); ++number) {
      Journal& journal = **opened[number];
      for (std::uint64_t left = random_() % 25; left > 0 && disk_.powered(); --left) {
        const std::uint64_t next = journal.next_outgoing();
        if (journal.append_sent(next, start_ns, message_of(next)) != AppendResult::Appended) {
          continue;
        }
        const bool waits = number % 3 == 2;
        if (!waits || (journal.flush() && disk_.powered())) {
          seen_[number] = journal.next_outgoing();
        }
      }
      if (random_() % 2 == 0) {
        static_cast<void>(journal.prepare());
      }
    }
  }

  /// Closes some, and kills the others.
  void end(Opened& opened) {
    left_.assign(count, 0);
    for (std::size_t number = 0; number < opened.size(); ++number) {
      if (!opened[number]) {
        continue;
      }
      Journal& journal = **opened[number];
      left_[number] = journal.next_outgoing();
      if (random_() % 3 != 0 || !disk_.powered() || !journal.close()) {
        journal.abandon();
      }
    }
    opened.clear();
  }

  /// Without flushes of the whole file system each journal flushes its own files.
  Opened start(const std::vector<journal::Options>& wanted) {
    const bool refuses = random_() % 3 == 0;
    disk_.fault = [refuses](RecordingDisk::Call call, const std::string&) {
      return refuses && call == RecordingDisk::Call::SyncFileSystem ? EOPNOTSUPP : 0;
    };
    Opened opened = Journal::open_all(wanted);
    disk_.fault = nullptr;
    return opened;
  }

  /// Opens all of them without power failure.
  void start_and_check(bool power_lost) {
    Opened opened = start(all());
    for (std::size_t number = 0; number < count; ++number) {
      SCOPED_TRACE("journal " + std::to_string(number));
      ASSERT_TRUE(opened[number]) << opened[number].error().text();
      const Journal& journal = **opened[number];
      ASSERT_GE(journal.next_outgoing(), seen_[number]) << "a number the peer has seen is free";
      if (!power_lost) {
        ASSERT_FALSE(journal.recovered().other_boot) << "a kill is taken for a power loss";
        ASSERT_EQ(journal.next_outgoing(), left_[number]) << "a kill moves no number";
      }
    }
    trade(opened);
    end(opened);
  }

  /// `old` of them were used before. Returns true if the power failed during opening.
  bool start_without_power(std::size_t old, std::uint64_t calls) {
    make_empty_directory();
    disk_.forget();
    seen_.assign(count, 1);
    if (old != 0) {
      std::vector<journal::Options> earlier = all();
      earlier.resize(old);
      Opened opened = start(earlier);
      for (std::size_t number = 0; number < old; ++number) {
        EXPECT_TRUE(opened[number]);
        for (std::uint64_t next = 1; opened[number] && next <= 5; ++next) {
          EXPECT_EQ((*opened[number])->append_sent(next, start_ns, message_of(next)),
                    AppendResult::Appended);
          seen_[number] = next + 1;
        }
        EXPECT_TRUE(opened[number] && (*opened[number])->flush());
      }
      end(opened);
      if (random_() % 2 == 0) {
        disk_.restart(directory());
      }
    }
    disk_.lose_power_after(calls);
    Opened opened = start(all());
    const bool lost = !disk_.powered();
    if (!lost) {
      trade(opened);
    }
    end(opened);
    disk_.restart(directory());
    return lost;
  }

  const std::uint64_t seed_ = support::chosen_seed();
  std::mt19937_64 random_{seed_};
  RecordingDisk disk_{seed_ + 1};
  std::vector<std::uint64_t> seen_;
  std::vector<std::uint64_t> left_;  ///< Outgoing numbers when the last processes ended.
};

TEST_F(JournalStartPowerLoss, LeavesAJournalThatTheNextStartContinuesWhereverItCame) {
  SCOPED_TRACE("AFFIX_SEED=" + std::to_string(seed_));
  const std::uint64_t rounds = support::chosen_number("AFFIX_ROUNDS", 1);
  std::uint64_t cut_short = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (const std::size_t old : {std::size_t{0}, count / 2}) {
      bool lost = true;
      for (std::uint64_t calls = 0; lost; ++calls) {
        SCOPED_TRACE("power lost at call " + std::to_string(calls) + ", " + std::to_string(old) +
                     " of them were there");
        lost = start_without_power(old, calls);
        cut_short += lost ? 1 : 0;
        ASSERT_NO_FATAL_FAILURE(start_and_check(true));
        // Twice more: after a kill of that one, and then after a power loss.
        ASSERT_NO_FATAL_FAILURE(start_and_check(false));
        disk_.restart(directory());
        ASSERT_NO_FATAL_FAILURE(start_and_check(true));
      }
    }
  }
  EXPECT_GT(cut_short, rounds * 60) << "each call of a start is one to lose the power at";
}

}  // namespace
}  // namespace affix::journal_test
