// SPDX-License-Identifier: MIT
// The other side of an engine under test, written by hand, on a virtual network: it connects or
// accepts, sends what a test says, right or wrong, and keeps what it gets. Knows no protocol.
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

/// Where a peer's only connection stands.
enum class PeerState : std::uint8_t {
  Idle,        ///< None yet, or none any more by the peer's own wish.
  Connecting,  ///< connect() was called.
  Connected,
  Refused,  ///< connect() was answered by nobody's listening.
  Ended,    ///< The other side has ended its stream; ours still stands.
  Reset,    ///< The connection was reset.
};

class VirtualPeer {
 public:
  /// A node of its own. The network outlives it.
  explicit VirtualPeer(VirtualNetwork& network);
  ~VirtualPeer();

  VirtualPeer(const VirtualPeer&) = delete;
  VirtualPeer& operator=(const VirtualPeer&) = delete;

  [[nodiscard]] NodeId node() const noexcept { return node_; }

  [[nodiscard]] PeerState state() const noexcept { return state_; }

  /// Who this is, for message(): BeginString, our CompID and theirs.
  std::string begin_string = "FIX.4.4";
  std::string sender;
  std::string target;
  std::uint64_t next_sequence = 1;

  /// False: it leaves everything unread, so that its sender meets back-pressure.
  bool reads = true;

  /// Ends the connection there is and begins another; state() tells what became of it.
  void connect(const net::Address& address);

  /// Accepts connections, one after the other; where somebody else listens it does not (false).
  bool listen(const net::Address& address);

  /// Accepts no more; the connection there is stays.
  void stop_listening();

  /// Bytes as they are. What the window does not take waits here and goes on its way later.
  void send(std::string_view bytes);

  /// `35=type` with our identity, the next number and the node's time, `fields` `|`-separated,
  /// sent.
  void say(std::string_view type, std::string_view fields = {});

  /// The same, not sent; a `sequence` of the caller's does not count as the next.
  [[nodiscard]] std::string message(std::string_view type, std::string_view fields = {},
                                    std::uint64_t sequence = 0);

  /// The whole messages that came since the last call; a beginning stays.
  [[nodiscard]] std::vector<std::string> take_messages();

  /// Everything that came and was not taken.
  [[nodiscard]] const std::string& received() const noexcept { return received_; }

  /// The link of the connection there is; LinkId{0} without one.
  [[nodiscard]] LinkId link() const noexcept;

  /// Ends the connection in order, or with a reset.
  void close();
  void reset();

 private:
  friend class VirtualNetwork;

  [[nodiscard]] bool accept(const std::shared_ptr<VirtualLink>& link);
  void attempt_ended(const std::shared_ptr<VirtualLink>& link);
  void turn();
  void take_input();
  void drop(bool reset);

  VirtualNetwork& network_;
  NodeId node_;
  PeerState state_ = PeerState::Idle;
  std::shared_ptr<VirtualLink> link_;
  unsigned side_ = 0;
  std::uint32_t attempt_ = 0;
  std::string waiting_;
  std::string received_;
};

}  // namespace affix::inline v0::testing
