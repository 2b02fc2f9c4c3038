// SPDX-License-Identifier: MIT
// Times a worker's steps that are no message, by the reactor's clock. Off the path of messages: a
// step costs two readings.
#pragma once

#include "affix/journal/stall_watch.hpp"
#include "affix/net/reactor.hpp"

#include "engine/wait_account.hpp"

#include <optional>

namespace affix::inline v0::engine {

/// As long as it lives the worker is at a step that is no message. What steps inside it take counts
/// as theirs.
class WaitStep {
 public:
  /// Both outlive it.
  WaitStep(WaitAccount& waits, net::Reactor& clock, WaitCause cause) noexcept
      : waits_(waits),
        clock_(clock),
        cause_(cause),
        began_ns_(clock.now_again().steady_ns),
        noted_before_ns_(waits.noted_ns()) {
    waits.set_noted(0);
  }

  WaitStep(const WaitStep&) = delete;
  WaitStep& operator=(const WaitStep&) = delete;

  ~WaitStep() {
    const base::Now now = clock_.now_again();
    const std::int64_t took_ns = now.steady_ns - began_ns_;
    waits_.note(cause_, took_ns - waits_.noted_ns(), now);
    waits_.set_noted(noted_before_ns_ + took_ns);
  }

 private:
  WaitAccount& waits_;
  net::Reactor& clock_;
  const WaitCause cause_;
  const std::int64_t began_ns_;
  const std::int64_t noted_before_ns_;
};

/// Times what journals make their writer wait for. The worker's thread.
class JournalWaits final : public journal::StallWatch {
 public:
  explicit JournalWaits(WaitAccount& waits) noexcept : waits_(waits) {}

  /// Nothing is timed before. `clock` outlives the last append.
  void set_clock(net::Reactor& clock) noexcept { clock_ = &clock; }

  void on_stall_begin() noexcept override { step_.emplace(waits_, *clock_, WaitCause::Journal); }

  void on_stall_end() noexcept override { step_.reset(); }

 private:
  WaitAccount& waits_;
  net::Reactor* clock_ = nullptr;
  std::optional<WaitStep> step_;
};

}  // namespace affix::inline v0::engine
