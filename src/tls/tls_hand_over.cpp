// SPDX-License-Identifier: MIT
// Moves secured connections to a reactor of another thread: the stream moves unchanged with its
// decrypted bytes, and the socket with the others. Sockets without TLS are shared.
#include "tls/tls_transport.hpp"

#include <cstring>
#include <utility>

namespace affix::inline v0::tls {

std::expected<net::DetachedConnection, base::Error> TlsTransport::release(
    net::ConnectionId connection, std::string_view unconsumed) {
  Secured* const secured = find(connection);
  if (secured == nullptr) {
    return beneath_->release(connection, unconsumed);
  }
  const char* fault = nullptr;
  if (secured->phase != Secured::Phase::Open || secured->due.has(Secured::Due::Failure)) {
    fault = "the connection is not open";
  } else if (unconsumed.size() < secured->plain.size()) {
    fault = "bytes that were received would be lost";
  }
  if (fault != nullptr) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument, fault, "release", "P105"});
  }
  const bool at_hand = input_at_hand_ != nullptr && at_hand_ == connection;
  auto detached = beneath_->release(connection, at_hand ? *input_at_hand_ : std::string_view());
  if (!detached) {
    return detached;
  }
  auto layer = std::make_unique<Detached>();
  layer->stream = std::move(secured->stream);
  layer->plain = unconsumed;
  detached->layer = std::move(layer);
  forget(connection.slot);
  return detached;
}

std::expected<net::ConnectionId, base::Error> TlsTransport::adopt(
    net::DetachedConnection connection) {
  if (connection.layer == nullptr) {
    return beneath_->adopt(std::move(connection));
  }
  // There is no other kind of layer.
  const std::unique_ptr<Detached> layer(static_cast<Detached*>(connection.layer.release()));
  const std::string& plain = layer->plain;
  if (plain.size() >= options_.rx_buffer_capacity) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "more input than rx_buffer_capacity", "adopt", "P105"});
  }
  auto adopted = beneath_->adopt(std::move(connection));
  if (!adopted) {
    return adopted;
  }
  enter(*adopted, Secured::Phase::Open, false);
  Secured& secured = secured_[adopted->slot];
  secured.heard = true;
  secured.stream = std::move(layer->stream);
  if (!plain.empty()) {
    secured.plain.keep(plain.data(), static_cast<std::uint32_t>(plain.size()), plain_blocks_);
    secured.reading = Secured::Reading::Resumed;
  }
  // Before the reactor beneath delivers bytes that were not decrypted, or the end of the stream:
  // the next turn delivers what is decrypted, and resumes beneath.
  if (secured.reading == Secured::Reading::Resumed || secured.stream->has_pending()) {
    static_cast<void>(beneath_->pause_reading(*adopted));
    queue(adopted->slot);
  }
  return adopted;
}

std::expected<net::Socket, base::Error> TlsTransport::share(net::ConnectionId connection) {
  if (find(connection) != nullptr) {
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "the connection speaks TLS, whose keys end with the process",
                                       "share", "P105"});
  }
  return beneath_->share(connection);
}

}  // namespace affix::inline v0::tls
