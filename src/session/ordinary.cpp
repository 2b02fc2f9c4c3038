// SPDX-License-Identifier: MIT
// Fast path for almost every message: an application message, next in sequence, not a duplicate,
// with the right identity and time, while nothing is missing or about to change. One check
// recognises it, and it has the effect that the rules would have in sequence; all other messages go
// to the rules. A test compares actions and state of both.

#include "affix/base/words.hpp"
#include "affix/session/admin.hpp"
#include "affix/session/header_shapes.hpp"
#include "affix/session/session.hpp"
#include "affix/wire/convert.hpp"
#include "affix/wire/secret_tags.hpp"

#include "session/header.hpp"
#include "session/turn.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::session {

namespace {

/// True if no recovery is pending: no gap, reset or TestRequest is open, and nothing is held.
bool no_recovery_pending(const SessionState& state, const Hold& hold) noexcept {
  return state.phase == Phase::Active && hold.empty() && state.gap.highest == 0 &&
         state.test_open == 0 && !state.reset.wanted && !state.reset_open;
}

/// True for a type of one character that is no session message, or a longer one without secrets.
bool is_ordinary_type(std::string_view type) noexcept {
  if (type.size() == 1) [[likely]] {
    return !is_admin(std::string_view(type.data(), 1));
  }
  return !type.empty() && !wire::carries_credentials(type);
}

constexpr std::size_t known_text_bytes = 16;

/// Position of 35 in an ordinary message, after 8 and 9.
constexpr std::uint32_t type_position = 2;

/// False when there is no room for it.
bool add_known(OrdinaryForm& form, std::uint32_t position, std::string_view value) noexcept {
  for (std::size_t offset = 0; offset <= value.size(); offset += known_text_bytes) {
    if (form.known_count == OrdinaryForm::known_max) {
      return false;
    }
    char text[known_text_bytes] = {};
    const std::string_view rest = value.substr(offset, known_text_bytes);
    rest.copy(text, rest.size());
    std::size_t size = rest.size();
    if (size < known_text_bytes) {
      text[size++] = wire::soh;
    }
    form.known[form.known_count++] = {{base::load_word(text), base::load_word(text + 8)},
                                      position,
                                      static_cast<std::uint16_t>(offset),
                                      static_cast<std::uint16_t>(size)};
  }
  return true;
}

/// True if messages with these tags contain secrets that the journal must not have.
bool has_secret_tag(const wire::MessageView& message) noexcept {
  return std::any_of(wire::secret_tags.begin(), wire::secret_tags.end(),
                     [&](std::uint32_t number) { return message.has(number); });
}

/// Form with which later messages of a shape, of which `message` is one, are compared.
OrdinaryForm form_of(const wire::MessageView& message, const HeaderPositions& positions,
                     const SessionOptions& options) noexcept {
  const auto position_of = [&](HeaderField field) {
    return positions[static_cast<std::size_t>(field)];
  };
  const auto has = [&](HeaderField field) { return position_of(field) != wire::no_position; };
  OrdinaryForm form;
  form.answer = OrdinaryForm::Answer::Never;
  // A rule must decide whether a message exceeds the throttle limit.
  if (options.validation_place != ValidationPlace::WhenNext || options.throttle_limit != 0 ||
      position_of(HeaderField::MsgType) != type_position || !has(HeaderField::BeginString) ||
      !has(HeaderField::SenderCompId) || !has(HeaderField::TargetCompId) ||
      !has(HeaderField::MsgSeqNum) || !has(HeaderField::SendingTime) ||
      has(HeaderField::PossDupFlag) || has(HeaderField::PossResend) || has_secret_tag(message)) {
    return form;
  }
  bool room = true;
  const auto know = [&](HeaderField field, std::string_view value) {
    if (has(field)) {
      room = room && add_known(form, position_of(field), value);
    }
  };
  const auto know_if_set = [&](HeaderField field, std::string_view value) {
    if (!value.empty()) {
      know(field, value);
    }
  };
  know(HeaderField::BeginString, options.begin_string);
  know(HeaderField::SenderCompId, options.target_comp_id);
  know(HeaderField::TargetCompId, options.sender_comp_id);
  know_if_set(HeaderField::SenderSubId, options.target_sub_id);
  know_if_set(HeaderField::TargetSubId, options.sender_sub_id);
  know_if_set(HeaderField::SenderLocationId, options.target_location_id);
  know_if_set(HeaderField::TargetLocationId, options.sender_location_id);
  know_if_set(HeaderField::OnBehalfOfCompId, options.on_behalf_of_comp_id);
  know_if_set(HeaderField::DeliverToCompId, options.deliver_to_comp_id);
  if (room) {
    form.answer = OrdinaryForm::Answer::Possible;
  }
  return form;
}

/// Words whose first n bytes are all ones.
struct FirstBytes {
  std::array<std::array<std::uint64_t, 2>, known_text_bytes + 1> words{};
};

constexpr FirstBytes make_first_bytes() noexcept {
  FirstBytes first;
  for (std::size_t size = 0; size < first.words.size(); ++size) {
    for (std::size_t byte = 0; byte < size; ++byte) {
      first.words[size][byte / 8] |= std::uint64_t{0xFF} << (8 * (byte % 8));
    }
  }
  return first;
}

constexpr FirstBytes first_bytes = make_first_bytes();

[[gnu::always_inline]] inline bool values_are_right(const wire::MessageView& message,
                                                    const OrdinaryForm& form) noexcept {
  using base::load_word;
  const std::string_view bytes = message.bytes();
  std::uint64_t different = 0;
  for (const OrdinaryForm::KnownText& known : std::span(form.known).first(form.known_count)) {
    const std::size_t begin = std::size_t{message.index().begins[known.position]} + known.offset;
    if (begin + known_text_bytes > bytes.size()) [[unlikely]] {
      return false;
    }
    const char* const at = bytes.data() + begin;
    const std::array<std::uint64_t, 2>& mask = first_bytes.words[known.size];
    different |= ((load_word(at) ^ known.words[0]) & mask[0]) |
                 ((load_word(at + 8) ^ known.words[1]) & mask[1]);
  }
  return different == 0;
}

}  // namespace

bool Session::learn_second(std::string_view sending_time) noexcept {
  const auto sent = wire::parse_utc_time(sending_time);
  if (sent) {
    second_.remember(sending_time, *sent);
  }
  return sent.has_value();
}

[[gnu::always_inline]] inline bool Session::is_of_now(std::string_view sending_time,
                                                      base::Now now) noexcept {
  if (!second_.holds(sending_time) && !learn_second(sending_time)) [[unlikely]] {
    return false;
  }
  const std::int64_t limit = options_->message_age_max_ns;
  std::int64_t age = 0;
  return limit == 0 || (!__builtin_sub_overflow(now.utc_ns, second_.begin_ns(), &age) &&
                        age <= limit && age >= base::ns_per_second - limit);
}

[[gnu::always_inline]] inline bool Session::try_fast_path(const wire::MessageView& message,
                                                          base::Now now, Out& out) noexcept {
  const wire::FieldIndex& index = message.index();
  if (!no_recovery_pending(*state_, hold_) || !out.ready() || !index.clean()) [[unlikely]] {
    return false;
  }
  HeaderShapes::Shape& shape = shapes_.shape_for(index.count);
  if (!shape.is_of(index)) [[unlikely]] {
    return false;
  }
  if (shape.ordinary.answer == OrdinaryForm::Answer::Unknown) [[unlikely]] {
    shape.ordinary = form_of(message, shape.positions, *options_);
  }
  const auto value_of = [&](HeaderField field) {
    return message.value_at(shape.positions[static_cast<std::size_t>(field)]);
  };
  if (shape.ordinary.answer != OrdinaryForm::Answer::Possible ||
      !is_ordinary_type(message.value_at(type_position)) ||
      !values_are_right(message, shape.ordinary)) [[unlikely]] {
    return false;
  }
  const auto sequence = message.integer_at<std::int64_t>(
      shape.positions[static_cast<std::size_t>(HeaderField::MsgSeqNum)]);
  if (!sequence || *sequence <= 0 ||
      static_cast<std::uint64_t>(*sequence) != state_->next_expected ||
      !is_of_now(value_of(HeaderField::SendingTime), now)) [[unlikely]] {
    return false;
  }
  state_->last_received_ns = now.steady_ns;
  const std::uint64_t number = state_->next_expected;
  if (const Validator& validator = options_->validator) {
    const Validation word = validator.function(validator.context, message);
    if (word.verdict != Verdict::Pass) [[unlikely]] {
      Turn turn = this->turn(now, out);
      const Incoming in{message, scan_header(message, shapes_)};
      if (!rejected_by(turn, in, noted(turn, in, word))) {
        consume_and_deliver(turn, in, number + 1);
      }
      return true;
    }
  }
  state_->next_expected = number + 1;
  state_->gap.progress_ns = now.steady_ns;
  out.add(PersistReceived{number, number + 1, message.bytes(), true, false});
  out.add(Deliver{message, number, false, false, false, false});
  return true;
}

Progress Session::on_message(const wire::MessageView& message, base::Now now, Out& out) noexcept {
  if (try_fast_path(message, now, out)) [[likely]] {
    return Progress::Done;
  }
  return handle_message(message, now, out);
}

}  // namespace affix::inline v0::session
