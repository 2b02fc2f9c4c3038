// SPDX-License-Identifier: MIT
// Any bytes as a FIX Orchestra file: reading and searching end, and what is written is a file of
// scenarios that can be read.
#include "affix/certify/orchestra.hpp"

#include "certify/scenario.hpp"
#include "certify/score.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(input), size);
  static_cast<void>(affix::certify::parse_score(text));
  const auto made = affix::certify::scenarios_of_orchestra(
      text, {.states = {{"Market.Phase", "Open"}}, .file = "input"});
  if (!made) {
    if (made.error().empty()) {
      std::abort();
    }
    return 0;
  }
  if (made->count == 0) {
    return 0;
  }
  if (const auto scenarios = affix::certify::parse_scenarios(made->text, "made");
      !scenarios || scenarios->size() != made->count) {
    std::fputs(scenarios ? made->text.c_str() : scenarios.error().c_str(), stderr);
    std::abort();
  }
  return 0;
}
