// SPDX-License-Identifier: MIT
// Two sessions joined in memory, in virtual time: an initiator, an acceptor, and a link with a
// delay that can be cut at any byte. Deterministic: the same calls give the same events. Allocates;
// for tests only.
#pragma once

#include "affix/testing/manual_clock.hpp"
#include "affix/testing/session_endpoint.hpp"

#include <cstdint>
#include <deque>
#include <string>

namespace affix::inline v0::testing {

class SessionPair {
 public:
  /// `options` are for the initiator; the acceptor mirrors them.
  explicit SessionPair(const session::SessionOptions& options,
                       std::int64_t delay_ns = base::ns_per_ms);
  SessionPair(const session::SessionOptions& initiator_options,
              const session::SessionOptions& acceptor_options, std::int64_t delay_ns);

  ManualClock clock;
  SessionEndpoint initiator;
  SessionEndpoint acceptor;

  [[nodiscard]] bool connected() const noexcept { return connected_; }

  void connect();

  /// Breaks the connection: each direction still delivers this many bytes in transit.
  void cut(std::size_t bytes_to_acceptor = 0, std::size_t bytes_to_initiator = 0);

  /// Runs the next event: arriving bytes, a page of a replay, a deadline, a requested disconnect;
  /// until `until_steady_ns` at most. False: no event before then.
  bool step(std::int64_t until_steady_ns);

  /// Runs all events of the next `ns`.
  void run(std::int64_t ns);

 private:
  struct Packet {
    std::int64_t at_ns = 0;  ///< Steady time of arrival.
    std::string bytes;
  };

  using Direction = std::deque<Packet>;

  void set_time();
  void collect();
  bool close_if_asked();
  bool arrive(Direction& direction, SessionEndpoint& endpoint);
  void close();

  std::int64_t delay_ns_;
  bool connected_ = false;
  Direction to_acceptor_;
  Direction to_initiator_;
};

}  // namespace affix::inline v0::testing
