// SPDX-License-Identifier: MIT
// The system's reactor with the test's clock: real sockets, and time that passes when the test
// advances it.
#pragma once

#include "affix/base/time.hpp"
#include "affix/net/reactor.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace affix::conformance {

/// A clock that moves only when the test advances it.
struct ShiftedClock {
  std::int64_t steady_ns = 1'000 * base::ns_per_second;
  std::int64_t utc_ns = 1'790'000'000 * base::ns_per_second;  // In September 2026.

  void pass(std::int64_t ns) noexcept {
    steady_ns += ns;
    utc_ns += ns;
  }

  [[nodiscard]] base::Now now() const noexcept {
    return {.steady_ns = steady_ns, .utc_ns = utc_ns};
  }
};

/// The reactor named `name`, "epoll" or "io_uring", with the time of `clock`, which outlives it;
/// poll() never waits. Null if the system refuses.
[[nodiscard]] std::unique_ptr<net::Reactor> make_shifted_reactor(
    std::string_view name, const ShiftedClock& clock, const net::ReactorOptions& options);

}  // namespace affix::conformance
