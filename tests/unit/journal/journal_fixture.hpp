// SPDX-License-Identifier: MIT
// Shared by the journal's tests: a directory, journals in it, and access to the bytes of a segment.
#pragma once

#include "affix/base/crc32c.hpp"
#include "affix/journal.hpp"
#include "affix/journal/format.hpp"

#include "support/temporary_directory.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::journal_test {

namespace format = journal::format;

inline constexpr std::int64_t start_ns = 1'700'000'000'000'000'000;

/// A message whose text contains its number and whose length varies with it.
inline std::string message_of(std::uint64_t sequence, std::size_t bytes = 0) {
  std::string text = "8=FIX.4.4|34=" + std::to_string(sequence) + "|";
  const std::size_t wanted = bytes != 0 ? bytes : 60 + sequence % 97;
  while (text.size() < wanted) {
    text.push_back(static_cast<char>('a' + (sequence + text.size()) % 26));
  }
  return text;
}

/// The files of a journal, without its lock, by their names.
using Files = std::map<std::string, std::string>;

class JournalTest : public ::testing::Test {
 protected:
  [[nodiscard]] journal::Options options() const {
    journal::Options options;
    options.directory = directory();
    options.identity = "FIX.4.4:US->THEM";
    options.sequence_reserve =
        0;  // Tests that do not examine the reserve need not wait for the disk.
    options.sync_on_close = false;
    return options;
  }

  /// The same in segments so small that a test fills several.
  [[nodiscard]] journal::Options small_segments(std::size_t max_bytes = 16 * 1024) const {
    journal::Options with = options();
    with.first_segment_bytes = 8 * 1024;
    with.max_segment_bytes = max_bytes;
    return with;
  }

  /// Small segments whose marks count when they are vouched for.
  [[nodiscard]] journal::Options vouched_segments(journal::Durability durability,
                                                  journal::Disk& disk) const {
    journal::Options with = small_segments();
    with.durability = durability;
    with.mark_trust = journal::MarkTrust::Vouched;
    with.disk = &disk;
    with.sequence_reserve = 1'000;
    return with;
  }

  [[nodiscard]] std::string directory() const { return temporary_.path() + "/session"; }

  [[nodiscard]] std::unique_ptr<journal::Journal> open(const journal::Options& with) const {
    auto opened = journal::Journal::open(with);
    EXPECT_TRUE(opened) << opened.error().text();
    return opened ? std::move(*opened) : nullptr;
  }

  [[nodiscard]] std::unique_ptr<journal::Journal> open() const { return open(options()); }

  [[nodiscard]] std::optional<base::Error> refusal(const journal::Options& with) const {
    auto opened = journal::Journal::open(with);
    return opened ? std::nullopt : std::optional(opened.error());
  }

  [[nodiscard]] std::optional<base::Error> refusal() const { return refusal(options()); }

  /// Appends sent messages `from` to `to`.
  static void send(journal::Journal& journal, std::uint64_t from, std::uint64_t to,
                   std::size_t bytes = 0) {
    for (std::uint64_t sequence = from; sequence <= to; ++sequence) {
      ASSERT_EQ(journal.append_sent(sequence, start_ns + static_cast<std::int64_t>(sequence),
                                    message_of(sequence, bytes)),
                journal::AppendResult::Appended);
    }
  }

  static journal::Position receive(journal::Journal& journal,
                                   journal::Delivery delivery = journal::Delivery::Application,
                                   std::size_t bytes = 0) {
    const std::uint64_t number = journal.next_expected();
    const auto appended =
        journal.append_received(number, number + 1, start_ns, message_of(number, bytes), delivery);
    EXPECT_EQ(appended.result(), journal::AppendResult::Appended);
    return appended.position();
  }

  /// Appends session messages until the journal is in segment `segment`, all on the disk.
  static void go_on_to(journal::Journal& journal, std::uint32_t segment) {
    while (journal.end().segment < segment) {
      receive(journal, journal::Delivery::SessionOnly, 1'000);
      ASSERT_TRUE(journal.flush());
      ASSERT_TRUE(journal.prepare());
    }
  }

  /// Nothing was sent in any journal, so all of it is on the disk.
  static void vouch_for_all(journal::Journal& journal) {
    const journal::SettledMarks settled = journal.settle_marks();
    ASSERT_TRUE(journal.flush());
    journal.vouch_for_marks(settled);
  }

  [[nodiscard]] Files read_files() const {
    Files files;
    for (const auto& entry : std::filesystem::directory_iterator(directory())) {
      files[entry.path().filename()] = read_file(entry.path());
    }
    files.erase("lock");
    return files;
  }

  void make_empty_directory() const {
    std::filesystem::remove_all(directory());
    std::filesystem::create_directories(directory());
  }

  void put_files(const Files& files) const {
    make_empty_directory();
    for (const auto& [name, bytes] : files) {
      write_file(directory() + "/" + name, bytes);
    }
  }

  [[nodiscard]] std::string segment_file(std::uint32_t number) const {
    std::string digits = std::to_string(number);
    return directory() + "/" + std::string(10 - digits.size(), '0') + digits + ".journal";
  }

  [[nodiscard]] static std::string read_file(const std::string& path) {
    // In one piece: with iterators, a segment of megabytes takes a tenth of a second here.
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::string bytes(file ? static_cast<std::size_t>(file.tellg()) : 0, '\0');
    file.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  static void write_file(const std::string& path, std::string_view bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    ASSERT_TRUE(file.good());
  }

  /// Copies of all records that a reader finds, and the reason why it stopped.
  struct Contents {
    struct Row {
      journal::Record record;
      std::string bytes;
    };

    std::vector<Row> rows;
    std::optional<base::Error> damage;
  };

  [[nodiscard]] Contents read_all() const {
    Contents contents;
    auto reader = journal::Reader::open(directory());
    EXPECT_TRUE(reader) << reader.error().text();
    if (!reader) {
      return contents;
    }
    while (const std::optional<journal::Record> record = reader->next()) {
      contents.rows.push_back({*record, std::string(record->bytes)});
    }
    contents.damage = reader->damage();
    return contents;
  }

  /// Rewrites both state slots of a segment file.
  template <typename Change>
  void change_state(std::uint32_t number, Change change) const {
    std::string bytes = read_file(segment_file(number));
    for (const std::size_t offset : format::state_offset) {
      format::State state;
      std::memcpy(&state, bytes.data() + offset, sizeof(state));
      if (state.generation == 0) {
        continue;
      }
      change(state);
      state.crc =
          base::crc32c({reinterpret_cast<const char*>(&state), offsetof(format::State, crc)});
      std::memcpy(bytes.data() + offset, &state, sizeof(state));
    }
    write_file(segment_file(number), bytes);
  }

  /// Simulates a restart of the machine.
  void restart_machine(std::uint32_t number) const {
    change_state(number, [](format::State& state) {
      state.boot_id[0] = static_cast<std::uint8_t>(state.boot_id[0] + 1);
    });
  }

  /// Rewrites a segment's header with a correct checksum.
  template <typename Change>
  void change_header(std::uint32_t number, Change change) const {
    std::string bytes = read_file(segment_file(number));
    format::Header header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    change(header);
    header.crc = 0;
    header.crc = base::crc32c({reinterpret_cast<const char*>(&header) + 8, sizeof(header) - 8});
    std::memcpy(bytes.data(), &header, sizeof(header));
    write_file(segment_file(number), bytes);
  }

 private:
  support::TemporaryDirectory temporary_{support::TemporaryDirectory::On::Memory};
};

/// Numbers of a replay's records.
inline std::vector<std::uint64_t> numbers_of(journal::Replay replay) {
  std::vector<std::uint64_t> numbers;
  while (const std::optional<journal::Record> record = replay.next()) {
    numbers.push_back(record->sequence);
  }
  EXPECT_FALSE(replay.damaged());
  return numbers;
}

/// The work of a thread beside the writer's; false: there was nothing to do.
inline bool prepare_and_read_ahead(journal::Journal& journal) {
  const bool prepares = journal.needs_preparation();
  EXPECT_TRUE(!prepares || journal.prepare());
  return journal.read_ahead() || prepares;
}

inline std::vector<std::uint64_t> range(std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = from; number <= to; ++number) {
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace affix::journal_test
