// SPDX-License-Identifier: MIT
// The application that the engine calls: passes every callback to the selected one, writes the log,
// and records which workers are alive.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/host/application.hpp"
#include "affix/service/event_log.hpp"

#include "service/role_duties.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::service {

/// Shows which workers' threads have responded to a question. Engine::wake() makes each of them
/// call noted(), unless it is stuck.
class WorkerPulse {
 public:
  /// Called on a worker's thread.
  void noted() noexcept;

  /// Asks again; call Engine::wake() afterwards. On one thread, like all_noted().
  void ask() noexcept;

  /// True if all of `workers` threads have responded since ask().
  [[nodiscard]] bool all_noted(std::size_t workers) const noexcept;

 private:
  struct alignas(base::cache_line) Beat {
    std::atomic<int> thread{0};  ///< 0: not assigned yet.
    std::atomic<std::uint64_t> round{0};
  };

  std::array<Beat, 256> beats_;  // Maximum number of workers.
  std::atomic<std::uint64_t> round_{0};
};

class SupervisedApplication final : public host::Application {
 public:
  SupervisedApplication(host::Application& application, EventLog& log, RoleDuties& roles)
      : application_(application), log_(log), roles_(roles) {}

  [[nodiscard]] WorkerPulse& pulse() noexcept { return pulse_; }

  host::LogonAnswer on_logon_request(host::SessionHandle session,
                                     const wire::MessageView& logon) noexcept override {
    return application_.on_logon_request(session, logon);
  }

  host::LogonAnswer on_logon_answer(host::SessionHandle session,
                                    const wire::MessageView& logon) noexcept override {
    return application_.on_logon_answer(session, logon);
  }

  void on_logon(host::SessionHandle session) noexcept override { application_.on_logon(session); }

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override {
    application_.on_message(session, message, delivery);
  }

  host::Redelivery redelivery(host::SessionHandle session) noexcept override {
    return application_.redelivery(session);
  }

  void on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept override {
    application_.on_admin(session, message);
  }

  void before_send(host::SessionHandle session, std::string_view type,
                   wire::Encoder& message) noexcept override {
    application_.before_send(session, type, message);
  }

  void before_admin_send(host::SessionHandle session, std::string_view type,
                         wire::Encoder& message) noexcept override {
    application_.before_admin_send(session, type, message);
  }

  host::ResendDecision before_resend(host::SessionHandle session,
                                     const wire::MessageView& stored) noexcept override {
    return application_.before_resend(session, stored);
  }

  void on_output_room(host::SessionHandle session) noexcept override {
    application_.on_output_room(session);
  }

  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override {
    application_.on_logout(session, reason);
  }

  void on_cancel_orders(host::SessionHandle session) noexcept override {
    application_.on_cancel_orders(session);
  }

  void on_session_added(host::SessionHandle session) noexcept override {
    application_.on_session_added(session);
  }

  void on_session_removed(host::SessionHandle session) noexcept override {
    application_.on_session_removed(session);
  }

  void before_stop_sending(host::SessionHandle session) noexcept override {
    application_.before_stop_sending(session);
  }

  void on_turn_end() noexcept override { application_.on_turn_end(); }

  void on_cross_thread_result(host::SessionHandle session, std::uint64_t token,
                              const host::SendResult& result) noexcept override {
    application_.on_cross_thread_result(session, token, result);
  }

  void on_wake() noexcept override {
    pulse_.noted();
    application_.on_wake();
  }

  void on_failover(const host::FailoverNotice& notice) noexcept override {
    roles_.note(notice);
    application_.on_failover(notice);
  }

  void on_event(const host::Event& event) noexcept override {
    log_.write(event);
    application_.on_event(event);
  }

 private:
  host::Application& application_;
  EventLog& log_;
  RoleDuties& roles_;
  WorkerPulse pulse_;
};

}  // namespace affix::inline v0::service
