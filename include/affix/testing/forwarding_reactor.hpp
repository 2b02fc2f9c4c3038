// SPDX-License-Identifier: MIT
// A reactor that passes every call on to another one: a base for tests that change some of them.
#pragma once

#include "affix/net/reactor.hpp"

#include <memory>
#include <utility>

namespace affix::inline v0::testing {

/// One thread, as every reactor.
class ForwardingReactor : public net::Reactor {
 public:
  [[nodiscard]] base::Now now() noexcept override { return inner_->now(); }

  [[nodiscard]] const net::ReactorOptions& options() const noexcept override {
    return inner_->options();
  }

  net::Turn poll(base::Now now, const net::Wait& wait, net::Handler& handler) noexcept override {
    return inner_->poll(now, wait, handler);
  }

  [[nodiscard]] std::expected<net::Listening, base::Error> listen(
      const net::Address& address, const net::SocketOptions& options) override {
    return inner_->listen(address, options);
  }

  [[nodiscard]] std::expected<net::ListenerId, base::Error> add_listener(
      net::Listener listener) override {
    return inner_->add_listener(std::move(listener));
  }

  void rest_listener(net::ListenerId listener, std::int64_t until_ns) noexcept override {
    inner_->rest_listener(listener, until_ns);
  }

  void end_rest(net::ListenerId listener) noexcept override { inner_->end_rest(listener); }

  bool remove_listener(net::ListenerId listener) noexcept override {
    return inner_->remove_listener(listener);
  }

  [[nodiscard]] std::expected<net::ConnectionId, base::Error> connect(
      const net::Address& address, const net::SocketOptions& options,
      std::int64_t deadline_ns) override {
    return inner_->connect(address, options, deadline_ns);
  }

  [[nodiscard]] std::expected<net::DetachedConnection, base::Error> release(
      net::ConnectionId connection, std::string_view unconsumed) override {
    return inner_->release(connection, unconsumed);
  }

  using Reactor::adopt;

  [[nodiscard]] std::expected<net::ConnectionId, base::Error> adopt(
      net::DetachedConnection connection) override {
    return inner_->adopt(std::move(connection));
  }

  using Reactor::send;

  [[nodiscard]] net::SendResult send(net::ConnectionId connection,
                                     std::span<const std::string_view> pieces) noexcept override {
    return inner_->send(connection, pieces);
  }

  void submit() noexcept override { inner_->submit(); }

  bool close(net::ConnectionId connection) noexcept override { return inner_->close(connection); }

  bool close_after_flush(net::ConnectionId connection, std::int64_t deadline_ns) noexcept override {
    return inner_->close_after_flush(connection, deadline_ns);
  }

  bool pause_reading(net::ConnectionId connection) noexcept override {
    return inner_->pause_reading(connection);
  }

  bool resume_reading(net::ConnectionId connection) noexcept override {
    return inner_->resume_reading(connection);
  }

  [[nodiscard]] std::size_t parked_bytes(net::ConnectionId connection) const noexcept override {
    return inner_->parked_bytes(connection);
  }

  [[nodiscard]] std::optional<net::Address> local_address(
      net::ConnectionId connection) const noexcept override {
    return inner_->local_address(connection);
  }

  [[nodiscard]] std::optional<net::Address> peer_address(
      net::ConnectionId connection) const noexcept override {
    return inner_->peer_address(connection);
  }

  [[nodiscard]] std::int64_t received_ns(net::ConnectionId connection) const noexcept override {
    return inner_->received_ns(connection);
  }

  [[nodiscard]] std::uint32_t connection_count() const noexcept override {
    return inner_->connection_count();
  }

  [[nodiscard]] net::Waker& waker() noexcept override { return inner_->waker(); }

  [[nodiscard]] std::string_view name() const noexcept override { return inner_->name(); }

 protected:
  /// `inner` is not null.
  explicit ForwardingReactor(std::unique_ptr<net::Reactor> inner) : inner_(std::move(inner)) {}

  /// The reactor that carries the calls out.
  [[nodiscard]] net::Reactor& inner() noexcept { return *inner_; }

 private:
  std::unique_ptr<net::Reactor> inner_;
};

}  // namespace affix::inline v0::testing
