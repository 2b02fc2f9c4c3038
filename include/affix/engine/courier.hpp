// SPDX-License-Identifier: MIT
// How a thread that is not a session's worker sends on it and gives it commands: through a bounded
// queue to the worker, without locks and, while the worker is awake, without a system call.
#pragma once

#include "affix/engine/session_handle.hpp"
#include "affix/session/extra_header_field.hpp"
#include "affix/wire/encoder.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace affix::inline v0::engine {

class CourierDesk;
class CourierQueues;

/// What became of something given to a courier. Whether a session takes it is another question,
/// which the worker answers when it gets there.
enum class HandOver : std::uint8_t {
  Queued,    ///< Its worker has it next, behind what this courier gave it before.
  Full,      ///< The queue to that worker is full: nothing happened, and waiting helps.
  TooLarge,  ///< Beyond CourierOptions::message_bytes: nothing happened.
  Invalid,   ///< It could not be encoded: nothing happened.
};

[[nodiscard]] const char* to_text(HandOver result) noexcept;

struct CourierOptions {
  /// Of each queue, one to each worker. Rounded up to a power of two, and to what
  /// `message_bytes` needs. Memory that is not used is not real.
  std::size_t ring_bytes = 256 * 1024;
  /// Most bytes of one message's body.
  std::size_t message_bytes = 4096;
};

/// Belongs to one thread at a time; made by Engine::open_courier(), given back when destroyed,
/// which must be before the engine is. Moved, not copied. Give each thread its own. What one
/// courier gives to one worker arrives in its order; between couriers there is none.
class Courier {
 public:
  Courier(Courier&& other) noexcept;
  Courier& operator=(Courier&& other) noexcept;
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;
  ~Courier();

  /// Begins a message of `type` for `session`: its body is written into the encoder, which writes
  /// straight into the queue. Keep it on the stack, use nothing else of this courier until
  /// commit(); a message that is never committed leaves no trace. `header` as in
  /// SessionHandle::begin(), 16 fields at most. No allocation, no system call.
  [[nodiscard]] wire::Encoder begin(
      SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header = {}) noexcept {
    return open(session, type, header);
  }

  /// Hands the message over. The worker numbers, stores and sends it in its next turn, and tells
  /// Application::on_courier_result() what became of it, with `token`. When there was no room, the
  /// encoder had none either, and the answer is Full.
  [[nodiscard]] HandOver commit(wire::Encoder& message, std::uint64_t token = 0) noexcept {
    return close(message.error(), message.size(), token);
  }

  /// The same with a generated writer: `auto order = courier.begin<Order>(session);`
  template <typename Writer>
    requires requires { Writer::message_type; }
  [[nodiscard]] Writer begin(SessionHandle session) noexcept {
    return Writer(open(session, Writer::message_type, {}));
  }

  /// A message whose required fields are not all there is Invalid.
  template <typename Writer>
    requires requires(Writer& message) { message.complete(); }
  [[nodiscard]] HandOver commit(Writer& message, std::uint64_t token = 0) noexcept {
    return commit(message.complete(), token);
  }

  // The session's commands, as SessionHandle says of them. Texts of up to message_bytes. A Logon is
  // best answered with the handle that came with it: any other answers the one that was the last
  // when the answer was given, even if it has not been decided about.
  [[nodiscard]] HandOver accept_logon(SessionHandle session) noexcept;
  [[nodiscard]] HandOver refuse_logon(SessionHandle session, std::string_view text) noexcept;
  /// Has the engine answer by the session's own logon_username and logon_password.
  [[nodiscard]] HandOver check_logon(SessionHandle session) noexcept;
  [[nodiscard]] HandOver logout(SessionHandle session, std::string_view text) noexcept;
  [[nodiscard]] HandOver connect(SessionHandle session) noexcept;
  [[nodiscard]] HandOver reset(SessionHandle session) noexcept;
  [[nodiscard]] HandOver test_peer(SessionHandle session) noexcept;

  // For messages that on_message() kept. What this courier gave before to the same worker is
  // carried out before them.
  [[nodiscard]] HandOver finish_message(SessionHandle session, Receipt receipt) noexcept;
  [[nodiscard]] HandOver redeliver(SessionHandle session) noexcept;

  /// Has the worker call `function` with `context`, which may give `session` any command and look
  /// at what is its worker's. It must not throw or block.
  [[nodiscard]] HandOver call(SessionHandle session,
                              void (*function)(SessionHandle session, void* context),
                              void* context) noexcept;

 private:
  friend class CourierDesk;

  Courier(CourierDesk& desk, CourierQueues& queues) noexcept;

  [[nodiscard]] const wire::Encoder& open(
      SessionHandle session, std::string_view type,
      std::span<const session::ExtraHeaderField> header) noexcept;
  [[nodiscard]] HandOver close(wire::EncodeError error, std::size_t size,
                               std::uint64_t token) noexcept;

  CourierDesk* desk_;
  CourierQueues* queues_;
};

}  // namespace affix::inline v0::engine
