// SPDX-License-Identifier: MIT
// The application that the engine sees: passes every callback on to the one that was chosen, writes
// the log, and notes which workers are alive.
#pragma once

#include "affix/base/bytes.hpp"
#include "affix/engine/application.hpp"

#include "process/event_log.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace affix::inline v0::tools::serve {

/// Which workers' threads have come by since a question was asked. Engine::wake() has each of them
/// call noted(), whatever else it does, unless it is stuck.
class WorkerPulse {
 public:
  /// From a worker's thread.
  void noted() noexcept;

  /// Asks anew; call Engine::wake() behind it. From one thread, as all_noted() is.
  void ask() noexcept;

  /// Every one of `workers` threads has come by since ask().
  [[nodiscard]] bool all_noted(std::size_t workers) const noexcept;

 private:
  struct alignas(base::cache_line) Beat {
    std::atomic<int> thread{0};  ///< 0: nobody's yet.
    std::atomic<std::uint64_t> round{0};
  };

  std::array<Beat, 256> beats_;  // As many as there may be workers.
  std::atomic<std::uint64_t> round_{0};
};

class SupervisedApplication final : public engine::Application {
 public:
  SupervisedApplication(engine::Application& application, EventLog& log)
      : application_(application), log_(log) {}

  [[nodiscard]] WorkerPulse& pulse() noexcept { return pulse_; }

  engine::LogonAnswer on_logon_request(engine::SessionHandle session,
                                       const wire::MessageView& logon) noexcept override;
  engine::LogonAnswer on_logon_answer(engine::SessionHandle session,
                                      const wire::MessageView& logon) noexcept override;
  void on_logon(engine::SessionHandle session) noexcept override;
  void on_message(engine::SessionHandle session, const wire::MessageView& message,
                  const engine::Delivery& delivery) noexcept override;
  engine::Redelivery redelivery(engine::SessionHandle session) noexcept override;
  void on_admin(engine::SessionHandle session, const wire::MessageView& message) noexcept override;
  void before_send(engine::SessionHandle session, std::string_view type,
                   wire::Encoder& message) noexcept override;
  void before_admin_send(engine::SessionHandle session, std::string_view type,
                         wire::Encoder& message) noexcept override;
  engine::ResendDecision before_resend(engine::SessionHandle session,
                                       const wire::MessageView& stored) noexcept override;
  void on_output_room(engine::SessionHandle session) noexcept override;
  void on_logout(engine::SessionHandle session, std::string_view reason) noexcept override;
  void on_cancel_orders(engine::SessionHandle session) noexcept override;
  void on_session_added(engine::SessionHandle session) noexcept override;
  void on_session_removed(engine::SessionHandle session) noexcept override;
  void before_stop_sending(engine::SessionHandle session) noexcept override;
  void on_turn_end() noexcept override;
  void on_courier_result(engine::SessionHandle session, std::uint64_t token,
                         const engine::SendResult& result) noexcept override;
  void on_wake() noexcept override;
  void on_event(const engine::Event& event) noexcept override;

 private:
  engine::Application& application_;
  EventLog& log_;
  WorkerPulse pulse_;
};

}  // namespace affix::inline v0::tools::serve
