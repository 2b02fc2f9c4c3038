// SPDX-License-Identifier: MIT
// The raw baseline of ./dev bench idle: only reads from and writes to connections.
#pragma once

#include "affix/net/address.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace affix_bench {

/// One epoll descriptor and plain receives and sends: sends each connection the bytes of a
/// heartbeat whenever its interval is over. Ignores received bytes.
class RawLoop {
 public:
  /// Listens on a free port of the loopback. Allocates; ends the program when the system refuses.
  RawLoop();
  RawLoop(const RawLoop&) = delete;
  RawLoop& operator=(const RawLoop&) = delete;
  ~RawLoop();

  [[nodiscard]] affix::net::Address address() const;

  /// Accepts `connections` connections and answers the first bytes of each.
  void accept(int connections, std::int64_t interval_ns);

  /// Waits, reads and sends for this time.
  void run(std::int64_t duration_ns);

  /// Messages read and sent since accept().
  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }

 private:
  struct Due {
    std::int64_t at_ns;
    int socket;
  };

  void send_heartbeat(int socket);

  int listener_ = -1;
  int epoll_ = -1;
  std::int64_t interval_ns_ = 0;
  std::vector<int> sockets_;
  std::deque<Due> due_;  ///< In the order of time, as all have one interval.
  std::uint64_t messages_ = 0;
};

}  // namespace affix_bench
