// SPDX-License-Identifier: MIT
// Turns, slots, and how secured connections begin.
#include "tls/tls_transport.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <limits>

namespace affix::inline v0::tls {

namespace {

constexpr std::uint32_t output_beneath_min = 64 * 1024;

/// Maximum number of plain bytes that become at most `encrypted`.
std::size_t plain_size_max(std::size_t encrypted) noexcept {
  std::size_t low = 0;
  std::size_t high = encrypted;
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    if (TlsStream::encrypted_size_max(middle) <= encrypted) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace

net::ReactorOptions options_beneath_tls(const net::ReactorOptions& wanted) noexcept {
  net::ReactorOptions options = wanted;
  const std::size_t output = std::max<std::size_t>(
      TlsStream::encrypted_size_max(wanted.tx_buffer_capacity) + TlsTransport::own_output_bytes,
      output_beneath_min);
  options.tx_buffer_capacity = static_cast<std::uint32_t>(
      std::min<std::size_t>(output, std::numeric_limits<std::uint32_t>::max()));
  return options;
}

std::expected<std::unique_ptr<TlsReactor>, base::Error> make_tls_reactor(
    std::unique_ptr<net::Reactor> beneath) {
  return TlsTransport::make(std::move(beneath));
}

std::expected<std::unique_ptr<TlsReactor>, base::Error> TlsTransport::make(
    std::unique_ptr<net::Reactor> beneath) {
  const std::uint32_t output = beneath->options().tx_buffer_capacity;
  if (output < output_beneath_min) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       std::to_string(output) + " is less than the " +
                                           std::to_string(output_beneath_min) + " that TLS needs",
                                       "tx_buffer_capacity", "T117"});
  }
  const auto plain = static_cast<std::uint32_t>(plain_size_max(output - own_output_bytes));
  std::unique_ptr<TlsTransport> transport(new TlsTransport(std::move(beneath), plain));
  if (auto opened = transport->open(); !opened) {
    return std::unexpected(std::move(opened.error()));
  }
  return transport;
}

TlsTransport::TlsTransport(std::unique_ptr<net::Reactor> beneath, std::uint32_t plain_capacity)
    : beneath_(std::move(beneath)),
      options_(beneath_->options()),
      output_(options_.tx_buffer_capacity),
      gathered_(std::make_unique_for_overwrite<char[]>(TlsStream::record_bytes_max)) {
  options_.tx_buffer_capacity = plain_capacity;
}

std::expected<void, base::Error> TlsTransport::open() {
  const std::uint32_t count = options_.connections_max;
  const std::size_t block_bytes = options_.rx_buffer_capacity + base::PaddedBytes::padding;
  if (auto opened = plain_blocks_.open(count, block_bytes, "rx_buffer_capacity", options_.pages);
      !opened) {
    return opened;
  }
  if (auto opened = stage_pool_.open(1, block_bytes, "decryption buffer", options_.pages);
      !opened) {
    return opened;
  }
  stage_ = stage_pool_.lend();
  secured_.resize(count);
  pending_.reserve(count);
  pending_now_.reserve(count);
  wanting_room_.reserve(count);
  deadlines_.open(count);
  return {};
}

// --- Turns ---

net::Turn TlsTransport::poll(base::Now now, const net::Wait& wait, net::Handler& handler) noexcept {
  handler_ = &handler;
  const std::uint32_t events = end_late_handshakes(now.steady_ns);
  net::Wait until = wait;
  if (events != 0 || !pending_.empty()) {
    until = net::Wait::spin();
  } else {
    until.deadline_ns = std::min(wait.deadline_ns, deadlines_.nearest_ns());
  }
  net::Turn turn = beneath_->poll(now, until, *this);
  // After the events, as beneath: an end is reported before later events.
  turn.events += events + do_pending();
  report_room();
  handler_ = nullptr;
  return turn;
}

std::int64_t TlsTransport::begin_rest() noexcept {
  const std::int64_t due_ns = beneath_->begin_rest();
  return pending_.empty() ? std::min(due_ns, deadlines_.nearest_ns()) : 0;
}

std::uint32_t TlsTransport::end_late_handshakes(std::int64_t now_ns) noexcept {
  std::uint32_t ended = 0;
  // Handlers may begin new handshakes.
  const auto limit = static_cast<std::uint32_t>(deadlines_.size());
  while (ended < limit && deadlines_.nearest_ns() <= now_ns) {
    ++ended;
    const std::uint32_t slot = deadlines_.nearest_slot();
    deadlines_.clear(slot);
    const Secured& secured = secured_[slot];
    give_up({slot, secured.generation},
            {secured.heard ? "the peer did not finish the handshake in time"
                           : "the peer did not begin the handshake in time",
             "T211"});
  }
  return ended;
}

std::uint32_t TlsTransport::do_pending() noexcept {
  if (pending_.empty()) {
    return 0;
  }
  std::swap(pending_, pending_now_);
  const auto count = static_cast<std::uint32_t>(pending_now_.size());
  for (const std::uint32_t slot : pending_now_) {
    Secured& secured = secured_[slot];
    secured.due.remove(Secured::Due::Turn);
    // The slot may have a new connection by now: it has its own flags, or none.
    if (secured.phase != Secured::Phase::Open) {
      continue;
    }
    const net::ConnectionId connection{slot, secured.generation};
    if (secured.due.has(Secured::Due::Failure)) {
      fail(connection, secured.stream->fault());
    } else if (secured.reading != Secured::Reading::Paused) {
      std::string_view nothing;
      take_input(connection, nothing);
      if (lives(connection, Secured::Phase::Open) && secured.reading != Secured::Reading::Paused) {
        static_cast<void>(beneath_->resume_reading(connection));
      }
    }
  }
  pending_now_.clear();
  return count;
}

// Owners of refused output wait for on_drained(), which the reactor beneath only calls for output
// that it refused itself or parked.
void TlsTransport::report_room() noexcept {
  for (std::size_t index = 0; index < wanting_room_.size();) {
    const std::uint32_t slot = wanting_room_[index];
    Secured& secured = secured_[slot];
    const net::ConnectionId connection{slot, secured.generation};
    const bool waits = secured.due.has(Secured::Due::Room) && secured.phase == Secured::Phase::Open;
    if (waits && beneath_->parked_bytes(connection) != 0) {
      ++index;
      continue;
    }
    wanting_room_[index] = wanting_room_.back();
    wanting_room_.pop_back();
    if (waits) {
      secured.due.remove(Secured::Due::Room);
      handler_->on_drained(connection);
    }
  }
}

void TlsTransport::queue(std::uint32_t slot) noexcept {
  if (secured_[slot].due.add(Secured::Due::Turn)) {
    pending_.push_back(slot);
  }
}

// --- Slots ---

const TlsTransport::Secured* TlsTransport::find(net::ConnectionId connection) const noexcept {
  if (connection.slot >= secured_.size()) {
    return nullptr;
  }
  const Secured& secured = secured_[connection.slot];
  const bool found =
      secured.phase != Secured::Phase::Plain && secured.generation == connection.generation;
  return found ? &secured : nullptr;
}

TlsTransport::Secured* TlsTransport::find(net::ConnectionId connection) noexcept {
  return const_cast<Secured*>(std::as_const(*this).find(connection));
}

bool TlsTransport::lives(net::ConnectionId connection, Secured::Phase phase) const noexcept {
  const Secured& secured = secured_[connection.slot];
  return secured.generation == connection.generation && secured.phase == phase;
}

void TlsTransport::enter(net::ConnectionId connection, Secured::Phase phase,
                         bool initiated) noexcept {
  Secured& secured = secured_[connection.slot];
  AFFIX_ASSERT(secured.phase == Secured::Phase::Plain);
  secured.generation = connection.generation;
  secured.phase = phase;
  secured.initiated = initiated;
}

void TlsTransport::forget(std::uint32_t slot) noexcept {
  Secured& secured = secured_[slot];
  secured.plain.drop(plain_blocks_);
  deadlines_.clear(slot);
  // Resets the slot for its next connection; it stays in the list of work that has it.
  const bool listed = secured.due.has(Secured::Due::Turn);
  secured = Secured{};
  if (listed) {
    secured.due.add(Secured::Due::Turn);
  }
}

// --- What begins ---

std::expected<net::Listening, base::Error> TlsTransport::listen(const net::Address& address,
                                                                const net::SocketOptions& options) {
  return beneath_->listen(address, options);
}

std::expected<net::ListenerId, base::Error> TlsTransport::add_listener(net::Listener listener) {
  return beneath_->add_listener(std::move(listener));
}

std::expected<net::Listening, base::Error> TlsTransport::listen_tls(
    const net::Address& address, const net::SocketOptions& options,
    std::shared_ptr<const TlsEndpoint> endpoint) {
  AFFIX_ASSERT(endpoint != nullptr && endpoint->settings().is_server);
  auto listening = beneath_->listen(address, options);
  if (listening) {
    // No peer is accepted before the next turn.
    listeners_.push_back({listening->id, std::move(endpoint)});
  }
  return listening;
}

bool TlsTransport::remove_listener(net::ListenerId listener) noexcept {
  std::erase_if(listeners_, [&](const TlsListener& each) { return each.id == listener; });
  return beneath_->remove_listener(listener);
}

std::expected<net::ConnectionId, base::Error> TlsTransport::connect(
    const net::Address& address, const net::SocketOptions& options, std::int64_t deadline_ns) {
  return beneath_->connect(address, options, deadline_ns);
}

std::expected<net::ConnectionId, base::Error> TlsTransport::connect_tls(
    const net::Address& address, const net::SocketOptions& options, std::int64_t deadline_ns,
    std::shared_ptr<const TlsEndpoint> endpoint) {
  AFFIX_ASSERT(endpoint != nullptr && !endpoint->settings().is_server);
  auto connection = beneath_->connect(address, options, deadline_ns);
  if (connection) {
    enter(*connection, Secured::Phase::Connecting, true);
    secured_[connection->slot].endpoint = std::move(endpoint);
  }
  return connection;
}

bool TlsTransport::begin_handshake(net::ConnectionId connection,
                                   const TlsEndpoint& endpoint) noexcept {
  const base::Now at = beneath_->now();
  Secured& secured = secured_[connection.slot];
  secured.phase = Secured::Phase::Handshaking;
  secured.stream = TlsStream::make(endpoint.current(), at.utc_ns);
  deadlines_.set(connection.slot, at.steady_ns + endpoint.settings().handshake_timeout_ns);
  return secured.stream != nullptr;
}

void TlsTransport::on_accepted(net::ListenerId listener, net::ConnectionId connection,
                               const net::Address& peer) noexcept {
  const auto found = std::find_if(listeners_.begin(), listeners_.end(),
                                  [&](const TlsListener& each) { return each.id == listener; });
  if (found == listeners_.end()) {
    handler_->on_accepted(listener, connection, peer);
    return;
  }
  enter(connection, Secured::Phase::Handshaking, false);
  const bool begun = begin_handshake(connection, *found->endpoint);
  handler_->on_accepted(listener, connection, peer);
  if (!begun && lives(connection, Secured::Phase::Handshaking)) {
    give_up(connection, {"there is no memory for a TLS connection", "T212"});
  }
}

void TlsTransport::on_connected(net::ConnectionId connection) noexcept {
  Secured* const secured = find(connection);
  if (secured == nullptr) {
    handler_->on_connected(connection);
    return;
  }
  const std::shared_ptr<const TlsEndpoint> endpoint = std::move(secured->endpoint);
  if (!begin_handshake(connection, *endpoint)) {
    give_up(connection, {"there is no memory for a TLS connection", "T212"});
    return;
  }
  std::string_view nothing;
  go_on_shaking_hands(connection, nothing);
}

void TlsTransport::on_connect_failed(net::ConnectionId connection, net::ConnectFailure failure,
                                     int error_number) noexcept {
  if (find(connection) != nullptr) {
    forget(connection.slot);
  }
  handler_->on_connect_failed(connection, failure, error_number);
}

void TlsTransport::on_accept_paused(net::ListenerId listener, net::AcceptPause pause) noexcept {
  handler_->on_accept_paused(listener, pause);
}

void TlsTransport::begin_preamble(net::ConnectionId connection) noexcept {
  if (lives(connection, Secured::Phase::Handshaking)) {
    secured_[connection.slot].preamble = true;
  }
}

void TlsTransport::end_preamble(net::ConnectionId connection) noexcept {
  if (lives(connection, Secured::Phase::Handshaking)) {
    secured_[connection.slot].preamble = false;
  }
}

// --- Queries ---

std::int64_t TlsTransport::received_ns(net::ConnectionId connection) const noexcept {
  return beneath_->received_ns(connection);
}

std::uint64_t TlsTransport::output_position(net::ConnectionId connection) const noexcept {
  return beneath_->output_position(connection);
}

std::optional<net::Address> TlsTransport::local_address(
    net::ConnectionId connection) const noexcept {
  return beneath_->local_address(connection);
}

std::optional<net::Address> TlsTransport::peer_address(
    net::ConnectionId connection) const noexcept {
  return beneath_->peer_address(connection);
}

std::uint32_t TlsTransport::connection_count() const noexcept {
  return beneath_->connection_count();
}

const TlsPeer* TlsTransport::tls_peer(net::ConnectionId connection) const noexcept {
  const Secured* const secured = find(connection);
  const bool known = secured != nullptr && secured->phase == Secured::Phase::Open;
  return known ? &secured->stream->peer() : nullptr;
}

}  // namespace affix::inline v0::tls
