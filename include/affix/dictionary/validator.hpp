// SPDX-License-Identifier: MIT
// Judges indexed messages by a dictionary, at the speed of the wire. A dictionary is compiled once
// into dense tables; a message is then one pass over its index. Knows no session: what follows from
// a fault is the caller's.
#pragma once

#include "affix/base/error.hpp"
#include "affix/dictionary/model.hpp"
#include "affix/dictionary/rules.hpp"
#include "affix/dictionary/shapes.hpp"
#include "affix/wire/view.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>

namespace affix::inline v0::dictionary {

struct ValidationTables;

/// Which of several faults of one message is told.
enum class FaultOrder : std::uint8_t {
  /// The first in the message; a missing field is missed where its message or group entry ends.
  Message,
  /// As QuickFIX looks for them, which is what its counterparties expect: structure, MsgType,
  /// required fields, then every field in the order of tags. Fields inside groups are counted and
  /// missed, but their values are not looked at, and formats are QuickFIX's own. An entry of a
  /// group may begin with any of its fields, unless Rule::GroupStart is on.
  Quickfix,
};

/// What is wrong with a message, ready to become a Reject.
struct Violation {
  Rule rule = Rule::UnknownMsgType;
  RuleAction action = RuleAction::Reject;  ///< Reject or Warn.
  std::uint16_t reason = 0;                ///< SessionRejectReason (373).
  /// RefTagID (371), as the message writes it: 0 or negative where that stands before the `=`.
  std::int64_t tag = 0;
  bool has_tag = false;
  /// Of the field in the index; where a missing one is missed; of the counter of a group that is
  /// short, long or begins wrongly.
  std::uint32_t position = 0;

  friend bool operator==(const Violation&, const Violation&) = default;
};

/// The compiled form of one dictionary, or of a transport and an application dictionary together.
/// Const after construction: any number of threads and sessions may share one. Owns all it needs;
/// the dictionaries may go. About 1 MiB for FIX 5.0 SP2.
class Validator {
 public:
  /// One level (a message, or one entry of a group) may have this many fields.
  static constexpr std::uint32_t level_fields_max = 2047;

  /// Messages with the header and trailer of the same dictionary: FIX.4.x, and FIXT's own session
  /// messages. Allocates. Limit: a message or group has more than `level_fields_max` fields, groups
  /// nest deeper than wire::group_depth_max, or the whole has more than 65'534 fields, messages and
  /// groups; the error names it.
  [[nodiscard]] static std::expected<Validator, base::Error> compile(const Dictionary& dictionary);

  /// The messages of `application` in the header and trailer of `transport`.
  [[nodiscard]] static std::expected<Validator, base::Error> compile(const Dictionary& transport,
                                                                     const Dictionary& application);

  Validator(Validator&& other) noexcept;
  Validator& operator=(Validator&& other) noexcept;
  ~Validator();

  /// The version of the dictionary that the messages come from.
  [[nodiscard]] const Version& version() const noexcept;

  /// Whether `message` offends against none of the rules that are not off. False may be said of a
  /// message in which first_violation() finds nothing, true never of one in which it finds
  /// something. One pass over the index, no allocation; about 40 ns for an order of 23 fields.
  [[nodiscard]] bool clean(const wire::MessageView& message, Rules rules,
                           FaultOrder order = FaultOrder::Message) const noexcept;

  /// The same answer, sooner for a message whose sequence of tags is in `shapes`; puts it there.
  [[nodiscard]] bool clean(const wire::MessageView& message, Rules rules, FaultOrder order,
                           Shapes& shapes) const noexcept;

  /// The fault to be told: the first that `rules` reject, or without one the first they warn of.
  /// For messages that are not clean; ten times slower, no allocation either.
  [[nodiscard]] std::optional<Violation> first_violation(
      const wire::MessageView& message, Rules rules,
      FaultOrder order = FaultOrder::Message) const noexcept;

  /// Both: nothing when there is no fault. Fields with a FieldFault are seen as unknown tags or as
  /// text; the session has its own word on them before.
  [[nodiscard]] std::optional<Violation> validate(
      const wire::MessageView& message, Rules rules,
      FaultOrder order = FaultOrder::Message) const noexcept {
    if (clean(message, rules, order)) [[likely]] {
      return std::nullopt;
    }
    return first_violation(message, rules, order);
  }

 private:
  explicit Validator(std::unique_ptr<const ValidationTables> tables) noexcept;

  std::unique_ptr<const ValidationTables> tables_;
};

}  // namespace affix::inline v0::dictionary
