// SPDX-License-Identifier: MIT
#include "net/kept_input.hpp"

#include <gtest/gtest.h>
#include <string_view>

namespace affix::net {
namespace {

class Kept : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(pool_.open(1, 64, "test").has_value()); }

  [[nodiscard]] std::string_view text() const { return {input_.block(), input_.size()}; }

  BlockPool pool_;
  KeptInput input_;
};

TEST_F(Kept, BorrowsABlockAsLongAsThereIsInput) {
  EXPECT_TRUE(input_.empty());
  EXPECT_EQ(input_.block(), nullptr);
  input_.keep("abcdef", 6, pool_);
  EXPECT_EQ(text(), "abcdef");
  EXPECT_EQ(pool_.free_count(), 0U);
  input_.keep(nullptr, 0, pool_);
  EXPECT_TRUE(input_.empty());
  EXPECT_EQ(input_.block(), nullptr);
  EXPECT_EQ(pool_.free_count(), 1U);
}

TEST_F(Kept, KeepsTheRestOfItsBytes) {
  input_.keep("abcdef", 6, pool_);
  input_.keep(input_.block() + 2, 4, pool_);
  EXPECT_EQ(text(), "cdef");
  input_.keep(input_.block(), 3, pool_);
  EXPECT_EQ(text(), "cde");
  input_.drop(pool_);
  input_.drop(pool_);
  EXPECT_EQ(pool_.free_count(), 1U);
}

}  // namespace
}  // namespace affix::net
