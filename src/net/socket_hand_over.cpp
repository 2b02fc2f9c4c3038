// SPDX-License-Identifier: MIT
// Moves connections between reactors, adopts sockets from elsewhere, and duplicates them.
#include "net/socket_reactor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::net {

namespace {

std::expected<Socket, base::Error> duplicate_of(const Socket& socket) {
  Socket duplicate(::fcntl(socket.fd(), F_DUPFD_CLOEXEC, 0));
  if (!duplicate.is_open()) {
    return std::unexpected(base::make_system_error("fcntl", errno, "share"));
  }
  return duplicate;
}

}  // namespace

std::expected<DetachedConnection, base::Error> SocketReactor::release(ConnectionId connection,
                                                                      std::string_view unconsumed) {
  Connection* const found = find(connection);
  const char* fault = nullptr;
  if (found == nullptr || found->phase != Connection::Phase::Open) {
    fault = "the connection is not open";
  } else if (!found->output.empty() || found->broken) {
    fault = "output is parked, or could not be sent";
  } else if (connection != delivering_ && unconsumed.size() < found->input.size()) {
    // In on_bytes(), the bytes kept before are part of those delivered, and the handler may just
    // have consumed them.
    fault = "bytes that were received would be lost";
  }
  if (fault != nullptr) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument, fault, "release", "P105"});
  }
  DetachedConnection detached;
  detached.quick_ack = found->quick_ack;
  detached.stamped = found->stamped;
  detached.transmit_stamped = found->transmit_stamped;
  detached.output_position = found->output_position;
  detached.transmitted_position = found->transmitted_position;
  detached.shared = std::exchange(found->shared, false);  // Leaving does not end it.
  detached.input = unconsumed;
  detached.received_ns = found->received_ns;
  // Deregister first: the descriptor stays open, and another thread's reactor registers it
  // next.
  unwatch(connection.slot);
  detached.socket = std::move(found->socket);
  free_slot(connection.slot);
  return detached;
}

std::expected<ConnectionId, base::Error> SocketReactor::adopt(DetachedConnection connection) {
  auto adopted = take_over(connection);
  if (!adopted && connection.shared && connection.socket.is_open()) {
    static_cast<void>(::shutdown(connection.socket.fd(), SHUT_RDWR));
  }
  return adopted;
}

// Leaves the socket in `connection` if it refuses.
std::expected<ConnectionId, base::Error> SocketReactor::take_over(DetachedConnection& connection) {
  if (connection.layer != nullptr) {
    return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                       "the connection speaks TLS, and this reactor does not",
                                       "adopt", "P105"});
  }
  if (free_.empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "connections_max is met", "adopt", "E117"});
  }
  if (connection.input.size() >= options_.rx_buffer_capacity) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "more input than rx_buffer_capacity", "adopt", "P105"});
  }
  const int flags = ::fcntl(connection.socket.fd(), F_GETFL);
  if (flags < 0 || ::fcntl(connection.socket.fd(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return std::unexpected(base::make_system_error("fcntl", errno, "adopt"));
  }
  const std::uint32_t slot =
      take_slot(std::move(connection.socket), connection.quick_ack, connection.stamped);
  connections_[slot].phase = Connection::Phase::Open;
  connections_[slot].received_ns = connection.received_ns;
  connections_[slot].transmit_stamped = connection.transmit_stamped;
  connections_[slot].output_position = connection.output_position;
  connections_[slot].transmitted_position = connection.transmitted_position;
  connections_[slot].shared = connection.shared;
  if (!watch(slot)) {
    const int error_number = errno;
    free_slot(slot);
    return std::unexpected(base::make_system_error("watching a connection", error_number, "adopt"));
  }
  if (!connection.input.empty()) {
    // As if reading had been paused with these bytes left: the next turn delivers them.
    connections_[slot].input.keep(connection.input.data(),
                                  static_cast<std::uint32_t>(connection.input.size()),
                                  input_blocks_);
    connections_[slot].redeliver = true;
    queue(slot);
  }
  return id_of(slot);
}

std::expected<Socket, base::Error> SocketReactor::share(ConnectionId connection) {
  Connection* const found = find(connection);
  if (found == nullptr || found->phase != Connection::Phase::Open || found->broken) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "the connection is not open", "share", "P105"});
  }
  const int on = 1;
  if (::setsockopt(found->socket.fd(), SOL_SOCKET, SO_OOBINLINE, &on, sizeof on) != 0) {
    return std::unexpected(base::make_system_error("setsockopt", errno, "share"));
  }
  auto duplicate = duplicate_of(found->socket);
  found->shared = found->shared || duplicate.has_value();
  return duplicate;
}

bool SocketReactor::leave(ConnectionId connection) noexcept {
  Connection* const found = find(connection);
  if (found == nullptr || !found->shared) {
    return false;
  }
  found->shared = false;
  free_slot(connection.slot);
  return true;
}

std::expected<Socket, base::Error> SocketReactor::share(ListenerId listener) {
  const ListenerSlot* const found = find(listener);
  if (found == nullptr) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "there is no such listener", "share", "P105"});
  }
  return duplicate_of(found->listener->socket());
}

}  // namespace affix::inline v0::net
