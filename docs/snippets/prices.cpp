// SPDX-License-Identifier: MIT
// Of docs/reference/generated-messages.md: prices and quantities. Compiled, not run.

#include "affix/fix44/version.hpp"

#include <cstdio>
#include <optional>
#include <string_view>

namespace fix44 = affix::fix44;

bool print_cost(std::string_view text) {
  constexpr fix44::Price limit("10.75");  // A literal; one that is not a number does not compile.
  const fix44::Price same(1075, -2);      // mantissa x 10^exponent.
  const fix44::Qty lots(300);             // A whole number.
  const auto typed =
      fix44::Price::parse(text);  // Text known at run time: a Result, with the reason.
  if (const std::optional<fix44::Amt> cost = multiply(limit, lots)) {
    std::printf("%s x %s = %s\n", to_text(limit).c_str(), to_text(lots).c_str(),
                to_text(*cost).c_str());
  }
  return typed && *typed == same;
}
