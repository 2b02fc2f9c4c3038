// SPDX-License-Identifier: MIT
// The nodes of a cluster for each other: names, addresses, and who opens connections between them.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"
#include "affix/net/handler.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

namespace affix::inline v0::replication {

/// Maximum bytes of the name of a cluster, a node or a group.
inline constexpr std::size_t name_bytes_max = 64;

/// Maximum standbys of one group: each has a bit in the masks of its Shipper.
inline constexpr std::size_t standbys_max = 16;

/// One process of the engine on one machine.
struct Node {
  std::string name = {};      ///< 1 to name_bytes_max bytes, the same for all nodes of the cluster.
  net::Address address = {};  ///< Where its Standby listens.
};

/// Opens connections for a Shipper or a Standby, so that TLS and socket options are its owner's
/// affair.
class Dialer {
 public:
  Dialer(const Dialer&) = delete;
  Dialer& operator=(const Dialer&) = delete;
  virtual ~Dialer() = default;

  /// Begins to connect, as Reactor::connect() does, on the reactor that the user of this dialer
  /// has. The events of the connection go to that user. An error is tried again later.
  [[nodiscard]] virtual std::expected<net::ConnectionId, base::Error> dial(
      const Node& node, std::int64_t deadline_ns) = 0;

 protected:
  Dialer() = default;
};

}  // namespace affix::inline v0::replication
