// SPDX-License-Identifier: MIT
// What the wall clock decides of a hosted session: its windows, its periods and when to look again.
#include "engine/hosted_session.hpp"

#include <algorithm>

namespace affix::inline v0::engine {

namespace {

/// A clock that is set is noticed that soon.
constexpr std::int64_t longest_look_ns = 60 * base::ns_per_second;

}  // namespace

std::int64_t HostedSession::wall_clock_deadline() const noexcept {
  const base::Now now = host_.now();
  std::int64_t pause_ns = longest_look_ns;
  if (daily_reset_ns_ >= 0) {
    pause_ns = std::clamp<std::int64_t>(next_reset_utc_ns_ - now.utc_ns, 0, pause_ns);
  }
  if (schedule_ != nullptr) {
    pause_ns = std::min(pause_ns, schedule_->pause_ns(now.utc_ns));
  }
  return now.steady_ns + pause_ns;
}

void HostedSession::follow_schedule() noexcept {
  if (schedule_ == nullptr || !schedule_->advance(host_.now().utc_ns)) {
    return;
  }
  const bool begins = schedule_->take_beginning();
  if (begins) {
    period_reset_due_ = settings_->schedule_reset_at_start;
  }
  if (connection_ && (begins || !schedule_->open())) {
    // Of a window that ends where the next begins, the session has its end too.
    note_end(EndedBy::Schedule);
    logout("the session's window has ended");
  }
  begin_period();
  host_.on_logon_window(*this);
}

void HostedSession::begin_period() noexcept {
  if (!period_reset_due_ || connection_) {
    return;
  }
  const auto are_first = [this] {
    return journal_->next_outgoing() == 1 && journal_->next_expected() == 1;
  };
  if (!are_first()) {
    reset();
  }
  period_reset_due_ = !are_first();  // The journal may have refused.
}

std::string_view HostedSession::connection_refusal() noexcept {
  follow_schedule();
  const std::string_view refusal = journal_refusal();
  if (refusal.empty() && period_reset_due_) {
    begin_period();
    return journal_refusal();
  }
  return refusal;
}

}  // namespace affix::inline v0::engine
