// SPDX-License-Identifier: MIT
// The worker's end of a callback relay.
#include "host/callback_relay.hpp"

#include "affix/base/assert.hpp"
#include "affix/host/receipt_position.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace affix::inline v0::host {

namespace {

static_assert(std::is_trivially_copyable_v<CallbackHead> && sizeof(CallbackHead) % 8 == 0);

/// The reason for on_logout() is a sentence; a longer one is cut.
constexpr std::size_t reason_bytes_max = 512;

/// A record, and its size again: it may not fit before the ring's end.
constexpr std::size_t room_for(std::size_t bytes) noexcept {
  return 2 * base::ByteRing::room_of(sizeof(CallbackHead) + bytes + base::PaddedBytes::padding);
}

/// Callbacks that do not ask for room first: one logon and one logout of each session, as no other
/// comes before the application has answered the next Logon; callbacks that a logout causes; room
/// for output; and the session's addition and removal.
constexpr std::size_t unasked_per_session = 5 * room_for(reason_bytes_max);

}  // namespace

CallbackRelay::CallbackRelay(std::size_t bytes, std::size_t message_bytes, std::size_t sessions,
                             const DelayedMarks& marks, net::Waker& waker)
    : message_room_(room_for(message_bytes)),
      // At least two messages, or the first that does not fit never would.
      ring_(std::max(bytes, 2 * message_room_) + sessions * unasked_per_session),
      // Everything above the requested size: the ring may be larger.
      kept_free_(ring_.capacity() - std::max(bytes, 2 * message_room_)),
      reported_(ring_.capacity() / base::ByteRing::room_of(sizeof(CallbackHead)) + 1),
      marks_(marks),
      waker_(waker) {
  waiting_.reserve(sessions);
}

void CallbackRelay::relay(CallbackHead head, SessionHandle session,
                          std::string_view bytes) noexcept {
  const std::size_t whole = sizeof head + bytes.size() + base::PaddedBytes::padding;
  const std::span<char> record = ring_.claim(whole);
  AFFIX_ASSERT(record.data() != nullptr);
  head.session = session.hosted();
  head.logon = session.logon();
  head.size = static_cast<std::uint32_t>(bytes.size());
  head.refusals = marks_.refusals();
  std::memcpy(record.data(), &head, sizeof head);
  bytes.copy(record.data() + sizeof head, bytes.size());
  ring_.publish(whole);
  relayed_ = true;
}

LogonAnswer CallbackRelay::on_logon_request(SessionHandle session,
                                            const wire::MessageView& logon) noexcept {
  if (!has_room()) {
    return LogonAnswer::refuse("the application is behind with earlier messages");
  }
  relay({.kind = CallbackHead::Kind::LogonRequest}, session, logon.bytes());
  return LogonAnswer::later();
}

LogonAnswer CallbackRelay::on_logon_answer(SessionHandle session,
                                           const wire::MessageView& logon) noexcept {
  if (!has_room()) {
    return LogonAnswer::refuse("the application is behind with earlier messages");
  }
  relay({.kind = CallbackHead::Kind::LogonAnswer}, session, logon.bytes());
  return LogonAnswer::later();
}

void CallbackRelay::on_logon(SessionHandle session) noexcept {
  relay({.kind = CallbackHead::Kind::Logon}, session, {});
}

void CallbackRelay::on_message(SessionHandle session, const wire::MessageView& message,
                               const Delivery& delivery) noexcept {
  relay({.received_at = received_at_, .delivery = delivery, .kind = CallbackHead::Kind::Message},
        session, message.bytes());
}

void CallbackRelay::on_admin(SessionHandle session, const wire::MessageView& message) noexcept {
  relay({.received_at = received_at_, .kind = CallbackHead::Kind::Admin}, session, message.bytes());
}

void CallbackRelay::on_output_room(SessionHandle session) noexcept {
  relay({.kind = CallbackHead::Kind::OutputRoom}, session, {});
}

void CallbackRelay::on_logout(SessionHandle session, std::string_view reason) noexcept {
  relay({.kind = CallbackHead::Kind::Logout}, session, reason.substr(0, reason_bytes_max));
}

void CallbackRelay::on_cancel_orders(SessionHandle session) noexcept {
  relay({.kind = CallbackHead::Kind::CancelOrders}, session, {});
}

void CallbackRelay::on_session_added(SessionHandle session) noexcept {
  relay({.kind = CallbackHead::Kind::Added}, session, {});
}

void CallbackRelay::say_farewell(SessionHandle session, bool for_good) noexcept {
  relay({.kind = for_good ? CallbackHead::Kind::Removed : CallbackHead::Kind::Farewell}, session,
        {});
}

void CallbackRelay::forget(HostedSession& session) noexcept {
  std::erase(waiting_, &session);
}

void CallbackRelay::await_room(HostedSession& session) noexcept {
  if (std::find(waiting_.begin(), waiting_.end(), &session) == waiting_.end()) {
    waiting_.push_back(&session);
  }
}

HostedSession* CallbackRelay::take_waiting() noexcept {
  if (waiting_.empty() || !has_room()) {
    return nullptr;
  }
  HostedSession* const session = waiting_.back();
  waiting_.pop_back();
  return session;
}

void CallbackRelay::wake_if_relayed() noexcept {
  if (relayed_) {
    relayed_ = false;
    waker_.wake();
  }
}

void CallbackRelay::report_processed(const CallbackHead& head) noexcept {
  report({.session = head.session,
          .position = head.received_at,
          .refusals = head.refusals,
          .kind = head.received_at.valid() ? CallbackReport::Kind::Processed
                                           : CallbackReport::Kind::Drained});
}

bool CallbackRelay::keep_message(SessionHandle session) noexcept {
  if (at_hand_.slot != &session.slot()) {
    return false;
  }
  at_hand_.kept = true;
  return true;
}

bool CallbackRelay::finish_message(SessionHandle session, Receipt receipt) noexcept {
  if (!receipt || !session.exists()) {
    return false;
  }
  report({.handle = session,
          .position = position_of(receipt),
          .refusals = refusals_,
          .kind = CallbackReport::Kind::Finished});
  return true;
}

void CallbackRelay::ask_for_redelivery(SessionHandle session) noexcept {
  report({.handle = session, .kind = CallbackReport::Kind::Redeliver});
}

void CallbackRelay::report(const CallbackReport& reported) noexcept {
  CallbackReport* const place = report_late() ? reported_.claim() : nullptr;
  if (place == nullptr) {
    // The worker is late; the callback thread does not wait for it.
    late_.push_back(reported);
    return;
  }
  *place = reported;
  reported_.publish();
}

bool CallbackRelay::report_late() noexcept {
  if (late_.empty()) [[likely]] {
    return true;
  }
  std::size_t reported = 0;
  for (; reported < late_.size(); ++reported) {
    CallbackReport* const place = reported_.claim();
    if (place == nullptr) {
      break;
    }
    *place = late_[reported];
    reported_.publish();
  }
  late_.erase(late_.begin(), late_.begin() + static_cast<std::ptrdiff_t>(reported));
  return late_.empty();
}

}  // namespace affix::inline v0::host
