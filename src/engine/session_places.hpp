// SPDX-License-Identifier: MIT
// The places of a worker's sessions, by the numbers that the sessions have there.
#pragma once

#include "affix/base/assert.hpp"

#include "engine/session_place.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// A place keeps its address as long as this exists, and its number goes to a next session after
/// give_back(). One thread, except for capacity().
class SessionPlaces {
 public:
  explicit SessionPlaces(std::size_t capacity) : capacity_(capacity) { places_.reserve(capacity); }

  /// Maximum number of sessions. Any thread.
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// Number of sessions.
  [[nodiscard]] std::size_t size() const noexcept { return places_.size() - free_.size(); }

  [[nodiscard]] SessionPlace& operator[](std::size_t number) noexcept { return places_[number]; }

  [[nodiscard]] const SessionPlace& operator[](std::size_t number) const noexcept {
    return places_[number];
  }

  /// The number of a free place, for a session that the caller puts there. There must be one.
  [[nodiscard]] std::size_t take() {
    if (free_.empty()) {
      AFFIX_ASSERT(places_.size() < capacity_);
      places_.emplace_back();
      return places_.size() - 1;
    }
    const std::size_t number = free_.back();
    free_.pop_back();
    return number;
  }

  /// Frees the place of a session that is gone.
  void give_back(SessionPlace& place) {
    place = {};
    free_.push_back(static_cast<std::size_t>(&place - places_.data()));
  }

  /// Calls `each` with every place that has a session.
  template <typename Each>
  void for_each(const Each& each) {
    for (SessionPlace& place : places_) {
      if (place.session != nullptr) {
        each(place);
      }
    }
  }

  /// `test` holds for a place that has a session.
  template <typename Test>
  [[nodiscard]] bool any_of(const Test& test) const {
    return std::ranges::any_of(places_, [&test](const SessionPlace& place) {
      return place.session != nullptr && test(place);
    });
  }

 private:
  std::vector<SessionPlace> places_;  // Never more than the capacity, so that they do not move.
  std::vector<std::size_t> free_;
  const std::size_t capacity_;
};

}  // namespace affix::inline v0::engine
