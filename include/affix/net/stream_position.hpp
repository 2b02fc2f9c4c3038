// SPDX-License-Identifier: MIT
// How far both streams of a TCP connection are, asked from the kernel: for a process that continues
// a connection of one that died. Moves no bytes.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>

namespace affix::inline v0::net {

/// The end that opened a connection. The kernel does not tell it, and counts one byte more for a
/// socket that connected.
enum class Opened : std::uint8_t {
  Here,    ///< This socket was connected, by connect().
  ByPeer,  ///< It was accepted from a listener.
};

/// Bytes of the application since the connection began; the ends of the streams do not count.
struct StreamPosition {
  std::uint64_t written = 0;  ///< The kernel has taken them for sending; the peer may lack some.
  std::uint64_t read = 0;     ///< Reads have taken them out of the kernel.
  std::uint32_t unsent = 0;   ///< Part of `written` that the peer has not acknowledged.
  std::uint32_t unread = 0;   ///< Waits in the kernel for the next reads, beyond `read`.
  bool input_ended = false;   ///< The peer has ended its stream, after the unread bytes.
  bool output_ended = false;  ///< shutdown() has ended ours: nothing more can be written.
  /// The connection is over: reset, timed out, or ended by both sides. `input_ended` and
  /// `output_ended` are false then, and each position may be one too high.
  bool closed = false;
};

/// Asks for the position of a connected TCP socket; `descriptor` remains the caller's. Exact while
/// nobody else reads and writes, even if the peer does; an urgent byte counts as read once reads
/// have passed it, and the positions are too high before that, unless SO_OOBINLINE is set, as by
/// Reactor::share(). A few system calls, any thread. InvalidArgument: it listens, or is not
/// connected yet. Io: it is no TCP socket, or its streams move without pause. Unsupported: the
/// kernel does not count.
[[nodiscard]] std::expected<StreamPosition, base::Error> stream_position(int descriptor,
                                                                         Opened opened);

}  // namespace affix::inline v0::net
