// SPDX-License-Identifier: MIT
// Checks of a message that need no dictionary, and the Reject that answers a violation. A rejected
// message consumes its number, so that no faulty message can stop a session.

#include "session/tags.hpp"
#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

std::optional<Violation> found(RejectReason reason, std::uint32_t number) noexcept {
  return Violation{reason, number, true, {}};
}

/// True if the validator sees the message before its number counts.
bool judged_before_number(const Turn& turn) noexcept {
  return turn.options.validation_place == ValidationPlace::BeforeNumber;
}

/// Test cases 14a and 14k: an invalid tag, a piece without `=`, a data field of the wrong
/// length.
std::optional<Violation> find_fault(const Turn& turn, const Incoming& in) noexcept {
  const wire::FieldIndex& index = in.message.index();
  if (index.fault == wire::FieldFault::None) [[likely]] {
    return std::nullopt;
  }
  std::uint32_t position = 0;
  while (position + 1 < index.count && index.field_begin(position) < index.fault_at) {
    ++position;
  }
  switch (index.fault) {
    case wire::FieldFault::MissingEquals:
      // An SOH in a value has split it: the field before has the first part.
      return found(RejectReason::SohInValue, position == 0 ? 0 : index.tags[position - 1]);
    case wire::FieldFault::DataLength:
      return found(RejectReason::FormatIncorrect, index.tags[position]);
    case wire::FieldFault::TagZero:
    case wire::FieldFault::TagNegative:
    case wire::FieldFault::TagTooLarge:
      if (judged_before_number(turn) && turn.options.validator) {
        return std::nullopt;  // The validator handles it as an unknown tag, in its own order.
      }
      if (index.fault == wire::FieldFault::TagZero) {
        return found(RejectReason::InvalidTagNumber, 0);
      }
      [[fallthrough]];
    default:
      return Violation{RejectReason::InvalidTagNumber, 0, false, {}};
  }
}

/// Test case 14d. Only without a validator, which has its own rule for empty values.
std::optional<Violation> find_empty_value(const Turn& turn, const Incoming& in) noexcept {
  const std::uint32_t first = in.header.first_empty;
  if (first == wire::no_position) [[likely]] {
    return std::nullopt;
  }
  // A message without a type cannot be dispatched, with or without a validator.
  constexpr std::uint32_t type_position = 2;
  if (turn.options.validator && first != type_position) {
    return std::nullopt;
  }
  return found(RejectReason::TagWithoutValue, in.message.tag_at(first));
}

bool is_flag(std::string_view value) noexcept {
  return value == "Y" || value == "N";
}

/// Test cases 2f and 2g: a possible duplicate must have its original time, which must not be in the
/// future.
std::optional<Violation> find_duplicate_fault(const Turn& turn, const Incoming& in) noexcept {
  const Header& header = in.header;
  if (header.has(HeaderField::PossDupFlag) &&
      !is_flag(header.text(in.message, HeaderField::PossDupFlag))) {
    return found(RejectReason::ValueIncorrect, tag::poss_dup_flag);
  }
  if (header.has(HeaderField::PossResend) &&
      !is_flag(header.text(in.message, HeaderField::PossResend))) {
    return found(RejectReason::ValueIncorrect, tag::poss_resend);
  }
  if (!header.possible_duplicate || !needs_original_time(turn, in)) {
    return std::nullopt;
  }
  if (!header.has(HeaderField::OrigSendingTime)) {
    return found(RejectReason::RequiredTagMissing, tag::orig_sending_time);
  }
  const auto original = wire::parse_utc_time(header.text(in.message, HeaderField::OrigSendingTime));
  const auto sending = wire::parse_utc_time(header.text(in.message, HeaderField::SendingTime));
  if (!original || (sending && *original > *sending)) {
    return found(RejectReason::SendingTimeAccuracy, tag::orig_sending_time);
  }
  return std::nullopt;
}

/// Rules that do not depend on the number. If a validator follows, the last of them is left to its
/// order.
std::optional<Violation> find_fault_of_form(const Turn& turn, const Incoming& in) noexcept {
  if (auto fault = find_fault(turn, in)) [[unlikely]] {
    return fault;
  }
  const bool validator_follows = judged_before_number(turn) && turn.options.validator;
  if (in.header.repeated_tag != 0 && !validator_follows) [[unlikely]] {
    return found(RejectReason::TagRepeated, in.header.repeated_tag);
  }
  // Test case 14b for the fields that the protocol itself needs.
  if (!in.header.has(HeaderField::SenderCompId)) {
    return found(RejectReason::RequiredTagMissing, tag::sender_comp_id);
  }
  if (!in.header.has(HeaderField::TargetCompId)) {
    return found(RejectReason::RequiredTagMissing, tag::target_comp_id);
  }
  if (validator_follows) {
    return std::nullopt;
  }
  if (!in.header.has(HeaderField::SendingTime)) {
    return found(RejectReason::RequiredTagMissing, tag::sending_time);
  }
  return find_empty_value(turn, in);
}

std::optional<Violation> find_fault_of_duplicate(const Turn& turn, const Incoming& in) noexcept {
  return turn.options.practice.duplicate_check == DuplicateCheck::Always
             ? find_duplicate_fault(turn, in)
             : std::nullopt;
}

}  // namespace

bool needs_original_time(const Turn& turn, const Incoming& in) noexcept {
  if (in.header.type == type::resend_request) {
    return turn.options.practice.repeated_resend_request == RepeatedResendRequest::Judged;
  }
  return in.header.type != type::sequence_reset;
}

std::optional<Violation> find_violation(const Turn& turn, const Incoming& in) noexcept {
  if (!judged_before_number(turn)) {
    if (auto fault = find_fault_of_form(turn, in)) {
      return fault;
    }
  }
  return find_fault_of_duplicate(turn, in);
}

Violation header_violation(const Turn& turn, RejectReason reason, std::uint32_t number) noexcept {
  return {reason, number, turn.options.practice.reject_tag == RejectTag::Always, {}};
}

Validation noted(const Turn& turn, const Incoming& in, Validation word) noexcept {
  if (word.text.empty() && word.verdict != Verdict::Pass) {
    word.text = word.verdict == Verdict::RejectBusiness
                    ? std::string_view()
                    : std::string_view(to_text(static_cast<RejectReason>(word.reason)));
  }
  if (word.verdict == Verdict::Warn) {
    turn.report(Event::Warned, word.reason, static_cast<std::uint64_t>(word.tag), word.text,
                in.header.type);
  }
  return word;
}

Validation ask_validator(const Turn& turn, const Incoming& in) noexcept {
  const Validator& validator = turn.options.validator;
  return validator ? noted(turn, in, validator.function(validator.context, in.message))
                   : Validation{};
}

bool rejected_by(Turn& turn, const Incoming& in, const Validation& word) noexcept {
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
  turn.report(Event::RejectedBusiness, word.reason, static_cast<std::uint64_t>(word.tag), word.text,
              in.header.type);
  return true;
}

bool rejected(Turn& turn, const Incoming& in) noexcept {
  if (auto violation = find_violation(turn, in)) {
    reject(turn, in, *violation);
    return true;
  }
  return turn.options.validator && !judged_before_number(turn) &&
         rejected_by(turn, in, ask_validator(turn, in));
}

bool rejected_before_number(Turn& turn, const Incoming& in) noexcept {
  if (auto violation = find_fault_of_form(turn, in)) {
    reject(turn, in, *violation);
    return true;
  }
  return rejected_by(turn, in, ask_validator(turn, in));
}

std::string_view text_of(const Turn& turn, const Violation& violation) noexcept {
  const bool is_short = turn.options.practice.reject_text == RejectText::Short;
  if (is_short && violation.reason == RejectReason::GroupOutOfOrder) {
    return "Out of order repeating group members";
  }
  if (is_short && violation.reason == RejectReason::SohInValue) {
    return "Embedded SOH";
  }
  return violation.text.empty() ? std::string_view(to_text(violation.reason)) : violation.text;
}

namespace {

/// Two engines that reject each other's Rejects would never stop. If the practice is to reject a
/// faulty Reject all the same, one that refers to such a Reject of ours is not.
bool may_answer_reject(Turn& turn, const Incoming& in) noexcept {
  if (turn.options.practice.faulty_reject == FaultyReject::Unanswered) {
    return false;
  }
  std::uint64_t& first = turn.state.reject_of_reject;
  if (first == 0 ||
      first > turn.state.next_outgoing) {  // No reference, or one from before the reset.
    first = turn.state.next_outgoing;
    return true;
  }
  const auto about = in.message.integer<std::uint64_t>(tag::ref_seq_num);
  return about && *about < first;
}

}  // namespace

void reject_only(Turn& turn, const Incoming& in, const Violation& violation) noexcept {
  turn.report(Event::Rejected, static_cast<std::uint16_t>(violation.reason),
              static_cast<std::uint64_t>(violation.tag), text_of(turn, violation), in.header.type);
  if (in.header.type == type::reject && !may_answer_reject(turn, in)) {
    return;
  }
  send_reject(turn, in, violation);
}

void reject(Turn& turn, const Incoming& in, const Violation& violation) noexcept {
  const bool counted = turn.options.practice.rejected_admin == RejectedAdmin::Counted ||
                       (in.header.type != type::logon && in.header.type != type::sequence_reset);
  if (in.header.sequence == turn.state.next_expected && counted) {
    consume(turn, in, in.header.sequence + 1);
  }
  reject_only(turn, in, violation);
}

std::optional<std::int64_t> read_number(Turn& turn, const Incoming& in,
                                        std::uint32_t number) noexcept {
  const auto parsed = in.message.integer(number);
  if (parsed) {
    return *parsed;
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
  return std::nullopt;
}

}  // namespace affix::inline v0::session
