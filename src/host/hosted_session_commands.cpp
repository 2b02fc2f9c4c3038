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
  if (sending_.guards != 0 && !may_begin()) [[unlikely]] {
    sending_.encoder = wire::Encoder(std::span<char>());
    return sending_.encoder;
  }
  enter_room();
  sending_.begun = true;
  if (!out_.ready()) {
    flush();
  }
  sending_.begun_at = host_.now();
  sending_.encoder = session_.begin(type, header, sending_.begun_at, out_);
  if (sending_.encoder.size() != 0) [[likely]] {
    hooks_.before_send(handle_, type, sending_.encoder);
  }
  return sending_.encoder;
}

bool HostedSession::may_begin() noexcept {
  if (pace_refuses()) {
    sending_.guards |= guard_limit;
  } else {
    sending_.guards &= static_cast<std::uint8_t>(~guard_limit);
  }
  // The current admin message is in the place of this one.
  return (sending_.guards & (guard_admin | guard_stopped | guard_limit)) == 0;
}

bool HostedSession::pace_refuses() noexcept {
  // Messages queued without a session do not leave by themselves.
  return output_.pace != nullptr && logged_on() &&
         !output_.pace->admits(host_.now().steady_ns, out_.bytes().size());
}

SendResult HostedSession::refused_by_pace() noexcept {
  meter_.add(counters::SessionCounter::SendsThrottled);
  meter_.add(counters::SessionCounter::SendsRefused);
  sending_.wait = SendWait::Limit;
  host_.needs_attention(*this);
  return {SendStatus::Throttled, wire::EncodeError::None, 0};
}

SendResult HostedSession::commit(wire::EncodedMessage finished) noexcept {
  if (sending_.guards != 0) [[unlikely]] {
    if (is_stopped()) {
      return refused_by_operator();
    }
    if ((sending_.guards & guard_limit) != 0) {
      sending_.guards &= static_cast<std::uint8_t>(~guard_limit);
      return refused_by_pace();
    }
    sending_.bytes_before = out_.bytes().size();
  }
  if (meter_.measures_send()) [[unlikely]] {
    meter_.begin_send(clock_ns());
  }
  const wire::EncodeError error = finished ? wire::EncodeError::None : finished.error();
  // Without a begin() there is no room, and the protocol reports the fault.
  sending_.begun = false;
  sending_.committing = true;
  const SendResult result = after_send(session_.commit(finished, sending_.begun_at, out_), error);
  sending_.committing = false;
  return result;
}

wire::Encoder HostedSession::draft(std::string_view type, std::span<char> buffer) noexcept {
  return session_.draft(type, buffer, host_.now());
}

SendResult HostedSession::send_prepared(wire::PreparedMessage& prepared,
                                        std::uint32_t sequence_slot,
                                        std::uint32_t time_slot) noexcept {
  if (sending_.guards != 0) [[unlikely]] {
    if (is_stopped()) {
      return refused_by_operator();
    }
    if (pace_refuses()) {
      return refused_by_pace();
    }
    if ((sending_.guards & guard_admin) != 0) {
      // The current admin message is in the place of this one.
      meter_.add(counters::SessionCounter::SendsRefused);
      return {SendStatus::Invalid, wire::EncodeError::Overflow, 0};
    }
  }
  enter_room();
  if (!out_.ready()) {
    flush();
  }
  sending_.bytes_before = out_.bytes().size();
  if (meter_.measures_send()) [[unlikely]] {
    meter_.begin_send(clock_ns());
  }
  // Reports a fault in the slots' values once: here the caller gets it with its details.
  const auto message = prepared.message();
  if (!message) {
    return after_send(std::unexpected(session::SendError::Encoding), message.error());
  }
  const bool has_slots = std::max(sequence_slot, time_slot) < prepared.slot_count();
  sending_.begun_at = host_.now();
  sending_.committing = true;
  const SendResult result = after_send(
      session_.send_prepared(prepared, sequence_slot, time_slot, sending_.begun_at, out_),
      has_slots ? wire::EncodeError::Overflow : wire::EncodeError::UnknownSlot);
  sending_.committing = false;
  return result;
}

bool HostedSession::warm(wire::EncodedMessage finished) noexcept {
  sending_.begun = false;
  if (memory_.room == nullptr) {
    return false;  // Nothing was begun.
  }
  const std::string_view placed = session_.rehearse(finished, host_.now(), out_);
  if (!placed.empty()) {
    journal_->rehearse(without_secrets(placed, false));
  }
  if (!host_.in_turn()) {
    leave_room();
  }
  return !placed.empty();
}

SendResult HostedSession::reject_business(const wire::MessageView& message,
                                          session::BusinessRejectReason reason,
                                          std::string_view text,
                                          std::string_view reference) noexcept {
  if (is_stopped()) {
    return refused_by_operator();
  }
  if (pace_refuses()) {
    return refused_by_pace();
  }
  enter_room();
  if (!out_.ready()) {
    flush();
  }
  sending_.bytes_before = out_.bytes().size();
  return after_send(session_.reject_business(message, reason, text, reference, host_.now(), out_),
                    wire::EncodeError::None);
}

SendResult HostedSession::after_send(const session::SendResult& result,
                                     wire::EncodeError encode_error) noexcept {
  if (!result) {
    meter_.abandon_send();
    meter_.add(counters::SessionCounter::SendsRefused);
    SendResult refused{status_of(result.error()), wire::EncodeError::None, 0};
    if (refused.status == SendStatus::Backlogged && out_.bytes().empty()) {
      refused.status = SendStatus::TooLarge;  // It can never fit.
    }
    if (refused.status == SendStatus::Invalid) {
      refused.encode_error = encode_error;
    }
    if (refused.status == SendStatus::Backlogged || refused.status == SendStatus::Resetting) {
      await_send_room();
      host_.needs_attention(*this);
    }
    return refused;
  }
  const bool queued = session_.phase() != session::Phase::Active;
  if (output_.pace != nullptr && !queued) [[unlikely]] {
    output_.pace->take(host_.now().steady_ns, sending_.bytes_before);
  }
  meter_.begin_store();
  store();
  if (health_.failed() || ((output_.unstored == nullptr || output_.unstored->empty()) &&
                           journal_->next_outgoing() <= *result)) {
    meter_.abandon_send();
    meter_.add(counters::SessionCounter::SendsRefused);
    marks_.note_refusal();
    return {SendStatus::JournalFull, wire::EncodeError::None, 0};
  }
  meter_.note_application_sent(*result);
  if (queued) {
    meter_.abandon_send();
    host_.note_append(*this);
    return {SendStatus::Queued, wire::EncodeError::None, *result};
  }
  meter_.end_send(out_.bytes().size());
  if (latency_.recorder != nullptr) [[unlikely]] {
    latency_.recorder->commit(latency_.track, *result, out_.bytes().size());
  }
  if (host_.in_turn()) {
    host_.needs_attention(*this);
  } else {
    flush();
    host_.note_append(*this);
    leave_room();  // The next end of a turn may be late.
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
         (logon == 0 || logon == seat_.logon.load(std::memory_order_relaxed));
}

bool HostedSession::accept_logon(std::uint32_t logon) noexcept {
  if (!logon_waits(logon)) {
    return false;
  }
  enter_room();
  // Only the answer to the Logon is in the outbox then, so there is room.
  static_cast<void>(session_.accept_logon(host_.now(), out_));
  after_command();
  return true;
}

bool HostedSession::check_logon(std::uint32_t logon) noexcept {
  if (!logon_waits(logon)) {
    return false;
  }
  return logon_.fault.empty() ? accept_logon(logon) : refuse_logon(logon_.fault, logon);
}

bool HostedSession::refuse_logon(std::string_view text, std::uint32_t logon) noexcept {
  if (!logon_waits(logon)) {
    return false;
  }
  enter_room();
  session_.refuse_logon(text, host_.now(), out_);
  after_command();
  return true;
}

void HostedSession::logout(std::string_view text) noexcept {
  if (!link_.open()) {
    return;
  }
  enter_room();
  if (!make_room()) {
    waiting_logout_ = text;
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
  enter_room();
  if (make_room()) {
    static_cast<void>(session_.reset(host_.now(), out_));
  }
  after_command();
}

void HostedSession::advance_daily_reset() noexcept {
  if (timetable_.resets.daily_due() && logged_on() && make_room()) {
    // Repeated after each abandoned attempt, until the numbers are reset; repeats count as one.
    static_cast<void>(session_.reset(host_.now(), out_));
  }
}

void HostedSession::test_peer() noexcept {
  enter_room();
  if (make_room()) {
    static_cast<void>(session_.test_peer(host_.now(), out_));
  }
  after_command();
}

}  // namespace affix::inline v0::host
