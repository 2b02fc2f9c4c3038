// SPDX-License-Identifier: MIT
// An engine for a loop of Python's: turns, what they brought, and commands.
#pragma once

#include "affix/engine/engine.hpp"
#include "affix/host/application.hpp"

#include <cstdint>
#include <memory>
#include <nanobind/nanobind.h>
#include <string>
#include <thread>
#include <vector>

namespace affix::python {

/// Collects what a turn brings into a list: messages, and tuples of everything else. Python's code
/// runs after the turn, so it gives commands as between turns.
class Collector final : public host::Application {
 public:
  /// `codecs` by the session's name; `keeps`: messages are unprocessed until finish().
  Collector(nanobind::dict codecs, nanobind::object codec, bool keeps)
      : codecs_(std::move(codecs)), codec_(std::move(codec)), keeps_(keeps) {}

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

  /// What has come since the last call; None for nothing. Throws what went wrong meanwhile.
  [[nodiscard]] nanobind::object take();

  /// The Python object of each session, by name.
  nanobind::dict sessions;

 private:
  template <typename Make>
  void collect(Make make) noexcept;
  void collect_event(const char* kind, host::SessionHandle session,
                     std::string_view text = {}) noexcept;

  nanobind::dict codecs_;
  nanobind::object codec_;
  const bool keeps_;
  nanobind::object collected_;  // A list, if anything came.
  std::unique_ptr<nanobind::python_error> failed_;
};

/// All of it on the thread that opened it.
class PythonEngine {
 public:
  PythonEngine(const config::Configuration& configuration, nanobind::dict codecs,
               nanobind::object codec, bool keeps);

  /// For poll(0) on the loop's thread; returns what came.
  [[nodiscard]] nanobind::object turn();

  [[nodiscard]] int descriptor();
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
  std::unique_ptr<engine::Engine> engine_;
  std::thread::id thread_ = std::this_thread::get_id();
};

/// Sends a message of `type` with these fields.
[[nodiscard]] host::SendResult commit_body(host::SessionHandle session, std::string_view type,
                                           std::string_view body);

void bind_engine(nanobind::module_& module);

}  // namespace affix::python
