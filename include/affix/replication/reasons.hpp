// SPDX-License-Identifier: MIT
// Why one node refuses another, and why it ends a connection in order. The values are those on the
// wire.
#pragma once

#include "affix/base/message_code.hpp"

#include <cstdint>

namespace affix::inline v0::replication {

/// Why a node does not accept a connection of another.
enum class Refusal : std::uint8_t {
  None = 0,
  Version = 1,      ///< The nodes have different versions of the protocol.
  Cluster = 2,      ///< The other node belongs to another cluster.
  Node = 3,         ///< It meant another node.
  Group = 4,        ///< This node has nothing to do with that group, at present.
  HigherEpoch = 5,  ///< This node knows a higher epoch of the group: the other one leads no more.
  Workers = 6,      ///< The group's workers are numbered differently here.
  Limit = 7,        ///< Too many connections.
  NotNow = 8,       ///< The copies cannot be kept up at present.
};

/// Why a node ends a connection on purpose. An end without one means that the other died.
enum class Goodbye : std::uint8_t {
  Stopping = 1,  ///< It leaves the group, or ends.
  Behind = 2,    ///< The other did not take in time what was sent: it begins again from history.
  NoSpace = 3,   ///< Its disk is full.
  Damaged = 4,   ///< Bytes that arrived, or those of its copy, are damaged.
  Protocol = 5,  ///< The other broke the protocol.
  Replaced = 6,  ///< A newer connection has taken its place.
  Failed = 7,    ///< Its disk failed.
  Diverged =
      8,  ///< Its copy does not continue what the primary sends: it begins again from history.
};

/// Descriptions; static storage.
[[nodiscard]] const char* to_text(Refusal refusal) noexcept;
/// The code of to_text(refusal) for `affix explain`.
[[nodiscard]] base::MessageCode code_of(Refusal refusal) noexcept;
/// A description for operators; static storage.
[[nodiscard]] const char* to_text(Goodbye goodbye) noexcept;
/// The code of to_text(goodbye) for `affix explain`.
[[nodiscard]] base::MessageCode code_of(Goodbye goodbye) noexcept;

}  // namespace affix::inline v0::replication
