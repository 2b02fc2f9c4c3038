// SPDX-License-Identifier: MIT
// Decides which connections are served, wait, or give way.
#include "monitor/connection_gate.hpp"

#include "affix/base/time.hpp"
#include "affix/os/clock.hpp"

#include <algorithm>
#include <sys/socket.h>
#include <unistd.h>

namespace affix::inline v0::tools::monitor {

namespace {

/// Time for a request to arrive completely when others wait.
constexpr std::int64_t reading_ns = 100 * base::ns_per_ms;

/// Time for a client to read its answer when others wait.
constexpr std::int64_t writing_ns = base::ns_per_second;

}  // namespace

ConnectionGate::~ConnectionGate() {
  for (const Accepted& connection : waiting_) {
    ::close(connection.socket);
  }
}

void ConnectionGate::give(const Accepted& connection) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < waiting_max) {
      waiting_.push_back(connection);
      changed_.notify_one();
      return;
    }
  }
  ::close(connection.socket);
}

ConnectionGate::Served* ConnectionGate::slowest(Phase phase, std::int64_t before_ns) {
  Served* found = nullptr;
  for (Served& served : served_) {
    if (served.phase == phase && !served.shut_down && served.since_ns <= before_ns &&
        (found == nullptr || served.since_ns < found->since_ns)) {
      found = &served;
    }
  }
  return found;
}

void ConnectionGate::make_room(std::int64_t steady_ns) {
  const std::lock_guard lock(mutex_);
  // Free threads, and those that will be free in a moment, suffice for as many connections.
  std::size_t ready =
      static_cast<std::size_t>(std::ranges::count_if(served_, [](const Served& served) {
        return served.phase == Phase::Free || served.shut_down;
      }));
  for (; ready < waiting_.size(); ++ready) {
    Served* served = slowest(Phase::Reading, steady_ns - reading_ns);
    if (served == nullptr) {
      served = slowest(Phase::Writing, steady_ns - writing_ns);
    }
    if (served == nullptr) {
      return;
    }
    // Its thread closes the socket after enter(Free), so the descriptor is still this connection's.
    static_cast<void>(::shutdown(served->socket, SHUT_RDWR));
    served->shut_down = true;
  }
}

bool ConnectionGate::crowded() const {
  const std::lock_guard lock(mutex_);
  return !waiting_.empty();
}

std::optional<Accepted> ConnectionGate::take(std::size_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
  if (ended_) {
    return std::nullopt;
  }
  const Accepted taken = waiting_.front();
  waiting_.pop_front();
  served_[number] = {taken.socket, Phase::Reading, os::now().steady_ns, false};
  return taken;
}

void ConnectionGate::enter(std::size_t number, Phase phase) {
  const std::lock_guard lock(mutex_);
  Served& served = served_[number];
  served.phase = phase;
  served.since_ns = os::now().steady_ns;
  if (phase == Phase::Free) {
    served = {};
  }
}

void ConnectionGate::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (const Served& served : served_) {
    if (served.phase == Phase::Reading) {
      static_cast<void>(::shutdown(served.socket, SHUT_RDWR));
    }
  }
  changed_.notify_all();
}

}  // namespace affix::inline v0::tools::monitor
