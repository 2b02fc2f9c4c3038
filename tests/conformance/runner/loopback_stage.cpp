// SPDX-License-Identifier: MIT
// Runs the engine, its reactor with a test clock, and the peer's sockets on one thread.
#include "loopback_stage.hpp"

#include "affix/net/listener.hpp"
#include "affix/net/reactor.hpp"
#include "affix/net/socket_calls.hpp"
#include "affix/os/clock.hpp"

#include "certify/socket_line.hpp"
#include "engine_subject.hpp"
#include "shifted_reactor.hpp"
#include "support/accepted.hpp"

#include <algorithm>
#include <optional>
#include <sys/socket.h>

namespace affix::conformance {

namespace {

using base::ns_per_ms;
using base::ns_per_second;

/// True if sent bytes have not all reached the engine's kernel yet.
bool on_the_way(const certify::SocketLine& line) {
  return line.has_unsent() || (!line.is_over() && net::unsent_bytes(line.fd()) > 0);
}

class LoopbackStage final : public Stage {
 public:
  [[nodiscard]] static std::unique_ptr<LoopbackStage> make(std::string_view reactor,
                                                           const Scenario& scenario, Role role,
                                                           const Version& version,
                                                           const Identity& identity,
                                                           std::string& error) {
    std::unique_ptr<LoopbackStage> stage(new LoopbackStage);
    std::uint16_t port = 0;
    if (role == Role::Initiator) {
      auto listener = net::Listener::open(net::Address::parse("127.0.0.1:0").value(), {});
      if (!listener) {
        error = listener.error().message;
        return nullptr;
      }
      port = listener->local_address().port();
      stage->listener_ = std::move(*listener);
    }
    stage->subject_.emplace(
        scenario, role, version, identity, "127.0.0.1", port,
        [&shift = stage->shift_, name = std::string(reactor)](const net::ReactorOptions& options) {
          return make_shifted_reactor(name, shift, options);
        });
    error = stage->subject_->open();
    return error.empty() ? std::move(stage) : nullptr;
  }

  std::unique_ptr<certify::Line> connect(const Identity& /*identity*/) override {
    if (!listener_) {
      const auto address =
          net::Address::parse("127.0.0.1:" + std::to_string(subject_->port())).value();
      return certify::SocketLine::connect(address, lines_, 5 * ns_per_second);
    }
    std::unique_ptr<certify::Line> line;
    const auto taken = [&] {
      const int fd = support::accept_waiting(listener_->socket().fd()).release();
      if (fd >= 0) {
        line = std::make_unique<certify::SocketLine>(net::Socket(fd), lines_);
      }
      return fd >= 0;
    };
    // An initiator reconnects after a pause.
    constexpr int tries_max = 1000;
    for (int tries = 0; tries < tries_max && !taken(); ++tries) {
      shift_.pass(ns_per_ms);
      settle();
    }
    return line;
  }

  bool await(const std::function<bool()>& wanted, std::int64_t within_ns) override {
    for (std::int64_t slice = 0; slice < slices && within_ns != 0; ++slice) {
      settle();
      if (wanted()) {
        return true;
      }
      shift_.pass(within_ns / slices);
    }
    // Bytes for the peer have left the engine but may not have arrived, so this uses real time;
    // only a missing message takes long.
    const std::int64_t give_up_ns = os::now().steady_ns + 5 * ns_per_second;
    while (!wanted()) {
      if (!subject_->engine().poll(0) && os::now().steady_ns > give_up_ns) {
        return false;
      }
    }
    return true;
  }

  void settle() override {
    // Waits until all of the peer's bytes have arrived and the engine is idle; limited, as a faulty
    // engine may never be idle.
    constexpr int idle_turns = 3;
    constexpr int turns_max = 1'000'000;
    const auto sends = [](const certify::SocketLine* line) { return on_the_way(*line); };
    int idle = 0;
    for (int turn = 0; turn < turns_max && idle < idle_turns; ++turn) {
      const bool busy = subject_->engine().poll(0) || std::ranges::any_of(lines_, sends);
      idle = busy ? 0 : idle + 1;
    }
  }

  void advance(std::int64_t ns) override {
    // Small steps, so that events occur in the order in which they are due.
    const std::int64_t step = std::clamp(ns / 200, ns_per_ms * 10, ns_per_second);
    for (std::int64_t left = ns; left > 0; left -= step) {
      shift_.pass(std::min(left, step));
      settle();
    }
  }

  void step_clock(std::int64_t ns) override { shift_.utc_ns += ns; }

  std::int64_t utc_ns() const override { return shift_.now().utc_ns; }

  std::int64_t steady_ns() const override { return shift_.now().steady_ns; }

  Subject* subject() override { return &*subject_; }

  std::string restart_engine(bool memory) override { return subject_->kill(memory); }

 private:
  LoopbackStage() = default;

  /// Steps in which a time limit passes.
  static constexpr std::int64_t slices = 100;

  ShiftedClock shift_;
  certify::SocketLines lines_;
  std::optional<net::Listener> listener_;  // For an initiator's peer.
  std::optional<EngineSubject> subject_;
};

}  // namespace

std::unique_ptr<Stage> make_loopback_stage(std::string_view reactor, const Scenario& scenario,
                                           Role role, const Version& version,
                                           const Identity& identity, std::string& error) {
  return LoopbackStage::make(reactor, scenario, role, version, identity, error);
}

}  // namespace affix::conformance
