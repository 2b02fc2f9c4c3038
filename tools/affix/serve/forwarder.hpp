// SPDX-License-Identifier: MIT
// Forwards application messages from one session to another, and tracks those that are not
// processed yet.
#pragma once

#include "affix/host/application.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/session/extra_header_field.hpp"

#include "serve/earlier_run.hpp"
#include "serve/forwarded_message.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::tools::serve {

/// Keeps messages that a session cannot take at present, in order and up to a limit, until it can.
/// Such a message, or one whose outcome is open for another reason, is not marked as processed in
/// its journal before it has an outcome.
///
/// The state of a session is stored in its user pointer, which no other code may use. Sender and
/// receiver of a message are sessions of one worker; different workers may forward at the same
/// time. A message that is sent at once costs no allocation.
class Forwarder {
 public:
  static constexpr std::size_t waiting_bytes_max = std::size_t{64} << 20;  ///< For each session.

  enum class Outcome : std::uint8_t {
    Sent,     ///< Sent, or numbered and stored for the next logon.
    Waiting,  ///< Will be sent by on_room().
    Away,     ///< The session is not logged on, or stopped; nothing is sent.
    Refused,  ///< The session cannot send it at all; nothing is sent.
    Full,     ///< waiting_bytes_max are waiting; nothing is sent.
  };

  /// Source of a waiting message.
  struct Origin {
    host::SessionHandle from;
    std::uint64_t sequence = 0;  ///< Its number on that session.
    host::Receipt receipt;
  };

  /// A received message that is not marked as processed yet.
  struct Kept {
    std::vector<host::SessionHandle> served;  ///< Sessions that it was forwarded to, or that it
                                              ///< waits for.
    std::size_t waiting = 0;                  ///< Number of copies that wait for room.
    std::size_t lines = 0;  ///< Number of lines about it that the log has not passed on yet.
    bool open = false;      ///< True if something remains to be done when it is redelivered.
    bool given_up = false;  ///< True if it must not wait for a session that is away.
  };

  /// A message whose failure the log has to pass on before it is processed.
  struct Logged {
    host::Receipt receipt;
    std::uint64_t position = 0;  ///< Of the log, after the message's line.
  };

  /// State of one session.
  struct State {
    struct HeaderCopy {
      std::uint32_t tag = 0;
      std::string value;
    };

    struct Copy {
      Origin origin;
      std::string type;
      std::string body;
      std::vector<HeaderCopy> header;

      [[nodiscard]] std::size_t bytes() const noexcept { return type.size() + body.size(); }
    };

    host::SessionHandle session;
    std::deque<Copy> copies;              ///< Waiting for it.
    std::size_t bytes = 0;                ///< Their total size.
    std::map<host::Receipt, Kept> kept;   ///< Received by it.
    std::deque<Logged> logged;            ///< Received by it, in the order of their lines.
    std::unique_ptr<EarlierRun> earlier;  ///< Set when messages of an earlier run are redelivered.
    std::int64_t patient_until_ns = 0;    ///< Steady time; 0: nothing waits for sessions that are
                                          ///< away.

    [[nodiscard]] bool has_open() const noexcept;
  };

  explicit Forwarder(std::size_t bytes_max = waiting_bytes_max) noexcept : bytes_max_(bytes_max) {}

  /// Sends `message`, received by `from` with `delivery`, on `to`.
  Outcome forward(host::SessionHandle from, const ForwardedMessage& message,
                  const host::Delivery& delivery, host::SessionHandle to);

  /// Null: nothing was ever kept for the session or received by it.
  [[nodiscard]] static State* find_state(host::SessionHandle session) noexcept {
    return static_cast<State*>(session.user());
  }

  /// Creates the state if necessary.
  [[nodiscard]] State& state_of(host::SessionHandle session);

  /// The session can take messages again: sends those that wait for it, and marks processed ones in
  /// the senders' journals. Returns those that it refused for good, which are open again.
  std::vector<Origin> on_room(host::SessionHandle to);

  /// The log has passed on the line of the session's oldest logged message: marks the message as
  /// processed, unless it has another outcome to wait for.
  static void settle_logged(State& state);

  /// Drops the messages that wait for the session and returns them; they are open again.
  std::vector<Origin> drop(host::SessionHandle to);

  /// The session is about to be removed: drops its waiting messages and its state.
  void forget(host::SessionHandle session);

  /// Calls `function` with the state of each session of `worker`.
  template <typename Function>
  void for_each(std::size_t worker, Function function) {
    for (State* const state : states_of(worker)) {
      function(*state);
    }
  }

 private:
  static host::SendStatus send(const ForwardedMessage& message, host::SessionHandle to);
  static void reopen(const Origin& origin, host::SessionHandle to);
  static void settle(const Origin& origin);
  static void settle_if_done(State& state, host::Receipt receipt);
  [[nodiscard]] std::vector<State*> states_of(std::size_t worker);

  std::size_t bytes_max_;
  std::mutex mutex_;  // Guards only states_: a state itself belongs to its worker.
  std::unordered_map<const void*, std::unique_ptr<State>> states_;
};

[[nodiscard]] const char* to_text(Forwarder::Outcome outcome) noexcept;

}  // namespace affix::inline v0::tools::serve
