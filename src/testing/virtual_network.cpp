// SPDX-License-Identifier: MIT
// Advances time, and runs events in order.
#include "affix/testing/virtual_network.hpp"

#include "affix/base/assert.hpp"
#include "affix/testing/manual_clock.hpp"

#include "testing/virtual_fabric.hpp"
#include "testing/virtual_link.hpp"
#include "testing/virtual_reactor.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace affix::inline v0::testing {

namespace {

bool is_any(const net::Address& address) {
  const std::string host = address.host_text();
  return host == "0.0.0.0" || host == "::";
}

net::Address address_of(NodeId node, std::uint16_t port) {
  const auto number = static_cast<std::uint32_t>(node);
  const std::string text = "10.0." + std::to_string(number / 256 % 256) + "." +
                           std::to_string(number % 256) + ":" + std::to_string(port);
  return *net::Address::parse(text);
}

}  // namespace

VirtualNetwork::VirtualNetwork(std::uint64_t seed)
    : fabric_(std::make_unique<VirtualFabric>(conditions, on_sent, on_taken, seed)) {
  fabric_->wait = [this](NodeId node, std::int64_t deadline_ns) { wait(node, deadline_ns); };
  const base::Now begin = ManualClock().now();
  fabric_->steady_ns = begin.steady_ns;
  fabric_->utc_offset_ns = begin.utc_ns - begin.steady_ns;
}

VirtualNetwork::~VirtualNetwork() = default;

// --- Nodes ---

NodeId VirtualNetwork::add_node(std::function<void()> turn) {
  auto& nodes = fabric_->nodes;
  nodes.push_back(std::make_unique<VirtualFabric::Node>());
  nodes.back()->turn = std::move(turn);
  return static_cast<NodeId>(nodes.size());
}

void VirtualNetwork::set_turn(NodeId node, std::function<void()> turn) {
  VirtualFabric::Node& at = fabric_->at(node);
  at.turn = std::move(turn);
  at.wake_ns = never_ns;
  at.due = true;
}

std::unique_ptr<net::Reactor> VirtualNetwork::make_reactor(NodeId node,
                                                           const net::ReactorOptions& options) {
  VirtualFabric::Node& at = fabric_->at(node);
  AFFIX_ASSERT(!at.kill);
  auto reactor = std::make_unique<VirtualReactor>(*fabric_, node, options);
  at.kill = [killed = reactor.get()] { killed->kill(); };
  at.wake_ns = never_ns;
  at.due = true;
  return reactor;
}

void VirtualNetwork::kill(NodeId node, std::span<net::Socket* const> held, std::size_t last_bytes) {
  VirtualFabric::Node& at = fabric_->at(node);
  at.last_bytes = last_bytes;
  if (at.kill) {
    at.kill();
  }
  fabric_->leave_shared(node, held);
  at.wake_ns = never_ns;
  at.due = false;
}

void VirtualNetwork::stall(NodeId node, std::int64_t ns) {
  fabric_->at(node).stalled_until_ns = fabric_->steady_ns + ns;
}

void VirtualNetwork::wake(NodeId node) {
  fabric_->wake(node);
}

void VirtualNetwork::step_utc(NodeId node, std::int64_t by_ns) {
  fabric_->at(node).utc_step_ns += by_ns;
}

base::Now VirtualNetwork::now(NodeId node) const {
  return fabric_->now(node);
}

// --- Time ---

std::int64_t VirtualNetwork::steady_ns() const noexcept {
  return fabric_->steady_ns;
}

std::int64_t VirtualNetwork::next_event_ns() const {
  std::int64_t next = never_ns;
  for (const auto& link : links_) {
    next = std::min(next, link->next_arrival_ns());
  }
  for (const VirtualFabric::Attempt& attempt : fabric_->attempts) {
    next = std::min(next, attempt.at_ns);
  }
  for (const auto& node : fabric_->nodes) {
    if (node->turn) {
      const std::int64_t wanted = node->due ? fabric_->steady_ns : node->wake_ns;
      next = std::min(next, std::max(wanted, node->stalled_until_ns));
    }
  }
  return next;
}

bool VirtualNetwork::step(std::int64_t until_steady_ns) {
  if (!fabric_->shared.empty()) {
    fabric_->end_shut_down();
  }
  const std::int64_t next = next_event_ns();
  if (next > until_steady_ns) {
    fabric_->steady_ns = std::max(fabric_->steady_ns, until_steady_ns);
    return false;
  }
  fabric_->steady_ns = std::max(fabric_->steady_ns, next);
  const bool outermost = !std::exchange(fabric_->running, true);
  if (!decide_attempts() && !arrive()) {
    static_cast<void>(turn_nodes());
  }
  fabric_->running = !outermost;
  return true;
}

bool VirtualNetwork::run(std::int64_t ns, std::uint64_t steps_max) {
  const std::int64_t until = fabric_->steady_ns + ns;
  for (const auto& node : fabric_->nodes) {
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
  VirtualFabric::Node& at = fabric_->at(node);
  const std::function<void()> turn = std::exchange(at.turn, {});
  at.due = false;
  while (!at.due && step(deadline_ns)) {
  }
  at.turn = turn;
}

bool VirtualNetwork::arrive() {
  bool arrived = false;
  for (std::size_t at = 0; at < links_.size(); ++at) {
    arrived = links_[at]->arrive(fabric_->steady_ns) || arrived;
  }
  std::erase_if(links_, [](const std::shared_ptr<VirtualLink>& link) {
    return link->idle() && (link->closed(0) || link->broken(0)) &&
           (link->closed(1) || link->broken(1)) && link.use_count() == 1;
  });
  return arrived;
}

bool VirtualNetwork::decide_attempts() {
  auto& attempts = fabric_->attempts;
  const auto due = std::find_if(
      attempts.begin(), attempts.end(),
      [this](const VirtualFabric::Attempt& one) { return one.at_ns <= fabric_->steady_ns; });
  if (due == attempts.end()) {
    return false;
  }
  const VirtualFabric::Attempt attempt = std::move(*due);
  attempts.erase(due);
  if (ignores_) {
    return true;
  }
  const auto& listening = fabric_->listening;
  const auto listener =
      std::find_if(listening.begin(), listening.end(), [&](const VirtualFabric::Listening& one) {
        return one.address == attempt.address ||
               (is_any(one.address) && one.address.port() == attempt.address.port());
      });
  std::shared_ptr<VirtualLink> link;
  if (listener != listening.end() && !refuses_) {
    const NodeId ends[] = {attempt.node, listener->node};
    if (fabric_->held_back.contains({ends[0], ends[1]}) ||
        fabric_->held_back.contains({ends[1], ends[0]})) {
      return true;
    }
    const net::Address addresses[] = {address_of(attempt.node, fabric_->next_port()),
                                      address_of(listener->node, attempt.address.port())};
    link = std::make_shared<VirtualLink>(*fabric_, LinkId{++links_made_}, ends, addresses);
    if (listener->accept(link)) {
      links_.push_back(link);
      wake(ends[1]);
    } else {
      link.reset();
    }
  }
  attempt.end(link);
  wake(attempt.node);
  return true;
}

bool VirtualNetwork::turn_nodes() {
  const auto& nodes = fabric_->nodes;
  for (std::size_t count = 0; count < nodes.size(); ++count) {
    // In turn, so that a node that always has work does not delay the others.
    last_turned_ = (last_turned_ + 1) % nodes.size();
    VirtualFabric::Node& node = *nodes[last_turned_];
    if (!node.turn || node.stalled_until_ns > fabric_->steady_ns ||
        (!node.due && node.wake_ns > fabric_->steady_ns)) {
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

std::size_t VirtualNetwork::left_connections(NodeId node) const noexcept {
  fabric_->end_shut_down();
  return static_cast<std::size_t>(std::ranges::count_if(
      fabric_->shared,
      [node](const VirtualFabric::Shared& one) { return one.left && one.node == node; }));
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

LinkEnds VirtualNetwork::ends(LinkId link) const {
  const auto found = find(link);
  AFFIX_ASSERT(found != nullptr);
  return {found->node(0), found->node(1), found->address(0)};
}

void VirtualNetwork::hold(NodeId from, NodeId to, bool held) {
  if (held) {
    fabric_->held_back.emplace(from, to);
  } else {
    fabric_->held_back.erase({from, to});
  }
}

void VirtualNetwork::hold_nothing() {
  fabric_->held_back.clear();
}

}  // namespace affix::inline v0::testing
