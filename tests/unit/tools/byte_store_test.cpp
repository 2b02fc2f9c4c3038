// SPDX-License-Identifier: MIT
// The raw baseline's store keeps all bytes, and reports a missing directory.
#include "bench/floor/byte_store.hpp"

#include "support/has_message.hpp"

#include <gtest/gtest.h>
#include <string>

namespace affix::tools::bench {
namespace {

TEST(ByteStore, HoldsBytesAppendedBeyondItsPreparedPages) {
  const auto store = ByteStore::make(::testing::TempDir());
  ASSERT_TRUE(store) << store.error().text();
  std::string all;
  for (int piece = 0; all.size() < std::size_t{2} << 20; ++piece) {
    const std::string bytes(static_cast<std::size_t>(1000 + 77 * (piece % 50)),
                            static_cast<char>('a' + piece % 26));
    ASSERT_TRUE((*store)->append(bytes));
    all += bytes;
  }
  EXPECT_EQ((*store)->view(), all);
}

TEST(ByteStore, MoreAtOnceThanIsPreparedAtOnce) {
  const auto store = ByteStore::make(::testing::TempDir());
  ASSERT_TRUE(store) << store.error().text();
  const std::string bytes(std::size_t{3} << 20, 'x');
  ASSERT_TRUE((*store)->append(bytes));
  EXPECT_TRUE((*store)->view() == bytes);
}

TEST(ByteStore, ADirectoryThatIsNotThereIsReported) {
  const auto store = ByteStore::make("/nowhere/at/all");
  ASSERT_FALSE(store);
  EXPECT_TRUE(support::has_message(store.error().text(), "O101", {"/nowhere/at/all"}));
}

}  // namespace
}  // namespace affix::tools::bench
