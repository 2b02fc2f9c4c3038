// SPDX-License-Identifier: MIT
// The application's commands to a session. They store and may send, and leave all callbacks to
// attend().
#include "affix/wire/prepared.hpp"

#include "host/hosted_session.hpp"
#include "host/report_text.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::host {

const wire::Encoder& HostedSession::begin(
    std::string_view type, std::span<const session::ExtraHeaderField> header) noexcept {
  if (guards_.any() && !may_begin()) [[unlikely]] {
    message_.refuse();
    return message_.encoder();
  }
  ensure_buffers();
  message_.begin();
  if (!out_.ready()) {
    flush();
  }
  message_.set_begun_at(host_.now());
  message_.set_encoder(session_.begin(type, header, message_.begun_at(), out_));
  if (message_.encoder().size() != 0) [[likely]] {
    hooks_.before_send(handle_, type, message_.encoder());
  }
  return message_.encoder();
}

bool HostedSession::may_begin() noexcept {
  if (limit_refuses()) {
    guards_.raise(SendGuard::OverLimit);
  } else {
    guards_.lower(SendGuard::OverLimit);
  }
  return !guards_.closed();
}

bool HostedSession::limit_refuses() noexcept {
  // Messages queued without a session do not leave by themselves.
  return output_.limited() && logged_on() &&
         !output_.admits(host_.now().steady_ns, out_.bytes().size());
}

SendResult HostedSession::refused_by_limit() noexcept {
  meters_.counts.add(counters::SessionCounter::SendsThrottled);
  meters_.counts.add(counters::SessionCounter::SendsRefused);
  guards_.await_limit();
  host_.needs_attention(*this);
  return {SendStatus::Throttled, wire::EncodeError::None, 0};
}

SendResult HostedSession::commit(wire::EncodedMessage finished) noexcept {
  if (guards_.any()) [[unlikely]] {
    if (sending_refused()) {
      return refused_by_operator();
    }
    if (guards_.take(SendGuard::OverLimit)) {
      return refused_by_limit();
    }
    message_.set_bytes_before(out_.bytes().size());
  }
  if (meters_.counts.measures_send()) [[unlikely]] {
    meters_.counts.begin_send(clock_ns());
  }
  const wire::EncodeError error = finished ? wire::EncodeError::None : finished.error();
  // Without a begin() there are no buffers, and the protocol reports the fault.
  message_.begin_commit();
  const SendResult result = after_send(session_.commit(finished, message_.begun_at(), out_), error);
  message_.end_commit();
  return result;
}

wire::Encoder HostedSession::draft(std::string_view type, std::span<char> buffer) noexcept {
  return session_.draft(type, buffer, host_.now());
}

SendResult HostedSession::send_prepared(wire::PreparedMessage& prepared,
                                        std::uint32_t sequence_slot,
                                        std::uint32_t time_slot) noexcept {
  if (guards_.any()) [[unlikely]] {
    if (sending_refused()) {
      return refused_by_operator();
    }
    if (limit_refuses()) {
      return refused_by_limit();
    }
    if (guards_.has(SendGuard::AdminMessage)) {
      // The current admin message is in the place of this one.
      meters_.counts.add(counters::SessionCounter::SendsRefused);
      return {SendStatus::Invalid, wire::EncodeError::Overflow, 0};
    }
  }
  ensure_buffers();
  if (!out_.ready()) {
    flush();
  }
  message_.set_bytes_before(out_.bytes().size());
  if (meters_.counts.measures_send()) [[unlikely]] {
    meters_.counts.begin_send(clock_ns());
  }
  // Reports a fault in the slots' values once: here the caller gets it with its details.
  const auto message = prepared.message();
  if (!message) {
    return after_send(std::unexpected(session::SendError::Encoding), message.error());
  }
  const bool has_slots = std::max(sequence_slot, time_slot) < prepared.slot_count();
  message_.set_begun_at(host_.now());
  message_.begin_other_commit();
  const SendResult result = after_send(
      session_.send_prepared(prepared, sequence_slot, time_slot, message_.begun_at(), out_),
      has_slots ? wire::EncodeError::Overflow : wire::EncodeError::UnknownSlot);
  message_.end_commit();
  return result;
}

bool HostedSession::warm(wire::EncodedMessage finished) noexcept {
  message_.abandon();
  if (!memory_.borrowed()) {
    return false;  // Nothing was begun.
  }
  const std::string_view placed = session_.rehearse(finished, host_.now(), out_);
  if (!placed.empty()) {
    journal_->rehearse(without_secrets(placed, false));
  }
  if (!host_.in_turn()) {
    return_buffers();
  }
  return !placed.empty();
}

SendResult HostedSession::reject_business(const wire::MessageView& message,
                                          session::BusinessRejectReason reason,
                                          std::string_view text,
                                          std::string_view reference) noexcept {
  return send_reject([&] {
    return session_.reject_business(message, reason, text, reference, host_.now(), out_);
  });
}

SendResult HostedSession::reject(const wire::MessageView& message, session::RejectReason reason,
                                 std::uint32_t tag, std::string_view text) noexcept {
  return send_reject(
      [&] { return session_.reject(message, reason, tag, text, host_.now(), out_); });
}

/// `send` has the session write a reject that the application asks for.
template <typename Send>
SendResult HostedSession::send_reject(Send send) noexcept {
  if (sending_refused()) {
    return refused_by_operator();
  }
  if (limit_refuses()) {
    return refused_by_limit();
  }
  ensure_buffers();
  if (!out_.ready()) {
    flush();
  }
  message_.set_bytes_before(out_.bytes().size());
  return after_send(send(), wire::EncodeError::None);
}

SendResult HostedSession::after_send(const session::SendResult& result,
                                     wire::EncodeError encode_error) noexcept {
  if (!result) {
    meters_.counts.abandon_send();
    meters_.counts.add(counters::SessionCounter::SendsRefused);
    SendResult refused{status_of(result.error()), wire::EncodeError::None, 0};
    if (refused.status == SendStatus::Backlogged && out_.bytes().empty()) {
      refused.status = SendStatus::TooLarge;  // It can never fit.
    }
    if (refused.status == SendStatus::Invalid) {
      refused.encode_error = encode_error;
    }
    if (refused.status == SendStatus::Backlogged || refused.status == SendStatus::Resetting) {
      guards_.await_room();
      host_.needs_attention(*this);
    }
    return refused;
  }
  const bool queued = session_.phase() != session::Phase::Active;
  if (output_.limited() && !queued) [[unlikely]] {
    output_.take(host_.now().steady_ns, message_.bytes_before());
  }
  meters_.counts.begin_store();
  store();
  if (health_.failed() || (late_.empty() && journal_->next_outgoing() <= *result)) {
    meters_.counts.abandon_send();
    meters_.counts.add(counters::SessionCounter::SendsRefused);
    late_.marks().note_refusal();
    return {SendStatus::JournalFull, wire::EncodeError::None, 0};
  }
  meters_.counts.note_application_sent(*result);
  if (queued) {
    meters_.counts.abandon_send();
    host_.note_append(*this);
    return {SendStatus::Queued, wire::EncodeError::None, *result};
  }
  meters_.counts.end_send(out_.bytes().size());
  meters_.latencies.commit(*result, out_.bytes().size());
  if (host_.in_turn()) {
    host_.needs_attention(*this);
  } else {
    flush();
    host_.note_append(*this);
    return_buffers();  // The next end of a turn may be late.
  }
  return {SendStatus::Sent, wire::EncodeError::None, *result};
}

void HostedSession::flush_now() noexcept {
  flush();
  host_.reactor().submit();
}

void HostedSession::after_command() noexcept {
  store();
  host_.needs_attention(*this);
  if (!host_.in_turn()) {
    flush();
    host_.note_append(*this);
  }
}

bool HostedSession::logon_waits(std::uint32_t logon) const noexcept {
  return link_.open() && session_.phase() == session::Phase::LogonPending &&
         (logon == 0 || logon == slot().logon.load(std::memory_order_relaxed));
}

bool HostedSession::accept_logon(std::uint32_t logon) noexcept {
  if (!logon_waits(logon)) {
    return false;
  }
  ensure_buffers();
  // Only the answer to the Logon is in the outbox then, so there is room.
  static_cast<void>(session_.accept_logon(host_.now(), out_));
  after_command();
  return true;
}

bool HostedSession::check_logon(std::uint32_t logon) noexcept {
  if (!logon_waits(logon)) {
    return false;
  }
  const LogonAnswer answer = logon_.configured();
  return answer.decision == LogonAnswer::Decision::Accept ? accept_logon(logon)
                                                          : refuse_logon(answer.text, logon);
}

bool HostedSession::refuse_logon(std::string_view text, std::uint32_t logon) noexcept {
  if (!logon_waits(logon)) {
    return false;
  }
  ensure_buffers();
  session_.refuse_logon(text, host_.now(), out_);
  after_command();
  return true;
}

void HostedSession::logout(std::string_view text) noexcept {
  if (!link_.open()) {
    return;
  }
  ensure_buffers();
  if (!make_room()) {
    link_.postpone_logout(text);
    return;
  }
  const auto result = session_.logout(text, host_.now(), out_);
  if (!result && result.error() != session::SendError::LoggingOut) {
    // No session is logged on, or it is being reset.
    store();
    link_.set_why({"ended before the logon was complete", "S305"});
    end_connection(out_.bytes().size());
  }
  after_command();
}

void HostedSession::reset() noexcept {
  ensure_buffers();
  if (make_room()) {
    static_cast<void>(session_.reset(host_.now(), out_));
  }
  after_command();
}

void HostedSession::advance_daily_reset() noexcept {
  if (timetable_.daily_reset_due() && logged_on() && make_room()) {
    // Repeated after each abandoned attempt, until the numbers are reset; repeats count as one.
    static_cast<void>(session_.reset(host_.now(), out_));
  }
}

void HostedSession::test_peer() noexcept {
  ensure_buffers();
  if (make_room()) {
    static_cast<void>(session_.test_peer(host_.now(), out_));
  }
  after_command();
}

}  // namespace affix::inline v0::host
