// SPDX-License-Identifier: MIT
// Forwards every call except the time to the system's reactor.
#include "shifted_reactor.hpp"

#include <utility>

namespace affix::conformance {

namespace {

class ShiftedReactor final : public net::Reactor {
 public:
  ShiftedReactor(const ShiftedClock& clock, std::unique_ptr<net::Reactor> sockets)
      : clock_(clock), sockets_(std::move(sockets)) {}

  base::Now now() noexcept override { return clock_.now(); }

  const net::ReactorOptions& options() const noexcept override { return sockets_->options(); }

  net::Turn poll(base::Now now, const net::Wait&, net::Handler& handler) noexcept override {
    // The system would wait by its own clock.
    return sockets_->poll(now, net::Wait::spin(), handler);
  }

  std::expected<net::Listening, base::Error> listen(const net::Address& address,
                                                    const net::SocketOptions& options) override {
    return sockets_->listen(address, options);
  }

  std::expected<net::ListenerId, base::Error> add_listener(net::Listener listener) override {
    return sockets_->add_listener(std::move(listener));
  }

  bool remove_listener(net::ListenerId listener) noexcept override {
    return sockets_->remove_listener(listener);
  }

  std::expected<net::ConnectionId, base::Error> connect(const net::Address& address,
                                                        const net::SocketOptions& options,
                                                        std::int64_t deadline_ns) override {
    return sockets_->connect(address, options, deadline_ns);
  }

  std::expected<net::DetachedConnection, base::Error> release(
      net::ConnectionId connection, std::string_view unconsumed) override {
    return sockets_->release(connection, unconsumed);
  }

  using Reactor::adopt;

  std::expected<net::ConnectionId, base::Error> adopt(net::DetachedConnection connection) override {
    return sockets_->adopt(std::move(connection));
  }

  net::SendResult send(net::ConnectionId connection,
                       std::span<const std::string_view> pieces) noexcept override {
    return sockets_->send(connection, pieces);
  }

  void submit() noexcept override { sockets_->submit(); }

  bool close(net::ConnectionId connection) noexcept override { return sockets_->close(connection); }

  bool close_after_flush(net::ConnectionId connection, std::int64_t deadline_ns) noexcept override {
    return sockets_->close_after_flush(connection, deadline_ns);
  }

  bool pause_reading(net::ConnectionId connection) noexcept override {
    return sockets_->pause_reading(connection);
  }

  bool resume_reading(net::ConnectionId connection) noexcept override {
    return sockets_->resume_reading(connection);
  }

  std::size_t parked_bytes(net::ConnectionId connection) const noexcept override {
    return sockets_->parked_bytes(connection);
  }

  std::optional<net::Address> local_address(net::ConnectionId connection) const noexcept override {
    return sockets_->local_address(connection);
  }

  std::optional<net::Address> peer_address(net::ConnectionId connection) const noexcept override {
    return sockets_->peer_address(connection);
  }

  std::int64_t received_ns(net::ConnectionId connection) const noexcept override {
    return sockets_->received_ns(connection);
  }

  std::uint32_t connection_count() const noexcept override { return sockets_->connection_count(); }

  net::Waker& waker() noexcept override { return sockets_->waker(); }

  std::string_view name() const noexcept override { return "shifted"; }

 private:
  const ShiftedClock& clock_;
  std::unique_ptr<net::Reactor> sockets_;
};

}  // namespace

std::unique_ptr<net::Reactor> make_shifted_reactor(std::string_view name, const ShiftedClock& clock,
                                                   const net::ReactorOptions& options) {
  auto sockets = net::make_reactor(name, options);
  if (!sockets) {
    return nullptr;
  }
  return std::make_unique<ShiftedReactor>(clock, std::move(*sockets));
}

}  // namespace affix::conformance
