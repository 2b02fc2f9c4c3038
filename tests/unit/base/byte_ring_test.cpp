// SPDX-License-Identifier: MIT
// The ring between two threads: order, bounds, records that do not fit before the end, and two real
// threads.
#include "affix/base/byte_ring.hpp"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <string_view>
#include <thread>

namespace affix::base {
namespace {

bool push(ByteRing& ring, std::string_view record, std::size_t more = 0) {
  const std::span<char> room = ring.claim(record.size() + more);
  if (room.data() == nullptr) {
    return false;
  }
  EXPECT_EQ(room.size(), record.size() + more);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(room.data()) % 8, 0U);
  record.copy(room.data(), record.size());
  ring.publish(record.size());
  return true;
}

std::string pop(ByteRing& ring) {
  const std::span<char> record = ring.front();
  if (record.data() == nullptr) {
    return "empty";
  }
  std::string copy(record.data(), record.size());
  ring.pop();
  return copy;
}

TEST(ByteRing, KeepsOrderAndTellsFullAndEmpty) {
  ByteRing ring(64);
  EXPECT_EQ(ring.capacity(), 64U);
  EXPECT_EQ(ring.record_max(), 24U);
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(pop(ring), "empty");
  for (const char* record : {"one", "", "three"}) {
    EXPECT_TRUE(push(ring, record));
  }
  EXPECT_FALSE(ring.empty());
  EXPECT_TRUE(push(ring, "fourth..")) << "16 + 8 + 16 + 16";
  EXPECT_FALSE(push(ring, "fifth"));
  EXPECT_TRUE(push(ring, "")) << "8 are left";
  EXPECT_FALSE(push(ring, ""));
  for (const char* record : {"one", "", "three", "fourth..", ""}) {
    EXPECT_EQ(pop(ring), record);
  }
  EXPECT_TRUE(ring.empty());
}

TEST(ByteRing, ATooLargeEntryNeverFits) {
  ByteRing ring(64);
  EXPECT_FALSE(push(ring, std::string(25, 'x')));
  // At any position of the ring, the largest record fits when it is empty.
  for (int at = 0; at < 50; ++at) {
    EXPECT_TRUE(push(ring, "x"));
    EXPECT_EQ(pop(ring), "x");
    const std::string largest(ring.record_max(), 'l');
    ASSERT_TRUE(push(ring, largest)) << at;
    EXPECT_EQ(pop(ring), largest);
  }
}

TEST(ByteRing, AClaimedEntryThatIsNotPublishedLeavesNoTrace) {
  ByteRing ring(64);
  ASSERT_EQ(ring.claim(20).size(), 20U);
  EXPECT_EQ(pop(ring), "empty");
  EXPECT_TRUE(push(ring, "short", 15));
  EXPECT_EQ(pop(ring), "short");
  // A claim that would skip to the front, then one that does not.
  for (int at = 0; at < 40; ++at) {
    static_cast<void>(ring.claim(ring.record_max()));
    ASSERT_TRUE(push(ring, "y"));
    EXPECT_EQ(pop(ring), "y");
  }
}

TEST(ByteRing, AgreesWithAListOfRecords) {
  std::mt19937 random(7);
  ByteRing ring(1024);
  std::deque<std::string> expected;
  std::uint64_t refused = 0;
  for (int step = 0; step < 100'000; ++step) {
    if (random() % 2 == 0) {
      const std::string record(random() % 200, static_cast<char>('a' + step % 26));
      if (push(ring, record, random() % 100)) {
        expected.push_back(record);
      } else {
        ++refused;
        ASSERT_FALSE(expected.empty()) << "an empty ring refuses nothing of that size";
      }
    } else if (!expected.empty()) {
      ASSERT_EQ(pop(ring), expected.front());
      expected.pop_front();
    } else {
      ASSERT_EQ(pop(ring), "empty");
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(ByteRing, NothingIsLostBetweenTwoThreads) {
  constexpr std::uint64_t records = 100'000;
  ByteRing ring(256);
  std::thread producer([&] {
    for (std::uint64_t record = 0; record < records;) {
      const std::string text(record % 70, static_cast<char>('a' + record % 26));
      if (push(ring, text)) {
        ++record;
      } else {
        std::this_thread::yield();
      }
    }
  });
  for (std::uint64_t record = 0; record < records;) {
    const std::span<char> got = ring.front();
    if (got.data() == nullptr) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_EQ(std::string(got.data(), got.size()),
              std::string(record % 70, static_cast<char>('a' + record % 26)));
    ring.pop();
    ++record;
  }
  producer.join();
  EXPECT_TRUE(ring.empty());
}

}  // namespace
}  // namespace affix::base
