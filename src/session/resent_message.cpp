// SPDX-License-Identifier: MIT
// Sends our messages again: as stored, with 43=Y, the present time and the original one.

#include "affix/base/fixed_vector.hpp"
#include "affix/wire/header_tags.hpp"

#include "session/outgoing_header.hpp"
#include "session/tags.hpp"
#include "session/turn.hpp"

namespace affix::inline v0::session {

namespace {

constexpr std::uint32_t first_field = 3;  // 8, 9 and 35 are written again.

/// 122: the original sending time, as it was written. If the clock was set back since, that time is
/// still to come; then the present time is used: the peer would reject OrigSendingTime after
/// SendingTime (test case 2f), and so a SendingTime other than the present.
void put_original_time(const Turn& turn, wire::Encoder& encoder,
                       std::string_view original) noexcept {
  const auto time = wire::parse_utc_time(original);
  if (time && time->ns > turn.now.utc_ns) {
    put_time(turn, encoder, tag::orig_sending_time);
  } else {
    encoder.text(tag::orig_sending_time, original);
  }
}

/// Copies unchanged fields, and puts changed ones in their places.
void put_again_customary(const Turn& turn, wire::Encoder& encoder,
                         const wire::MessageView& stored) noexcept {
  const wire::FieldIndex& index = stored.index();
  const std::uint32_t last = stored.size() - 1;
  std::uint32_t run_begin = first_field;
  const auto copy_run = [&](std::uint32_t end) {
    if (run_begin < end) {
      const std::uint32_t from = index.field_begin(run_begin);
      encoder.raw(stored.bytes().substr(from, index.field_begin(end) - from));
    }
    run_begin = end + 1;
  };
  for (std::uint32_t at = first_field; at < last; ++at) {
    switch (stored.tag_at(at)) {
      case tag::msg_seq_num:
        copy_run(at);
        encoder.text(tag::msg_seq_num, stored.value_at(at));
        encoder.boolean(tag::poss_dup_flag, true);
        break;
      case tag::sending_time:
        copy_run(at);
        put_time(turn, encoder, tag::sending_time);
        if (turn.options.mark_possible_resend) {
          encoder.boolean(tag::poss_resend, true);
        }
        put_original_time(turn, encoder, stored.value_at(at));
        put_last_processed(turn, encoder);
        break;
      case tag::poss_resend:
        if (turn.options.mark_possible_resend) {
          copy_run(at);
        }
        break;
      case tag::poss_dup_flag:
      case tag::orig_sending_time:
      case tag::last_msg_seq_num_processed:
        copy_run(at);
        break;
      default:
        break;
    }
  }
  copy_run(last);
}

/// True if a stored header field is written from the present state, and not copied.
bool is_written_anew(const Turn& turn, std::uint32_t number) noexcept {
  switch (number) {
    case tag::msg_seq_num:
    case tag::poss_dup_flag:
    case tag::sending_time:
    case tag::orig_sending_time:
    case tag::last_msg_seq_num_processed:
      return true;
    case tag::poss_resend:
      return turn.options.mark_possible_resend;
    default:
      return false;
  }
}

/// Splits the header and writes it again by tag; the body is one copy.
void put_again_ascending(const Turn& turn, wire::Encoder& encoder,
                         const wire::MessageView& stored) noexcept {
  constexpr std::size_t header_fields_max = 64;
  base::FixedVector<ExtraHeaderField, header_fields_max> kept;
  const std::uint32_t last = stored.size() - 1;
  std::uint32_t body = first_field;
  for (; body < last && wire::is_header_tag(stored.tag_at(body)); ++body) {
    const ExtraHeaderField field{stored.tag_at(body), stored.value_at(body)};
    if (!is_written_anew(turn, field.tag) && !kept.push_back(field)) {
      encoder.refuse(wire::EncodeError::Overflow, field.tag);
      return;
    }
  }
  const std::string_view original = stored.find(tag::sending_time).value_or("");
  AscendingHeader header(encoder, {}, {kept.begin(), kept.size()});
  encoder.text(tag::msg_seq_num, stored.find(tag::msg_seq_num).value_or(""));
  encoder.boolean(tag::poss_dup_flag, true);
  header.up_to(tag::sending_time);
  put_time(turn, encoder, tag::sending_time);
  if (turn.options.mark_possible_resend) {
    header.up_to(tag::poss_resend);
    encoder.boolean(tag::poss_resend, true);
  }
  header.up_to(tag::orig_sending_time);
  put_original_time(turn, encoder, original);
  header.up_to(tag::last_msg_seq_num_processed);
  put_last_processed(turn, encoder);
  header.rest();
  const std::uint32_t from = stored.index().field_begin(body);
  encoder.raw(stored.bytes().substr(from, stored.index().field_begin(last) - from));
}

}  // namespace

SentAgain send_again(Turn& turn, const wire::MessageView& stored) noexcept {
  constexpr std::size_t added_bytes_max = 256;  // 43, 97, 122, 369 and a longer 52.
  if (turn.out.room().size() < stored.bytes().size() + added_bytes_max + wire::Encoder::overhead) {
    return SentAgain::NoRoom;
  }
  wire::Encoder encoder(turn.out.room(), &turn.stamps);
  encoder.begin(turn.options.begin_string, stored.find(tag::msg_type).value_or(""));
  if (turn.options.practice.field_order == FieldOrder::Ascending) {
    put_again_ascending(turn, encoder, stored);
  } else {
    put_again_customary(turn, encoder, stored);
  }
  const auto finished = encoder.finish();
  if (!finished) {
    turn.report(Event::OutboxFull, 0, 0, "a stored message could not be encoded again");
    return SentAgain::Impossible;
  }
  // Queued messages come here, too, and the added fields may make one too long.
  if (const std::uint32_t most = turn.state.peer_message_bytes_max;
      most != 0 && finished->size() > most) {
    turn.report(Event::ResentTooLarge, stored.integer<std::uint64_t>(tag::msg_seq_num).value_or(0),
                finished->size());
    return SentAgain::Impossible;
  }
  turn.out.place_unstored(*finished);
  turn.state.last_sent_ns = turn.now.steady_ns;
  return SentAgain::Sent;
}

}  // namespace affix::inline v0::session
