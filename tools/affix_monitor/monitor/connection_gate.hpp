// SPDX-License-Identifier: MIT
// Passes connections from the accepting thread to a few serving threads; slow connections give way
// when others wait.
#pragma once

#include "affix/net/address.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// An accepted connection; the thread that takes it owns the socket.
struct Accepted {
  int socket = -1;
  net::Address peer;
};

/// Any thread. A silent client delays others by a tenth of a second, not by the whole time limit of
/// a request: when no thread is free, the connection that has been silent longest is shut down.
class ConnectionGate {
 public:
  /// Maximum number of connections that wait; further ones are closed at once.
  static constexpr std::size_t waiting_max = 256;

  enum class Phase : std::uint8_t {
    Free,     ///< Its thread waits for a connection.
    Reading,  ///< The request is incomplete.
    Working,  ///< The answer is being made: never shut down.
    Writing,  ///< The client is reading it.
  };

  explicit ConnectionGate(std::size_t threads) : served_(threads) {}

  /// Closes waiting connections.
  ~ConnectionGate();
  ConnectionGate(const ConnectionGate&) = delete;
  ConnectionGate& operator=(const ConnectionGate&) = delete;

  /// For the accepting thread. Takes ownership of the socket.
  void give(const Accepted& connection);

  /// For the accepting thread, after each give() and while crowded(): shuts down slow connections
  /// in favour of those that wait.
  void make_room(std::int64_t steady_ns);

  /// Connections wait: call make_room() again in a moment.
  [[nodiscard]] bool crowded() const;

  /// For the serving thread `number`: waits for a connection, and enters Reading; nullopt: the
  /// thread must end.
  [[nodiscard]] std::optional<Accepted> take(std::size_t number);

  /// Reports the phase of the thread's connection. Report Free before closing the socket.
  void enter(std::size_t number, Phase phase);

  /// Ends take(), and the wait for incomplete requests.
  void end();

 private:
  struct Served {
    int socket = -1;
    Phase phase = Phase::Free;
    std::int64_t since_ns = 0;
    bool shut_down = false;
  };

  [[nodiscard]] Served* slowest(Phase phase, std::int64_t before_ns);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Accepted> waiting_;
  std::vector<Served> served_;
  bool ended_ = false;
};

}  // namespace affix::inline v0::tools::monitor
