// SPDX-License-Identifier: MIT
// A member that leads: the gate, the in-sync set, the lease, the hand-over.
#include "affix/replication/member.hpp"

#include <bit>

namespace affix::inline v0::replication {

void Member::decide_leading(Freshness freshness, std::int64_t now_ns) {
  tell_alone();
  // A hand-over that nobody can settle must not stop the trading for ever.
  if (hand_over_.is_under_way()) {
    if (now_ns >= hand_over_.until_ns && !store_.pending()) {
      give_up_hand_over(now_ns);
    } else if (!store_.pending()) {
      wake_at(hand_over_.until_ns);
    }
  }
  decide_gate();
  if (store_.pending() || epochs_.is_promising()) {
    return;
  }
  if (const auto until_ns = store_.paused_until_ns(now_ns)) {
    wake_at(*until_ns);
    return;
  }
  if (store_.needs_read()) {
    read(now_ns);
    return;
  }
  if (is_fenced() || (is_set_back_ && accepts_loss())) {
    // Its reign has ended for a standby, but not yet for the store: it needs a greater epoch.
    if (freshness == Freshness::Remembered) {
      read(now_ns);
    } else if (!is_set_back_ || accepts_loss()) {
      begin_promotion(now_ns);
    }
    return;
  }
  if (is_set_back_) {
    return;  // Rather than guess. The watch tells if the entry comes back.
  }
  if (hand_over_.is_under_way()) {
    decide_hand_over(now_ns);
    decide_gate();
    if (store_.pending()) {
      return;
    }
  }
  decide_set(now_ns);
  // Standbys that wait to join would wait for ever if nobody asked whether the store is back.
  if (!store_.pending() && !store_.is_there()) {
    read(now_ns);
  }
}

void Member::decide_set(std::int64_t now_ns) {
  const StandbyMask wanted = wanted_set();
  const bool must_renew = options_.lease_ns != 0 && now_ns >= renew_at_ns_;
  // A standby may leave the gate only when no write can put it into the set any more.
  const bool must_settle = store_.is_unsettled() && gate_ != (others_in_set() | joining());
  if (must_renew || must_settle || wanted != others_in_set() || has_strangers()) {
    write_set(wanted, now_ns);
  } else if (options_.lease_ns != 0) {
    wake_at(renew_at_ns_);
  }
}

/// Standbys that may enter the gate, to enter the set afterwards. Without the store they could not,
/// and output would wait for them in vain.
StandbyMask Member::joining() const noexcept {
  return store_.is_there() && !is_fenced() && !is_set_back_
             ? shippers_.caught_up & ~shippers_.late & ~others_in_set()
             : 0;
}

StandbyMask Member::wanted_set() const noexcept {
  const StandbyMask with_new = others_in_set() | (joining() & shippers_.covered & gate_);
  const StandbyMask without_late = with_new & ~shippers_.late;
  const bool is_enough =
      static_cast<std::size_t>(std::popcount(without_late)) + 1 >= options_.in_sync_min;
  // With fewer than in_sync_min nothing may leave anyway, and a dead one that stays in the set can
  // be promoted when it is back. One that is connected may need history, which it gets only
  // outside of the gate.
  return is_enough ? without_late : without_late | (with_new & ~shippers_.connected);
}

void Member::decide_gate() {
  StandbyMask wanted = others_in_set() | joining();
  if (store_.is_writing() || store_.is_unsettled() || hand_over_.is_under_way()) {
    wanted |= gate_;
  }
  if (wanted == gate_) {
    return;
  }
  shippers_.covered &= ~(wanted & ~gate_);
  gate_ = wanted;
  actions_.emplace_back(SetGate{gate_});
}

void Member::write_set(StandbyMask nodes, std::int64_t now_ns) {
  Entry entry = entry_;
  entry.in_sync = set_of(nodes);
  ++entry.renewals;
  ask(RequestKind::ChangeSet, std::move(entry), now_ns);
}

void Member::decide_hand_over(std::int64_t now_ns) {
  const StandbyMask target = StandbyMask{1} << hand_over_.to;
  switch (hand_over_.stage) {
    case HandOver::Stage::None:
      return;
    case HandOver::Stage::Draining:
      if ((others_in_set() & target) == 0) {
        give_up_hand_over(now_ns);
      } else if ((shippers_.everything & target) != 0) {
        hand_over_.stage = HandOver::Stage::Writing;
        // The other one may speak as soon as it sees the entry.
        lease_until_ns_ = 0;
        ask(RequestKind::Promote,
            Entry{.epoch = next_epoch(),
                  .primary = others_[hand_over_.to],
                  .in_sync = set_of(target)},
            now_ns);
      }
      return;
    case HandOver::Stage::Writing:
      // It is not written, as far as the store knows.
      if (store_.is_unsettled()) {
        hand_over_.stage = HandOver::Stage::Settling;
        write_set(others_in_set(), now_ns);
      } else if (store_.outcome() == Outcome::Conflict) {
        hand_over_.stage = HandOver::Stage::Draining;
        decide_hand_over(now_ns);
      } else {
        give_up_hand_over(now_ns);
      }
      return;
    case HandOver::Stage::Settling:
      if (store_.is_unsettled()) {
        write_set(others_in_set(), now_ns);
      } else {
        give_up_hand_over(now_ns);
      }
      return;
  }
}

void Member::give_up_hand_over(std::int64_t now_ns) {
  hand_over_ = {};
  role_ = Role::Leading;
  renew_at_ns_ = now_ns;
  actions_.emplace_back(ResumeInput{});
  actions_.emplace_back(Alarm{AlarmKind::HandOverGivenUp});
}

void Member::tell_alone() {
  if (others_.empty()) {
    return;
  }
  const auto now = others_in_set() == 0 ? AlarmKind::Alone : AlarmKind::NotAlone;
  if (told_alone_ == now) {
    return;
  }
  const bool is_news = now == AlarmKind::Alone || told_alone_ == AlarmKind::Alone;
  told_alone_ = now;
  if (is_news) {
    actions_.emplace_back(Alarm{now});
  }
}

}  // namespace affix::inline v0::replication
