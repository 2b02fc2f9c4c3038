// SPDX-License-Identifier: MIT
// A socket reactor's state of one connection and of one listener. Plain data; the reactor's
// functions keep its invariants.
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
    Connecting,  ///< Deadline: gives up.
    Open,        ///< Bytes flow; no deadline.
    Flushing,    ///< Discards input; parked output is still to be sent. Deadline: gives up.
    Lingering,   ///< Our stream has ended; waits for the end of the peer's. Deadline: closes
                 ///< anyway.
  };

  Socket socket;
  std::uint32_t generation = 1;
  std::uint32_t armed = 0;  ///< Events that the kernel is asked for.
  Phase phase = Phase::Free;
  bool registered = false;  ///< The kernel is asked for its events.
  bool quick_ack = false;
  bool stamped = false;           ///< The kernel reports arrival times.
  bool transmit_stamped = false;  ///< The kernel reports when output has left.
  bool shared = false;            ///< A duplicate of the socket would keep the connection open.
  bool paused = false;            ///< The owner wants no input.
  bool input_ended = false;       ///< The peer's stream has ended; output is still being flushed.
  bool end_reported = false;      ///< The owner has seen the end; only parked output is left.
  bool broken = false;        ///< A send failed: input is read out, then it ends for `end_reason`.
  bool connect_done = false;  ///< connect() answered at once, with `end_error` or success.
  bool redeliver = false;     ///< Reading was resumed with bytes left unconsumed.
  bool awaits_drained = false;  ///< The owner waits for on_drained().
  bool queued = false;          ///< Its slot is in the list of work for the next turn.
  CloseReason end_reason = CloseReason::Failed;
  int end_error = 0;
  std::uint32_t used_position = 0;         ///< In the list of used slots.
  std::int64_t received_ns = 0;            ///< UTC, of the newest bytes read; 0: not reported.
  std::uint64_t output_position = 0;       ///< Bytes of output accepted so far.
  std::uint64_t transmitted_position = 0;  ///< Of these, bytes known to have left.
  KeptInput input;                         ///< Unconsumed.
  ParkedOutput output;
};

struct ListenerSlot {
  std::optional<Listener> listener;
  std::uint32_t generation = 1;
  bool watched = false;   ///< Known to the kernel.
  bool resting = false;   ///< No peers are accepted.
  bool reported = false;  ///< The owner knows of this pause, which lasts until a peer was accepted.
  bool needs_slot = false;    ///< It pauses until a slot is free, and not until `retry_ns`.
  std::int64_t retry_ns = 0;  ///< End of a pause for another reason.
};

}  // namespace affix::inline v0::net
