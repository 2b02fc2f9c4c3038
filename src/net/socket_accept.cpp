// SPDX-License-Identifier: MIT
// Listens, accepts and connects.
#include "affix/base/assert.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/os/this_process.hpp"

#include "net/connection_options.hpp"
#include "net/socket_reactor.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <utility>

namespace affix::inline v0::net {

namespace {

// Binds to the source address. The port is chosen at connect(), for the pair of addresses: else
// thousands of connections from one address would need as many ports.
std::expected<void, base::Error> bind_source(const Socket& socket, const Address& source) {
  if (source.port() == 0) {
    choose_port_late(socket.fd());
  }
  if (::bind(socket.fd(), source.native(), static_cast<socklen_t>(source.native_size())) != 0) {
    return std::unexpected(base::make_system_error("bind", errno, source.text()));
  }
  return {};
}

std::expected<Socket, base::Error> open_connecting(const Address& address,
                                                   const SocketOptions& options) {
  auto socket = open_socket(address);
  if (!socket) {
    return socket;
  }
  if (auto applied = apply(options, *socket); !applied) {
    return std::unexpected(std::move(applied.error()));
  }
  if (options.bind_address) {
    if (auto bound = bind_source(*socket, *options.bind_address); !bound) {
      return std::unexpected(std::move(bound.error()));
    }
  }
  return socket;
}

// A port of the outgoing range, on this machine, without a listener: the kernel may choose that
// very port for us, and TCP connects the socket to itself.
bool is_joined_with_itself(const Socket& socket) noexcept {
  const auto local = socket.local_address();
  return local && local == socket.peer_address();
}

}  // namespace

ConnectFailure connect_failure_of(int error_number) noexcept {
  switch (error_number) {
    case ECONNREFUSED:
    case ECONNRESET:
      return ConnectFailure::Refused;
    case ETIMEDOUT:
      return ConnectFailure::TimedOut;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
      return ConnectFailure::Unreachable;
    default:
      return ConnectFailure::Failed;
  }
}

std::expected<ListenerId, base::Error> SocketReactor::add_listener(Listener listener) {
  for (std::uint32_t index = 0; index < listeners_.size(); ++index) {
    ListenerSlot& slot = listeners_[index];
    if (slot.listener) {
      continue;
    }
    slot.listener.emplace(std::move(listener));
    if (!watch_listener(index, true)) {
      const int error_number = errno;
      const std::string where = slot.listener->local_address().text();
      slot.listener.reset();
      return std::unexpected(base::make_system_error("watching a listener", error_number, where));
    }
    return ListenerId{index, slot.generation};
  }
  return std::unexpected(base::Error{base::ErrorCode::Limit, "listeners_max is reached",
                                     listener.local_address().text(), "E117"});
}

ListenerSlot* SocketReactor::find(ListenerId listener) noexcept {
  if (listener.slot >= listeners_.size()) {
    return nullptr;
  }
  ListenerSlot& slot = listeners_[listener.slot];
  return slot.listener && slot.generation == listener.generation ? &slot : nullptr;
}

bool SocketReactor::remove_listener(ListenerId listener) noexcept {
  ListenerSlot* const slot = find(listener);
  if (slot == nullptr) {
    return false;
  }
  unwatch_listener(listener.slot);
  resting_ -= slot->resting ? 1 : 0;
  const std::uint32_t generation = slot->generation + 1 == 0 ? 1 : slot->generation + 1;
  *slot = ListenerSlot{};
  slot->generation = generation;
  return true;
}

void SocketReactor::rest_listener(ListenerId listener, std::int64_t until_ns) noexcept {
  ListenerSlot* const slot = find(listener);
  if (slot == nullptr) {
    return;
  }
  if (!slot->resting) {
    begin_rest(listener.slot, false, until_ns);
  } else if (!slot->needs_slot) {
    slot->retry_ns = std::max(slot->retry_ns, until_ns);
  }
}

void SocketReactor::end_rest(ListenerId listener) noexcept {
  if (ListenerSlot* const slot = find(listener); slot != nullptr && slot->resting) {
    slot->retry_ns = 0;
  }
}

void SocketReactor::accept_from(std::uint32_t listener, Handler& handler) noexcept {
  const std::uint32_t generation = listeners_[listener].generation;
  for (std::uint32_t count = 0; count < options_.accepts_per_turn; ++count) {
    // The handler may have removed the listener, or another now has its slot; or it must pause.
    if (listeners_[listener].generation != generation || listeners_[listener].resting ||
        !accept_one(listener, handler)) {
      return;
    }
  }
}

bool SocketReactor::accept_one(std::uint32_t listener, Handler& handler) noexcept {
  ListenerSlot& slot = listeners_[listener];
  if (free_.empty()) {
    rest(listener, AcceptPause::ConnectionLimit, handler);
    return false;
  }
  sockaddr_storage native{};
  socklen_t size = sizeof native;
  auto* const pointer = reinterpret_cast<sockaddr*>(&native);
  Socket socket(accept_socket(slot.listener->socket().fd(), pointer, &size));
  if (!socket.is_open()) {
    switch (errno) {
      case EAGAIN:
        return false;
      case EMFILE:
      case ENFILE:
        rest(listener, AcceptPause::NoDescriptors, handler);
        return false;
      case ENOBUFS:
      case ENOMEM:
        rest(listener, AcceptPause::NoMemory, handler);
        return false;
      default:
        // One connection failed before it was ours (accept(2) lists network faults), or a signal
        // came.
        return true;
    }
  }
  if (is_reserved(socket.fd())) {
    socket.close();
    slot.reported = false;  // The handler may end another connection each time.
    rest(listener, AcceptPause::ReservedDescriptors, handler);
    return false;
  }
  slot.reported = false;
  if (!apply_to_connection(slot.listener->options(), socket.fd()) ||
      (slot.listener->options().transmit_stamps && !begin_transmit_stamps(socket.fd()))) {
    // It would run without the requested options. The listener has the same ones, so the cause is a
    // dead connection.
    return true;
  }
  const std::uint32_t connection =
      take_slot(std::move(socket), slot.listener->options().quick_ack,
                slot.listener->options().receive_stamps != ReceiveStamps::None);
  connections_[connection].phase = Connection::Phase::Open;
  connections_[connection].transmit_stamped = slot.listener->options().transmit_stamps;
  if (!watch(connection)) {
    free_slot(connection);
    rest(listener, AcceptPause::NoMemory, handler);
    return false;
  }
  handler.on_accepted(ListenerId{listener, slot.generation}, id_of(connection),
                      Address::from_native(pointer, size));
  return true;
}

/// The kernel assigns the lowest free number, so all below are in use. At most a quarter of a very
/// low limit is kept, to leave some for peers.
bool SocketReactor::is_reserved(int descriptor) const noexcept {
  if (options_.reserved_descriptors == 0) {
    return false;
  }
  const std::optional<std::size_t> limit = os::descriptors_max();
  if (!limit) {
    return false;
  }
  const std::size_t reserved = std::min<std::size_t>(options_.reserved_descriptors, *limit / 4);
  return static_cast<std::size_t>(descriptor) >= *limit - reserved;
}

void SocketReactor::begin_rest(std::uint32_t listener, bool needs_slot,
                               std::int64_t retry_ns) noexcept {
  ListenerSlot& slot = listeners_[listener];
  slot.needs_slot = needs_slot;
  slot.retry_ns = retry_ns;
  slot.resting = true;
  ++resting_;
  static_cast<void>(watch_listener(listener, false));
}

void SocketReactor::rest(std::uint32_t listener, AcceptPause pause, Handler& handler) noexcept {
  ListenerSlot& slot = listeners_[listener];
  begin_rest(listener, pause == AcceptPause::ConnectionLimit, now_ns_ + options_.accept_retry_ns);
  if (!std::exchange(slot.reported, true)) {
    handler.on_accept_paused(ListenerId{listener, slot.generation}, pause);
  }
}

void SocketReactor::wake_listeners() noexcept {
  for (std::uint32_t index = 0; index < listeners_.size(); ++index) {
    ListenerSlot& slot = listeners_[index];
    if (!slot.resting) {
      continue;
    }
    if (slot.needs_slot ? !free_.empty() : slot.retry_ns <= now_ns_) {
      slot.resting = false;
      --resting_;
      static_cast<void>(watch_listener(index, true));
    }
  }
}

std::expected<ConnectionId, base::Error> SocketReactor::connect(const Address& address,
                                                                const SocketOptions& options,
                                                                std::int64_t deadline_ns) {
  if (free_.empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "connections_max is met", address.text(), "E117"});
  }
  auto socket = open_connecting(address, options);
  if (!socket) {
    return std::unexpected(std::move(socket.error()));
  }
  int fault = 0;
  if (::connect(socket->fd(), address.native(), static_cast<socklen_t>(address.native_size())) !=
      0) {
    fault = errno;
  }
  const std::uint32_t slot = take_slot(std::move(*socket), options.quick_ack,
                                       options.receive_stamps != ReceiveStamps::None);
  Connection& connection = connections_[slot];
  connection.phase = Connection::Phase::Connecting;
  connection.transmit_stamped = options.transmit_stamps;
  deadlines_.set(slot, deadline_ns);
  // A signal does not stop a connection attempt.
  if (fault != EINPROGRESS && fault != EINTR) {
    connection.connect_done = true;
    connection.end_error = fault;
    queue(slot);
  } else if (!watch(slot)) {
    const int error_number = errno;
    free_slot(slot);
    return std::unexpected(
        base::make_system_error("watching a connection", error_number, address.text()));
  }
  return id_of(slot);
}

int SocketReactor::connect_error(std::uint32_t slot) const noexcept {
  int fault = 0;
  socklen_t size = sizeof fault;
  const int asked =
      ::getsockopt(connections_[slot].socket.fd(), SOL_SOCKET, SO_ERROR, &fault, &size);
  return asked == 0 ? fault : errno;
}

void SocketReactor::finish_connect(std::uint32_t slot, int error_number,
                                   Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const ConnectionId id = id_of(slot);
  connection.connect_done = false;
  if (error_number == 0 && is_joined_with_itself(connection.socket)) {
    error_number = ECONNREFUSED;
  }
  if (error_number == 0 && connection.transmit_stamped &&
      !begin_transmit_stamps(connection.socket.fd())) {
    error_number = ECONNABORTED;  // It would run without the requested options.
  }
  if (error_number == 0) {
    deadlines_.clear(slot);
    connection.phase = Connection::Phase::Open;
    error_number = watch(slot) ? 0 : errno;
  }
  if (error_number != 0) {
    free_slot(slot);
    handler.on_connect_failed(id, connect_failure_of(error_number), error_number);
    return;
  }
  handler.on_connected(id);
}

}  // namespace affix::inline v0::net
