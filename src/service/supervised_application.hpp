// SPDX-License-Identifier: MIT
// The application that the engine calls: passes every callback to the selected one, writes the log,
// and records which workers are alive.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/host/application.hpp"
#include "affix/service/event_log.hpp"

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
  SupervisedApplication(host::Application& application, EventLog& log)
      : application_(application), log_(log) {}

  [[nodiscard]] WorkerPulse& pulse() noexcept { return pulse_; }

  host::LogonAnswer on_logon_request(host::SessionHandle session,
                                     const wire::MessageView& logon) noexcept override;
  host::LogonAnswer on_logon_answer(host::SessionHandle session,
                                    const wire::MessageView& logon) noexcept override;
  void on_logon(host::SessionHandle session) noexcept override;
  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  host::Redelivery redelivery(host::SessionHandle session) noexcept override;
  void on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept override;
  void before_send(host::SessionHandle session, std::string_view type,
                   wire::Encoder& message) noexcept override;
  void before_admin_send(host::SessionHandle session, std::string_view type,
                         wire::Encoder& message) noexcept override;
  host::ResendDecision before_resend(host::SessionHandle session,
                                     const wire::MessageView& stored) noexcept override;
  void on_output_room(host::SessionHandle session) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_cancel_orders(host::SessionHandle session) noexcept override;
  void on_session_added(host::SessionHandle session) noexcept override;
  void on_session_removed(host::SessionHandle session) noexcept override;
  void before_stop_sending(host::SessionHandle session) noexcept override;
  void on_turn_end() noexcept override;
  void on_courier_result(host::SessionHandle session, std::uint64_t token,
                         const host::SendResult& result) noexcept override;
  void on_wake() noexcept override;
  void on_event(const host::Event& event) noexcept override;

 private:
  host::Application& application_;
  EventLog& log_;
  WorkerPulse pulse_;
};

}  // namespace affix::inline v0::service
