// SPDX-License-Identifier: MIT
// A server group at the logon gate: its listener, its limits, and its connections before logon.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/config/configuration.hpp"
#include "affix/net/address_set.hpp"
#include "affix/net/reactor.hpp"

#include "engine/address_counts.hpp"
#include "engine/logon_targets.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace affix::inline v0::engine {

/// The gate's thread.
class LogonServer {
 public:
  /// Connections that have not logged on, longest wait first.
  using Queue = std::list<net::ConnectionId>;

  /// Result of admit().
  struct Admission {
    AddressPlace place;
    base::CodedText refusal;  ///< Empty: the connection is counted. Static text.
  };

  LogonServer(const config::ServerSettings& settings, net::ListenerId listener, bool speaks_tls);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] net::ListenerId listener() const noexcept { return listener_; }

  [[nodiscard]] bool speaks_tls() const noexcept { return speaks_tls_; }

  /// The sessions and templates that its peers may name.
  [[nodiscard]] LogonTargets& targets() noexcept { return targets_; }

  /// Takes other limits while it listens. The caller has validated the sets of addresses.
  void take_limits(const config::ServerSettings& settings);

  /// Queues an accepted connection; leave() with the result.
  [[nodiscard]] Queue::iterator enter(net::ConnectionId connection) {
    return queue_.insert(queue_.end(), connection);
  }

  void leave(Queue::iterator place) noexcept { queue_.erase(place); }

  /// More connections wait than are allowed.
  [[nodiscard]] bool is_overfull() const noexcept { return queue_.size() > queue_max_; }

  /// The connection that has waited longest.
  [[nodiscard]] std::optional<net::ConnectionId> longest() const noexcept {
    return queue_.empty() ? std::nullopt : std::optional(queue_.front());
  }

  /// Connections from this address begin with a proxy's header.
  [[nodiscard]] bool is_proxy(const net::Address& peer) const noexcept {
    return proxies_.contains(peer);
  }

  /// Checks that a peer's address is allowed and below the limits, and counts it.
  [[nodiscard]] Admission admit(const net::Address& peer);

  /// Lengthens the listener's pause for a refused connection. Returns its end.
  [[nodiscard]] std::int64_t rest(std::int64_t now_ns) noexcept;

  /// Forgets the connections refused so far.
  void end_rest() noexcept { rests_until_ns_ = 0; }

 private:
  const std::string name_;
  const net::ListenerId listener_;
  const bool speaks_tls_;
  LogonTargets targets_;
  Queue queue_;
  std::size_t queue_max_ = 0;
  std::int64_t rests_until_ns_ = 0;  // After refused connections.
  net::AddressSet allowed_;          // Empty: any address.
  net::AddressSet proxies_;
  AddressCounts::Limits per_address_;
  const std::shared_ptr<AddressCounts> addresses_ = std::make_shared<AddressCounts>();
};

}  // namespace affix::inline v0::engine
