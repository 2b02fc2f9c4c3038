// SPDX-License-Identifier: MIT
// A member that does not lead: whom it follows, and when it tries to lead itself.
#include "affix/replication/member.hpp"

#include <algorithm>

namespace affix::inline v0::replication {

void Member::decide_standby(Freshness freshness, std::int64_t now_ns) {
  why_ = why_not(now_ns);
  if (store_.pending() || epochs_.is_promising()) {
    if (epochs_.is_promising() || store_.is_writing()) {
      why_ = WhyStandby::Underway;
    }
    return;
  }
  const auto paused_until_ns = store_.paused_until_ns(now_ns);
  // Also to know, and to show, when the store is back.
  if (store_.needs_read() || (why_ != WhyStandby::None && !store_.is_there())) {
    if (paused_until_ns) {
      wake_at(*paused_until_ns);
    } else {
      read(now_ns);
    }
    return;
  }
  if (why_ != WhyStandby::None) {
    if (link_.state != PrimaryLink::State::Connected) {
      read_if_silent(now_ns);
    }
    return;
  }
  if (paused_until_ns) {
    why_ = has_promise_failed_ ? WhyStandby::PromiseFailed : WhyStandby::StoreUnreachable;
    wake_at(*paused_until_ns);
    return;
  }
  why_ = WhyStandby::Underway;
  if (is_handed_to_us() && !accepts_loss()) {
    take_over();
  } else if (freshness == Freshness::Remembered) {
    // A promise is made only if the store can be reached and nothing has changed: it ends the
    // present primary's reign even if nothing comes of the promotion.
    read(now_ns);
  } else {
    begin_promotion(now_ns);
  }
}

/// The entry that forbids this node to lead may have changed since.
void Member::read_if_silent(std::int64_t now_ns) {
  if (const std::int64_t read_ns = store_.heard_ns() + options_.read_again_ns; now_ns < read_ns) {
    wake_at(read_ns);
  } else {
    read(now_ns);
  }
}

/// The former primary has made this node the primary: only the promise is missing. An epoch that
/// this node had promised already, or that its journals have, may be one in which it has led
/// before, so it takes another.
bool Member::is_handed_to_us() const noexcept {
  return !is_set_back_ && is_primary_in_entry() && store_.revision() != 0 &&
         entry_.epoch > epochs_.promised && entry_.epoch > epochs_.recorded;
}

void Member::take_over() {
  epochs_.promising = {.epoch = entry_.epoch, .revision = store_.revision()};
  actions_.emplace_back(Promise{epochs_.promising.epoch});
}

WhyStandby Member::why_not(std::int64_t now_ns) {
  if (store_.outcome() == Outcome::Damaged) {
    return WhyStandby::EntryDamaged;
  }
  if (!store_.is_known()) {
    return store_.error().message.empty() ? WhyStandby::StoreSilent : WhyStandby::StoreUnreachable;
  }
  if (!accepts_loss()) {
    const WhyStandby why = why_entry_forbids();
    return why != WhyStandby::None ? why : why_time_forbids(now_ns);
  }
  if (const std::int64_t end_ns = lease_end_ns(); now_ns < end_ns) {
    wake_at(end_ns);
    return WhyStandby::LeaseRuns;
  }
  return WhyStandby::None;
}

WhyStandby Member::why_entry_forbids() const noexcept {
  // No entry, or that of a group which nobody has led yet.
  if (store_.revision() == 0 || (entry_.primary.empty() && !is_set_back_)) {
    const bool may_begin = own_place_ == 0 && epochs_.last == 0 && content_ == Content::Kept;
    return may_begin ? WhyStandby::None : WhyStandby::EntryMissing;
  }
  if (is_set_back_) {
    return WhyStandby::EntryOld;
  }
  if (!entry_.has_in_sync(options_.node)) {
    return WhyStandby::NotInSync;
  }
  if (content_ == Content::Doubtful) {
    return has_lead_failed_ ? WhyStandby::LeadFailed : WhyStandby::ContentDoubtful;
  }
  return WhyStandby::None;
}

WhyStandby Member::why_time_forbids(std::int64_t now_ns) {
  if (now_ns < lead_again_ns_) {
    wake_at(lead_again_ns_);
    return WhyStandby::LeadFailed;
  }
  std::int64_t gone_ns = store_.observed_ns();
  if (is_primary_in_entry() || entry_.primary.empty()) {
    // Nobody leads: this node's earlier process, or nobody, was the primary.
    if (is_handed_to_us()) {
      return WhyStandby::None;
    }
  } else if (options_.lease_ns != 0) {
    gone_ns = lease_end_ns();
    if (now_ns < gone_ns) {
      wake_at(gone_ns);
      return WhyStandby::LeaseRuns;
    }
  } else if (wish_) {
    return WhyStandby::None;
  } else if (link_.state == PrimaryLink::State::Connected) {
    return WhyStandby::PrimaryAlive;
  } else {
    gone_ns = link_.since_ns + (link_.state == PrimaryLink::State::Gone ? 0 : options_.absent_ns);
    if (now_ns < gone_ns) {
      wake_at(gone_ns);
      return WhyStandby::PrimaryAwaited;
    }
  }
  if (const std::int64_t turn_ns = gone_ns + rank() * options_.rank_delay_ns; now_ns < turn_ns) {
    wake_at(turn_ns);
    return WhyStandby::OthersFirst;
  }
  return WhyStandby::None;
}

/// The last moment at which the primary of this entry may believe in its lease. It took it before
/// this node could see the revision, so by any clock it ends earlier than this. The lease of this
/// node's own earlier process ended with that process.
std::int64_t Member::lease_end_ns() const noexcept {
  const bool has_lease = options_.lease_ns != 0 && !is_primary_in_entry();
  return has_lease ? store_.observed_ns() + options_.lease_ns + options_.lease_margin_ns
                   : store_.observed_ns();
}

/// Number of standbys that have their turn before this node. An earlier primary that has come back
/// lets every standby act first: they are warm.
std::int64_t Member::rank() const noexcept {
  return std::ranges::count_if(options_.nodes, [&](const std::string& node) {
    if (node == options_.node || node == entry_.primary || !entry_.has_in_sync(node)) {
      return false;
    }
    const auto place = std::ranges::find(options_.nodes, node) - options_.nodes.begin();
    return is_primary_in_entry() || static_cast<std::size_t>(place) < own_place_;
  });
}

void Member::follow_entry(std::int64_t now_ns) {
  if (is_set_back_) {
    return;
  }
  const std::string primary = is_primary_in_entry() ? std::string() : entry_.primary;
  if (primary == followed_.primary && entry_.epoch == followed_.epoch) {
    return;
  }
  followed_ = {.primary = primary, .epoch = entry_.epoch};
  link_.state = PrimaryLink::State::Absent;
  link_.since_ns = now_ns;
  actions_.emplace_back(followed_);
}

}  // namespace affix::inline v0::replication
