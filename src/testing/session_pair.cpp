// SPDX-License-Identifier: MIT
// Runs events of two sessions and the link between them in the order of virtual time.

#include "affix/testing/session_pair.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::testing {

namespace {

session::SessionOptions mirrored(session::SessionOptions options) {
  options.role =
      options.role == session::Role::Initiator ? session::Role::Acceptor : session::Role::Initiator;
  std::swap(options.sender_comp_id, options.target_comp_id);
  std::swap(options.sender_sub_id, options.target_sub_id);
  std::swap(options.sender_location_id, options.target_location_id);
  return options;
}

}  // namespace

SessionPair::SessionPair(const session::SessionOptions& options, std::int64_t delay_ns)
    : SessionPair(options, mirrored(options), delay_ns) {}

SessionPair::SessionPair(const session::SessionOptions& initiator_options,
                         const session::SessionOptions& acceptor_options, std::int64_t delay_ns)
    : initiator(initiator_options), acceptor(acceptor_options), delay_ns_(delay_ns) {
  set_time();
}

void SessionPair::set_time() {
  initiator.now = clock.now();
  acceptor.now = clock.now();
}

void SessionPair::connect() {
  set_time();
  connected_ = true;
  acceptor.connect();
  initiator.connect();
  collect();
}

void SessionPair::collect() {
  if (!connected_) {
    return;
  }
  const std::int64_t at = clock.now().steady_ns + delay_ns_;
  if (std::string bytes = initiator.take_output(); !bytes.empty()) {
    to_acceptor_.push_back({at, std::move(bytes)});
  }
  if (std::string bytes = acceptor.take_output(); !bytes.empty()) {
    to_initiator_.push_back({at, std::move(bytes)});
  }
}

void SessionPair::close() {
  connected_ = false;
  to_acceptor_.clear();
  to_initiator_.clear();
  initiator.disconnect();
  acceptor.disconnect();
}

void SessionPair::cut(std::size_t bytes_to_acceptor, std::size_t bytes_to_initiator) {
  if (!connected_) {
    return;
  }
  set_time();
  const auto last_bytes = [](Direction& direction, SessionEndpoint& endpoint, std::size_t bytes) {
    for (Packet& packet : direction) {
      const std::size_t size = std::min(bytes, packet.bytes.size());
      endpoint.receive(std::string_view(packet.bytes).substr(0, size));
      bytes -= size;
    }
  };
  last_bytes(to_acceptor_, acceptor, bytes_to_acceptor);
  last_bytes(to_initiator_, initiator, bytes_to_initiator);
  close();
}

bool SessionPair::close_if_asked() {
  if (!connected_ || !(initiator.disconnect_reason || acceptor.disconnect_reason)) {
    return false;
  }
  // Bytes sent before the close still arrive, as over TCP.
  collect();
  cut(std::string::npos, std::string::npos);
  return true;
}

bool SessionPair::arrive(Direction& direction, SessionEndpoint& endpoint) {
  if (direction.empty() || direction.front().at_ns > clock.now().steady_ns) {
    return false;
  }
  const std::string bytes = std::move(direction.front().bytes);
  direction.pop_front();
  endpoint.receive(bytes);
  collect();
  return true;
}

bool SessionPair::step(std::int64_t until_steady_ns) {
  collect();
  if (!connected_) {
    clock.advance_to_steady(until_steady_ns);
    set_time();
    return false;
  }
  std::int64_t next =
      std::min({until_steady_ns, initiator.session().deadline(), acceptor.session().deadline()});
  for (const Direction* direction : {&to_acceptor_, &to_initiator_}) {
    next = direction->empty() ? next : std::min(next, direction->front().at_ns);
  }
  const bool replaying = initiator.session().replaying() || acceptor.session().replaying();
  if (!replaying) {
    clock.advance_to_steady(next);
  }
  set_time();
  bool happened = arrive(to_acceptor_, acceptor);
  happened = arrive(to_initiator_, initiator) || happened;
  happened = initiator.replay_some() || happened;
  happened = acceptor.replay_some() || happened;
  for (SessionEndpoint* endpoint : {&initiator, &acceptor}) {
    if (endpoint->session().deadline() <= clock.now().steady_ns) {
      endpoint->tick();
      happened = true;
    }
  }
  collect();
  happened = close_if_asked() || happened;
  return happened || clock.now().steady_ns < until_steady_ns;
}

void SessionPair::run(std::int64_t ns) {
  const std::int64_t until = clock.now().steady_ns + ns;
  constexpr int steps_max = 10'000'000;  // An endless run would be a livelock of the sessions.
  for (int count = 0; count < steps_max && step(until); ++count) {
  }
}

}  // namespace affix::inline v0::testing
