// SPDX-License-Identifier: MIT
// Chooses how many numbers to reserve, and when to ask again.
#include "affix/journal/number_reserve.hpp"

#include "affix/base/time.hpp"

#include <algorithm>

namespace affix::inline v0::journal {

namespace {

/// A reserve used up faster is doubled the next time, and else halved: half of it is left when it
/// is renewed, and a disk may be slow.
constexpr std::int64_t reserve_lasts_ns = 10 * base::ns_per_second;

/// Maximum reserve, whatever the rate.
constexpr std::uint64_t reserve_extent_max = 10'000'000;

}  // namespace

void NumberReserve::begin_at(std::uint64_t from) noexcept {
  if (least_ == 0) {
    return;
  }
  reserved_.store(from + least_, std::memory_order_relaxed);
  extent_.store(least_, std::memory_order_relaxed);
  ask_at_.store(from + least_ - least_ / 2, std::memory_order_relaxed);
}

void NumberReserve::always_reserve_first() noexcept {
  meanwhile_ = Meanwhile::TheRest;
  // A renewal that was asked for and is not stored yet must be waited for where the rest ends.
  std::uint64_t asked = UINT64_MAX;
  if (least_ != 0) {
    ask_at_.compare_exchange_strong(asked, reserved() + 1, std::memory_order_relaxed);
  }
}

void NumberReserve::resume_at(std::uint64_t reserved) noexcept {
  reserved_.store(reserved, std::memory_order_relaxed);
  extent_.store(least_, std::memory_order_relaxed);
}

bool NumberReserve::follow(std::uint64_t reserved) noexcept {
  if (least_ == 0 || reserved <= known()) {
    return false;
  }
  followed_.store(reserved, std::memory_order_relaxed);
  return true;
}

void NumberReserve::lead() noexcept {
  // A renewal that another thread has not stored is lost here: the reserve that is stored counts.
  followed_.store(0, std::memory_order_relaxed);
  if (least_ != 0) {
    ask_at_.store(0, std::memory_order_relaxed);
  }
}

void NumberReserve::ask(std::uint64_t next_outgoing, std::int64_t now_ns) noexcept {
  const std::uint64_t extent = extent_.load(std::memory_order_relaxed);
  const bool short_lived = now_ns - asked_at_ns_ < reserve_lasts_ns / 2;
  extent_.store(std::clamp(short_lived ? 2 * extent : extent / 2, least_,
                           std::max(least_, reserve_extent_max)),
                std::memory_order_relaxed);
  asked_at_ns_ = now_ns;
  // Asks once; note_stored() sets the next time. The rest may be used meanwhile.
  ask_at_.store(may_be_late() ? UINT64_MAX : reserved_.load(std::memory_order_relaxed) + 1,
                std::memory_order_relaxed);
  begin_renewal_at(next_outgoing);
}

NumberReserve::Renewal NumberReserve::renewal() const noexcept {
  const std::uint64_t extent = extent_.load(std::memory_order_relaxed);
  const std::uint64_t followed = followed_.load(std::memory_order_relaxed);
  if (followed != 0) {
    return {followed, extent};
  }
  return {next_outgoing_.load(std::memory_order_relaxed) + extent, extent};
}

void NumberReserve::note_stored(const Renewal& renewal) noexcept {
  failed_.store(false, std::memory_order_relaxed);
  // Release: a thread that sees it may use the numbers.
  reserved_.store(renewal.reserved, std::memory_order_release);
  ask_at_.store(renewal.reserved - renewal.extent / 2, std::memory_order_relaxed);
}

}  // namespace affix::inline v0::journal
