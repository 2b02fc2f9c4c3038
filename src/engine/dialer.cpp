// SPDX-License-Identifier: MIT
// Back-off with jitter over a list of addresses.
#include "engine/dialer.hpp"

#include <algorithm>

namespace affix::inline v0::engine {

const net::Address& Dialer::begin_attempt() noexcept {
  next_attempt_ns_ = never_ns;
  attempted_ = next_address_;
  attempted_address_ = addresses_[next_address_];
  next_address_ = (next_address_ + 1) % addresses_.size();
  return attempted_address_;
}

void Dialer::on_logged_on() noexcept {
  failures_ = 0;
  next_address_ = 0;
}

void Dialer::on_down(std::int64_t now_ns) noexcept {
  if (!wanted_ || !open_) {
    next_attempt_ns_ = never_ns;
    return;
  }
  // Every address is tried once before the pause grows.
  const auto addresses = static_cast<std::uint32_t>(std::max<std::size_t>(addresses_.size(), 1));
  const std::uint32_t doublings = std::min(failures_ / addresses, std::uint32_t{30});
  ++failures_;
  std::int64_t pause = pauses_.first_ns;
  for (std::uint32_t at = 0; at < doublings && pause < pauses_.longest_ns; ++at) {
    pause *= 2;
  }
  next_attempt_ns_ = now_ns + jittered(std::min(pause, pauses_.longest_ns));
}

void Dialer::set_wanted(bool wanted) noexcept {
  wanted_ = wanted;
  if (!wanted) {
    next_attempt_ns_ = never_ns;
  }
}

void Dialer::set_open(bool open) noexcept {
  open_ = open;
  if (!open) {
    next_attempt_ns_ = never_ns;
  }
}

std::int64_t Dialer::jittered(std::int64_t pause_ns) noexcept {
  // xorshift64: spreads enough, and reads no clock or device.
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  const std::int64_t quarter = pause_ns / 4;
  return quarter == 0
             ? pause_ns
             : pause_ns - static_cast<std::int64_t>(random_ % static_cast<std::uint64_t>(quarter));
}

}  // namespace affix::inline v0::engine
