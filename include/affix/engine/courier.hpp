// SPDX-License-Identifier: MIT
// Lets a thread other than a session's worker send on the session and give it commands: through a
// bounded queue to the worker, without locks and, while the worker is awake, no system call.
#pragma once

#include "affix/host/session_handle.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/encoder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::engine {

class CourierDesk;
class CourierQueues;

/// Result of passing something to a courier. The session may still refuse it later, when the worker
/// takes it from the queue.
enum class HandOver : std::uint8_t {
  Queued,    ///< The worker executes it after everything that this courier queued before.
  Full,      ///< The queue to that worker is full: nothing happened; retry later.
  TooLarge,  ///< Larger than CourierOptions::message_bytes: nothing happened.
  Invalid,   ///< The encoder refused it: nothing happened.
};

[[nodiscard]] const char* to_text(HandOver result) noexcept;

struct CourierOptions {
  /// Size of each queue, one per worker. Rounded up to a power of two and to the minimum for
  /// `message_bytes`. Unused pages take no physical memory.
  std::size_t ring_bytes = 256 * 1024;
  /// Maximum size of a message body.
  std::size_t message_bytes = 4096;
};

/// Owned by one thread at a time; Engine::open_courier() makes it, and it must be destroyed before
/// the engine. Movable, not copyable. Give each thread its own. Items of one courier to one worker
/// arrive in order; between couriers the order is unspecified.
class Courier {
 public:
  Courier(Courier&& other) noexcept;
  Courier& operator=(Courier&& other) noexcept;
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;
  ~Courier();

  /// Begins a message of `type` for `session`. Write its body into the returned encoder, which
  /// writes directly into the queue. Keep the encoder on the stack and call nothing else of this
  /// courier until commit(); an uncommitted message leaves no trace. `header` as in
  /// SessionHandle::begin(), at most 16 fields. No allocation, no system call.
  [[nodiscard]] wire::Encoder begin(
      host::SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header = {}) noexcept {
    return open(session, type, header);
  }

  /// Queues the message. The worker numbers, stores and sends it in its next turn, and reports the
  /// result with `token` to Application::on_courier_result(). If the queue has no space, the
  /// encoder has none either, and the result is Full.
  [[nodiscard]] HandOver commit(wire::Encoder& message, std::uint64_t token = 0) noexcept {
    return close(message.error(), message.size(), token);
  }

  /// The same with a generated writer: `auto order = courier.begin<Order>(session);`
  template <typename Writer>
    requires requires { Writer::message_type; }
  [[nodiscard]] Writer begin(host::SessionHandle session) noexcept {
    return Writer(open(session, Writer::message_type, {}));
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

  // For messages kept by on_message(). The worker first executes everything that this courier
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
  friend class CourierDesk;

  Courier(CourierDesk& desk, CourierQueues& queues) noexcept;

  [[nodiscard]] const wire::Encoder& open(
      host::SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header) noexcept;
  [[nodiscard]] HandOver close(wire::EncodeError error, std::size_t size,
                               std::uint64_t token) noexcept;

  CourierDesk* desk_;
  CourierQueues* queues_;
};

}  // namespace affix::inline v0::engine
