// SPDX-License-Identifier: MIT
// One connection of a hand-written peer.
#include "affix/testing/virtual_peer.hpp"

#include "affix/testing/message_text.hpp"

#include "testing/virtual_fabric.hpp"
#include "testing/virtual_link.hpp"

namespace affix::inline v0::testing {

VirtualPeer::VirtualPeer(VirtualNetwork& network)
    : fabric_(*network.fabric_), node_(network.add_node([this] { turn(); })) {
  fabric_.at(node_).kill = [] {};  // The node is taken, by no process that could be killed.
}

VirtualPeer::~VirtualPeer() {
  drop(false);
  stop_listening();
  VirtualFabric::Node& node = fabric_.at(node_);
  node.kill = {};
  node.turn = {};
}

void VirtualPeer::drop(bool reset) {
  std::erase_if(fabric_.attempts,
                [this](const VirtualFabric::Attempt& one) { return one.node == node_; });
  if (link_) {
    link_->close(side_, reset);
    link_.reset();
  }
  waiting_.clear();
  state_ = PeerState::Idle;
}

void VirtualPeer::connect(const net::Address& address) {
  drop(false);
  state_ = PeerState::Connecting;
  fabric_.attempts.push_back(
      {fabric_.steady_ns + 2 * fabric_.conditions.delay_ns, address, node_,
       [this](const std::shared_ptr<VirtualLink>& link) { attempt_ended(link); }});
}

bool VirtualPeer::listen(const net::Address& address) {
  for (const VirtualFabric::Listening& other : fabric_.listening) {
    if (other.address == address) {
      return false;
    }
  }
  fabric_.listening.push_back({address, node_, 0, [this](const std::shared_ptr<VirtualLink>& link) {
                                 return accept(link);
                               }});
  return true;
}

void VirtualPeer::stop_listening() {
  std::erase_if(fabric_.listening,
                [this](const VirtualFabric::Listening& one) { return one.node == node_; });
}

bool VirtualPeer::accept(const std::shared_ptr<VirtualLink>& link) {
  if (link_) {
    return false;
  }
  link_ = link;
  side_ = 1;
  state_ = PeerState::Connected;
  return true;
}

void VirtualPeer::attempt_ended(const std::shared_ptr<VirtualLink>& link) {
  link_ = link;
  side_ = 0;
  state_ = link ? PeerState::Connected : PeerState::Refused;
}

void VirtualPeer::send(std::string_view bytes) {
  waiting_ += bytes;
  turn();
}

void VirtualPeer::say(std::string_view type, std::string_view fields) {
  send(message(type, fields));
}

std::string VirtualPeer::message(std::string_view type, std::string_view fields,
                                 std::uint64_t sequence) {
  const std::uint64_t number = sequence == 0 ? next_sequence++ : sequence;
  std::string text = "8=" + begin_string + "|35=" + std::string(type) +
                     "|34=" + std::to_string(number) + "|49=" + sender + "|56=" + target +
                     "|52=" + time_text(fabric_.now(node_).utc_ns) + "|";
  text += fields;
  return make_message(text);
}

void VirtualPeer::turn() {
  if (!link_) {
    return;
  }
  if (!waiting_.empty()) {
    waiting_.erase(0, link_->write(side_, waiting_));
  }
  if (reads) {
    take_input();
  }
}

void VirtualPeer::take_input() {
  const std::string_view bytes = link_->readable(side_);
  received_ += bytes;
  link_->consume(side_, bytes.size());
  if (link_->broken(side_)) {
    drop(false);
    state_ = PeerState::Reset;
  } else if (link_->ended(side_)) {
    state_ = PeerState::Ended;
  }
}

std::vector<std::string> VirtualPeer::take_messages() {
  constexpr std::size_t trailer_bytes = 7;  // 10=nnn and its SOH.
  const std::size_t last = received_.rfind(
      "\x01"
      "10=");
  const std::size_t end = last == std::string::npos ? last : last + 1 + trailer_bytes;
  if (end == std::string::npos || end > received_.size()) {
    return {};
  }
  std::vector<std::string> messages = split_messages(std::string_view(received_).substr(0, end));
  received_.erase(0, end);
  return messages;
}

LinkId VirtualPeer::link() const noexcept {
  return link_ ? link_->id() : LinkId{0};
}

void VirtualPeer::close() {
  turn();
  drop(false);
}

void VirtualPeer::reset() {
  drop(true);
}

}  // namespace affix::inline v0::testing
