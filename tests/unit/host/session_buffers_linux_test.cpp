// SPDX-License-Identifier: MIT
// Buffers are lent and returned, and memory use follows those in use.
#include "affix/base/time.hpp"

#include "host/session_buffers.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

namespace affix::host {
namespace {

constexpr BufferSizes sizes{.outbox_bytes = 32 * 1024, .secret_copy_bytes = 16 * 1024};

bool is_real(const char* byte) {
  constexpr std::uintptr_t page_bytes = 4096;
  unsigned char resident = 0;
  char* const page = const_cast<char*>(byte) - reinterpret_cast<std::uintptr_t>(byte) % page_bytes;
  EXPECT_EQ(::mincore(page, page_bytes, &resident), 0);
  return (resident & 1) != 0;
}

BufferPool& filled(BufferPool& pool, std::size_t count) {
  for (std::size_t added = 0; added < count; ++added) {
    EXPECT_TRUE(pool.add());
  }
  return pool;
}

/// As many turns as trimming everything takes, with an advancing clock.
void rest(BufferPool& pool, std::int64_t& now_ns) {
  for (int turn = 0; turn < 1'000; ++turn) {
    now_ns += 100 * base::ns_per_ms;
    pool.trim(now_ns);
  }
}

TEST(BufferPool, BuffersHaveTheirSizesAndShareNoByte) {
  BufferPool pool(sizes);
  filled(pool, 2);
  const SessionBuffers& one = pool.lend();
  const SessionBuffers& other = pool.lend();
  ASSERT_NE(&one, &other);
  for (const SessionBuffers* buffers : {&one, &other}) {
    EXPECT_EQ(buffers->outbox.size(), sizes.outbox_bytes);
    EXPECT_EQ(buffers->secret_copy.size(), sizes.secret_copy_bytes);
    ASSERT_TRUE(buffers->memory);
    EXPECT_EQ(buffers->memory->held_index->capacity, message_fields_max);
  }
  std::vector<std::span<char>> parts;
  for (const SessionBuffers* buffers : {&one, &other}) {
    parts.insert(parts.end(),
                 {buffers->outbox, buffers->secret_copy, buffers->memory->logon_received,
                  buffers->memory->logon_sent, buffers->memory->held_bytes});
    const auto actions = std::as_writable_bytes(buffers->actions);
    parts.emplace_back(reinterpret_cast<char*>(actions.data()), actions.size());
    const auto held = std::as_writable_bytes(buffers->memory->held_messages);
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

TEST(BufferPool, ReservedMemoryIsNotRealUntilItIsLent) {
  BufferPool pool(sizes);
  filled(pool, 100);
  EXPECT_EQ(pool.real_count(), 0U);
  SessionBuffers& buffers = pool.lend();
  EXPECT_EQ(pool.real_count(), 1U);
  EXPECT_FALSE(is_real(buffers.outbox.data()));
  buffers.outbox.front() = 'x';
  EXPECT_TRUE(is_real(buffers.outbox.data()));
}

TEST(BufferPool, TheRoomThatCameBackLastIsLentNext) {
  BufferPool pool(sizes);
  filled(pool, 3);
  SessionBuffers& first = pool.lend();
  SessionBuffers& second = pool.lend();
  pool.give_back(first);
  pool.give_back(second);
  EXPECT_EQ(&pool.lend(), &second);
  EXPECT_EQ(&pool.lend(), &first);
  EXPECT_EQ(pool.real_count(), 2U);
}

TEST(BufferPool, ARoomAddedWhileOthersAreInUseIsLentToo) {
  BufferPool pool(sizes);
  filled(pool, 1);
  SessionBuffers& first = pool.lend();
  filled(pool, 1);
  SessionBuffers& second = pool.lend();
  EXPECT_NE(&first, &second);
  pool.give_back(first);
  EXPECT_EQ(&pool.lend(), &first);
}

TEST(BufferPool, AfterACrowdTheMemoryOfMostGoesBackToTheSystem) {
  BufferPool pool(sizes);
  filled(pool, 100);
  std::vector<SessionBuffers*> lent;
  for (int count = 0; count < 100; ++count) {
    lent.push_back(&pool.lend());
    lent.back()->outbox.front() = 'x';
  }
  std::int64_t now_ns = base::ns_per_second;
  rest(pool, now_ns);
  EXPECT_EQ(pool.real_count(), 100U) << "buffers in use were trimmed";
  for (SessionBuffers* buffers : lent) {
    EXPECT_EQ(buffers->outbox.front(), 'x');
    pool.give_back(*buffers);
  }
  rest(pool, now_ns);
  EXPECT_LE(pool.real_count(), 16U);
  std::size_t real = 0;
  for (const SessionBuffers* buffers : lent) {
    real += is_real(buffers->outbox.data()) ? 1U : 0U;
  }
  EXPECT_LE(real, 16U);
  // All of them can be used again.
  for (int count = 0; count < 100; ++count) {
    SessionBuffers& again = pool.lend();
    EXPECT_EQ(again.memory->held_index->capacity, message_fields_max);
    again.memory->held_index->clear();
  }
}

TEST(BufferPool, ASessionAtWorkInTurnsKeepsItsMemory) {
  BufferPool pool(sizes);
  filled(pool, 100);
  std::int64_t now_ns = base::ns_per_second;
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<SessionBuffers*> lent;
    for (int count = 0; count < 60; ++count) {
      lent.push_back(&pool.lend());
    }
    for (SessionBuffers* buffers : lent) {
      pool.give_back(*buffers);
    }
    now_ns += 50 * base::ns_per_ms;
    pool.trim(now_ns);
    EXPECT_EQ(pool.real_count(), 60U);
  }
}

}  // namespace
}  // namespace affix::host
