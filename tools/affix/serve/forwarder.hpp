// SPDX-License-Identifier: MIT
// Application messages sent on from one session to another, and what is known of those that are not
// dealt with yet.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/session_handle.hpp"
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

/// Keeps messages that a session does not take for the time being, in order and within a bound,
/// until it does. A message that waits so, or whose outcome is open for another reason, is not
/// noted as dealt with in its journal before it has one.
///
/// What it knows about a session hangs on the session's user pointer, which nobody else may use.
/// Sender and receiver of a message are sessions of one worker; different workers may forward at
/// the same time. No allocation for a message that goes out at once.
class Forwarder {
 public:
  static constexpr std::size_t waiting_bytes_max = std::size_t{64} << 20;  ///< For each session.

  enum class Outcome : std::uint8_t {
    Sent,     ///< Or numbered and stored for the next logon.
    Waiting,  ///< Goes out with on_room().
    Away,     ///< The session is not logged on, or stopped; nothing goes out.
    Refused,  ///< The session cannot send it at all; nothing goes out.
    Full,     ///< waiting_bytes_max are waiting; nothing goes out.
  };

  /// Where a message that waits came from.
  struct Origin {
    engine::SessionHandle from;
    std::uint64_t sequence = 0;  ///< Its number from there.
    engine::Receipt receipt;
  };

  /// A message that its receiver has been handed and has not dealt with.
  struct Kept {
    std::vector<engine::SessionHandle> served;  ///< Those it was sent on to, or waits for.
    std::size_t waiting = 0;                    ///< Copies that wait for room.
    bool open = false;      ///< When it comes again there is something to be done about it.
    bool given_up = false;  ///< It is not to wait for a session that is away.
  };

  /// What is known about one session.
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

    engine::SessionHandle session;
    std::deque<Copy> copies;               ///< For it.
    std::size_t bytes = 0;                 ///< Of those.
    std::map<engine::Receipt, Kept> kept;  ///< That it received.
    std::unique_ptr<EarlierRun> earlier;   ///< When some of an earlier run came again.
    std::int64_t patient_until_ns = 0;     ///< Steady; 0: nothing waits for sessions that are away.

    [[nodiscard]] bool has_open() const noexcept;
  };

  explicit Forwarder(std::size_t bytes_max = waiting_bytes_max) noexcept : bytes_max_(bytes_max) {}

  /// Sends `message`, which `from` received as `delivery` says, on `to`.
  Outcome forward(engine::SessionHandle from, const ForwardedMessage& message,
                  const engine::Delivery& delivery, engine::SessionHandle to);

  /// Null: nothing was ever kept for the session or of it.
  [[nodiscard]] static State* find_state(engine::SessionHandle session) noexcept {
    return static_cast<State*>(session.user());
  }

  /// Made if need be.
  [[nodiscard]] State& state_of(engine::SessionHandle session);

  /// The session may take messages again: sends what waits for it, and notes in the senders'
  /// journals what was dealt with by that. What it refused for good is open again, and returned.
  std::vector<Origin> on_room(engine::SessionHandle to);

  /// What waits for the session is not sent by this any more, is open again, and returned.
  std::vector<Origin> drop(engine::SessionHandle to);

  /// The session is about to be no more: nothing that came from it is sent any more, and nothing is
  /// known about it.
  void forget(engine::SessionHandle session);

  /// Calls `function` with the state of each session of `worker`.
  template <typename Function>
  void for_each(std::size_t worker, Function function) {
    for (State* const state : states_of(worker)) {
      function(*state);
    }
  }

 private:
  static engine::SendStatus send(const ForwardedMessage& message, engine::SessionHandle to);
  static void reopen(const Origin& origin, engine::SessionHandle to);
  static void settle(const Origin& origin);
  [[nodiscard]] std::vector<State*> states_of(std::size_t worker);

  std::size_t bytes_max_;
  std::mutex mutex_;  // Of states_ alone: a state itself is its worker's.
  std::unordered_map<const void*, std::unique_ptr<State>> states_;
};

[[nodiscard]] const char* to_text(Forwarder::Outcome outcome) noexcept;

}  // namespace affix::inline v0::tools::serve
