// SPDX-License-Identifier: MIT
// The ring of parked output compared with a string, over many random appends and removals.
#include "net/parked_output.hpp"

#include "unit/net/loopback.hpp"

#include <gtest/gtest.h>
#include <random>
#include <string>

namespace affix::net {
namespace {

std::string all_of(const ParkedOutput& output, std::size_t capacity) {
  std::array<iovec, 2> pieces{};
  std::string bytes;
  const std::size_t count = output.pieces(pieces, capacity);
  for (std::size_t index = 0; index < count; ++index) {
    bytes.append(static_cast<const char*>(pieces[index].iov_base), pieces[index].iov_len);
  }
  return bytes;
}

TEST(ParkedOutput, BorrowsABlockOnlyWhileItHoldsSomething) {
  BlockPool pool;
  ASSERT_TRUE(pool.open(1, 16, "test"));
  ParkedOutput output;
  output.append("", 16, pool);
  EXPECT_EQ(pool.free_count(), 1U);
  output.append("abc", 16, pool);
  EXPECT_EQ(pool.free_count(), 0U);
  output.consume(3, 16, pool);
  EXPECT_EQ(pool.free_count(), 1U);
  output.append("abc", 16, pool);
  output.drop(pool);
  EXPECT_TRUE(output.empty());
  EXPECT_EQ(pool.free_count(), 1U);
}

TEST(ParkedOutput, KeepsOrderRoundTheRing) {
  constexpr std::size_t capacity = 97;
  BlockPool pool;
  ASSERT_TRUE(pool.open(1, capacity, "test"));
  ParkedOutput output;
  std::string model;
  std::mt19937 random(3);
  const std::string source = loopback::pattern(4096);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t room = capacity - model.size();
    const std::string_view bytes(source.data() + random() % 2048, random() % (room + 1));
    output.append(bytes, capacity, pool);
    model += bytes;
    ASSERT_EQ(output.size(), model.size());
    if (!model.empty()) {
      ASSERT_EQ(all_of(output, capacity), model);
    }
    const std::size_t taken = random() % (model.size() + 1);
    output.consume(taken, capacity, pool);
    model.erase(0, taken);
  }
}

}  // namespace
}  // namespace affix::net
