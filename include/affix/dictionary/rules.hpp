// SPDX-License-Identifier: MIT
// Rules that a validator checks, and the action for each fault: a session's policy for messages
// that contradict its dictionary. Plain values, set at start-up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace affix::inline v0::dictionary {

/// One kind of fault.
enum class Rule : std::uint8_t {
  UnknownMsgType,   ///< The dictionary has no message with this MsgType (35).
  SectionOrder,     ///< A header field after the body, or a body field after the trailer.
  RequiredMissing,  ///< A message, header, trailer or group entry lacks a required field.
  UnknownTag,       ///< A tag below 5000 that is not in the dictionary.
  UserDefinedTag,   ///< The same from 5000 on, the range that FIX leaves to firms and venues.
  TagNotAllowed,    ///< The tag is in the dictionary, but not allowed in this message.
  EmptyValue,       ///< The value is empty.
  ValueFormat,      ///< The value does not have the field's type.
  ValueNotListed,   ///< The field has a value list without this value.
  RepeatedTag,      ///< A tag occurs twice in one message or group entry.
  GroupCount,       ///< A group's counter differs from its entries.
  GroupStart,       ///< A group's first entry does not start with the group's first field.
  GroupOrder,       ///< Fields of a group entry are not in the dictionary's order.
};

inline constexpr std::size_t rule_count = static_cast<std::size_t>(Rule::GroupOrder) + 1;

/// Action for a fault.
enum class RuleAction : std::uint8_t {
  Reject,  ///< Rejects the message.
  Warn,    ///< Delivers it and reports the fault.
  Off,     ///< Delivers it without checking.
};

/// Selects which of several faults of a message is reported.
enum class FaultOrder : std::uint8_t {
  /// The first in the message; a missing field counts where its message or entry ends.
  Message,
  /// The order that QuickFIX checks in, which its counterparties expect: structure, MsgType,
  /// required fields, then every field by tag. Counts fields inside groups and checks required
  /// ones, but not their values; formats are QuickFIX's. An entry of a group may begin with any of
  /// its fields, unless Rule::GroupStart is on.
  Quickfix,
};

/// Name of the rule in configuration files: "unknown_tag". Static storage.
[[nodiscard]] const char* to_text(Rule rule) noexcept;

/// "REJECT", "WARN", "OFF". Static storage.
[[nodiscard]] const char* to_text(RuleAction action) noexcept;

[[nodiscard]] std::optional<Rule> rule_from_text(std::string_view text) noexcept;
[[nodiscard]] std::optional<RuleAction> rule_action_from_text(std::string_view text) noexcept;

/// SessionRejectReason (373) of a Reject for this fault.
[[nodiscard]] std::uint16_t reject_reason(Rule rule) noexcept;

/// An action for each rule. A value of two words.
class Rules {
 public:
  /// Rejects everything that FIX defines as a fault. Warns of user-defined tags, which FIX leaves
  /// to the two parties.
  [[nodiscard]] static constexpr Rules strict() noexcept {
    Rules rules;
    rules.set(Rule::UserDefinedTag, RuleAction::Warn);
    return rules;
  }

  /// Accepts everything that a counterparty sends beyond the dictionary: unknown and misplaced tags
  /// and values are off or warnings. Rejects unreadable messages.
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

  /// Checks what QuickFIX checks by default: everything except the order of fields in group
  /// entries.
  [[nodiscard]] static constexpr Rules quickfix() noexcept {
    Rules rules;
    for (const Rule rule : {Rule::GroupStart, Rule::GroupOrder}) {
      rules.set(rule, RuleAction::Off);
    }
    return rules;
  }

  /// Every rule rejects.
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

  /// Rules that are not off, one `bit` each.
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
