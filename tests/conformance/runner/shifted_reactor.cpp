// SPDX-License-Identifier: MIT
// Forwards every call except the time to the system's reactor.
#include "shifted_reactor.hpp"

#include "affix/testing/forwarding_reactor.hpp"

#include <utility>

namespace affix::conformance {

namespace {

class ShiftedReactor final : public testing::ForwardingReactor {
 public:
  ShiftedReactor(const ShiftedClock& clock, std::unique_ptr<net::Reactor> sockets)
      : ForwardingReactor(std::move(sockets)), clock_(clock) {}

  base::Now now() noexcept override { return clock_.now(); }

  net::Turn poll(base::Now now, const net::Wait&, net::Handler& handler) noexcept override {
    // The system would wait by its own clock.
    return inner().poll(now, net::Wait::spin(), handler);
  }

  // A peer would wait, by the system's clock, for a listener that rests by this one.
  void rest_listener(net::ListenerId /*listener*/, std::int64_t /*until_ns*/) noexcept override {}

  void end_rest(net::ListenerId /*listener*/) noexcept override {}

  std::string_view name() const noexcept override { return "shifted"; }

 private:
  const ShiftedClock& clock_;
};

}  // namespace

std::unique_ptr<net::Reactor> make_shifted_reactor(std::string_view name, const ShiftedClock& clock,
                                                   const net::ReactorOptions& options) {
  auto sockets = net::make_reactor(name, options);
  if (!sockets) {
    return nullptr;
  }
  return std::make_unique<ShiftedReactor>(clock, std::move(*sockets));
}

}  // namespace affix::conformance
