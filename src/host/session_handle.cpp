// SPDX-License-Identifier: MIT
// The application's handle of a session, forwarded to the session's host.
#include "affix/host/session_handle.hpp"

#include "host/callback_relay.hpp"
#include "host/hosted_session.hpp"
#include "host/session_slot.hpp"

namespace affix::inline v0::host {

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
    case SendStatus::RejectOfReject:
      return "a reject is not answered by a reject";
    case SendStatus::TooLarge:
      return "larger than the limit";
    case SendStatus::JournalFull:
      return "journal full";
    case SendStatus::Throttled:
      return "more messages than send_throttle_limit allows";
    case SendStatus::Backlogged:
      return "output limit met";
    case SendStatus::Stopped:
      return "stopped by an operator";
  }
  return "unknown";
}

namespace {

/// Encoder for messages to a session that is gone.
const wire::Encoder& no_room() noexcept {
  static const wire::Encoder encoder{std::span<char>()};
  return encoder;
}

}  // namespace

// --- Constant properties ---

std::string_view SessionHandle::name() const noexcept {
  return slot_->names.name;
}

std::string_view SessionHandle::instance() const noexcept {
  return slot_->names.instance;
}

std::string_view SessionHandle::begin_string() const noexcept {
  return slot_->names.begin_string;
}

std::string_view SessionHandle::sender_comp_id() const noexcept {
  return slot_->names.sender_comp_id;
}

std::string_view SessionHandle::target_comp_id() const noexcept {
  return slot_->names.target_comp_id;
}

bool SessionHandle::is_initiator() const noexcept {
  return slot_->names.initiator;
}

std::size_t SessionHandle::worker() const noexcept {
  return slot_->names.worker;
}

std::string_view SessionHandle::journal_directory() const noexcept {
  return slot_->names.journal_directory;
}

// --- Forwarded to the session, if it exists ---

bool SessionHandle::exists() const noexcept {
  return slot_->generation.load(std::memory_order_acquire) == generation_;
}

HostedSession* SessionHandle::hosted() const noexcept {
  // Relaxed: written by the thread that asks.
  return slot_->generation.load(std::memory_order_relaxed) == generation_ ? slot_->session
                                                                          : nullptr;
}

bool SessionHandle::logged_on() const noexcept {
  const HostedSession* const session = hosted();
  return session != nullptr && session->logged_on();
}

session::SessionStanding SessionHandle::standing() const noexcept {
  const std::uint64_t shown = slot_->shown.load(std::memory_order_acquire);
  return shown >> 8 == generation_ ? static_cast<session::SessionStanding>(shown & 0xff)
                                   : session::SessionStanding::Disconnected;
}

bool SessionHandle::disconnected() const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr || (!session->connected() && !session->host().dialing(*session));
}

std::uint64_t SessionHandle::next_sender_seq() const noexcept {
  const HostedSession* const session = hosted();
  return session == nullptr ? 0 : session->protocol().next_sender_seq();
}

std::uint64_t SessionHandle::next_target_seq() const noexcept {
  const HostedSession* const session = hosted();
  return session == nullptr ? 0 : session->protocol().next_target_seq();
}

base::Now SessionHandle::now() const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? base::Now() : session->host().now();
}

const wire::Encoder& SessionHandle::begin_message(
    std::string_view type, std::span<const session::ExtraHeaderField> header) const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? no_room() : session->begin(type, header);
}

SendResult SessionHandle::commit_message(wire::EncodedMessage finished) const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? SendResult() : session->commit(finished);
}

bool SessionHandle::rehearse(wire::EncodedMessage finished) const noexcept {
  HostedSession* const session = hosted();
  return session != nullptr && session->warm(finished);
}

wire::Encoder SessionHandle::draft(std::string_view type, std::span<char> buffer) const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? no_room() : session->draft(type, buffer);
}

const wire::DataFields& SessionHandle::data_fields() const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? wire::DataFields::standard() : session->data_fields();
}

SendResult SessionHandle::send_prepared(wire::PreparedMessage& prepared,
                                        std::uint32_t sequence_slot,
                                        std::uint32_t time_slot) const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? SendResult()
                            : session->send_prepared(prepared, sequence_slot, time_slot);
}

SendResult SessionHandle::reject_business(const wire::MessageView& message,
                                          session::BusinessRejectReason reason,
                                          std::string_view text,
                                          std::string_view reference) const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? SendResult()
                            : session->reject_business(message, reason, text, reference);
}

SendResult SessionHandle::reject(const wire::MessageView& message, session::RejectReason reason,
                                 std::uint32_t tag, std::string_view text) const noexcept {
  HostedSession* const session = hosted();
  return session == nullptr ? SendResult() : session->reject(message, reason, tag, text);
}

bool SessionHandle::keep_message() const noexcept {
  if (CallbackRelay* const relay = slot_->relay.load(std::memory_order_acquire)) {
    return relay->keep_message(*this);
  }
  HostedSession* const session = hosted();
  return session != nullptr && session->keep_message();
}

bool SessionHandle::finish_message(Receipt receipt) const noexcept {
  if (CallbackRelay* const relay = slot_->relay.load(std::memory_order_acquire)) {
    return relay->finish_message(*this, receipt);
  }
  HostedSession* const session = hosted();
  return session != nullptr && session->finish_message(receipt);
}

void SessionHandle::redeliver() const noexcept {
  if (CallbackRelay* const relay = slot_->relay.load(std::memory_order_acquire)) {
    relay->ask_for_redelivery(*this);
  } else if (HostedSession* const session = hosted()) {
    session->ask_for_redelivery();
  }
}

void SessionHandle::flush() const noexcept {
  if (HostedSession* const session = hosted()) {
    session->flush_now();
  }
}

bool SessionHandle::accept_logon() const noexcept {
  HostedSession* const session = hosted();
  return session != nullptr && session->accept_logon(logon_);
}

bool SessionHandle::refuse_logon(std::string_view text) const noexcept {
  HostedSession* const session = hosted();
  return session != nullptr && session->refuse_logon(text, logon_);
}

void SessionHandle::logout(std::string_view text) const noexcept {
  if (HostedSession* const session = hosted()) {
    session->host().log_out(*session, text);
  }
}

void SessionHandle::connect() const noexcept {
  if (HostedSession* const session = hosted()) {
    session->host().connect(*session);
  }
}

void SessionHandle::reset() const noexcept {
  if (HostedSession* const session = hosted()) {
    session->reset();
  }
}

void SessionHandle::test_peer() const noexcept {
  if (HostedSession* const session = hosted()) {
    session->test_peer();
  }
}

void* SessionHandle::user() const noexcept {
  const HostedSession* const session = hosted();
  return session == nullptr ? nullptr : session->user;
}

void SessionHandle::set_user(void* user) const noexcept {
  if (HostedSession* const session = hosted()) {
    session->user = user;
  }
}

SessionHandle SessionSlot::handle() noexcept {
  return SessionHandle(*this, generation.load(std::memory_order_relaxed) | 1);
}

}  // namespace affix::inline v0::host
