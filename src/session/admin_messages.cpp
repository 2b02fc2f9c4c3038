// SPDX-License-Identifier: MIT
// The session messages that we send, field by field, and the header that all our messages share.

#include "affix/base/fixed_vector.hpp"
#include "affix/session/admin.hpp"

#include "session/outgoing_header.hpp"
#include "session/tags.hpp"
#include "session/turn.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <expected>
#include <span>

namespace affix::inline v0::session {

namespace {

/// Adapts a foreign text (from an application, an option, a peer) for use as a field value.
std::string_view field_text(std::string_view text) noexcept {
  const std::size_t soh_at = text.find(wire::soh);
  const std::size_t size = soh_at == std::string_view::npos ? text.size() : soh_at;
  return text.substr(0, size < text_bytes_max ? size : text_bytes_max);
}

void put_text(wire::Encoder& encoder, wire::Tag number, std::string_view text) noexcept {
  const std::string_view value = field_text(text);
  if (!value.empty()) {
    encoder.text(number, value);
  }
}

/// Ids of a Reject's route back are omitted if longer; all of them together are at most twice as
/// long.
constexpr std::size_t route_value_bytes_max = 128;
constexpr std::size_t route_bytes_max = 6 * (route_value_bytes_max + 5);

/// Exceeds the size of any session message without application fields: a full header, one text.
constexpr std::size_t session_message_bytes_max =
    wire::HeaderTemplate::fields_size_max + text_bytes_max + route_bytes_max + 512;

/// Encodes a session message into the outbox; `write` writes all but the application's fields. If
/// those cannot be encoded, it is called again for the message without them. `repeated_bytes` come
/// from the peer's message and have no limit of their own.
template <typename Write>
wire::EncodedMessage encode(Turn& turn, std::string_view type, Write write,
                            std::size_t repeated_bytes = 0) noexcept {
  const std::span<char> room = turn.out.room();
  if (turn.options.admin_fields && is_admin(type)) {
    const std::size_t bytes_max = session_message_bytes_max + admin_fields_bytes_max +
                                  wire::Encoder::overhead + repeated_bytes;
    wire::Encoder encoder(room.first(std::min(room.size(), bytes_max)), &turn.stamps);
    write(encoder);
    const std::size_t own_bytes = encoder.size();
    turn.options.admin_fields.function(turn.options.admin_fields.context, type, encoder);
    const bool fits = encoder.size() - own_bytes <= admin_fields_bytes_max;
    if (const auto finished = encoder.finish(); finished && fits) {
      return finished;
    }
    turn.report(Event::FieldsLeftOut, 0, 0, type);
  }
  wire::Encoder encoder(room, &turn.stamps);
  write(encoder);
  return encoder.finish();
}

/// Sends a message with the next number. Room for all messages of one input was checked before, so
/// one that does not fit is our own fault (a value that cannot be encoded); it is left out and
/// reported.
template <typename Body>
void send_numbered(Turn& turn, std::string_view type, Body body,
                   std::span<const ExtraHeaderField> more = {},
                   std::size_t repeated_bytes = 0) noexcept {
  const auto finished = encode(
      turn, type,
      [&](wire::Encoder& encoder) {
        begin_numbered(turn, encoder, type, more);
        body(encoder);
      },
      repeated_bytes);
  if (turn.state.next_outgoing > sequence_max) {
    return;  // The Logout that reported this took the last number.
  }
  if (!finished) {
    turn.report(Event::OutboxFull, 0, 0, "a session message could not be encoded");
    return;
  }
  place_numbered(turn.state, turn.now, turn.out, *finished);
}

/// Sends the message that `write` writes, without a number and without storing it.
template <typename Write>
void send_unnumbered(Turn& turn, std::string_view type, Write write) noexcept {
  const auto finished = encode(turn, type, write);
  if (!finished) {
    turn.report(Event::OutboxFull, 0, 0, "a session message could not be encoded");
    return;
  }
  turn.out.place_unstored(*finished);
  turn.state.last_sent_ns = turn.now.steady_ns;
}

/// DefaultApplVerID (1137) that we send.
std::string_view appl_ver_id(const Turn& turn) noexcept {
  const std::string_view theirs = turn.state.logon.appl_ver_id.view();
  const bool answer_theirs = turn.options.practice.appl_ver_id_answer == ApplVerIdAnswer::Peer;
  return answer_theirs && !theirs.empty() ? theirs : turn.options.default_appl_ver_id;
}

/// Ascending by tag, which fits every order of fields.
void put_logon_fields(const Turn& turn, wire::Encoder& encoder, bool reset,
                      std::int64_t heartbeat_seconds, bool with_next_expected) noexcept {
  encoder.integer(tag::encrypt_method, 0);
  encoder.integer(tag::heart_bt_int, heartbeat_seconds);
  if (reset && turn.version >= Version::Fix41) {
    encoder.boolean(tag::reset_seq_num_flag, true);
  }
  if (turn.options.max_message_size != 0) {
    encoder.integer(tag::max_message_size, turn.options.max_message_size);
  }
  if (turn.options.test_messages == TestMessages::Test) {
    encoder.boolean(tag::test_message_indicator, true);
  }
  const bool initiator = turn.options.role == Role::Initiator;
  if (initiator) {
    put_text(encoder, tag::username, turn.options.username);
    put_text(encoder, tag::password, turn.options.password);
  }
  if (with_next_expected) {
    // Our reset while logged on: the peer's numbers begin at 1 again with its answer.
    encoder.integer(tag::next_expected_msg_seq_num,
                    turn.state.phase == Phase::ResetSent ? 1 : turn.state.next_expected);
  }
  if (initiator) {
    put_text(encoder, tag::new_password, turn.options.new_password);
  }
  if (turn.version == Version::Fixt11) {
    put_text(encoder, tag::default_appl_ver_id, appl_ver_id(turn));
  }
}

void put_reject_fields(const Turn& turn, wire::Encoder& encoder, const Incoming& in,
                       const Violation& violation) noexcept {
  std::string_view text = text_of(turn, violation);
  if (in.header.sequence != 0 || in.header.sequence_zero) {
    encoder.integer(tag::ref_seq_num, in.header.sequence);
  }
  if (turn.version >= Version::Fix42) {
    const bool ascending = turn.options.practice.field_order == FieldOrder::Ascending;
    if (ascending) {
      put_text(encoder, tag::text, text);
    }
    if (violation.has_tag) {
      encoder.integer(tag::ref_tag_id, violation.tag);
    }
    put_text(encoder, tag::ref_msg_type, in.header.text(in.message, HeaderField::MsgType));
    // FIX.4.2 defines reasons up to 11.
    const auto reason = static_cast<std::uint16_t>(violation.reason);
    if (reason <= 11 || turn.version >= Version::Fix43) {
      encoder.integer(tag::session_reject_reason, reason);
    }
    if (!ascending) {
      put_text(encoder, tag::text, text);
    }
    return;
  }
  // FIX.4.0 and 4.1 have no RefTagID: the text names the tag.
  std::array<char, 160> tagged;
  constexpr std::size_t number_room = 16;
  text = text.substr(0, tagged.size() - number_room);
  char* at = tagged.data() + text.copy(tagged.data(), text.size());
  if (violation.has_tag) {
    *at++ = ' ';
    *at++ = '(';
    at = std::to_chars(at, tagged.data() + tagged.size(), violation.tag).ptr;
    *at++ = ')';
  }
  put_text(encoder, tag::text, {tagged.data(), static_cast<std::size_t>(at - tagged.data())});
}

using Route = base::FixedVector<ExtraHeaderField, 6>;

/// Header fields that route a Reject back to the sender of `message`, ascending.
std::span<const ExtraHeaderField> route_back(const Turn& turn, const wire::MessageView& message,
                                             Route& route) noexcept {
  if (turn.options.practice.reject_route == RejectRoute::None) {
    return {};
  }

  struct Turned {
    std::uint32_t to;
    std::uint32_t from;
  };

  constexpr std::array<Turned, 6> all{
      {{tag::on_behalf_of_comp_id, tag::deliver_to_comp_id},
       {tag::on_behalf_of_sub_id, tag::deliver_to_sub_id},
       {tag::deliver_to_comp_id, tag::on_behalf_of_comp_id},
       {tag::deliver_to_sub_id, tag::on_behalf_of_sub_id},
       {tag::on_behalf_of_location_id, tag::deliver_to_location_id},
       {tag::deliver_to_location_id, tag::on_behalf_of_location_id}}};
  // FIX.4.1 introduced the location ids.
  const std::size_t count = turn.version == Version::Fix40 ? 4 : all.size();
  for (const Turned& field : std::span(all).first(count)) {
    const std::string_view value = message.value_or_null(field.from);
    if (!value.empty() && value.size() <= route_value_bytes_max) {
      static_cast<void>(route.push_back({field.to, value}));
    }
  }
  return {route.begin(), route.size()};
}

}  // namespace

wire::TimePrecision precision_of(const SessionOptions& options, Version version) noexcept {
  return version <= Version::Fix41 ? wire::TimePrecision::Seconds : options.time_precision;
}

void begin_numbered(const Turn& turn, wire::Encoder& encoder, std::string_view type,
                    std::span<const ExtraHeaderField> more) noexcept {
  put_header(turn, encoder, type, turn.state.next_outgoing, more);
}

void queue_numbered(const Turn& turn, std::string_view message, bool has_secret) noexcept {
  SessionState& state = turn.state;
  turn.out.add(PersistSent{state.next_outgoing, message, {}, has_secret});
  ++state.queued.count;
  ++state.queued.unsent;
  state.queued.last = state.next_outgoing;
  const bool behind_our_logon =
      state.phase == Phase::LogonSent || state.phase == Phase::ResetSent ||
      (state.phase == Phase::LogonPending && turn.options.role == Role::Initiator);
  if (behind_our_logon) {
    state.queued.from = state.queued.to == 0 ? state.next_outgoing : state.queued.from;
    state.queued.to = state.next_outgoing;
  }
  ++state.next_outgoing;
}

void send_heartbeat(Turn& turn, std::string_view test_id) noexcept {
  send_numbered(
      turn, "0",
      [&](wire::Encoder& encoder) {
        if (!test_id.empty()) {
          encoder.text(tag::test_req_id, test_id);
        } else if (test_id.data() != nullptr) {
          encoder.raw("112=\x01");  // The peer's was empty and accepted.
        }
      },
      {}, test_id.size());
}

void send_test_request(Turn& turn) noexcept {
  send_numbered(turn, "1", [&](wire::Encoder& encoder) {
    TestIdText text;
    encoder.text(tag::test_req_id, test_id_of(turn, text));
  });
}

void send_resend_request(Turn& turn, std::uint64_t from, std::uint64_t to) noexcept {
  // Up to FIX.4.1, 999999 stands for an open range; from FIX.4.2 on, 0 does.
  const std::uint64_t end = to != 0 || turn.version >= Version::Fix42 ? to : 999'999;
  send_numbered(turn, "2", [&](wire::Encoder& encoder) {
    encoder.integer(tag::begin_seq_no, from);
    encoder.integer(tag::end_seq_no, end);
  });
}

void send_gap_fill(Turn& turn, std::uint64_t from, std::uint64_t next) noexcept {
  send_unnumbered(turn, "4", [&](wire::Encoder& encoder) {
    put_duplicate_header(turn, encoder, "4", from);
    encoder.integer(tag::new_seq_no, next);
    encoder.boolean(tag::gap_fill_flag, true);
  });
}

void send_reset_to(Turn& turn, std::uint64_t next) noexcept {
  send_unnumbered(turn, "4", [&](wire::Encoder& encoder) {
    begin_numbered(turn, encoder, "4");
    encoder.integer(tag::new_seq_no, next);
    encoder.boolean(tag::gap_fill_flag, false);
  });
}

void send_logout(Turn& turn, std::string_view text) noexcept {
  send_numbered(turn, "5", [&](wire::Encoder& encoder) { put_text(encoder, tag::text, text); });
}

void send_unnumbered_logout(Turn& turn, std::uint64_t sequence, std::string_view text) noexcept {
  send_unnumbered(turn, "5", [&](wire::Encoder& encoder) {
    put_header(turn, encoder, "5", sequence);
    put_text(encoder, tag::text, text);
  });
}

void send_logon(Turn& turn, bool reset, std::int64_t heartbeat_seconds,
                bool with_next_expected) noexcept {
  const auto finished = encode(turn, "A", [&](wire::Encoder& encoder) {
    begin_numbered(turn, encoder, "A");
    put_logon_fields(turn, encoder, reset, heartbeat_seconds, with_next_expected);
  });
  if (!finished) {
    turn.report(Event::OutboxFull, 0, 0, "the Logon could not be encoded");
    return;
  }
  // The peer gets the password, the journal does not: a Logon is never resent.
  const std::string_view placed = turn.out.place(*finished);
  turn.out.add(PersistSent{turn.state.next_outgoing,
                           copy_without_secrets(placed, turn.memory.logon_sent,
                                                turn.options.secret_tags, *turn.memory.data_fields),
                           placed, true});
  ++turn.state.next_outgoing;
  turn.state.last_sent_ns = turn.now.steady_ns;
}

void send_reject(Turn& turn, const Incoming& in, const Violation& violation) noexcept {
  Route route;
  send_numbered(
      turn, "3", [&](wire::Encoder& encoder) { put_reject_fields(turn, encoder, in, violation); },
      route_back(turn, in.message, route));
}

void send_unnumbered_reject(Turn& turn, std::uint64_t sequence, const Incoming& in,
                            const Violation& violation) noexcept {
  send_unnumbered(turn, "3", [&](wire::Encoder& encoder) {
    put_header(turn, encoder, "3", sequence);
    put_reject_fields(turn, encoder, in, violation);
  });
}

SendResult send_business_reject(Turn& turn, const wire::MessageView& message,
                                BusinessRejectReason reason, std::string_view text,
                                std::string_view reference) noexcept {
  if (is_reject(message.type())) {
    return std::unexpected(SendError::RejectOfReject);
  }
  const std::uint64_t sequence = turn.state.next_outgoing;
  const std::string_view ref_sequence = message.find(tag::msg_seq_num).value_or("0");
  if (turn.version <= Version::Fix41) {  // These versions have no BusinessMessageReject.
    Route route;
    send_numbered(
        turn, "3",
        [&](wire::Encoder& encoder) {
          put_text(encoder, tag::ref_seq_num, ref_sequence);
          put_text(encoder, tag::text, text);
        },
        route_back(turn, message, route));
  } else {
    const bool ascending = turn.options.practice.field_order == FieldOrder::Ascending;
    send_numbered(turn, "j", [&](wire::Encoder& encoder) {
      put_text(encoder, tag::ref_seq_num, ref_sequence);
      put_text(encoder, tag::text, ascending ? text : std::string_view());
      put_text(encoder, tag::ref_msg_type, message.find(tag::msg_type).value_or(""));
      put_text(encoder, tag::business_reject_ref_id, reference);
      encoder.integer(tag::business_reject_reason, static_cast<std::uint16_t>(reason));
      put_text(encoder, tag::text, ascending ? std::string_view() : text);
      if (turn.version == Version::Fixt11 &&
          turn.options.practice.business_reject_version == BusinessRejectVersion::Include) {
        put_text(encoder, tag::default_appl_ver_id, appl_ver_id(turn));
      }
    });
  }
  if (turn.state.next_outgoing == sequence) {
    return std::unexpected(SendError::Encoding);
  }
  return sequence;
}

}  // namespace affix::inline v0::session
