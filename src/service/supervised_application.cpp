// SPDX-License-Identifier: MIT
// Forwards each callback; a test compares this file with the interface.
#include "service/supervised_application.hpp"

#include <unistd.h>

namespace affix::inline v0::service {

using host::SessionHandle;

// --- Pulse ---

void WorkerPulse::noted() noexcept {
  thread_local const int thread = ::gettid();
  for (Beat& beat : beats_) {
    int owner = beat.thread.load(std::memory_order_relaxed);
    if (owner == 0 &&
        beat.thread.compare_exchange_strong(owner, thread, std::memory_order_relaxed)) {
      owner = thread;
    }
    if (owner == thread) {
      // Relaxed: the value stands for itself; no other data is read after it.
      beat.round.store(round_.load(std::memory_order_relaxed), std::memory_order_relaxed);
      return;
    }
  }
}

void WorkerPulse::ask() noexcept {
  round_.fetch_add(1, std::memory_order_relaxed);
}

bool WorkerPulse::all_noted(std::size_t workers) const noexcept {
  const std::uint64_t round = round_.load(std::memory_order_relaxed);
  std::size_t noted = 0;
  for (const Beat& beat : beats_) {
    noted += beat.thread.load(std::memory_order_relaxed) != 0 &&
                     beat.round.load(std::memory_order_relaxed) == round
                 ? 1U
                 : 0U;
  }
  return noted >= workers;
}

// --- Callbacks ---

host::LogonAnswer SupervisedApplication::on_logon_request(SessionHandle session,
                                                          const wire::MessageView& logon) noexcept {
  return application_.on_logon_request(session, logon);
}

host::LogonAnswer SupervisedApplication::on_logon_answer(SessionHandle session,
                                                         const wire::MessageView& logon) noexcept {
  return application_.on_logon_answer(session, logon);
}

void SupervisedApplication::on_logon(SessionHandle session) noexcept {
  application_.on_logon(session);
}

void SupervisedApplication::on_message(SessionHandle session, const wire::MessageView& message,
                                       const host::Delivery& delivery) noexcept {
  application_.on_message(session, message, delivery);
}

host::Redelivery SupervisedApplication::redelivery(SessionHandle session) noexcept {
  return application_.redelivery(session);
}

void SupervisedApplication::on_admin(SessionHandle session,
                                     const wire::MessageView& message) noexcept {
  application_.on_admin(session, message);
}

void SupervisedApplication::before_send(SessionHandle session, std::string_view type,
                                        wire::Encoder& message) noexcept {
  application_.before_send(session, type, message);
}

void SupervisedApplication::before_admin_send(SessionHandle session, std::string_view type,
                                              wire::Encoder& message) noexcept {
  application_.before_admin_send(session, type, message);
}

host::ResendDecision SupervisedApplication::before_resend(
    SessionHandle session, const wire::MessageView& stored) noexcept {
  return application_.before_resend(session, stored);
}

void SupervisedApplication::on_output_room(SessionHandle session) noexcept {
  application_.on_output_room(session);
}

void SupervisedApplication::on_logout(SessionHandle session, std::string_view reason) noexcept {
  application_.on_logout(session, reason);
}

void SupervisedApplication::on_cancel_orders(SessionHandle session) noexcept {
  application_.on_cancel_orders(session);
}

void SupervisedApplication::on_session_added(SessionHandle session) noexcept {
  application_.on_session_added(session);
}

void SupervisedApplication::on_session_removed(SessionHandle session) noexcept {
  application_.on_session_removed(session);
}

void SupervisedApplication::before_stop_sending(SessionHandle session) noexcept {
  application_.before_stop_sending(session);
}

void SupervisedApplication::on_turn_end() noexcept {
  application_.on_turn_end();
}

void SupervisedApplication::on_courier_result(SessionHandle session, std::uint64_t token,
                                              const host::SendResult& result) noexcept {
  application_.on_courier_result(session, token, result);
}

void SupervisedApplication::on_wake() noexcept {
  pulse_.noted();
  application_.on_wake();
}

void SupervisedApplication::on_event(const host::Event& event) noexcept {
  log_.write(event);
  application_.on_event(event);
}

}  // namespace affix::inline v0::service
