// SPDX-License-Identifier: MIT
// Any bytes as a file of scenarios: reading ends, each step is within limits, and every text of a
// step can be expanded, written and compared with another message.
#include "certify/expectation.hpp"
#include "certify/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace affix::certify;

constexpr std::string_view message =
    "8=FIX.4.4\x01"
    "9=30\x01"
    "35=8\x01"
    "37=O\x01"
    "44=1.5\x01"
    "60=20260101-00:00:00\x01"
    "10=000\x01";

void use(const std::vector<Step>& steps, const Meaning& meaning, std::size_t depth) {
  if (depth > block_depth_max) {
    std::abort();
  }
  for (const Step& step : steps) {
    use(step.body, meaning, depth + 1);
    static_cast<void>(missing_variable(step.text, *meaning.variables));
    static_cast<void>(write_raw(step.text, meaning));
    for (const std::string& value : step.values) {
      static_cast<void>(calculated(expand(value, meaning)));
    }
    if (auto pieces = pieces_of(step.text, meaning)) {
      const Comparison comparison = compare(message, *pieces, meaning, {});
      static_cast<void>(describe(*pieces, meaning));
      static_cast<void>(comparison.same());
      static_cast<void>(write_message(std::move(*pieces), meaning, 1, step.fault));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(input), size);
  const auto scenarios = parse_scenarios(bytes, "input");
  if (!scenarios) {
    if (scenarios.error().empty()) {
      std::abort();
    }
    return 0;
  }
  const Variables variables{{"id", "1"}};
  std::uint64_t fresh = 0;
  for (const Scenario& scenario : *scenarios) {
    const Meaning meaning{.version = find_version("4.4"),
                          .variables = &variables,
                          .fresh_count = &fresh,
                          .last_sent = message};
    use(scenario.steps, meaning, 0);
  }
  return 0;
}
