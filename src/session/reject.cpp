// SPDX-License-Identifier: MIT
// What a message has against it that no dictionary is needed to see, and the Reject that answers
// it. A rejected message consumes its number, so that no message can stop a session by being wrong.

#include "session/tags.hpp"
#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

bool found(Violation& violation, RejectReason reason, std::uint32_t number) noexcept {
  violation = {reason, number, true, {}};
  return true;
}

/// Test cases 14a and 14k: a field whose tag is no tag, a piece without `=`, a data field of the
/// wrong length.
bool find_fault(const Incoming& in, Violation& violation) noexcept {
  const wire::FieldIndex& index = in.message.index();
  if (index.fault == wire::FieldFault::None) [[likely]] {
    return false;
  }
  std::uint32_t position = 0;
  while (position + 1 < index.count && index.field_begin(position) < index.fault_at) {
    ++position;
  }
  switch (index.fault) {
    case wire::FieldFault::MissingEquals:
      // An SOH inside a value cut it in two: the field before has the first part.
      return found(violation, RejectReason::SohInValue,
                   position == 0 ? 0 : index.tags[position - 1]);
    case wire::FieldFault::DataLength:
      return found(violation, RejectReason::FormatIncorrect, index.tags[position]);
    case wire::FieldFault::TagZero:
      return found(violation, RejectReason::InvalidTagNumber, 0);
    default:
      violation = {RejectReason::InvalidTagNumber, 0, false, {}};
      return true;
  }
}

/// Test case 14d. Only without a validator, which has its own word on empty values.
bool find_empty_value(const Turn& turn, const Incoming& in, Violation& violation) noexcept {
  const std::uint32_t first = in.header.first_empty;
  if (first == wire::no_position) [[likely]] {
    return false;
  }
  // A message without type cannot be dispatched, whoever judges the rest.
  constexpr std::uint32_t type_position = 2;
  if (turn.options.validator && first != type_position) {
    return false;
  }
  return found(violation, RejectReason::TagWithoutValue, in.message.tag_at(first));
}

bool is_flag(std::string_view value) noexcept {
  return value == "Y" || value == "N";
}

/// Test cases 2f and 2g: a possible duplicate tells when it was sent first, and not that this is
/// yet to come.
bool find_duplicate_fault(const Incoming& in, Violation& violation) noexcept {
  const Header& header = in.header;
  if (header.has(HeaderField::PossDupFlag) &&
      !is_flag(header.text(in.message, HeaderField::PossDupFlag))) {
    return found(violation, RejectReason::ValueIncorrect, tag::poss_dup_flag);
  }
  if (header.has(HeaderField::PossResend) &&
      !is_flag(header.text(in.message, HeaderField::PossResend))) {
    return found(violation, RejectReason::ValueIncorrect, tag::poss_resend);
  }
  // A SequenceReset is no resent message of its own, and many engines leave its 122 out.
  if (!header.possible_duplicate || header.type == type::sequence_reset) {
    return false;
  }
  if (!header.has(HeaderField::OrigSendingTime)) {
    return found(violation, RejectReason::RequiredTagMissing, tag::orig_sending_time);
  }
  const auto original = wire::parse_utc_time(header.text(in.message, HeaderField::OrigSendingTime));
  const auto sending = wire::parse_utc_time(header.text(in.message, HeaderField::SendingTime));
  if (!original || (sending && *original > *sending)) {
    return found(violation, RejectReason::SendingTimeAccuracy, tag::orig_sending_time);
  }
  return false;
}

}  // namespace

bool find_violation(const Turn& turn, const Incoming& in, Violation& violation) noexcept {
  if (find_fault(in, violation)) [[unlikely]] {
    return true;
  }
  if (in.header.repeated_tag != 0) [[unlikely]] {
    return found(violation, RejectReason::TagRepeated, in.header.repeated_tag);
  }
  // Test case 14b for what the protocol itself needs.
  if (!in.header.has(HeaderField::SenderCompId)) {
    return found(violation, RejectReason::RequiredTagMissing, tag::sender_comp_id);
  }
  if (!in.header.has(HeaderField::TargetCompId)) {
    return found(violation, RejectReason::RequiredTagMissing, tag::target_comp_id);
  }
  if (!in.header.has(HeaderField::SendingTime)) {
    return found(violation, RejectReason::RequiredTagMissing, tag::sending_time);
  }
  return find_empty_value(turn, in, violation) || find_duplicate_fault(in, violation);
}

Validation ask_validator(const Turn& turn, const Incoming& in) noexcept {
  const Validator& validator = turn.options.validator;
  if (!validator) {
    return {};
  }
  Validation word = validator.function(validator.context, in.message);
  if (word.text.empty() && word.verdict != Verdict::Pass) {
    word.text = word.verdict == Verdict::RejectBusiness
                    ? std::string_view()
                    : std::string_view(to_text(static_cast<RejectReason>(word.reason)));
  }
  if (word.verdict == Verdict::Warn) {
    turn.report(Event::Warned, word.reason, word.tag, word.text, in.header.type);
  }
  return word;
}

bool rejected_by_validator(Turn& turn, const Incoming& in) noexcept {
  const Validation word = ask_validator(turn, in);
  switch (word.verdict) {
    case Verdict::Pass:
    case Verdict::Warn:
      return false;
    case Verdict::Reject:
      reject(turn, in,
             {static_cast<RejectReason>(word.reason), word.tag, word.has_tag || word.tag != 0,
              word.text});
      return true;
    case Verdict::RejectBusiness:
      break;
  }
  // Test cases 2r, 14l, 14m.
  if (in.header.sequence == turn.state.next_expected) {
    consume(turn, in, in.header.sequence + 1);
  }
  static_cast<void>(send_business_reject(
      turn, in.message, static_cast<BusinessRejectReason>(word.reason), word.text, {}));
  turn.report(Event::RejectedBusiness, word.reason, word.tag, word.text, in.header.type);
  return true;
}

bool rejected(Turn& turn, const Incoming& in) noexcept {
  Violation violation;
  if (find_violation(turn, in, violation)) {
    reject(turn, in, violation);
    return true;
  }
  return turn.options.validation_place == ValidationPlace::WhenNext &&
         rejected_by_validator(turn, in);
}

void reject_only(Turn& turn, const Incoming& in, const Violation& violation) noexcept {
  const std::string_view text =
      violation.text.empty() ? std::string_view(to_text(violation.reason)) : violation.text;
  turn.report(Event::Rejected, static_cast<std::uint16_t>(violation.reason), violation.tag, text,
              in.header.type);
  if (in.header.type == type::reject) {
    return;  // Two engines that reject each other's Rejects would never end.
  }
  send_reject(turn, in, violation);
}

void reject(Turn& turn, const Incoming& in, const Violation& violation) noexcept {
  if (in.header.sequence == turn.state.next_expected) {
    consume(turn, in, in.header.sequence + 1);
  }
  reject_only(turn, in, violation);
}

bool read_number(Turn& turn, const Incoming& in, std::uint32_t number,
                 std::int64_t& value) noexcept {
  const auto parsed = in.message.integer(number);
  if (parsed) {
    value = *parsed;
    return true;
  }
  RejectReason reason = RejectReason::ValueIncorrect;
  switch (parsed.error()) {
    case wire::FieldError::Missing:
      reason = RejectReason::RequiredTagMissing;
      break;
    case wire::FieldError::Empty:
      reason = RejectReason::TagWithoutValue;
      break;
    case wire::FieldError::Format:
      reason = RejectReason::FormatIncorrect;
      break;
    case wire::FieldError::Range:
      break;
  }
  reject(turn, in, {reason, number, true, {}});
  return false;
}

}  // namespace affix::inline v0::session
