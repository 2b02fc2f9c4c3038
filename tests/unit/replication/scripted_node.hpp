// SPDX-License-Identifier: MIT
// A node that a test plays by hand: listens or connects, sends frames, keeps what it receives.
#pragma once

#include "affix/net/reactor.hpp"
#include "affix/testing/virtual_network.hpp"

#include "replication/frame.hpp"

#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace affix::replication_test {

/// A frame that was received.
struct KeptFrame {
  replication::FrameType type = replication::FrameType::Pad;
  std::string payload;
  std::size_t size = 0;
};

class ScriptedNode final : public net::Handler {
 public:
  explicit ScriptedNode(testing::VirtualNetwork& network)
      : network_(network), node(network.add_node()), reactor_(network.make_reactor(node, {})) {
    address =
        *net::Address::parse("10.0.0." + std::to_string(static_cast<unsigned>(node)) + ":7000");
    network_.set_turn(node, [this] {
      reactor_->poll(reactor_->now(), net::Wait::block_until(testing::VirtualNetwork::never_ns),
                     *this);
    });
  }

  ~ScriptedNode() {
    network_.set_turn(node, {});
    network_.kill(node);
  }

  void listen() { ASSERT_TRUE(reactor_->listen(address, {})); }

  void connect(const net::Address& to) {
    connection = *reactor_->connect(to, {}, testing::VirtualNetwork::never_ns);
    network_.wake(node);
  }

  void send(std::string_view frames) {
    static_cast<void>(reactor_->send(connection, frames));
    network_.wake(node);
  }

  void close() {
    reactor_->close(connection);
    open = false;
  }

  void read(bool reads) {
    static_cast<void>(reads ? reactor_->resume_reading(connection)
                            : reactor_->pause_reading(connection));
    network_.wake(node);
  }

  /// The next frame that is no Beat.
  std::optional<KeptFrame> take() {
    while (!frames.empty()) {
      KeptFrame frame = std::move(frames.front());
      frames.pop_front();
      if (frame.type != replication::FrameType::Beat) {
        return frame;
      }
    }
    return std::nullopt;
  }

  /// The payload of the next frame, which is of this type.
  std::string expect(replication::FrameType type) {
    std::optional<KeptFrame> frame = take();
    if (!frame) {
      ADD_FAILURE() << "no frame where one of type " << static_cast<int>(type) << " should be";
      return {};
    }
    EXPECT_EQ(static_cast<int>(frame->type), static_cast<int>(type));
    return frame->payload;
  }

 private:
  testing::VirtualNetwork& network_;

 public:
  testing::NodeId node;
  net::Address address;
  net::ConnectionId connection{};
  std::deque<KeptFrame> frames;
  std::size_t beats = 0;
  unsigned accepted = 0;
  bool open = false;

 private:
  void on_accepted(net::ListenerId, net::ConnectionId id, const net::Address&) noexcept override {
    connection = id;
    open = true;
    ++accepted;
  }

  void on_connected(net::ConnectionId) noexcept override { open = true; }

  void on_connect_failed(net::ConnectionId, net::ConnectFailure, int) noexcept override {}

  std::size_t on_bytes(net::ConnectionId, base::PaddedBytes bytes) noexcept override {
    std::size_t used = 0;
    for (;;) {
      const replication::FrameView frame = replication::first_frame(bytes.view().substr(used));
      EXPECT_NE(frame.state, replication::FrameView::State::Bad);
      if (frame.state != replication::FrameView::State::Whole) {
        return used;
      }
      used += frame.size;
      beats += frame.type == replication::FrameType::Beat ? 1U : 0U;
      frames.push_back({frame.type, std::string(frame.payload), frame.size});
    }
  }

  void on_drained(net::ConnectionId) noexcept override {}

  void on_closed(net::ConnectionId id, net::CloseReason, int) noexcept override {
    if (id == connection) {
      open = false;
    }
  }

  std::unique_ptr<net::Reactor> reactor_;
};

}  // namespace affix::replication_test
