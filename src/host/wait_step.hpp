// SPDX-License-Identifier: MIT
// Times a worker's steps other than messages, with the reactor's clock. Not on the path of
// messages: a step costs two readings.
#pragma once

#include "affix/journal/stall_watch.hpp"
#include "affix/net/reactor.hpp"

#include "counters/wait_account.hpp"

#include <optional>

namespace affix::inline v0::host {

/// During its lifetime, the worker is in a step other than messages. The time of nested steps
/// counts for those only.
class WaitStep {
 public:
  /// Both outlive it.
  WaitStep(counters::WaitAccount& waits, net::Reactor& clock, counters::WaitCause cause) noexcept
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
  counters::WaitAccount& waits_;
  net::Reactor& clock_;
  const counters::WaitCause cause_;
  const std::int64_t began_ns_;
  const std::int64_t noted_before_ns_;
};

/// Times the waits that journals impose on their writer. The worker's thread.
class JournalWaits final : public journal::StallWatch {
 public:
  explicit JournalWaits(counters::WaitAccount& waits) noexcept : waits_(waits) {}

  /// Times nothing before this call. `clock` outlives the last append.
  void set_clock(net::Reactor& clock) noexcept { clock_ = &clock; }

  void on_stall_begin() noexcept override {
    step_.emplace(waits_, *clock_, counters::WaitCause::Journal);
  }

  void on_stall_end() noexcept override { step_.reset(); }

 private:
  counters::WaitAccount& waits_;
  net::Reactor* clock_ = nullptr;
  std::optional<WaitStep> step_;
};

}  // namespace affix::inline v0::host
