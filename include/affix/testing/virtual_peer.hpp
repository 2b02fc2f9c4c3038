// SPDX-License-Identifier: MIT
// A hand-written counterparty for an engine under test, on a virtual network: connects or accepts,
// sends messages that the test writes, valid or not, and stores its input. Knows no protocol.
// Allocates; for tests only.
#pragma once

#include "affix/net/address.hpp"
#include "affix/testing/virtual_network.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::testing {

/// State of a peer's only connection.
enum class PeerState : std::uint8_t {
  Idle,        ///< None yet, or closed by the peer itself.
  Connecting,  ///< connect() was called.
  Connected,
  Refused,  ///< No node listens at the address.
  Ended,    ///< The other side ended its stream; ours is open.
  Reset,    ///< The connection was reset.
};

class VirtualPeer {
 public:
  /// Adds a node of its own. The network must outlive it.
  explicit VirtualPeer(VirtualNetwork& network);
  ~VirtualPeer();

  VirtualPeer(const VirtualPeer&) = delete;
  VirtualPeer& operator=(const VirtualPeer&) = delete;

  [[nodiscard]] NodeId node() const noexcept { return node_; }

  [[nodiscard]] PeerState state() const noexcept { return state_; }

  /// Identity for message(): BeginString, our CompID and theirs.
  std::string begin_string = "FIX.4.4";
  std::string sender;
  std::string target;
  std::uint64_t next_sequence = 1;

  /// False: it leaves all input unread, so that its sender is blocked.
  bool reads = true;

  /// Ends an existing connection and starts another; state() has the result.
  void connect(const net::Address& address);

  /// Accepts connections, one at a time. False: another node listens there.
  bool listen(const net::Address& address);

  /// Stops accepting; an existing connection continues.
  void stop_listening();

  /// Sends raw bytes. Bytes beyond the window wait here and are sent later.
  void send(std::string_view bytes);

  /// Sends `35=type` with our identity, the next number and the node's time; `fields` are
  /// `|`-separated.
  void say(std::string_view type, std::string_view fields = {});

  /// Makes the message only; a `sequence` of the caller does not advance the next number.
  [[nodiscard]] std::string message(std::string_view type, std::string_view fields = {},
                                    std::uint64_t sequence = 0);

  /// Complete messages received since the last call; an incomplete one is kept.
  [[nodiscard]] std::vector<std::string> take_messages();

  /// All input that was not taken.
  [[nodiscard]] const std::string& received() const noexcept { return received_; }

  /// Link of the existing connection; LinkId{0} without one.
  [[nodiscard]] LinkId link() const noexcept;

  /// End the connection in order, or with a reset.
  void close();
  void reset();

 private:
  [[nodiscard]] bool accept(const std::shared_ptr<VirtualLink>& link);
  void attempt_ended(const std::shared_ptr<VirtualLink>& link);
  void turn();
  void take_input();
  void drop(bool reset);

  VirtualFabric& fabric_;
  NodeId node_;
  PeerState state_ = PeerState::Idle;
  std::shared_ptr<VirtualLink> link_;
  unsigned side_ = 0;
  std::string waiting_;
  std::string received_;
};

}  // namespace affix::inline v0::testing
