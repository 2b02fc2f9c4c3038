// SPDX-License-Identifier: MIT
// For tests of copies: a tap that queues the stores of a journal, and what makes them in a copy.
#pragma once

#include "affix/journal/copying.hpp"
#include "affix/journal/tap.hpp"

#include "unit/journal/journal_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::journal_test {

/// One store of a journal, as its tap was told of it.
struct Store {
  enum class What : std::uint8_t { Record, Segment, Mark, Reserve };

  What what = What::Record;
  std::uint32_t tap_id = 0;
  journal::Position at;
  std::string record;
  format::Header header{};
  format::Mark mark = format::Mark::None;
  std::uint64_t reserved = 0;
};

/// Queues all stores.
class QueueTap final : public journal::Tap {
 public:
  void on_record(std::uint32_t tap_id, journal::Position at,
                 std::string_view record) noexcept override {
    Store store = of(Store::What::Record, tap_id);
    store.at = at;
    store.record = record;
    add(std::move(store));
  }

  void on_segment(std::uint32_t tap_id, const format::Header& header) noexcept override {
    Store store = of(Store::What::Segment, tap_id);
    store.header = header;
    add(std::move(store));
  }

  void on_mark(std::uint32_t tap_id, journal::Position at, format::Mark mark) noexcept override {
    Store store = of(Store::What::Mark, tap_id);
    store.at = at;
    store.mark = mark;
    add(std::move(store));
  }

  void on_reserve(std::uint32_t tap_id, std::uint64_t reserved) noexcept override {
    Store store = of(Store::What::Reserve, tap_id);
    store.reserved = reserved;
    add(std::move(store));
  }

  std::deque<Store> stores;
  std::uint64_t made = 0;             ///< Stores so far, taken from the queue or not.
  std::function<void()> after_store;  ///< Called within each, when it is in the queue.

 private:
  static Store of(Store::What what, std::uint32_t tap_id) {
    Store store;
    store.what = what;
    store.tap_id = tap_id;
    return store;
  }

  void add(Store store) {
    stores.push_back(std::move(store));
    ++made;
    if (after_store) {
      after_store();
    }
  }
};

/// Makes the store in `copy`.
inline journal::Followed follow(journal::Journal& copy, const Store& store) {
  switch (store.what) {
    case Store::What::Record:
      return copy.follow_record(store.at, store.record);
    case Store::What::Segment:
      return copy.follow_segment(store.header);
    case Store::What::Mark:
      return copy.follow_mark(store.at, store.mark);
    case Store::What::Reserve:
      return copy.follow_reserve(store.reserved);
  }
  return journal::Followed::Failed;
}

/// Makes all queued stores in `copy`, and empties the queue.
inline void follow_all(journal::Journal& copy, QueueTap& tap) {
  for (const Store& store : tap.stores) {
    ASSERT_EQ(follow(copy, store), journal::Followed::Stored);
  }
  tap.stores.clear();
}

/// The bytes of a journal's segments as far as its records go: what copies have in common.
struct History {
  struct Part {
    format::Header header{};
    std::string records;
  };

  std::map<std::uint32_t, Part> segments;
  journal::Position end;
  journal::HistoryPiece::State state = journal::HistoryPiece::State::AtEnd;
};

/// Reads all of a directory, in pieces of `bytes_max`.
inline History read_history(const std::string& directory, std::size_t bytes_max = 4096) {
  History history;
  journal::HistoryReader reader(directory);
  journal::Position at = reader.oldest();
  for (;;) {
    const journal::HistoryPiece piece = reader.read(at, bytes_max);
    if (piece.header) {
      history.segments[at.segment].header = *piece.header;
    }
    if (at.valid()) {
      history.segments[at.segment].records += piece.records;
    }
    history.state = piece.state;
    history.end = piece.next;
    if (piece.state != journal::HistoryPiece::State::More) {
      return history;
    }
    if (piece.next == at) {
      ADD_FAILURE() << "a piece without progress at " << at.segment << "/" << at.offset;
      return history;
    }
    at = piece.next;
  }
}

/// Makes a piece of history in `copy`, which begins at `from`.
inline void store_piece(journal::Journal& copy, journal::Position from,
                        const journal::HistoryPiece& piece) {
  if (piece.header) {
    const journal::Followed begun = copy.follow_segment(*piece.header);
    EXPECT_TRUE(begun == journal::Followed::Stored || begun == journal::Followed::AlreadyThere)
        << to_text(begun) << " at segment " << from.segment;
  }
  journal::Position at = from;
  std::string_view records = piece.records;
  while (const auto record = journal::take_record(records)) {
    const journal::Followed stored = copy.follow_record(at, *record);
    EXPECT_TRUE(stored == journal::Followed::Stored || stored == journal::Followed::AlreadyThere)
        << to_text(stored) << " at " << at.segment << "/" << at.offset;
    at.offset += static_cast<std::uint32_t>(record->size());
  }
  EXPECT_TRUE(records.empty());
}

/// Reads `directory` from `from` on and makes all of it in `copy`. Returns why it stopped.
inline journal::HistoryPiece::State catch_up(journal::Journal& copy, const std::string& directory,
                                             journal::Position from, std::size_t bytes_max = 4096) {
  journal::HistoryReader reader(directory);
  for (;;) {
    const journal::HistoryPiece piece = reader.read(from, bytes_max);
    store_piece(copy, from, piece);
    if (piece.state != journal::HistoryPiece::State::More || ::testing::Test::HasFailure()) {
      return piece.state;
    }
    from = piece.next;
  }
}

/// The header of the oldest segment in a directory.
inline format::Header oldest_header(const std::string& directory) {
  journal::HistoryReader reader(directory);
  const journal::HistoryPiece piece = reader.read(reader.oldest(), 1);
  EXPECT_TRUE(piece.header);
  return piece.header.value_or(format::Header{});
}

/// Positions of the records that a resend of everything has: those since the last barrier.
inline std::vector<journal::Position> resendable(const journal::Journal& journal) {
  std::vector<journal::Position> positions;
  journal::Replay replay = journal.replay(1, UINT64_MAX);
  while (const std::optional<journal::Record> record = replay.next()) {
    positions.push_back(record->position);
  }
  EXPECT_FALSE(replay.damaged());
  return positions;
}

/// The state that a journal knows without reading.
inline void expect_same_standing(const journal::Journal& one, const journal::Journal& other) {
  EXPECT_EQ(packed(one.end()), packed(other.end()));
  EXPECT_EQ(one.next_outgoing(), other.next_outgoing());
  EXPECT_EQ(one.next_expected(), other.next_expected());
  EXPECT_EQ(one.queued().unsent, other.queued().unsent);
  EXPECT_EQ(one.queued().last, other.queued().last);
  EXPECT_EQ(one.epoch(), other.epoch());
  EXPECT_EQ(packed(one.epoch_position()), packed(other.epoch_position()));
  EXPECT_EQ(one.unprocessed_count(), other.unprocessed_count());
  EXPECT_EQ(one.unprocessed_positions(), other.unprocessed_positions());
  // Retention is a journal's own matter.
  std::vector<journal::Position> first = resendable(one);
  std::vector<journal::Position> second = resendable(other);
  if (!first.empty() && !second.empty()) {
    const std::uint32_t oldest = std::max(first.front().segment, second.front().segment);
    const auto is_older = [oldest](const journal::Position& at) { return at.segment < oldest; };
    std::erase_if(first, is_older);
    std::erase_if(second, is_older);
  }
  EXPECT_EQ(first, second);
}

/// The marks that must be equal.
enum class Marks : std::uint8_t {
  Meaning,  ///< Whether it is set: which value says so is a journal's own matter.
  None,     ///< After a power loss one may be missing before the checkpoint, where none counts.
};

inline std::string without_mark_values(const std::string& records, Marks marks) {
  std::string same = records;
  std::string_view rest = same;
  while (const auto record = journal::take_record(rest)) {
    std::uint32_t length = 0;
    std::memcpy(&length, record->data(), sizeof(length));
    char& mark = same[static_cast<std::size_t>(record->data() - same.data()) + length];
    mark = mark == 0 || marks == Marks::None ? '\0' : '\1';
  }
  return same;
}

/// Headers and records of the segments that both have are equal byte for byte.
inline void expect_same_history(const std::string& one, const std::string& other,
                                Marks marks = Marks::Meaning) {
  const History first = read_history(one);
  const History second = read_history(other);
  EXPECT_EQ(first.state, journal::HistoryPiece::State::AtEnd);
  EXPECT_EQ(second.state, journal::HistoryPiece::State::AtEnd);
  EXPECT_EQ(packed(first.end), packed(second.end));
  std::size_t common = 0;
  for (const auto& [number, part] : first.segments) {
    const auto same = second.segments.find(number);
    if (same == second.segments.end()) {
      continue;  // Retention is a journal's own matter.
    }
    ++common;
    format::Header header = same->second.header;
    // An opening after a power loss may move this checkpoint.
    header.unprocessed = part.header.unprocessed;
    header.crc = part.header.crc;
    EXPECT_EQ(std::memcmp(&header, &part.header, sizeof(header)), 0) << "header of " << number;
    EXPECT_TRUE(without_mark_values(part.records, marks) ==
                without_mark_values(same->second.records, marks))
        << "records of segment " << number;
  }
  EXPECT_GT(common, 0U);
}

}  // namespace affix::journal_test
