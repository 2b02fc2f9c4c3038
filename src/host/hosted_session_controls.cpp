// SPDX-License-Identifier: MIT
// An operator's commands to a session, by a handle. Like the application's they store and may send,
// and leave all callbacks to attend().
#include "affix/host/session_controls.hpp"

#include "host/hosted_session.hpp"

namespace affix::inline v0::host {

SessionSight HostedSession::sight() noexcept {
  const session::SessionState& state = session_.state();
  SessionSight sight{.phase = state.phase,
                     .connected = link_.connected(),
                     .dialing = host_.dialing(*this),
                     .schedule_open = may_log_on(),
                     .sending_stopped = is_stopped(),
                     .journal_refuses = health_.refuses() || journal_->failed(),
                     .resending = reads_.resend.has_value(),
                     .next_outgoing = state.next_outgoing,
                     .next_expected = state.next_expected,
                     .missing_to = state.gap.highest,
                     .queued = state.queued.count,
                     .journal_end = journal_->end(),
                     .peer = {},
                     .disabled_why = {},
                     .ended_why = {}};
  if (link_.connected()) {
    sight.output_waiting = host_.reactor().parked_bytes(link_.id()) + rest_.size();
    sight.peer = host_.reactor().peer_address(link_.id());
  }
  host_.show_enabled(*this, sight);
  history_.show_in(sight);
  return sight;
}

bool HostedSession::set_numbers(std::optional<std::uint64_t> next_outgoing,
                                std::optional<std::uint64_t> next_expected) noexcept {
  ensure_buffers();
  const bool set = make_room() &&
                   (!next_outgoing || session_.set_next_outgoing(*next_outgoing, out_)) &&
                   (!next_expected || session_.set_next_expected(*next_expected, out_));
  after_command();
  // Without a connection a refusal is no failure of the session, and only the numbers show it.
  return set && !health_.failed() &&
         (!next_outgoing || journal_->next_outgoing() == *next_outgoing) &&
         (!next_expected || journal_->next_expected() == *next_expected);
}

bool HostedSession::send_sequence_reset(std::uint64_t next_outgoing) noexcept {
  ensure_buffers();
  const bool has_room = make_room();
  const std::size_t bytes_before = out_.bytes().size();
  const bool sent =
      has_room && session_.send_sequence_reset(next_outgoing, host_.now(), out_).has_value();
  after_command();
  if (health_.failed()) {
    link_.limit_last_bytes(bytes_before);  // The SequenceReset has no number and no record.
  }
  return sent && !health_.failed();
}

void HostedSession::disconnect() noexcept {
  if (!link_.open()) {
    return;
  }
  ensure_buffers();
  store();
  note_end(EndedBy::Operator);
  link_.set_why({"disconnected by an operator", "S305"});
  end_connection(out_.bytes().size());
  after_command();
}

void HostedSession::stop_sending() noexcept {
  if (is_stopped()) {
    return;
  }
  hooks_.before_stop_sending(handle_);
  begin_stopped();
  host_.needs_attention(*this);
}

void HostedSession::begin_stopped() noexcept {
  guards_.raise(SendGuard::Stopped);
  meters_.counts.note_sending_stopped(true);
}

void HostedSession::resume_sending() noexcept {
  guards_.lower(SendGuard::Stopped);
  meters_.counts.note_sending_stopped(false);
  host_.needs_attention(*this);
}

SendResult HostedSession::refused_by_operator() noexcept {
  meters_.counts.add(counters::SessionCounter::SendsRefused);
  guards_.await_room();  // So that on_output_room() follows when sending is resumed.
  message_.abandon();
  return {SendStatus::Stopped, wire::EncodeError::None, 0};
}

bool HostedSession::remark(std::string_view text) noexcept {
  ensure_buffers();
  store();
  store_unstored();
  if (health_.failed()) {
    return false;
  }
  const journal::AppendResult result =
      journal_->append_event(journal::EventType::Remark, 0, 0, host_.now().utc_ns, text);
  host_.needs_attention(*this);
  host_.note_append(*this);
  return result == journal::AppendResult::Appended;
}

// --- Through a handle ---

SessionSight SessionControls::sight() const noexcept {
  return session_.hosted() == nullptr ? SessionSight() : session_.hosted()->sight();
}

session::SecretTags SessionControls::secret_tags() const noexcept {
  return session_.hosted() == nullptr ? session::SecretTags() : session_.hosted()->secret_tags();
}

bool SessionControls::set_next_outgoing(std::uint64_t number) const noexcept {
  return session_.hosted() != nullptr && session_.hosted()->set_numbers(number, std::nullopt);
}

bool SessionControls::set_next_expected(std::uint64_t number) const noexcept {
  return session_.hosted() != nullptr && session_.hosted()->set_numbers(std::nullopt, number);
}

bool SessionControls::send_sequence_reset(std::uint64_t next_outgoing) const noexcept {
  return session_.hosted() != nullptr && session_.hosted()->send_sequence_reset(next_outgoing);
}

void SessionControls::logout(std::string_view text) const noexcept {
  if (HostedSession* const session = session_.hosted()) {
    session->note_end(EndedBy::Operator);
    session->host().log_out(*session, text);
  }
}

bool SessionControls::disconnect() const noexcept {
  if (session_.hosted() == nullptr || !session_.hosted()->connected()) {
    return false;
  }
  session_.hosted()->disconnect();
  return true;
}

void SessionControls::stop_sending() const noexcept {
  if (session_.hosted() != nullptr) {
    session_.hosted()->stop_sending();
  }
}

void SessionControls::resume_sending() const noexcept {
  if (session_.hosted() != nullptr) {
    session_.hosted()->resume_sending();
  }
}

bool SessionControls::remark(std::string_view text) const noexcept {
  return session_.hosted() != nullptr && session_.hosted()->remark(text);
}

}  // namespace affix::inline v0::host
