// SPDX-License-Identifier: MIT
// Repairing mends any damage to the files of any journal: it then verifies as sound and opens, and
// no outgoing number that was used comes again.
#include "affix/journal/repair.hpp"
#include "affix/journal/verify.hpp"

#include "support/damaged_bytes.hpp"
#include "unit/journal/journal_fixture.hpp"

#include <array>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace affix::journal_test {
namespace {

using journal::Durability;
using journal::MarkTrust;

/// The promises of a journal.
struct Promises {
  const char* name;
  Durability durability;
  MarkTrust trust;
  std::uint64_t reserve;
};

constexpr std::array promises{
    Promises{"process", Durability::Process, MarkTrust::Stored, 1'000},
    Promises{"process_without_reserve", Durability::Process, MarkTrust::Stored, 0},
    Promises{"group", Durability::Group, MarkTrust::Vouched, 1'000},
    Promises{"sync", Durability::Sync, MarkTrust::Vouched, 0},
};

class JournalRepairAny : public JournalTest, public ::testing::WithParamInterface<Promises> {
 protected:
  enum class Ending : std::uint8_t { Closed, Killed, MachineRestarted };

  [[nodiscard]] journal::Options kept() const {
    journal::Options with = small_segments();
    with.sequence_reserve = GetParam().reserve;
    with.durability = GetParam().durability;
    with.mark_trust = GetParam().trust;
    return with;
  }

  /// Writes a journal of several segments; returns the first number that was not used.
  std::uint64_t live(Ending ending) {
    journal::Options with = kept();
    with.sync_on_close = ending == Ending::Closed;
    const auto journal = open(with);
    std::vector<journal::Position> unprocessed;
    for (std::uint64_t stored = 100 + random_() % 200; stored != 0; --stored) {
      const std::size_t bytes = 40 + random_() % 200;
      switch (random_() % 8) {
        case 0:
        case 1:
        case 2:
          static_cast<void>(journal->append_sent(journal->next_outgoing(), start_ns,
                                                 message_of(journal->next_outgoing(), bytes)));
          break;
        case 3:
        case 4:
        case 5: {
          const std::uint64_t number = journal->next_expected();
          unprocessed.push_back(
              journal->append_received(number, number + 1, start_ns, message_of(number, bytes))
                  .position());
          break;
        }
        case 6:
          if (!unprocessed.empty()) {
            const auto at =
                unprocessed.begin() + static_cast<std::ptrdiff_t>(random_() % unprocessed.size());
            journal->mark_processed(*at);
            unprocessed.erase(at);
          }
          break;
        default:
          static_cast<void>(journal->flush());
          static_cast<void>(journal->prepare());
          break;
      }
    }
    const std::uint64_t unused = journal->next_outgoing();
    if (ending == Ending::Closed) {
      EXPECT_TRUE(journal->close());
    } else {
      journal->abandon();
    }
    return unused;
  }

  /// A file that follows those in use: as long as one, with little in it.
  [[nodiscard]] std::string following() {
    std::string bytes(8 * 1024, '\0');
    for (std::uint64_t changes = random_() % 4; changes != 0; --changes) {
      // Most of it near the begin of the records, where a writer stores first.
      const std::size_t at =
          random_() % 2 == 0 ? format::records_offset + random_() % 24 : random_() % bytes.size();
      bytes[at] = static_cast<char>(random_());
    }
    if (random_() % 4 == 0) {
      bytes.resize(random_() % bytes.size());
    }
    return bytes;
  }

  void damage(Files& all) {
    for (auto& [name, bytes] : all) {
      // Without its mirror a killed process's records that were not flushed, and so not sent, are
      // gone; nothing shows how many they were.
      if (random_() % 2 == 0 && name != "unflushed" && !bytes.empty()) {
        support::damage(bytes, random_() % bytes.size(), random_);
      }
    }
    std::uint32_t newest = 0;
    while (std::filesystem::exists(segment_file(newest + 1))) {
      ++newest;
    }
    const auto name_of = [this](std::uint64_t number) {
      return std::filesystem::path(segment_file(static_cast<std::uint32_t>(number)))
          .filename()
          .string();
    };
    if (random_() % 4 == 0) {
      all[name_of(newest + 1 + random_() % 2)] = following();
    }
    if (random_() % 8 == 0) {
      all[name_of(1 + random_() % newest)] = all[name_of(1 + random_() % newest)];
    }
    // A directory without any file is that of a new journal.
    const auto gone = std::next(all.begin(), static_cast<std::ptrdiff_t>(random_() % all.size()));
    if (random_() % 4 == 0 && all.size() > 1 && gone->first != "unflushed") {
      all.erase(gone);
    }
  }

  std::mt19937 random_{20'260'131};
};

TEST_P(JournalRepairAny, MendsAnyDamage) {
  const char* const wanted = std::getenv("AFFIX_ROUNDS");
  const int rounds = wanted == nullptr ? 300 : std::atoi(wanted);
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    std::filesystem::remove_all(directory());
    const std::array endings{Ending::Closed, Ending::Killed, Ending::MachineRestarted};
    const Ending ending = endings.at(random_() % endings.size());
    const std::uint64_t unused = live(ending);
    if (ending == Ending::MachineRestarted) {
      for (std::uint32_t number = 1; std::filesystem::exists(segment_file(number)); ++number) {
        restart_machine(number);
      }
    }
    Files damaged = read_files();
    damage(damaged);
    put_files(damaged);

    journal::RepairOptions with;
    with.directory = directory();
    with.apply = true;
    with.now_utc_ns = start_ns;
    with.identity = options().identity;
    auto repaired = journal::repair(with);
    if (!repaired && GetParam().reserve == 0) {
      // Only the operator can know it then.
      EXPECT_EQ(repaired.error().code, base::ErrorCode::InvalidArgument) << repaired.error().text();
      with.next_outgoing = 1'000'000;
      repaired = journal::repair(with);
    }
    ASSERT_TRUE(repaired) << repaired.error().text();
    const auto sound = journal::verify(directory());
    ASSERT_TRUE(sound) << sound.error().text();
    EXPECT_FALSE(sound->damaged()) << sound->findings.front().text;
    const auto opened = journal::Journal::open(kept());
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_GE((*opened)->next_outgoing(), unused);
  }
}

INSTANTIATE_TEST_SUITE_P(Promises, JournalRepairAny, ::testing::ValuesIn(promises),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace affix::journal_test
