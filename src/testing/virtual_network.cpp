// SPDX-License-Identifier: MIT
// Advances time, and runs events in order.
#include "affix/testing/virtual_network.hpp"

#include "affix/base/assert.hpp"
#include "affix/testing/manual_clock.hpp"
#include "affix/testing/virtual_peer.hpp"

#include "testing/virtual_link.hpp"
#include "testing/virtual_node.hpp"
#include "testing/virtual_reactor.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::testing {

namespace {

bool is_any(const net::Address& address) {
  const std::string host = address.host_text();
  return host == "0.0.0.0" || host == "::";
}

}  // namespace

VirtualNetwork::VirtualNetwork(std::uint64_t seed) : random_(seed) {
  const base::Now begin = ManualClock().now();
  steady_ns_ = begin.steady_ns;
  utc_offset_ns_ = begin.utc_ns - begin.steady_ns;
}

VirtualNetwork::~VirtualNetwork() = default;

std::uint64_t VirtualNetwork::random() noexcept {
  // splitmix64: every seed is good, 0 included.
  random_ += 0x9e37'79b9'7f4a'7c15;
  std::uint64_t mixed = random_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58'476d'1ce4'e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d0'49bb'1331'11eb;
  return mixed ^ (mixed >> 31);
}

// --- Nodes ---

VirtualNetwork::Node& VirtualNetwork::at(NodeId node) {
  return *nodes_[static_cast<std::size_t>(node) - 1];
}

const VirtualNetwork::Node& VirtualNetwork::at(NodeId node) const {
  return *nodes_[static_cast<std::size_t>(node) - 1];
}

NodeId VirtualNetwork::add_node(std::function<void()> turn) {
  nodes_.push_back(std::make_unique<Node>());
  nodes_.back()->turn = std::move(turn);
  return static_cast<NodeId>(nodes_.size());
}

void VirtualNetwork::set_turn(NodeId node, std::function<void()> turn) {
  at(node).turn = std::move(turn);
  at(node).wake_ns = never_ns;
  at(node).due = true;
}

std::unique_ptr<net::Reactor> VirtualNetwork::make_reactor(NodeId node,
                                                           const net::ReactorOptions& options) {
  AFFIX_ASSERT(at(node).reactor == nullptr && at(node).peer == nullptr);
  auto reactor = std::make_unique<VirtualReactor>(*this, node, options);
  at(node).reactor = reactor.get();
  at(node).wake_ns = never_ns;
  at(node).due = true;
  return reactor;
}

void VirtualNetwork::kill(NodeId node) {
  if (VirtualReactor* const reactor = at(node).reactor) {
    reactor->kill();
  }
  at(node).wake_ns = never_ns;
  at(node).due = false;
}

void VirtualNetwork::stall(NodeId node, std::int64_t ns) {
  at(node).stalled_until_ns = steady_ns_ + ns;
}

void VirtualNetwork::wake(NodeId node) {
  at(node).due = true;
}

void VirtualNetwork::step_utc(NodeId node, std::int64_t by_ns) {
  at(node).utc_step_ns += by_ns;
}

base::Now VirtualNetwork::now(NodeId node) const {
  return {steady_ns_, steady_ns_ + utc_offset_ns_ + at(node).utc_step_ns};
}

net::Address VirtualNetwork::address_of(NodeId node, std::uint16_t port) const {
  const auto number = static_cast<std::uint32_t>(node);
  const std::string text = "10.0." + std::to_string(number / 256 % 256) + "." +
                           std::to_string(number % 256) + ":" + std::to_string(port);
  return *net::Address::parse(text);
}

std::uint16_t VirtualNetwork::next_port() noexcept {
  constexpr std::uint32_t first = 32'768;
  return static_cast<std::uint16_t>(first + ports_used_++ % first);
}

// --- Time ---

std::int64_t VirtualNetwork::next_event_ns() const {
  std::int64_t next = never_ns;
  for (const auto& link : links_) {
    next = std::min(next, link->next_arrival_ns());
  }
  for (const Attempt& attempt : attempts_) {
    next = std::min(next, attempt.at_ns);
  }
  for (const auto& node : nodes_) {
    if (node->turn) {
      const std::int64_t wanted = node->due ? steady_ns_ : node->wake_ns;
      next = std::min(next, std::max(wanted, node->stalled_until_ns));
    }
  }
  return next;
}

bool VirtualNetwork::step(std::int64_t until_steady_ns) {
  const std::int64_t next = next_event_ns();
  if (next > until_steady_ns) {
    steady_ns_ = std::max(steady_ns_, until_steady_ns);
    return false;
  }
  steady_ns_ = std::max(steady_ns_, next);
  const bool outermost = !std::exchange(running_, true);
  if (!decide_attempts() && !arrive()) {
    static_cast<void>(turn_nodes());
  }
  running_ = !outermost;
  return true;
}

bool VirtualNetwork::run(std::int64_t ns, std::uint64_t steps_max) {
  const std::int64_t until = steady_ns_ + ns;
  for (const auto& node : nodes_) {
    node->due = true;
  }
  for (std::uint64_t count = 0; count < steps_max; ++count) {
    if (!step(until)) {
      return true;
    }
  }
  return false;
}

void VirtualNetwork::wait(NodeId node, std::int64_t deadline_ns) {
  const std::function<void()> turn = std::exchange(at(node).turn, {});
  at(node).due = false;
  while (!at(node).due && step(deadline_ns)) {
  }
  at(node).turn = turn;
}

bool VirtualNetwork::arrive() {
  bool arrived = false;
  for (std::size_t at = 0; at < links_.size(); ++at) {
    arrived = links_[at]->arrive(steady_ns_) || arrived;
  }
  std::erase_if(links_, [](const std::shared_ptr<VirtualLink>& link) {
    const bool over = link->next_arrival_ns() == never_ns;
    return over && (link->closed(0) || link->broken(0)) && (link->closed(1) || link->broken(1)) &&
           link.use_count() == 1;
  });
  return arrived;
}

bool VirtualNetwork::decide_attempts() {
  const auto due = std::find_if(attempts_.begin(), attempts_.end(),
                                [this](const Attempt& one) { return one.at_ns <= steady_ns_; });
  if (due == attempts_.end()) {
    return false;
  }
  const Attempt attempt = *due;
  attempts_.erase(due);
  if (ignores_) {
    return true;
  }
  const auto listening =
      std::find_if(listening_.begin(), listening_.end(), [&](const Listening& one) {
        return one.address == attempt.address ||
               (is_any(one.address) && one.address.port() == attempt.address.port());
      });
  std::shared_ptr<VirtualLink> link;
  const NodeId from = attempt.reactor != nullptr ? attempt.reactor->node() : attempt.peer->node();
  if (listening != listening_.end() && !refuses_) {
    const NodeId to =
        listening->reactor != nullptr ? listening->reactor->node() : listening->peer->node();
    const NodeId ends[] = {from, to};
    const net::Address addresses[] = {address_of(from, next_port()),
                                      address_of(to, attempt.address.port())};
    link = std::make_shared<VirtualLink>(*this, LinkId{++links_made_}, ends, addresses);
    const bool taken = listening->reactor != nullptr
                           ? listening->reactor->accept(listening->listener, link)
                           : listening->peer->accept(link);
    if (taken) {
      links_.push_back(link);
      wake(to);
    } else {
      link.reset();
    }
  }
  if (attempt.reactor != nullptr) {
    attempt.reactor->attempt_ended(attempt.slot, attempt.generation, link);
  } else {
    attempt.peer->attempt_ended(link);
  }
  wake(from);
  return true;
}

bool VirtualNetwork::turn_nodes() {
  for (std::size_t count = 0; count < nodes_.size(); ++count) {
    // In turn, so that a node that always has work does not delay the others.
    last_turned_ = (last_turned_ + 1) % nodes_.size();
    Node& node = *nodes_[last_turned_];
    if (!node.turn || node.stalled_until_ns > steady_ns_ ||
        (!node.due && node.wake_ns > steady_ns_)) {
      continue;
    }
    node.due = false;
    node.wake_ns = never_ns;
    const std::function<void()> turn = node.turn;  // Its own work may replace it.
    turn();
    return true;
  }
  return false;
}

// --- Faults ---

std::vector<LinkId> VirtualNetwork::links() const {
  std::vector<LinkId> ids;
  for (const auto& link : links_) {
    const bool stands =
        !link->closed(0) && !link->closed(1) && !link->broken(0) && !link->broken(1);
    if (stands) {
      ids.push_back(link->id());
    }
  }
  return ids;
}

std::shared_ptr<VirtualLink> VirtualNetwork::find(LinkId link) const {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [link](const auto& one) { return one->id() == link; });
  return found == links_.end() ? nullptr : *found;
}

std::size_t VirtualNetwork::bytes_on_the_way(LinkId link, bool from_connector) const {
  const auto found = find(link);
  return found ? found->bytes_on_the_way(from_connector ? 0 : 1) : 0;
}

void VirtualNetwork::cut(LinkId link, std::size_t from_connector, std::size_t to_connector) {
  if (const auto found = find(link)) {
    found->cut(from_connector, to_connector);
  }
}

void VirtualNetwork::silence(LinkId link) {
  if (const auto found = find(link)) {
    found->silence();
  }
}

bool VirtualNetwork::corrupt(LinkId link, bool from_connector, std::size_t offset) {
  const auto found = find(link);
  return found && found->corrupt(from_connector ? 0 : 1, offset);
}

}  // namespace affix::inline v0::testing
