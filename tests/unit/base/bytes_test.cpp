// SPDX-License-Identifier: MIT
// Padded bytes view exactly their source.
#include "affix/base/bytes.hpp"

#include <array>
#include <gtest/gtest.h>
#include <string_view>

namespace affix::base {
namespace {

TEST(PaddedBytes, ViewsItsBytesOnly) {
  std::array<char, 4 + PaddedBytes::padding> buffer{'8', '=', 'F', 'X'};
  const PaddedBytes bytes(std::string_view(buffer.data(), 4));
  EXPECT_EQ(bytes.view(), "8=FX");
  EXPECT_EQ(bytes.data, buffer.data());
}

}  // namespace
}  // namespace affix::base
