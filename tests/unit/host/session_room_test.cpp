// SPDX-License-Identifier: MIT
// Rooms are lent and returned, and memory use follows those in use.
#include "host/session_room.hpp"

#include "affix/base/time.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

namespace affix::host {
namespace {

constexpr RoomSizes sizes{.outbox_bytes = 32 * 1024, .secret_copy_bytes = 16 * 1024};

bool is_real(const char* byte) {
  constexpr std::uintptr_t page_bytes = 4096;
  unsigned char resident = 0;
  char* const page = const_cast<char*>(byte) - reinterpret_cast<std::uintptr_t>(byte) % page_bytes;
  EXPECT_EQ(::mincore(page, page_bytes, &resident), 0);
  return (resident & 1) != 0;
}

RoomPool& filled(RoomPool& pool, std::size_t count) {
  for (std::size_t room = 0; room < count; ++room) {
    EXPECT_TRUE(pool.add());
  }
  return pool;
}

/// As many turns as trimming everything takes, with an advancing clock.
void rest(RoomPool& pool, std::int64_t& now_ns) {
  for (int turn = 0; turn < 1'000; ++turn) {
    now_ns += 100 * base::ns_per_ms;
    pool.trim(now_ns);
  }
}

TEST(RoomPool, ARoomHasWhatItsSizesSayAndNoByteTwice) {
  RoomPool pool(sizes);
  filled(pool, 2);
  const SessionRoom& one = pool.lend();
  const SessionRoom& other = pool.lend();
  ASSERT_NE(&one, &other);
  for (const SessionRoom* room : {&one, &other}) {
    EXPECT_EQ(room->outbox.size(), sizes.outbox_bytes);
    EXPECT_EQ(room->secret_copy.size(), sizes.secret_copy_bytes);
    ASSERT_TRUE(room->memory);
    EXPECT_EQ(room->memory->held_index->capacity, message_fields_max);
  }
  std::vector<std::span<char>> parts;
  for (const SessionRoom* room : {&one, &other}) {
    parts.insert(parts.end(), {room->outbox, room->secret_copy, room->memory->logon_received,
                               room->memory->logon_sent, room->memory->held_bytes});
    const auto actions = std::as_writable_bytes(room->actions);
    parts.emplace_back(reinterpret_cast<char*>(actions.data()), actions.size());
    const auto held = std::as_writable_bytes(room->memory->held_messages);
    parts.emplace_back(reinterpret_cast<char*>(held.data()), held.size());
  }
  for (std::size_t at = 0; at < parts.size(); ++at) {
    for (std::size_t next = at + 1; next < parts.size(); ++next) {
      EXPECT_TRUE(parts[at].data() + parts[at].size() <= parts[next].data() ||
                  parts[next].data() + parts[next].size() <= parts[at].data())
          << at << " and " << next;
    }
  }
}

TEST(RoomPool, WhatIsReservedIsNotRealUntilItIsLent) {
  RoomPool pool(sizes);
  filled(pool, 100);
  EXPECT_EQ(pool.real_count(), 0U);
  SessionRoom& room = pool.lend();
  EXPECT_EQ(pool.real_count(), 1U);
  EXPECT_FALSE(is_real(room.outbox.data()));
  room.outbox.front() = 'x';
  EXPECT_TRUE(is_real(room.outbox.data()));
}

TEST(RoomPool, TheRoomThatCameBackLastIsLentNext) {
  RoomPool pool(sizes);
  filled(pool, 3);
  SessionRoom& first = pool.lend();
  SessionRoom& second = pool.lend();
  pool.give_back(first);
  pool.give_back(second);
  EXPECT_EQ(&pool.lend(), &second);
  EXPECT_EQ(&pool.lend(), &first);
  EXPECT_EQ(pool.real_count(), 2U);
}

TEST(RoomPool, ARoomAddedWhileOthersAreInUseIsLentToo) {
  RoomPool pool(sizes);
  filled(pool, 1);
  SessionRoom& first = pool.lend();
  filled(pool, 1);
  SessionRoom& second = pool.lend();
  EXPECT_NE(&first, &second);
  pool.give_back(first);
  EXPECT_EQ(&pool.lend(), &first);
}

TEST(RoomPool, AfterACrowdTheMemoryOfMostGoesBackToTheSystem) {
  RoomPool pool(sizes);
  filled(pool, 100);
  std::vector<SessionRoom*> lent;
  for (int room = 0; room < 100; ++room) {
    lent.push_back(&pool.lend());
    lent.back()->outbox.front() = 'x';
  }
  std::int64_t now_ns = base::ns_per_second;
  rest(pool, now_ns);
  EXPECT_EQ(pool.real_count(), 100U) << "rooms in use were trimmed";
  for (SessionRoom* room : lent) {
    EXPECT_EQ(room->outbox.front(), 'x');
    pool.give_back(*room);
  }
  rest(pool, now_ns);
  EXPECT_LE(pool.real_count(), 16U);
  std::size_t real = 0;
  for (const SessionRoom* room : lent) {
    real += is_real(room->outbox.data()) ? 1U : 0U;
  }
  EXPECT_LE(real, 16U);
  // All of them can be used again.
  for (int room = 0; room < 100; ++room) {
    SessionRoom& again = pool.lend();
    EXPECT_EQ(again.memory->held_index->capacity, message_fields_max);
    again.memory->held_index->clear();
  }
}

TEST(RoomPool, WhoIsAtWorkInTurnsKeepsItsMemory) {
  RoomPool pool(sizes);
  filled(pool, 100);
  std::int64_t now_ns = base::ns_per_second;
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<SessionRoom*> lent;
    for (int room = 0; room < 60; ++room) {
      lent.push_back(&pool.lend());
    }
    for (SessionRoom* room : lent) {
      pool.give_back(*room);
    }
    now_ns += 50 * base::ns_per_ms;
    pool.trim(now_ns);
    EXPECT_EQ(pool.real_count(), 60U);
  }
}

}  // namespace
}  // namespace affix::host
