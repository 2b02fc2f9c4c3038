// SPDX-License-Identifier: MIT
// The Shipper's interface: checks its options and hands on to its links.
#include "affix/replication/shipper.hpp"

#include "replication/shipper_links.hpp"

#include <utility>

namespace affix::inline v0::replication {

namespace {

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= name_bytes_max;
}

}  // namespace

std::expected<std::unique_ptr<Shipper>, base::Error> Shipper::make(ShipperOptions options,
                                                                   net::Reactor& reactor,
                                                                   Dialer& dialer) {
  bool named = is_name(options.cluster) && is_name(options.node) && is_name(options.group);
  for (const Node& standby : options.standbys) {
    named = named && is_name(standby.name);
  }
  if (!named) {
    return base::invalid_argument("names of clusters, nodes and groups have 1 to 64 bytes", "R121");
  }
  if (options.standbys.size() > standbys_max) {
    return std::unexpected(base::Error{base::ErrorCode::Limit, "a group has 16 standbys at most",
                                       options.group, "R122"});
  }
  const bool in_range = options.worker_count >= 1 && options.worker_count <= workers_max &&
                        options.worker < options.worker_count && options.epoch != 0 &&
                        options.backlog_bytes >= backlog_bytes_min &&
                        options.backlog_bytes <= backlog_bytes_max && options.timeout_ns > 0 &&
                        options.beat_ns > 0 && options.redial_ns > 0 &&
                        reactor.options().tx_buffer_capacity >= frame_bytes_max;
  if (!in_range) {
    return base::invalid_argument("an option of replication is out of range", "R123");
  }
  return std::unique_ptr<Shipper>(
      new Shipper(std::make_unique<Links>(std::move(options), reactor, dialer)));
}

Shipper::Shipper(std::unique_ptr<Links> links) noexcept : links_(std::move(links)) {}

Shipper::~Shipper() = default;

std::uint32_t Shipper::add(journal::Journal& journal, std::string_view identity) {
  return links_->add(journal, identity);
}

void Shipper::remove(std::uint32_t id) noexcept {
  links_->remove(id);
}

void Shipper::end_turn(base::Now now) noexcept {
  links_->end_turn(now);
}

std::int64_t Shipper::next_deadline_ns() const noexcept {
  return links_->next_deadline_ns();
}

void Shipper::leave(base::Now now) noexcept {
  links_->leave(now.steady_ns);
}

bool Shipper::owns(net::ConnectionId connection) const noexcept {
  return links_->owns(connection);
}

void Shipper::on_connected(net::ConnectionId connection) noexcept {
  links_->on_connected(connection);
}

void Shipper::on_connect_failed(net::ConnectionId connection) noexcept {
  links_->on_connect_failed(connection);
}

std::size_t Shipper::on_bytes(net::ConnectionId connection, base::PaddedBytes bytes) noexcept {
  return links_->on_bytes(connection, bytes.view());
}

void Shipper::on_drained(net::ConnectionId connection) noexcept {
  links_->on_drained(connection);
}

void Shipper::on_closed(net::ConnectionId connection) noexcept {
  links_->on_closed(connection);
}

Place Shipper::stored() const noexcept {
  return links_->stored();
}

Place Shipper::released() const noexcept {
  return links_->released();
}

bool Shipper::is_reserve_known() const noexcept {
  return links_->is_reserve_known();
}

bool Shipper::has_connections() const noexcept {
  return links_->has_connections();
}

// Release and acquire in what follows: see Links::apply_gate(), publish() and fence().

void Shipper::set_gate(StandbyMask gate) noexcept {
  const std::uint64_t number =
      links_->shared.gate.load(std::memory_order_relaxed) >> ControlShare::mask_bits;
  links_->shared.gate.store(ControlShare::numbered(number + 1, gate), std::memory_order_release);
}

StandbyMask Shipper::gate() const noexcept {
  return static_cast<StandbyMask>(links_->shared.gate.load(std::memory_order_acquire));
}

StandbyMask Shipper::caught_up() const noexcept {
  return links_->shared.caught_up.load(std::memory_order_acquire);
}

StandbyMask Shipper::covered() const noexcept {
  const ControlShare::NumberedMask covered = links_->shared.covered.load(std::memory_order_acquire);
  const ControlShare::NumberedMask gate = links_->shared.gate.load(std::memory_order_acquire);
  return covered >> ControlShare::mask_bits == gate >> ControlShare::mask_bits
             ? static_cast<StandbyMask>(covered)
             : 0;
}

StandbyMask Shipper::late() const noexcept {
  return links_->shared.late.load(std::memory_order_acquire);
}

StandbyMask Shipper::connected() const noexcept {
  return links_->shared.connected.load(std::memory_order_acquire);
}

std::uint64_t Shipper::fenced_epoch() const noexcept {
  return links_->shared.fenced_epoch.load(std::memory_order_acquire);
}

// Relaxed: figures for people.

std::uint64_t Shipper::lag_bytes(std::size_t standby) const noexcept {
  return standby < standbys_max ? links_->shared.lags[standby].bytes.load(std::memory_order_relaxed)
                                : 0;
}

std::int64_t Shipper::lag_ns(std::size_t standby) const noexcept {
  return standby < standbys_max ? links_->shared.lags[standby].ns.load(std::memory_order_relaxed)
                                : 0;
}

}  // namespace affix::inline v0::replication
