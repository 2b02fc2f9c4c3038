// SPDX-License-Identifier: MIT
// Makes a table of a configuration's values.
#include "admin/configuration_answer.hpp"

#include "affix/config/effective_configuration.hpp"

namespace affix::inline v0::admin {

Answer configuration_answer(const config::Configuration& configuration, const std::string& group) {
  Answer answer = Answer::table({"group", "kind", "key", "value", "said"});
  bool found = group.empty();
  for (const config::EffectiveGroup& one : config::describe_configuration(configuration)) {
    if (!group.empty() && one.name != group) {
      continue;
    }
    found = true;
    for (const config::EffectiveValue& value : one.values) {
      answer.add({one.name, std::string(config::to_text(one.kind)), std::string(value.key),
                  value.value, value.origin != config::Origin::Standard});
    }
  }
  return found ? answer : Answer::refused("there is no group '" + group + "'", "A104");
}

}  // namespace affix::inline v0::admin
