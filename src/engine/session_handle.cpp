// SPDX-License-Identifier: MIT
// The application's hold on a session, forwarded to what hosts it.
#include "affix/engine/session_handle.hpp"

#include "engine/hosted_session.hpp"

namespace affix::inline v0::engine {

const char* to_text(SendStatus status) noexcept {
  switch (status) {
    case SendStatus::Sent:
      return "sent";
    case SendStatus::Queued:
      return "queued";
    case SendStatus::NotLoggedOn:
      return "not logged on";
    case SendStatus::Resetting:
      return "a reset is under way";
    case SendStatus::QueueFull:
      return "queue full";
    case SendStatus::Invalid:
      return "invalid message";
    case SendStatus::TypeRefused:
      return "not an application message type";
    case SendStatus::TooLarge:
      return "larger than the limit";
    case SendStatus::JournalFull:
      return "journal full";
    case SendStatus::Throttled:
      return "more messages than send_throttle_limit allows";
    case SendStatus::Backlogged:
      return "output limit met";
  }
  return "unknown";
}

std::string_view SessionHandle::name() const noexcept {
  return session_->settings().name;
}

std::string_view SessionHandle::begin_string() const noexcept {
  return session_->settings().begin_string;
}

std::string_view SessionHandle::sender_comp_id() const noexcept {
  return session_->settings().sender_comp_id;
}

std::string_view SessionHandle::target_comp_id() const noexcept {
  return session_->settings().target_comp_id;
}

bool SessionHandle::is_initiator() const noexcept {
  return session_->protocol().options().role == session::Role::Initiator;
}

std::size_t SessionHandle::worker() const noexcept {
  return session_->host().worker_number();
}

bool SessionHandle::logged_on() const noexcept {
  return session_->logged_on();
}

bool SessionHandle::disconnected() const noexcept {
  return !session_->connected() && !session_->host().dialing(*session_);
}

std::uint64_t SessionHandle::next_sender_seq() const noexcept {
  return session_->protocol().next_sender_seq();
}

std::uint64_t SessionHandle::next_target_seq() const noexcept {
  return session_->protocol().next_target_seq();
}

std::string_view SessionHandle::journal_directory() const noexcept {
  return session_->journal_directory();
}

base::Now SessionHandle::now() const noexcept {
  return session_->host().now();
}

const wire::Encoder& SessionHandle::open(
    std::string_view type, std::span<const session::ExtraHeaderField> header) const noexcept {
  return session_->begin(type, header);
}

SendResult SessionHandle::close(wire::EncodedMessage finished) const noexcept {
  return session_->commit(finished);
}

bool SessionHandle::rehearse(wire::EncodedMessage finished) const noexcept {
  return session_->warm(finished);
}

SendResult SessionHandle::reject_business(const wire::MessageView& message,
                                          session::BusinessRejectReason reason,
                                          std::string_view text,
                                          std::string_view reference) const noexcept {
  return session_->reject_business(message, reason, text, reference);
}

void SessionHandle::flush() const noexcept {
  session_->flush_now();
}

bool SessionHandle::accept_logon() const noexcept {
  return session_->accept_logon();
}

bool SessionHandle::refuse_logon(std::string_view text) const noexcept {
  return session_->refuse_logon(text);
}

void SessionHandle::logout(std::string_view text) const noexcept {
  session_->host().log_out(*session_, text);
}

void SessionHandle::connect() const noexcept {
  session_->host().connect(*session_);
}

void SessionHandle::reset() const noexcept {
  session_->reset();
}

void SessionHandle::test_peer() const noexcept {
  session_->test_peer();
}

void* SessionHandle::user() const noexcept {
  return session_->user;
}

void SessionHandle::set_user(void* user) const noexcept {
  session_->user = user;
}

}  // namespace affix::inline v0::engine
