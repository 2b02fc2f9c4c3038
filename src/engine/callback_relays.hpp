// SPDX-License-Identifier: MIT
// A worker's relays, one for each callback thread that its sessions use.
#pragma once

#include "host/callback_relay.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// The worker's thread, except for to(). Outlives all callers of its relays.
class CallbackRelays {
 public:
  /// Adds the relay to `thread`, for messages of up to `message_bytes`. Before the first turn.
  host::CallbackRelay& add(std::int64_t thread, std::int64_t message_bytes,
                           std::unique_ptr<host::CallbackRelay> relay) {
    return *relays_.emplace_back(thread, message_bytes, std::move(relay)).relay;
  }

  /// The relay to that thread for messages of up to `message_bytes`; null: there is none, or only
  /// for shorter ones. Any thread.
  [[nodiscard]] host::CallbackRelay* to(std::int64_t thread,
                                        std::int64_t message_bytes) const noexcept {
    const auto found = std::ranges::find_if(relays_, [&](const Relay& one) {
      return one.thread == thread && one.message_bytes >= message_bytes;
    });
    return found == relays_.end() ? nullptr : found->relay.get();
  }

  [[nodiscard]] bool empty() const noexcept { return relays_.empty(); }

  /// Notes the reports that the threads have made so far. False: there are none.
  [[nodiscard]] bool note_reports() noexcept {
    bool any = false;
    for (Relay& one : relays_) {
      one.reported = one.relay->reported();
      any = any || one.reported != 0;
    }
    return any;
  }

  /// Passes the noted reports to `carry_out`. All that the threads sent before them is stored.
  template <typename CarryOut>
  void take_noted(const CarryOut& carry_out) noexcept {
    for (const Relay& one : relays_) {
      one.relay->take_reported(one.reported, carry_out);
    }
  }

  /// Passes all remaining reports, after the threads have ended.
  template <typename CarryOut>
  void take_last(const CarryOut& carry_out) noexcept {
    for (const Relay& one : relays_) {
      one.relay->take_last(carry_out);
    }
  }

  /// Passes sessions that waited for room in a relay that has room now to `resume`, `count_max` of
  /// each relay at most: a session may soon wait again.
  template <typename Resume>
  void take_waiting(std::size_t count_max, const Resume& resume) noexcept {
    for (const Relay& one : relays_) {
      for (std::size_t count = 0; count < count_max; ++count) {
        host::HostedSession* const session = one.relay->take_waiting();
        if (session == nullptr) {
          break;
        }
        resume(*session);
      }
    }
  }

  /// Wakes the threads that have callbacks to run. Once a turn.
  void wake_threads() noexcept {
    for (const Relay& one : relays_) {
      one.relay->wake_if_relayed();
    }
  }

  /// Drops every reference to the session.
  void forget(host::HostedSession& session) noexcept {
    for (const Relay& one : relays_) {
      one.relay->forget(session);
    }
  }

 private:
  struct Relay {
    Relay(std::int64_t to_thread, std::int64_t bytes, std::unique_ptr<host::CallbackRelay> whose)
        : thread(to_thread), message_bytes(bytes), relay(std::move(whose)) {}

    std::int64_t thread;
    std::int64_t message_bytes;
    std::unique_ptr<host::CallbackRelay> relay;
    std::size_t reported = 0;  // Reports to be carried out.
  };

  std::vector<Relay> relays_;
};

}  // namespace affix::inline v0::engine
