// SPDX-License-Identifier: MIT
// The worker's end of a callback relay.
#include "host/callback_relay.hpp"

#include "affix/base/assert.hpp"
#include "affix/host/receipt_position.hpp"

#include <algorithm>
#include <cstdint>
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
      told_(ring_.capacity() / base::ByteRing::room_of(sizeof(CallbackHead)) + 1),
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

void CallbackRelay::say_farewell(HostedSession& session, bool for_good) noexcept {
  relay({.kind = for_good ? CallbackHead::Kind::Removed : CallbackHead::Kind::Farewell},
        session.handle(), {});
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

void CallbackRelay::take_told(std::size_t count) noexcept {
  for (; count != 0; --count) {
    const Told* const told = told_.front();
    if (told == nullptr) {
      return;
    }
    carry_out(*told);
    told_.pop();
  }
}

void CallbackRelay::take_last() noexcept {
  take_told(SIZE_MAX);
  for (const Told& told : std::exchange(late_, {})) {
    carry_out(told);
  }
}

void CallbackRelay::carry_out(const Told& told) noexcept {
  switch (told.kind) {
    case Told::Kind::Processed:
      if (told.refusals == marks_.refusals()) [[likely]] {
        told.session->journal().mark_processed(told.position);
      }
      return;
    case Told::Kind::Drained:
      told.session->set_relay_drained();
      return;
    case Told::Kind::Finished:
      if (HostedSession* const session = told.handle.hosted();
          session != nullptr && told.refusals == marks_.refusals()) {
        static_cast<void>(session->finish_message(receipt_of(told.position)));
      }
      return;
    case Told::Kind::Redeliver:
      if (HostedSession* const session = told.handle.hosted()) {
        session->ask_for_redelivery();
      }
      return;
  }
}

void CallbackRelay::wake_if_relayed() noexcept {
  if (relayed_) {
    relayed_ = false;
    waker_.wake();
  }
}

void CallbackRelay::tell_processed(const CallbackHead& head) noexcept {
  tell({.session = head.session,
        .position = head.received_at,
        .refusals = head.refusals,
        .kind = head.received_at.valid() ? Told::Kind::Processed : Told::Kind::Drained});
}

bool CallbackRelay::keep_message(SessionHandle session) noexcept {
  if (at_hand_.seat != &session.seat()) {
    return false;
  }
  at_hand_.kept = true;
  return true;
}

bool CallbackRelay::finish_message(SessionHandle session, Receipt receipt) noexcept {
  if (!receipt || !session.exists()) {
    return false;
  }
  tell({.handle = session,
        .position = position_of(receipt),
        .refusals = refusals_,
        .kind = Told::Kind::Finished});
  return true;
}

void CallbackRelay::ask_for_redelivery(SessionHandle session) noexcept {
  tell({.handle = session, .kind = Told::Kind::Redeliver});
}

void CallbackRelay::tell(const Told& told) noexcept {
  Told* const place = tell_late() ? told_.claim() : nullptr;
  if (place == nullptr) {
    // The worker is late; the callback thread does not wait for it.
    late_.push_back(told);
    return;
  }
  *place = told;
  told_.publish();
}

bool CallbackRelay::tell_late() noexcept {
  if (late_.empty()) [[likely]] {
    return true;
  }
  std::size_t told = 0;
  for (; told < late_.size(); ++told) {
    Told* const place = told_.claim();
    if (place == nullptr) {
      break;
    }
    *place = late_[told];
    told_.publish();
  }
  late_.erase(late_.begin(), late_.begin() + static_cast<std::ptrdiff_t>(told));
  return late_.empty();
}

}  // namespace affix::inline v0::host
