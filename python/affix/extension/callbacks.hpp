// SPDX-License-Identifier: MIT
// The application of an engine with threads of its own: Python's callbacks, once per turn of a
// thread.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/host/application.hpp"

#include "thread_turn.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nanobind/nanobind.h>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::python {

/// Where Python's code is that gives a command to a session.
enum class Place : std::uint8_t {
  OwnWorker,  ///< In a callback of the session's worker, which carries the command out.
  Callback,   ///< In another callback of the engine, which must not wait for that worker.
  Elsewhere,
};

/// When a message counts as processed.
enum class Finishing : std::uint8_t {
  AfterCallback,
  ByProgram,
};

/// Outlives its engine. Python's objects in it are used with the GIL only.
class Callbacks final : public host::Application {
 public:
  /// `on_message` takes messages; `engine` is the affix.ThreadedEngine, which gets the rest.
  Callbacks(const config::Configuration& configuration, nanobind::object engine,
            nanobind::object on_message, Finishing finishing);

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_logon(host::SessionHandle session) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_output_room(host::SessionHandle session) noexcept override;
  void on_cancel_orders(host::SessionHandle session) noexcept override;
  void on_session_added(host::SessionHandle session) noexcept override;
  void on_session_removed(host::SessionHandle session) noexcept override;
  void on_cross_thread_result(host::SessionHandle session, std::uint64_t token,
                              const host::SendResult& result) noexcept override;
  void on_failover(const host::FailoverNotice& notice) noexcept override;
  void on_event(const host::Event& event) noexcept override;
  void on_turn_end() noexcept override;

  /// Events wake its first worker from now on. Null: they wait for deliver_events().
  void set_engine(engine::Engine* engine) noexcept {
    // Released, so that a thread that reads it sees the engine whole.
    engine_.store(engine, std::memory_order_release);
  }

  /// The Python object of a session, and what its messages are read with. With the GIL.
  void attach(host::SessionHandle session, nanobind::object object, nanobind::object codec);
  void detach(const std::string& name);

  /// With the GIL.
  void deliver_events() noexcept;

  /// The engine's threads have ended. Not with the GIL.
  void end() noexcept;

  /// Lets every object of Python's go. With the GIL.
  void forget();

  [[nodiscard]] Place place_of(host::SessionHandle session) const noexcept;

  /// True in any callback of this engine.
  [[nodiscard]] bool calls_here() const noexcept;

 private:
  struct Attached {
    nanobind::object session;
    nanobind::object codec;
  };

  struct WaitingEvent {
    host::Event::Severity severity;
    std::string session;
    std::string text;
    std::string code;
  };

  [[nodiscard]] ThreadTurn& turn();
  [[nodiscard]] ThreadTurn& turn_of(host::SessionHandle session);
  void add(Happening::Kind kind, host::SessionHandle session, std::string_view text = {});
  void deliver_all(ThreadTurn& turn) noexcept;
  void deliver(ThreadTurn& turn, const Happening& happening, std::string_view text) noexcept;
  void deliver_message(ThreadTurn& turn, const Attached& attached, const Happening& happening,
                       std::string_view bytes);
  void deliver_other(const Happening& happening, std::string_view text);
  void report_failure(nanobind::handle session, const nanobind::python_error& error) noexcept;

  nanobind::object python_;
  nanobind::object happened_;  // Its method.
  nanobind::object on_message_;
  const Finishing finishing_;
  std::set<std::string, std::less<>> on_callback_threads_;   // Sessions, by name.
  std::unordered_map<std::string_view, Attached> attached_;  // By names that the engine keeps.
  std::atomic<engine::Engine*> engine_{nullptr};
  std::mutex events_mutex_;  // Never held while Python runs.
  std::vector<WaitingEvent> events_;
};

}  // namespace affix::python
