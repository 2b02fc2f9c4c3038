// SPDX-License-Identifier: MIT
// When and where an initiator's session connects: the endpoint's addresses in turn, with pauses
// that grow while none answers. Decides only; the worker connects.
#pragma once

#include "affix/base/deadline_heap.hpp"
#include "affix/net/address.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// No attempt is due.
inline constexpr std::int64_t never_ns = base::DeadlineHeap::never;

/// Pauses between attempts.
struct DialPauses {
  std::int64_t first_ns = 0;
  std::int64_t longest_ns = 0;
};

class Dialer {
 public:
  /// Addresses in order of preference, never empty when an attempt begins. `seed` makes this
  /// session's jitter its own, so that a thousand sessions of one venue do not reconnect in the
  /// same millisecond.
  Dialer(std::vector<net::Address> addresses, DialPauses pauses, std::uint64_t seed)
      : addresses_(std::move(addresses)), pauses_(pauses), random_(seed | 1) {}

  /// Steady time of the next attempt; never_ns while connected, connecting or kept down.
  [[nodiscard]] std::int64_t next_attempt_ns() const noexcept { return next_attempt_ns_; }

  /// Begins an attempt and returns its address.
  [[nodiscard]] const net::Address& begin_attempt() noexcept;

  /// Position of the last attempt's address in the list, from 0.
  [[nodiscard]] std::size_t attempted() const noexcept { return attempted_; }

  /// That address, whatever the list is now.
  [[nodiscard]] const net::Address& attempted_address() const noexcept {
    return attempted_address_;
  }

  /// Replaces the addresses from the next attempt on, which uses the position that was next in the
  /// old list.
  void set_addresses(std::vector<net::Address> addresses) noexcept {
    addresses_ = std::move(addresses);
    next_address_ = addresses_.empty() ? 0 : next_address_ % addresses_.size();
  }

  [[nodiscard]] bool has_addresses() const noexcept { return !addresses_.empty(); }

  /// Call at logon: after the next loss the dialer begins with the first address and pause.
  void on_logged_on() noexcept;

  /// The attempt failed or the connection is gone.
  void on_down(std::int64_t now_ns) noexcept;

  /// Makes an attempt due at once.
  void start(std::int64_t now_ns) noexcept {
    next_attempt_ns_ = wanted_ && open_ ? now_ns : never_ns;
  }

  /// Sets whether the session is to be connected at all; takes effect with the next start() or
  /// on_down().
  void set_wanted(bool wanted) noexcept;

  [[nodiscard]] bool wanted() const noexcept { return wanted_; }

  /// Sets whether the session's schedule allows attempts; takes effect as for set_wanted().
  void set_open(bool open) noexcept;

  [[nodiscard]] bool open() const noexcept { return open_; }

 private:
  [[nodiscard]] std::int64_t jittered(std::int64_t pause_ns) noexcept;

  std::vector<net::Address> addresses_;
  DialPauses pauses_;
  std::uint64_t random_;
  std::size_t next_address_ = 0;
  std::size_t attempted_ = 0;
  net::Address attempted_address_;
  std::uint32_t failures_ = 0;
  std::int64_t next_attempt_ns_ = never_ns;
  bool wanted_ = true;
  bool open_ = true;
};

}  // namespace affix::inline v0::engine
