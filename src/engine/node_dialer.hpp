// SPDX-License-Identifier: MIT
// Opens connections from this node to others of its cluster, on one reactor.
#pragma once

#include "affix/net/reactor.hpp"
#include "affix/replication/node.hpp"
#include "affix/tls/tls_reactor.hpp"

#include <memory>
#include <utility>

namespace affix::inline v0::engine {

/// The reactor outlives it, and its thread is the only one to dial.
class NodeDialer final : public replication::Dialer {
 public:
  explicit NodeDialer(net::Reactor& reactor) noexcept : reactor_(reactor) {}

  /// With TLS: `tls` is the reactor. A null endpoint: in plain text.
  NodeDialer(tls::TlsReactor& tls, std::shared_ptr<const tls::TlsEndpoint> endpoint) noexcept
      : reactor_(tls), tls_(&tls), endpoint_(std::move(endpoint)) {}

  [[nodiscard]] std::expected<net::ConnectionId, base::Error> dial(
      const replication::Node& node, std::int64_t deadline_ns) override {
    return endpoint_ != nullptr
               ? tls_->connect_tls(node.address, net::SocketOptions{}, deadline_ns, endpoint_)
               : reactor_.connect(node.address, net::SocketOptions{}, deadline_ns);
  }

 private:
  net::Reactor& reactor_;
  tls::TlsReactor* tls_ = nullptr;
  std::shared_ptr<const tls::TlsEndpoint> endpoint_{};
};

}  // namespace affix::inline v0::engine
