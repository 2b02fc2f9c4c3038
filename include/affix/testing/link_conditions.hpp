// SPDX-License-Identifier: MIT
// Names of a virtual network's nodes and links, and the links' properties.
#pragma once

#include "affix/base/time.hpp"
#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>

namespace affix::inline v0::testing {

/// Properties of links. May be changed at any time, for bytes sent afterwards.
struct LinkConditions {
  std::int64_t delay_ns = 100 * base::ns_per_us;  ///< One way.
  std::int64_t jitter_ns = 0;                     ///< Maximum additional delay; keeps order.
  /// A read returns 1 to this many bytes, at random; 0: all.
  std::uint32_t piece_bytes_max = 0;
  /// Bytes that a direction holds, in transit and unread, before its sender is blocked.
  std::size_t window_bytes = 256 * 1024;
};

/// A machine on the network: one process at a time, with its own UTC clock.
enum class NodeId : std::uint32_t {};

/// Identifies a connection between two nodes; never reused.
enum class LinkId : std::uint64_t {};

/// The nodes of a link.
struct LinkEnds {
  NodeId connector{};     ///< Which dialed.
  NodeId acceptor{};      ///< Which listened.
  net::Address dialer{};  ///< The connector's address, as the acceptor sees it.
};

}  // namespace affix::inline v0::testing
