// SPDX-License-Identifier: MIT
// Validation allocates nothing, for any message and result.

#include "support/allocation_count.hpp"
#include "validator_case.hpp"

#include <cstdint>
#include <vector>

namespace affix::dictionary_test {

TEST(ValidatorAllocation, JudgingAllocatesNothing) {
  const Validator& validator = small();
  std::vector<Indexed> messages;
  for (const char* body :
       {"11=X|54=1|38=10|", "11=X|54=1|38=10|453=2|448=P|452=1|448=Q|452=12|447=n|58=t|",
        "11=X|54=1|38=10|900=AA LONGER-THAN-8|901=LONGER-THAN-8|18=A B|",
        "11=X|54=3|38=x|777=1|453=2|448=|11=|115=C|", ""}) {
    messages.emplace_back(header() + body);
  }
  messages.emplace_back(header("NONE") + "1=2|");
  dictionary::Shapes shapes;
  std::uint32_t faults = 0;
  const std::uint64_t before = support::allocation_count();
  for (int turn = 0; turn < 3; ++turn) {
    for (const Indexed& message : messages) {
      for (const FaultOrder order : {FaultOrder::Message, FaultOrder::Quickfix}) {
        faults += static_cast<std::uint32_t>(
            !validator.clean(message.view(), Rules::all(), order, shapes) &&
            validator.validate(message.view(), Rules::all(), order).has_value());
      }
    }
  }
  const std::uint64_t after = support::allocation_count();
  EXPECT_EQ(after, before);
  EXPECT_EQ(faults, 18u);
}

}  // namespace affix::dictionary_test
