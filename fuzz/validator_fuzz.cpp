// SPDX-License-Identifier: MIT
// Any bytes as a message: validated by a valid dictionary; all ways of validating agree. The first
// byte selects rules and order.
#include "affix/dictionary.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "support/fix_text.hpp"
#include "support/validation_dictionary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

using namespace affix::dictionary;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

Validator compiled() {
  const Loaded loaded = load_text(affix::support::small_xml());
  require(static_cast<bool>(loaded));
  auto validator = Validator::compile(*loaded.dictionary);
  require(validator.has_value());
  return std::move(*validator);
}

Rules rules_of(std::uint8_t choice) {
  switch (choice & 3) {
    case 0:
      return Rules::all();
    case 1:
      return Rules::strict();
    case 2:
      return Rules::tolerant();
    default: {
      Rules rules = Rules::all();
      rules.set(static_cast<Rule>((choice >> 3) % rule_count), RuleAction::Off);
      rules.set(static_cast<Rule>((choice >> 4) % rule_count), RuleAction::Warn);
      return rules;
    }
  }
}

void judge(const Validator& validator, const affix::wire::MessageView& view, Rules rules,
           FaultOrder order, Shapes& shapes) {
  const std::optional<Violation> violation = validator.first_violation(view, rules, order);
  const bool clean = validator.clean(view, rules, order);
  require(!clean || !violation);
  require(validator.validate(view, rules, order) == violation);
  require(validator.clean(view, rules, order, shapes) == clean);
  require(validator.clean(view, rules, order, shapes) == clean);
  if (!violation) {
    return;
  }
  require(violation->position <= view.size());
  require(violation->action == rules.action(violation->rule));
  require(violation->action != RuleAction::Off);
  require(violation->reason == reject_reason(violation->rule));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Validator validator = compiled();
  static Shapes shapes;
  static affix::wire::FieldIndexOf<4096> index;
  if (size == 0) {
    return 0;
  }
  const Rules rules = rules_of(bytes[0]);
  const FaultOrder order = (bytes[0] & 4) != 0 ? FaultOrder::Quickfix : FaultOrder::Message;
  const std::string text(reinterpret_cast<const char*>(bytes + 1), size - 1);
  // Unchanged, complete or not, in memory of exactly its size.
  affix::wire::index_message(text, index);
  judge(validator, {text, index}, rules, order, shapes);
  // And as the body of a message with right length and sum.
  const std::string whole = affix::support::make_message(text);
  affix::wire::index_message(whole, index);
  judge(validator, {whole, index}, rules, order, shapes);
  return 0;
}
