// SPDX-License-Identifier: MIT
// A worker's sessions that wait for its attention, for the next turn, for the disk or for pages.
#pragma once

#include "host/wait_set.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace affix::inline v0::engine {

/// A session is in each list at most once. `Session` has waits(), a host::WaitSet that says in
/// which lists it is. One thread; allocates in reserve() only, for as many sessions.
template <typename Session>
class WaitingSessions {
 public:
  void reserve(std::size_t sessions) {
    for (Sessions& list : lists_) {
      list.reserve(sessions);
    }
    attending_.reserve(sessions);
  }

  /// Adds the session to those that wait for `wait`, unless it does already. A relay has those that
  /// wait for room for callbacks.
  void add(host::Wait wait, Session& session) noexcept {
    if (session.waits().add(wait)) {
      of(wait).push_back(&session);
    }
  }

  [[nodiscard]] bool any(host::Wait wait) const noexcept { return !of(wait).empty(); }

  [[nodiscard]] std::size_t count(host::Wait wait) const noexcept { return of(wait).size(); }

  /// Ends this wait of all sessions in it, which get attention.
  void end(host::Wait wait) noexcept {
    for (Session* const session : of(wait)) {
      session->waits().remove(wait);
      add(host::Wait::Attention, *session);
    }
    of(wait).clear();
  }

  /// Ends this wait of all sessions in it, and passes each to `attend`, which may make it wait
  /// again.
  template <typename Attend>
  void end_and_attend(host::Wait wait, Attend attend) noexcept {
    attending_.swap(of(wait));
    for (Session* const session : attending_) {
      session->waits().remove(wait);
      attend(*session);
    }
    attending_.clear();
  }

  /// Passes each session that needs attention to `attend`. Those that need it since then, the same
  /// ones included, are passed in another round, of which there are `rounds` at most.
  template <typename Attend>
  void attend(int rounds, Attend attend) noexcept {
    Sessions& asking = of(host::Wait::Attention);
    for (int round = 0; round < rounds && !asking.empty(); ++round) {
      attending_.swap(asking);
      for (Session* const session : attending_) {
        session->waits().remove(host::Wait::Attention);
        attend(*session);
      }
      attending_.clear();
    }
  }

  /// Drops every reference to the session. It keeps its other waits, so that nothing adds it again.
  void forget(Session& session) noexcept {
    for (Sessions& list : lists_) {
      std::erase(list, &session);
    }
    std::erase(attending_, &session);
    session.waits().remove(host::Wait::NextTurn);
  }

 private:
  using Sessions = std::vector<Session*>;

  [[nodiscard]] Sessions& of(host::Wait wait) noexcept {
    return lists_[static_cast<std::size_t>(wait)];
  }

  [[nodiscard]] const Sessions& of(host::Wait wait) const noexcept {
    return lists_[static_cast<std::size_t>(wait)];
  }

  // By the wait; the last one, for room for callbacks, has none.
  std::array<Sessions, static_cast<std::size_t>(host::Wait::CallbackRoom)> lists_;
  Sessions attending_;
};

}  // namespace affix::inline v0::engine
