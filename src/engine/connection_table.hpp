// SPDX-License-Identifier: MIT
// The sessions that the connections of a worker's reactor belong to, or wait for.
#pragma once

#include "affix/net/reactor.hpp"

#include "engine/peer_info.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace affix::inline v0::host {
class HostedSession;
}  // namespace affix::inline v0::host

namespace affix::inline v0::engine {

/// Connections of the logon gate are not in the table. One thread.
class ConnectionTable {
 public:
  struct Entry {
    std::uint32_t generation = 0;
    host::HostedSession* session = nullptr;  ///< Null until its Logon is accepted.
    host::HostedSession* wanted = nullptr;   ///< The session its Logon is for, while it has none.
    PeerInfo peer_info{};
  };

  /// For a reactor with that many slots. Allocates; no other function does.
  void open(std::size_t slots) { entries_.resize(slots); }

  /// Null: the connection was never entered, or has been cleared.
  [[nodiscard]] Entry* find(net::ConnectionId connection) noexcept {
    if (connection.slot >= entries_.size() ||
        entries_[connection.slot].generation != connection.generation) {
      return nullptr;
    }
    return &entries_[connection.slot];
  }

  /// A new connection, whose slot may have had another.
  Entry& enter(net::ConnectionId connection) {
    Entry& entry = entries_[connection.slot];
    entry = {};
    entry.generation = connection.generation;
    return entry;
  }

  /// From here on the connection belongs to no session.
  static void clear(Entry& entry) noexcept { entry = {}; }

  /// Drops every reference to the session. Passes connections that wait for it to `refuse`, with
  /// their entries; its own ones have been closed.
  template <typename Refuse>
  void forget(const host::HostedSession& session, const Refuse& refuse) {
    for (std::uint32_t slot = 0; slot < entries_.size(); ++slot) {
      Entry& entry = entries_[slot];
      if (entry.wanted == &session) {
        refuse(net::ConnectionId{slot, entry.generation}, entry);
      }
      if (entry.session == &session) {
        clear(entry);  // The session closed it itself.
      }
    }
  }

 private:
  std::vector<Entry> entries_;  // By the reactor's slot.
};

}  // namespace affix::inline v0::engine
