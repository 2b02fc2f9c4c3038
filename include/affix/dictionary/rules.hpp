// SPDX-License-Identifier: MIT
// What a validator looks for, and what is to follow from each fault: a session's policy on messages
// that contradict its dictionary. Plain values, decided at start-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::dictionary {

/// One kind of fault, named after what is wrong.
enum class Rule : std::uint8_t {
  UnknownMsgType,   ///< No message of the dictionary has this MsgType (35).
  SectionOrder,     ///< A header field behind the body, or a body field behind the trailer.
  RequiredMissing,  ///< A required field of message, header, trailer or group entry is not there.
  UnknownTag,       ///< A tag below 5000 that the dictionary does not have.
  UserDefinedTag,   ///< The same from 5000 on, where FIX leaves numbers to firms and venues.
  TagNotAllowed,    ///< The dictionary has the tag, but not in this message.
  EmptyValue,       ///< Nothing behind the `=`.
  ValueFormat,      ///< The value is not of the field's type.
  ValueNotListed,   ///< The field has a list of values, and this is none of them.
  RepeatedTag,      ///< A tag twice in one message or group entry.
  GroupCount,       ///< A group's counter and its entries differ.
  GroupStart,       ///< A group's first entry does not begin with the group's first field.
  GroupOrder,       ///< Fields of a group entry in another order than the dictionary's.
};

inline constexpr std::size_t rule_count = static_cast<std::size_t>(Rule::GroupOrder) + 1;

/// What follows from a fault.
enum class RuleAction : std::uint8_t {
  Reject,  ///< The message is rejected.
  Warn,    ///< It is delivered, and the fault is told.
  Off,     ///< It is delivered, and nothing is told or looked for.
};

/// The rule's name in configuration files: "unknown_tag". Static storage.
[[nodiscard]] const char* to_text(Rule rule) noexcept;

/// "REJECT", "WARN", "OFF". Static storage.
[[nodiscard]] const char* to_text(RuleAction action) noexcept;

[[nodiscard]] std::optional<Rule> rule_from_text(std::string_view text) noexcept;
[[nodiscard]] std::optional<RuleAction> rule_action_from_text(std::string_view text) noexcept;

/// SessionRejectReason (373) of a Reject for this fault.
[[nodiscard]] std::uint16_t reject_reason(Rule rule) noexcept;

/// An action for each rule. Two words; to be copied.
class Rules {
 public:
  /// Everything that FIX calls a fault is rejected. User-defined tags, which FIX leaves to the two
  /// parties, are a warning.
  [[nodiscard]] static constexpr Rules strict() noexcept {
    Rules rules;
    rules.set(Rule::UserDefinedTag, RuleAction::Warn);
    return rules;
  }

  /// Nothing that a counterparty says beyond the dictionary costs a message: unknown and misplaced
  /// tags and values are off or warnings. What makes a message unreadable is rejected.
  [[nodiscard]] static constexpr Rules tolerant() noexcept {
    Rules rules;
    for (const Rule rule : {Rule::UnknownTag, Rule::UserDefinedTag, Rule::TagNotAllowed,
                            Rule::SectionOrder, Rule::GroupOrder}) {
      rules.set(rule, RuleAction::Off);
    }
    for (const Rule rule : {Rule::UnknownMsgType, Rule::EmptyValue, Rule::ValueNotListed}) {
      rules.set(rule, RuleAction::Warn);
    }
    return rules;
  }

  /// What QuickFIX checks unless it is told otherwise: everything, but for the order of fields in
  /// group entries.
  [[nodiscard]] static constexpr Rules quickfix() noexcept {
    Rules rules;
    for (const Rule rule : {Rule::GroupStart, Rule::GroupOrder}) {
      rules.set(rule, RuleAction::Off);
    }
    return rules;
  }

  /// Each rule rejects.
  [[nodiscard]] static constexpr Rules all() noexcept { return Rules(); }

  [[nodiscard]] static constexpr Rules none() noexcept {
    Rules rules;
    rules.reject_ = 0;
    return rules;
  }

  constexpr void set(Rule rule, RuleAction action) noexcept {
    reject_ = (reject_ & ~bit(rule)) | (action == RuleAction::Reject ? bit(rule) : 0);
    warn_ = (warn_ & ~bit(rule)) | (action == RuleAction::Warn ? bit(rule) : 0);
  }

  [[nodiscard]] constexpr RuleAction action(Rule rule) const noexcept {
    if ((reject_ & bit(rule)) != 0) {
      return RuleAction::Reject;
    }
    return (warn_ & bit(rule)) != 0 ? RuleAction::Warn : RuleAction::Off;
  }

  /// The rules that are not off, a `bit` each.
  [[nodiscard]] constexpr std::uint32_t watched() const noexcept { return reject_ | warn_; }

  [[nodiscard]] static constexpr std::uint32_t bit(Rule rule) noexcept {
    return std::uint32_t{1} << static_cast<std::uint32_t>(rule);
  }

  friend constexpr bool operator==(const Rules&, const Rules&) noexcept = default;

 private:
  std::uint32_t reject_ = (std::uint32_t{1} << rule_count) - 1;
  std::uint32_t warn_ = 0;
};

}  // namespace affix::inline v0::dictionary
