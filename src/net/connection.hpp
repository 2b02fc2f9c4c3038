// SPDX-License-Identifier: MIT
// What a reactor on the system's sockets knows of one connection and one listener.
// Plain state; the reactor's functions keep its rules.
#pragma once

#include "affix/net/handler.hpp"
#include "affix/net/listener.hpp"
#include "affix/net/socket.hpp"

#include "net/kept_input.hpp"
#include "net/parked_output.hpp"

#include <cstdint>
#include <optional>

namespace affix::inline v0::net {

struct Connection {
  enum class Phase : std::uint8_t {
    Free,        ///< The slot is unused.
    Connecting,  ///< Deadline: give up.
    Open,        ///< Bytes flow; no deadline.
    Flushing,    ///< No input is wanted, parked output is still to be sent. Deadline: give up.
    Lingering,   ///< Our stream is ended, the peer's is awaited. Deadline: close all the same.
  };

  Socket socket;
  std::uint32_t generation = 1;
  std::uint32_t armed = 0;  ///< What epoll watches for.
  Phase phase = Phase::Free;
  bool registered = false;  ///< Known to epoll.
  bool quick_ack = false;
  bool stamped = false;       ///< The kernel tells when bytes arrived.
  bool paused = false;        ///< The owner wants no input.
  bool input_ended = false;   ///< The peer's stream has ended, and output is still being flushed.
  bool told_closed = false;   ///< The owner believes it gone; only parked output is left of it.
  bool broken = false;        ///< A send failed: input is read out, then it ends for `end_reason`.
  bool connect_done = false;  ///< connect() answered at once, with `end_error` or success.
  bool redeliver = false;     ///< Reading was resumed with bytes left unconsumed.
  bool told_parked = false;   ///< The owner waits to hear that all parked output has gone.
  bool queued = false;        ///< Its slot is in the list of things to do at the next turn.
  CloseReason end_reason = CloseReason::Failed;
  int end_error = 0;
  std::uint32_t used_position = 0;  ///< In the list of slots in use.
  std::int64_t received_ns = 0;     ///< UTC, of the newest bytes read; 0: not told.
  KeptInput input;                  ///< Unconsumed.
  ParkedOutput output;
};

struct ListenerSlot {
  std::optional<Listener> listener;
  std::uint32_t generation = 1;
  bool watched = false;  ///< Known to the kernel.
  bool resting = false;  ///< No peers are accepted.
  bool told = false;  ///< The owner knows of this rest; it is not over before a peer was accepted.
  bool needs_slot = false;    ///< It rests until a slot is free, and not until `retry_ns`.
  std::int64_t retry_ns = 0;  ///< When it rests for another reason.
};

}  // namespace affix::inline v0::net
