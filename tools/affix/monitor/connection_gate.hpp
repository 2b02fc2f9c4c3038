// SPDX-License-Identifier: MIT
// Connections between the one thread that accepts them and those that serve them, a few at once:
// whoever is slow gives way when others wait.
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

/// An accepted connection; the socket belongs to whoever has taken it.
struct Accepted {
  int socket = -1;
  net::Address peer;
};

/// Any thread. Silent clients cost others a tenth of a second, not the whole time that a request
/// may take to come: when nobody is free, the one that has been silent longest is shut down.
class ConnectionGate {
 public:
  /// Accepted and not yet taken up; more are closed at once.
  static constexpr std::size_t waiting_max = 256;

  enum class Phase : std::uint8_t {
    Free,     ///< Its thread waits for a connection.
    Reading,  ///< The request is not whole.
    Working,  ///< The answer is being made: never shut down.
    Writing,  ///< The client reads it.
  };

  explicit ConnectionGate(std::size_t threads) : served_(threads) {}

  /// Closes what waits.
  ~ConnectionGate();
  ConnectionGate(const ConnectionGate&) = delete;
  ConnectionGate& operator=(const ConnectionGate&) = delete;

  /// Of the accepting thread. Takes the socket over.
  void give(const Accepted& connection);

  /// Of the accepting thread, after each give() and while crowded(): shuts slow connections down
  /// for those that wait.
  void make_room(std::int64_t steady_ns);

  /// Somebody waits: make_room() again in a moment.
  [[nodiscard]] bool crowded() const;

  /// Of the serving thread `number`: waits for a connection, and is Reading then; none: it ends.
  [[nodiscard]] std::optional<Accepted> take(std::size_t number);

  /// What the connection that the thread serves has come to. Before it closes the socket: Free.
  void enter(std::size_t number, Phase phase);

  /// take() gives no more, and nobody waits for a request that is not whole.
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
