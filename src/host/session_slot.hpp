// SPDX-License-Identifier: MIT
// The part of a session that remains after its removal: its names, and whether a handle's session
// is the present one.
#pragma once

#include "affix/session/standing.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace affix::inline v0::host {

class CallbackRelay;
class HostedSession;
class SessionHandle;

/// Names of a session, which never change.
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

/// One for each set of names that ever had a session, reused by the next session with the same
/// names: a session that comes and goes repeatedly takes a few hundred bytes once.
struct SessionSlot {
  explicit SessionSlot(SeatNames all_names) : names(std::move(all_names)) {}

  const SeatNames names;

  /// Odd while a session is in the slot; a handle matches one odd number. Written by the session's
  /// worker, read by any thread.
  std::atomic<std::uint32_t> generation{0};

  /// Number of the last Logon passed to the application; never 0 after the first. Written by the
  /// session's worker, read by any thread.
  std::atomic<std::uint32_t> logon{0};

  /// A generation, and in its eight lowest bits the state of that generation's session: one word,
  /// so that no reader takes the state of another session for that of its own. Written by the
  /// session's worker, read by any thread.
  std::atomic<std::uint64_t> shown{0};

  /// The session, while the generation is odd. Its worker's thread only.
  HostedSession* session = nullptr;

  /// Relay of the present session to its callback thread; null: it has none. Written by the worker,
  /// read by that thread and the worker; the relay lives as long as the engine.
  std::atomic<CallbackRelay*> relay{nullptr};

  /// Taken from the table and not returned. Used by the table.
  bool taken = false;

  /// Handle of the present session, or of the next. session_handle.cpp.
  [[nodiscard]] SessionHandle handle() noexcept;

  /// Called by the worker.
  void attach(HostedSession& whom) noexcept {
    session = &whom;
    generation.store(generation.load(std::memory_order_relaxed) | 1, std::memory_order_release);
  }

  /// Worker's thread only, for the present session.
  void show(session::SessionStanding standing) noexcept {
    // Release: a reader of the state sees the writes before it.
    shown.store(std::uint64_t{generation.load(std::memory_order_relaxed)} << 8 |
                    static_cast<std::uint64_t>(standing),
                std::memory_order_release);
  }

  std::uint32_t begin_logon() noexcept {
    std::uint32_t next = logon.load(std::memory_order_relaxed) + 1;
    next += next == 0 ? 1 : 0;
    // Relaxed: a reader has received the number by other means.
    logon.store(next, std::memory_order_relaxed);
    return next;
  }

  void detach() noexcept {
    session = nullptr;
    relay.store(nullptr, std::memory_order_release);
    generation.fetch_add(1, std::memory_order_release);
  }
};

/// Slots of one engine; they live as long as the engine. Any thread.
class SeatTable {
 public:
  /// Returns a free slot with these names, made when there is none. Allocates.
  [[nodiscard]] SessionSlot& take(const SeatNames& names) {
    const std::lock_guard guard(mutex_);
    const auto [begin, end] = by_name_.equal_range(names.name);
    for (auto known = begin; known != end; ++known) {
      SessionSlot& slot = *known->second;
      if (!slot.taken && slot.names == names) {
        slot.taken = true;
        return slot;
      }
    }
    SessionSlot& slot = slots_.emplace_back(names);
    by_name_.emplace(slot.names.name, &slot);
    slot.taken = true;
    return slot;
  }

  /// Releases a slot without a session, and without one on its way.
  void give_back(SessionSlot& slot) noexcept {
    const std::lock_guard guard(mutex_);
    slot.taken = false;
  }

 private:
  std::mutex mutex_;
  std::deque<SessionSlot> slots_;  // Addresses of elements are kept.
  std::unordered_multimap<std::string_view, SessionSlot*> by_name_;
};

}  // namespace affix::inline v0::host
