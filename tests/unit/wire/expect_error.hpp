// SPDX-License-Identifier: MIT
// Expects that a text is refused as a value.
#pragma once

#include "affix/wire/convert.hpp"

#include <gtest/gtest.h>
#include <string_view>

namespace affix::wire {

/// `text` names the case if it fails.
template <typename T>
void expect_error(const Result<T>& result, FieldError error, std::string_view text) {
  ASSERT_FALSE(result.has_value()) << '"' << text << '"';
  EXPECT_EQ(result.error(), error) << '"' << text << '"';
}

}  // namespace affix::wire
