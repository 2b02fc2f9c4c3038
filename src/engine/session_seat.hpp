// SPDX-License-Identifier: MIT
// What of a session stays when it is removed, so that whoever still holds a handle finds out: its
// names, and whether the handle's session is the one that is there now.
#pragma once

#include "affix/engine/session_standing.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace affix::inline v0::engine {

class CallbackRelay;
class HostedSession;
class SessionHandle;

/// What never changes of a session, whoever asks.
struct SeatNames {
  std::string name;
  std::string instance;
  std::string begin_string;
  std::string sender_comp_id;
  std::string target_comp_id;
  std::string journal_directory;
  bool initiator = false;
  std::size_t worker = 0;

  friend bool operator==(const SeatNames&, const SeatNames&) = default;
};

/// One for each session there ever was, used again by the next one of the same names: a session
/// that comes and goes leaves a few hundred bytes once, however often it does.
struct SessionSeat {
  explicit SessionSeat(SeatNames all_names) : names(std::move(all_names)) {}

  const SeatNames names;

  /// Odd while a session is there; a handle is for one odd number. Written by the session's worker
  /// and read by anybody.
  std::atomic<std::uint32_t> generation{0};

  /// Number of the last Logon that the application was asked about; never 0 once there was one.
  /// Written by the session's worker and read by anybody.
  std::atomic<std::uint32_t> logon{0};

  /// A generation, and below its eight lowest bits how the session of that generation stands: one
  /// word, so that no reader takes another session's standing for that of its own. Written by the
  /// session's worker and read by anybody.
  std::atomic<std::uint64_t> shown{0};

  /// The session, while the generation is odd. Its worker's thread only.
  HostedSession* session = nullptr;

  /// The way to the callback thread of the session that sits there; null: it has none. Written by
  /// the worker, read by that thread and the worker; what it leads to lives as long as the engine.
  std::atomic<CallbackRelay*> relay{nullptr};

  /// Given out by the table, and not given back yet. The table's.
  bool taken = false;

  /// The handle of the session that sits down next, or does already. session_handle.cpp.
  [[nodiscard]] SessionHandle handle() noexcept;

  /// The worker's.
  void sit_down(HostedSession& whom) noexcept {
    session = &whom;
    generation.store(generation.load(std::memory_order_relaxed) | 1, std::memory_order_release);
  }

  /// The worker's, of the session that sits there.
  void show(SessionStanding standing) noexcept {
    // Release: who sees it sees what led to it.
    shown.store(std::uint64_t{generation.load(std::memory_order_relaxed)} << 8 |
                    static_cast<std::uint64_t>(standing),
                std::memory_order_release);
  }

  std::uint32_t begin_logon() noexcept {
    std::uint32_t next = logon.load(std::memory_order_relaxed) + 1;
    next += next == 0 ? 1 : 0;
    // Relaxed: whoever reads it answers what he was told of by other means.
    logon.store(next, std::memory_order_relaxed);
    return next;
  }

  void get_up() noexcept {
    session = nullptr;
    relay.store(nullptr, std::memory_order_release);
    generation.fetch_add(1, std::memory_order_release);
  }
};

/// The seats of one engine; they live as long as it does. Any thread.
class SeatTable {
 public:
  /// A free seat of these names; made when there is none. Allocates.
  [[nodiscard]] SessionSeat& take(const SeatNames& names) {
    const std::lock_guard guard(mutex_);
    const auto [begin, end] = by_name_.equal_range(names.name);
    for (auto known = begin; known != end; ++known) {
      SessionSeat& seat = *known->second;
      if (!seat.taken && seat.names == names) {
        seat.taken = true;
        return seat;
      }
    }
    SessionSeat& seat = seats_.emplace_back(names);
    by_name_.emplace(seat.names.name, &seat);
    seat.taken = true;
    return seat;
  }

  /// Nobody sits there, and nobody will who was to.
  void give_back(SessionSeat& seat) noexcept {
    const std::lock_guard guard(mutex_);
    seat.taken = false;
  }

 private:
  std::mutex mutex_;
  std::deque<SessionSeat> seats_;  // Addresses of elements are kept.
  std::unordered_multimap<std::string_view, SessionSeat*> by_name_;
};

}  // namespace affix::inline v0::engine
