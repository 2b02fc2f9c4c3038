// SPDX-License-Identifier: MIT
// Lets a thread other than a session's worker send on the session and give it commands: through a
// bounded queue to the worker, without locks and, while the worker is awake, no system call.
#pragma once

#include "affix/engine/hand_over.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/encoder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::engine {

class CrossThreadQueues;

/// Owned by one thread at a time; Engine::open_cross_thread_sender() makes it, and it must be
/// destroyed before the engine. Movable, not copyable. Give each thread its own. Items of one
/// sender to one worker arrive in order; between senders the order is unspecified.
class CrossThreadSender {
 public:
  CrossThreadSender(CrossThreadSender&& other) noexcept;
  CrossThreadSender& operator=(CrossThreadSender&& other) noexcept;
  CrossThreadSender(const CrossThreadSender&) = delete;
  CrossThreadSender& operator=(const CrossThreadSender&) = delete;
  ~CrossThreadSender();

  /// Begins a message of `type` for `session`. Write its body into the returned encoder, which
  /// writes directly into the queue. Keep the encoder on the stack and call nothing else of this
  /// sender until commit(); an uncommitted message leaves no trace. `header` as in
  /// SessionHandle::begin(), at most 16 fields. No allocation, no system call.
  [[nodiscard]] wire::Encoder begin(
      host::SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header = {}) noexcept {
    return begin_message(session, type, header);
  }

  /// Queues the message. The worker numbers, stores and sends it in its next turn, and reports the
  /// result with `token` to Application::on_cross_thread_result(). If the queue has no space, the
  /// encoder has none either, and the result is Full.
  [[nodiscard]] HandOver commit(wire::Encoder& message, std::uint64_t token = 0) noexcept {
    return commit_message(message.error(), message.size(), token);
  }

  /// The same with a generated writer: `auto order = sender.begin<Order>(session);`
  template <typename Writer>
    requires requires { Writer::message_type; }
  [[nodiscard]] Writer begin(host::SessionHandle session) noexcept {
    return Writer(begin_message(session, Writer::message_type, {}));
  }

  /// Returns Invalid if a required field is missing.
  template <typename Writer>
    requires requires(Writer& message) { message.complete(); }
  [[nodiscard]] HandOver commit(Writer& message, std::uint64_t token = 0) noexcept {
    return commit(message.complete(), token);
  }

  // The session's commands, as in SessionHandle. Texts of up to message_bytes. Answer a Logon with
  // the handle passed in its callback: any other handle answers the latest Logon at the time of the
  // answer, even if the application has not judged it yet.
  [[nodiscard]] HandOver accept_logon(host::SessionHandle session) noexcept;
  [[nodiscard]] HandOver refuse_logon(host::SessionHandle session, std::string_view text) noexcept;
  /// Lets the engine decide by the session's logon_username and logon_password.
  [[nodiscard]] HandOver check_logon(host::SessionHandle session) noexcept;
  [[nodiscard]] HandOver logout(host::SessionHandle session, std::string_view text) noexcept;
  [[nodiscard]] HandOver connect(host::SessionHandle session) noexcept;
  [[nodiscard]] HandOver reset(host::SessionHandle session) noexcept;
  [[nodiscard]] HandOver test_peer(host::SessionHandle session) noexcept;

  // For messages kept by on_message(). The worker first executes everything that this sender
  // queued to it before.
  [[nodiscard]] HandOver finish_message(host::SessionHandle session,
                                        host::Receipt receipt) noexcept;
  [[nodiscard]] HandOver redeliver(host::SessionHandle session) noexcept;

  /// Makes the worker call `function` with `context`, on the worker's thread. It may give `session`
  /// any command and read its worker's state. It must not throw or block.
  [[nodiscard]] HandOver call(host::SessionHandle session,
                              void (*function)(host::SessionHandle session, void* context),
                              void* context) noexcept;

 private:
  friend class CrossThreadSenders;

  /// `queues` are this sender's until it gives them back.
  explicit CrossThreadSender(CrossThreadQueues& queues) noexcept : queues_(&queues) {}

  [[nodiscard]] const wire::Encoder& begin_message(
      host::SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header) noexcept;
  [[nodiscard]] HandOver commit_message(wire::EncodeError error, std::size_t size,
                                        std::uint64_t token) noexcept;

  CrossThreadQueues* queues_;  // Null after a move.
};

}  // namespace affix::inline v0::engine
