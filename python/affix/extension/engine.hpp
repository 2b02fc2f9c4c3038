// SPDX-License-Identifier: MIT
// An engine for a loop of Python's: turns, what they brought, and commands.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/host/application.hpp"

#include "collection.hpp"

#include <cstdint>
#include <memory>
#include <nanobind/nanobind.h>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace affix::python {

/// Collects what a turn brings into a list: messages, and tuples of everything else. Python's code
/// runs after the turn, so it gives commands as between turns.
class Collector final : public host::Application {
 public:
  /// `codecs` by the session's name; `keeps`: messages are unprocessed until finish(). `hooks` is
  /// None, or an object that sees session messages: see intercept.cpp.
  Collector(nanobind::dict codecs, nanobind::object codec, bool keeps, nanobind::object hooks)
      : codecs_(std::move(codecs)),
        codec_(std::move(codec)),
        keeps_(keeps),
        hooks_(std::move(hooks)) {}

  void on_message(host::SessionHandle session, const wire::MessageView& message,
                  const host::Delivery& delivery) noexcept override;
  void on_logon(host::SessionHandle session) noexcept override;
  void on_logout(host::SessionHandle session, std::string_view reason) noexcept override;
  void on_output_room(host::SessionHandle session) noexcept override;
  void on_cancel_orders(host::SessionHandle session) noexcept override;
  void on_session_added(host::SessionHandle session) noexcept override;
  void on_session_removed(host::SessionHandle session) noexcept override;
  void on_wake() noexcept override;
  void on_event(const host::Event& event) noexcept override;

  // intercept.cpp: with hooks only.
  [[nodiscard]] host::LogonAnswer on_logon_request(
      host::SessionHandle session, const wire::MessageView& logon) noexcept override;
  [[nodiscard]] host::LogonAnswer on_logon_answer(host::SessionHandle session,
                                                  const wire::MessageView& logon) noexcept override;
  void on_admin(host::SessionHandle session, const wire::MessageView& message) noexcept override;
  void before_admin_send(host::SessionHandle session, std::string_view type,
                         wire::Encoder& message) noexcept override;
  [[nodiscard]] host::ResendDecision before_resend(
      host::SessionHandle session, const wire::MessageView& stored) noexcept override;

  /// The arrivals since the last call; None for nothing. Throws what went wrong meanwhile.
  [[nodiscard]] nanobind::object take();

  /// The Python object of each session, by name.
  nanobind::dict sessions;

 private:
  /// Runs Python's code, and keeps what it raises for take(): a callback must not throw.
  template <typename Run>
  void guarded(Run run) noexcept;
  template <typename Make>
  void collect(Make make) noexcept;
  host::LogonAnswer collect_logon(host::SessionHandle session,
                                  const wire::MessageView& logon) noexcept;
  void collect_event(const char* kind, host::SessionHandle session,
                     std::string_view text = {}) noexcept;

  nanobind::dict codecs_;
  nanobind::object codec_;
  const bool keeps_;
  nanobind::object hooks_;
  nanobind::object collected_;  // A list, if anything came.
  std::unique_ptr<nanobind::python_error> failed_;
};

/// All of it on the thread that opened it, or adopted it last.
class PythonEngine {
 public:
  PythonEngine(const config::Configuration& configuration, nanobind::dict codecs,
               nanobind::object codec, bool keeps, nanobind::object hooks);

  /// Gives the engine to the calling thread. The program's own lock keeps all others out meanwhile.
  void adopt() noexcept { thread_ = std::this_thread::get_id(); }

  /// For poll(0) on the loop's thread; returns what came.
  [[nodiscard]] nanobind::object turn();

  [[nodiscard]] int descriptor();

  /// Seconds for which the loop goes on without waiting after a turn that brought something, as
  /// wait_mode and spin_microseconds of all groups say: infinite for SPIN, 0 for BLOCK.
  [[nodiscard]] double spin_seconds() const noexcept { return spin_seconds_; }

  void attach(const std::string& name, nanobind::object session);
  [[nodiscard]] std::vector<std::string> session_names() const;
  [[nodiscard]] std::vector<std::pair<std::string, int>> addresses() const;

  /// Begins to log everybody out.
  void finish(const std::string& text);
  [[nodiscard]] bool all_down() const;
  void close();

  /// For the child of a fork: forgets the engine, whose connections and journals are the parent's.
  void abandon() noexcept { static_cast<void>(engine_.release()); }

  void wake() { live_unchecked().wake(); }

  [[nodiscard]] host::SessionHandle session(const std::string& name) const;

  /// Throws from another thread, and after close().
  [[nodiscard]] engine::Engine& live() const;

 private:
  [[nodiscard]] engine::Engine& live_unchecked() const;

  Collector collector_;  // Outlives the engine.
  double spin_seconds_;
  std::unique_ptr<engine::Engine> engine_;
  std::thread::id thread_ = std::this_thread::get_id();
};

/// See Collector::guarded().
template <typename Run>
void Collector::guarded(Run run) noexcept {
  try {
    run();
  } catch (nanobind::python_error& error) {
    failed_ = std::make_unique<nanobind::python_error>(std::move(error));
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
    failed_ = std::make_unique<nanobind::python_error>();
  }
}

template <typename Make>
void Collector::collect(Make make) noexcept {
  guarded([&] {
    // It runs no program's code, which could give commands where the engine takes none.
    const NoCollection quiet;
    if (!collected_.is_valid()) {
      collected_ = nanobind::list();
    }
    nanobind::borrow<nanobind::list>(collected_).append(make());
  });
}

/// Sends a message of `type` with these fields.
[[nodiscard]] host::SendResult commit_body(host::SessionHandle session, std::string_view type,
                                           std::string_view body);

void bind_engine(nanobind::module_& module);

/// Commands beside those of a loop: of an operator, and answers to messages that hooks have seen.
void bind_session_commands(nanobind::class_<PythonEngine>& engine);

}  // namespace affix::python
