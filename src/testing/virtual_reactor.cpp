// SPDX-License-Identifier: MIT
// Turns of a virtual reactor: reports events of links in the order of slots.
#include "testing/virtual_reactor.hpp"

#include "affix/base/assert.hpp"

#include "testing/virtual_link.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace affix::inline v0::testing {

using net::CloseReason;
using net::ConnectionId;

VirtualReactor::VirtualReactor(VirtualFabric& fabric, NodeId node,
                               const net::ReactorOptions& options)
    : fabric_(fabric), node_(node), options_(options), listeners_(options.listeners_max) {}

VirtualReactor::~VirtualReactor() {
  kill();
  fabric_.at(node_).kill = {};
}

void VirtualReactor::kill() noexcept {
  if (std::exchange(dead_, true)) {
    return;
  }
  std::erase_if(fabric_.listening,
                [this](const VirtualFabric::Listening& one) { return one.node == node_; });
  std::erase_if(fabric_.attempts,
                [this](const VirtualFabric::Attempt& one) { return one.node == node_; });
  for (const std::uint32_t slot : used_) {
    const Connection& connection = connections_[slot];
    if (!connection.link) {
      continue;
    }
    const auto shared = std::ranges::find_if(fabric_.shared, [&](const VirtualFabric::Shared& one) {
      return one.link == connection.link && one.side == connection.side;
    });
    if (shared != fabric_.shared.end()) {
      shared->left = true;
    } else {
      connection.link->close(connection.side);
    }
  }
}

base::Now VirtualReactor::now() noexcept {
  return fabric_.now(node_);
}

// --- Slots ---

VirtualReactor::Connection* VirtualReactor::find(ConnectionId connection) noexcept {
  return const_cast<Connection*>(std::as_const(*this).find(connection));
}

const VirtualReactor::Connection* VirtualReactor::find(ConnectionId connection) const noexcept {
  if (connection.slot >= connections_.size()) {
    return nullptr;
  }
  const Connection& found = connections_[connection.slot];
  // A connection whose end was reported exists only to send its remaining output.
  return found.generation == connection.generation && found.phase != Phase::Free &&
                 !found.peer_ended
             ? &found
             : nullptr;
}

ConnectionId VirtualReactor::id_of(std::uint32_t slot) const noexcept {
  return {slot, connections_[slot].generation};
}

std::optional<std::uint32_t> VirtualReactor::take_slot() {
  for (std::uint32_t slot = 0; slot < connections_.size(); ++slot) {
    if (connections_[slot].phase == Phase::Free) {
      used_.push_back(slot);
      return slot;
    }
  }
  if (connections_.size() == options_.connections_max) {
    return std::nullopt;
  }
  connections_.emplace_back();
  used_.push_back(static_cast<std::uint32_t>(connections_.size() - 1));
  return used_.back();
}

void VirtualReactor::free_slot(std::uint32_t slot, bool reset) noexcept {
  Connection& connection = connections_[slot];
  if (connection.link && !dead_) {
    connection.link->close(connection.side, reset);
    fabric_.forget_shared(*connection.link, connection.side);
  }
  const std::uint32_t generation = connection.generation + 1 == 0 ? 1 : connection.generation + 1;
  connection = Connection{};
  connection.generation = generation;
  std::erase(used_, slot);
}

// --- The turn ---

net::Turn VirtualReactor::poll(base::Now now, const net::Wait& wait,
                               net::Handler& handler) noexcept {
  net::Turn turn;
  if (dead_) {
    return turn;
  }
  turn.events = serve_all(handler);
  const std::int64_t until = std::min(wait.deadline_ns, nearest_deadline());
  if (turn.events == 0 && !fabric_.running && wait.mode != net::Wait::Mode::Spin &&
      until > now.steady_ns) {
    fabric_.wait(node_, until);
    turn.events = serve_all(handler);
  }
  turn.woken = waker_.take();
  if (!dead_) {
    // More may be ready: pieces of a read, or effects of a handler's calls.
    VirtualFabric::Node& node = fabric_.at(node_);
    node.wake_ns =
        turn.events != 0 ? fabric_.steady_ns : std::min(wait.deadline_ns, nearest_deadline());
  }
  return turn;
}

std::int64_t VirtualReactor::nearest_deadline() const noexcept {
  std::int64_t nearest = VirtualFabric::never_ns;
  for (const std::uint32_t slot : used_) {
    nearest = std::min(nearest, connections_[slot].deadline_ns);
  }
  return nearest;
}

std::uint32_t VirtualReactor::serve_all(net::Handler& handler) noexcept {
  std::uint32_t events = 0;
  serving_ = used_;  // Handlers open and close connections meanwhile.
  std::sort(serving_.begin(), serving_.end());
  for (const std::uint32_t slot : serving_) {
    if (dead_) {
      break;
    }
    events += connections_[slot].phase != Phase::Free && serve(slot, handler) ? 1U : 0U;
  }
  return events;
}

bool VirtualReactor::serve(std::uint32_t slot, net::Handler& handler) noexcept {
  switch (connections_[slot].phase) {
    case Phase::Connecting:
      return serve_attempt(slot, handler);
    case Phase::Open:
      return serve_open(slot, handler);
    case Phase::Flushing:
    case Phase::Lingering:
      return serve_closing(slot, handler);
    case Phase::Free:
      break;
  }
  return false;
}

bool VirtualReactor::serve_attempt(std::uint32_t slot, net::Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  const ConnectionId id = id_of(slot);
  if (connection.news == News::Begun) {
    connection.news = News::None;
    connection.phase = Phase::Open;
    connection.deadline_ns = VirtualFabric::never_ns;
    handler.on_connected(id);
    return true;
  }
  const bool refused = connection.news == News::Refused;
  if (!refused && connection.deadline_ns > fabric_.steady_ns) {
    return false;
  }
  free_slot(slot);
  handler.on_connect_failed(id,
                            refused ? net::ConnectFailure::Refused : net::ConnectFailure::TimedOut,
                            refused ? ECONNREFUSED : ETIMEDOUT);
  return true;
}

bool VirtualReactor::serve_open(std::uint32_t slot, net::Handler& handler) noexcept {
  const std::uint32_t generation = connections_[slot].generation;
  const auto gone = [&] {
    const Connection& now = connections_[slot];
    return dead_ || now.generation != generation || now.phase != Phase::Open;
  };
  bool did = false;
  if (std::exchange(connections_[slot].news, News::None) == News::Begun) {
    did = true;
    const std::uint32_t listener = connections_[slot].listener;
    // Reported even if the reset is here already: bytes and ends belong to an accepted connection.
    handler.on_accepted({listener, listeners_[listener].generation}, id_of(slot),
                        connections_[slot].link->address(1 - connections_[slot].side));
    if (gone()) {
      return true;
    }
  }
  did = write_parked(slot, handler) || did;
  if (gone() || connections_[slot].reading == Reading::Paused) {
    return did;
  }
  did = read(slot, handler) || did;
  if (gone() || connections_[slot].reading == Reading::Paused) {
    return did;
  }
  Connection& connection = connections_[slot];
  if (connection.link->broken(connection.side)) {
    end(slot, CloseReason::PeerReset, handler);
    return true;
  }
  if (!connection.link->ended(connection.side)) {
    return did;
  }
  if (connection.parked.empty()) {
    end(slot, CloseReason::PeerClosed, handler);
    return true;
  }
  // The peer has ended only its own stream: parked output must still be sent.
  connection.phase = Phase::Flushing;
  connection.deadline_ns = fabric_.steady_ns + options_.flush_timeout_ns;
  const ConnectionId id = id_of(slot);
  connection.peer_ended = true;
  handler.on_closed(id, CloseReason::PeerClosed, 0);
  return true;
}

bool VirtualReactor::write_parked(std::uint32_t slot, net::Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  if (connection.parked.empty()) {
    return false;
  }
  const std::size_t taken = write(connection, connection.parked);
  connection.parked.erase(0, taken);
  if (connection.parked.empty() && connection.phase == Phase::Open) {
    handler.on_drained(id_of(slot));
  }
  return taken != 0;
}

std::size_t VirtualReactor::write(Connection& connection, std::string_view bytes) noexcept {
  const std::size_t taken = connection.link->write(connection.side, bytes);
  if (taken != 0 && fabric_.on_taken) {
    fabric_.on_taken(node_, connection.link->id(), bytes.substr(0, taken));
  }
  return taken;
}

bool VirtualReactor::read(std::uint32_t slot, net::Handler& handler) noexcept {
  bool did = false;
  const bool resumed = connections_[slot].reading == Reading::Resumed;
  connections_[slot].reading = Reading::On;
  if (resumed && connections_[slot].input_size != 0) {
    did = true;
    if (!deliver(slot, handler)) {
      return true;
    }
  }
  std::size_t bytes = 0;
  while (bytes < options_.read_bytes_per_turn) {
    Connection& connection = connections_[slot];
    const std::string_view there = connection.link->readable(connection.side);
    if (there.empty()) {
      break;
    }
    std::size_t size = std::min(there.size(), options_.rx_buffer_capacity - connection.input_size);
    if (const std::uint32_t most = fabric_.conditions.piece_bytes_max; most != 0) {
      size = std::min<std::size_t>(size, 1 + fabric_.random() % most);
    }
    constexpr std::size_t padding = base::PaddedBytes::padding;
    if (connection.input.size() < connection.input_size + size + padding) {
      connection.input.resize(2 * (connection.input_size + size) + padding);
    }
    std::memcpy(connection.input.data() + connection.input_size, there.data(), size);
    connection.input_size += size;
    connection.link->consume(connection.side, size);
    bytes += size;
    did = true;
    if (!deliver(slot, handler)) {
      break;
    }
  }
  return did;
}

// False when reading must not go on: the connection is gone, closing or paused.
bool VirtualReactor::deliver(std::uint32_t slot, net::Handler& handler) noexcept {
  const ConnectionId id = id_of(slot);
  // A stable copy, since the handler may close the connection, or open others.
  std::vector<char> input = std::move(connections_[slot].input);
  const std::size_t size = connections_[slot].input_size;
  const std::size_t consumed =
      handler.on_bytes(id, base::PaddedBytes(std::string_view(input.data(), size)));
  Connection& connection = connections_[slot];
  if (dead_ || connection.generation != id.generation || connection.phase != Phase::Open) {
    return false;
  }
  AFFIX_ASSERT(consumed <= size);
  connection.input_size = size - consumed;
  std::memmove(input.data(), input.data() + consumed, connection.input_size);
  connection.input = std::move(input);
  if (connection.reading == Reading::Paused) {
    return false;
  }
  if (connection.input_size == options_.rx_buffer_capacity) {
    end(slot, CloseReason::InputOverflow, handler);
    return false;
  }
  return true;
}

bool VirtualReactor::serve_closing(std::uint32_t slot, net::Handler& handler) noexcept {
  Connection& connection = connections_[slot];
  VirtualLink& link = *connection.link;
  const std::size_t unread = link.readable(connection.side).size();
  link.consume(connection.side, unread);
  if (link.broken(connection.side)) {
    end(slot, CloseReason::PeerReset, handler);
    return true;
  }
  if (connection.deadline_ns <= fabric_.steady_ns) {
    // The kernel has all output of a lingering one; it is not our fault that its peer stays.
    end(slot,
        connection.phase == Phase::Lingering ? CloseReason::Flushed : CloseReason::FlushTimedOut,
        handler);
    return true;
  }
  bool did = unread != 0;
  if (connection.phase == Phase::Flushing) {
    did = write_parked(slot, handler) || did;
    if (!connection.parked.empty()) {
      return did;
    }
    link.shut_down(connection.side);
    connection.phase = Phase::Lingering;
    did = true;
  }
  if (connection.peer_ended || link.ended(connection.side)) {
    end(slot, CloseReason::Flushed, handler);
    return true;
  }
  return did;
}

void VirtualReactor::end(std::uint32_t slot, CloseReason reason, net::Handler& handler) noexcept {
  const ConnectionId id = id_of(slot);
  const bool reported = connections_[slot].peer_ended;
  const bool lost = reason == CloseReason::FlushTimedOut || reason == CloseReason::InputOverflow;
  free_slot(slot, lost);
  if (!reported) {
    handler.on_closed(id, reason, reason == CloseReason::PeerReset ? ECONNRESET : 0);
  }
}

// --- Listening and connecting ---

std::expected<net::Listening, base::Error> VirtualReactor::listen(const net::Address& address,
                                                                  const net::SocketOptions&) {
  const std::uint16_t port = address.port() == 0 ? fabric_.next_port() : address.port();
  const net::Address bound = address.with_port(port);
  for (const VirtualFabric::Listening& other : fabric_.listening) {
    if (other.address == bound) {
      return std::unexpected(
          base::Error{base::ErrorCode::AlreadyExists, "somebody listens there", bound.text()});
    }
  }
  for (std::uint32_t slot = 0; slot < listeners_.size(); ++slot) {
    if (!listeners_[slot].used) {
      listeners_[slot].used = true;
      fabric_.listening.push_back(
          {bound, node_, slot,
           [this, slot](const std::shared_ptr<VirtualLink>& link) { return accept(slot, link); }});
      return net::Listening{{slot, listeners_[slot].generation}, bound};
    }
  }
  return std::unexpected(
      base::Error{base::ErrorCode::Limit, "listeners_max is reached", address.text(), "E117"});
}

std::expected<net::ListenerId, base::Error> VirtualReactor::add_listener(net::Listener listener) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "the virtual network has no use for a system's socket",
                                     listener.local_address().text()});
}

std::expected<net::DetachedConnection, base::Error> VirtualReactor::release(ConnectionId,
                                                                            std::string_view) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "a virtual connection stays with its node", "release"});
}

std::expected<ConnectionId, base::Error> VirtualReactor::adopt(net::DetachedConnection left) {
  VirtualFabric::Shared* const shared = fabric_.find_shared(left.socket);
  if (shared == nullptr || !shared->left) {
    return std::unexpected(
        base::Error{base::ErrorCode::Unsupported, "no process has left that connection", "adopt"});
  }
  const auto slot = take_slot();
  if (!slot) {
    shared->link->close(shared->side);
    fabric_.forget_shared(*shared->link, shared->side);
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "connections_max is met", "adopt", "E117"});
  }
  shared->left = false;
  // Processes that share a keeper are on one machine, whichever node stands for each.
  shared->node = node_;
  shared->link->move(shared->side, node_);
  Connection& connection = connections_[*slot];
  connection.phase = Phase::Open;
  connection.link = shared->link;
  connection.side = shared->side;
  fabric_.wake(node_);
  return id_of(*slot);
}

std::expected<net::Socket, base::Error> VirtualReactor::share(ConnectionId connection) {
  const Connection* const found = find(connection);
  if (dead_ || found == nullptr || found->phase != Phase::Open) {
    return std::unexpected(
        base::Error{base::ErrorCode::InvalidArgument, "the connection is not open", "share"});
  }
  return fabric_.share(found->link, found->side, node_);
}

bool VirtualReactor::leave(ConnectionId connection) noexcept {
  Connection* const found = find(connection);
  const auto shared =
      std::ranges::find_if(fabric_.shared, [found](const VirtualFabric::Shared& one) {
        return found != nullptr && one.link == found->link && one.side == found->side;
      });
  if (dead_ || shared == fabric_.shared.end()) {
    return false;
  }
  shared->left = true;
  found->link.reset();  // It is not this slot's to close.
  free_slot(connection.slot);
  return true;
}

// A listener ends with its process: peers that connect meanwhile are refused.
std::expected<net::Socket, base::Error> VirtualReactor::share(net::ListenerId) {
  return std::unexpected(
      base::Error{base::ErrorCode::Unsupported, "a virtual listener ends with its node", "share"});
}

std::expected<net::StreamPosition, base::Error> VirtualReactor::stream_position(
    const net::Socket& shared, net::Opened) {
  const VirtualFabric::Shared* const found = fabric_.find_shared(shared);
  if (dead_ || found == nullptr || !found->left) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "no process has left that connection", "stream_position"});
  }
  return found->link->position(found->side);
}

bool VirtualReactor::remove_listener(net::ListenerId listener) noexcept {
  if (listener.slot >= listeners_.size() || !listeners_[listener.slot].used ||
      listeners_[listener.slot].generation != listener.generation) {
    return false;
  }
  listeners_[listener.slot] = {false, listener.generation + 1};
  std::erase_if(fabric_.listening, [&](const VirtualFabric::Listening& one) {
    return one.node == node_ && one.listener == listener.slot;
  });
  return true;
}

bool VirtualReactor::accept(std::uint32_t listener_slot, const std::shared_ptr<VirtualLink>& link) {
  const auto slot = take_slot();
  if (!slot) {
    return false;
  }
  Connection& connection = connections_[*slot];
  connection.phase = Phase::Open;
  connection.news = News::Begun;
  connection.listener = listener_slot;
  connection.link = link;
  connection.side = 1;
  return true;
}

std::expected<ConnectionId, base::Error> VirtualReactor::connect(const net::Address& address,
                                                                 const net::SocketOptions&,
                                                                 std::int64_t deadline_ns) {
  const auto slot = take_slot();
  if (!slot) {
    return std::unexpected(
        base::Error{base::ErrorCode::Limit, "connections_max is met", address.text(), "E117"});
  }
  Connection& connection = connections_[*slot];
  connection.phase = Phase::Connecting;
  connection.deadline_ns = deadline_ns;
  if (!dead_) {
    fabric_.attempts.push_back({fabric_.steady_ns + 2 * fabric_.conditions.delay_ns, address, node_,
                                [this, taken = *slot, generation = connection.generation](
                                    const std::shared_ptr<VirtualLink>& link) {
                                  attempt_ended(taken, generation, link);
                                }});
  }
  return id_of(*slot);
}

void VirtualReactor::attempt_ended(std::uint32_t slot, std::uint32_t generation,
                                   const std::shared_ptr<VirtualLink>& link) {
  Connection& connection = connections_[slot];
  if (connection.generation != generation || connection.phase != Phase::Connecting) {
    if (link) {
      link->close(0, true);
    }
    return;
  }
  connection.link = link;
  connection.side = 0;
  connection.news = link != nullptr ? News::Begun : News::Refused;
  fabric_.wake(node_);
}

// --- Commands of the owner ---

net::SendResult VirtualReactor::send(ConnectionId connection,
                                     std::span<const std::string_view> pieces) noexcept {
  if (dead_) {
    return net::SendResult::Sent;
  }
  Connection* found = find(connection);
  if (found == nullptr || found->phase != Phase::Open || found->link->broken(found->side)) {
    return net::SendResult::Closed;
  }
  std::string bytes;
  for (const std::string_view piece : pieces) {
    bytes += piece;
  }
  if (bytes.size() > options_.tx_buffer_capacity - found->parked.size()) {
    return net::SendResult::Overflow;
  }
  if (fabric_.on_sent) {
    fabric_.on_sent(node_, found->link->id(), bytes);
    if (dead_) {
      // The listener there has killed this process.
      if (found->parked.empty() && !found->link->closed(found->side)) {
        static_cast<void>(
            write(*found, std::string_view(bytes).substr(0, fabric_.at(node_).last_bytes)));
      }
      return net::SendResult::Sent;
    }
  }
  const std::size_t taken = found->parked.empty() ? write(*found, bytes) : 0;
  found->parked.append(bytes, taken);
  return found->parked.empty() ? net::SendResult::Sent : net::SendResult::Parked;
}

bool VirtualReactor::close(ConnectionId connection) noexcept {
  if (find(connection) == nullptr) {
    return false;
  }
  free_slot(connection.slot);
  return true;
}

bool VirtualReactor::close_after_flush(ConnectionId connection, std::int64_t deadline_ns) noexcept {
  Connection* found = find(connection);
  if (found == nullptr || found->phase == Phase::Flushing || found->phase == Phase::Lingering) {
    return false;
  }
  if (found->phase == Phase::Connecting) {
    free_slot(connection.slot);
    return true;
  }
  found->phase = Phase::Flushing;
  found->deadline_ns = deadline_ns;
  found->reading = Reading::On;
  found->input_size = 0;
  fabric_.wake(node_);
  return true;
}

bool VirtualReactor::pause_reading(ConnectionId connection) noexcept {
  Connection* found = find(connection);
  if (found == nullptr) {
    return false;
  }
  found->reading = Reading::Paused;
  return true;
}

bool VirtualReactor::resume_reading(ConnectionId connection) noexcept {
  Connection* found = find(connection);
  if (found == nullptr) {
    return false;
  }
  if (found->reading == Reading::Paused) {
    found->reading = Reading::Resumed;
    fabric_.wake(node_);
  }
  return true;
}

std::size_t VirtualReactor::parked_bytes(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr ? found->parked.size() : 0;
}

std::optional<net::Address> VirtualReactor::local_address(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr && found->link ? std::optional(found->link->address(found->side))
                                         : std::nullopt;
}

std::optional<net::Address> VirtualReactor::peer_address(ConnectionId connection) const noexcept {
  const Connection* found = find(connection);
  return found != nullptr && found->link ? std::optional(found->link->address(1 - found->side))
                                         : std::nullopt;
}

std::uint32_t VirtualReactor::connection_count() const noexcept {
  return static_cast<std::uint32_t>(used_.size());
}

}  // namespace affix::inline v0::testing
