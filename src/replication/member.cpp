// SPDX-License-Identifier: MIT
// Events of a member: answers, news, promises, time. Each event is recorded first; then
// everything is decided anew, as a standby or as a primary.
#include "affix/replication/member.hpp"

#include "affix/base/assert.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::replication {

namespace {

StorePauses pauses_of(const MemberOptions& options) noexcept {
  // A lease must be tried several times before it ends.
  return {.first_ns = options.retry_ns,
          .most_ns = options.lease_ns != 0 ? std::min(options.retry_max_ns, options.lease_ns / 6)
                                           : options.retry_max_ns};
}

}  // namespace

Member::Member(MemberOptions options, MemberStart start, std::int64_t now_ns)
    : options_(std::move(options)),
      store_(options_.group, pauses_of(options_)),
      epochs_{.promised = start.promised,
              .promising = {},
              .last = start.last_epoch,
              .recorded = start.last_epoch},
      content_(start.content),
      link_{.since_ns = now_ns} {
  AFFIX_ASSERT(options_.nodes.size() <= group_nodes_max);
  const auto own = std::ranges::find(options_.nodes, options_.node);
  AFFIX_ASSERT(own != options_.nodes.end());
  own_place_ = static_cast<std::size_t>(own - options_.nodes.begin());
  std::ranges::copy_if(options_.nodes, std::back_inserter(others_),
                       [&](const std::string& node) { return node != options_.node; });
  decide(Freshness::Remembered, now_ns);
}

// Events.

void Member::on_answer(const Answer& answer, std::int64_t now_ns) {
  auto freshness = Freshness::Remembered;
  if (answer.kind == AnswerKind::Changed) {
    if (store_.take_news(answer, now_ns)) {
      adopt(answer.entry, answer.revision, now_ns);
    }
  } else {
    std::optional<StoreView::Pending> asked;
    const StoreView::Heard heard = store_.take_answer(answer, asked, now_ns);
    if (heard == StoreView::Heard::Nothing) {
      return;
    }
    if (heard == StoreView::Heard::Entry) {
      adopt(answer.entry, answer.revision, now_ns);
      renew_lease(*asked, answer);
      freshness = Freshness::JustRead;
    }
  }
  decide(freshness, now_ns);
}

void Member::on_news(NewsKind kind, std::uint64_t epoch, std::int64_t now_ns) {
  const bool is_of_primary = role_ == Role::Standby && epoch == followed_.epoch;
  switch (kind) {
    case NewsKind::InSync:
      if (is_of_primary) {
        content_ = Content::Kept;
        has_lead_failed_ = false;
      }
      [[fallthrough]];
    case NewsKind::Connected:
      if (is_of_primary) {
        link_.state = PrimaryLink::State::Connected;
        epochs_.recorded = std::max(epochs_.recorded, epoch);
      } else if (role_ == Role::Standby && epoch > followed_.epoch) {
        store_.require_read();
      }
      break;
    case NewsKind::OutOfSync:
    case NewsKind::Failed:
      if (role_ == Role::Standby) {
        content_ = Content::Doubtful;
      }
      break;
    case NewsKind::Left:
    case NewsKind::PrimaryGone:
      if (is_of_primary) {
        link_.state =
            kind == NewsKind::Left ? PrimaryLink::State::Absent : PrimaryLink::State::Gone;
        link_.since_ns = now_ns;
      }
      break;
    case NewsKind::HigherEpoch:
      epochs_.seen = std::max(epochs_.seen, epoch);
      store_.require_read();
      break;
    case NewsKind::Unsecured:
    case NewsKind::Promised:
    case NewsKind::Released:
      break;
  }
  decide(Freshness::Remembered, now_ns);
}

void Member::on_shippers(const ShipperState& state, std::int64_t now_ns) {
  if (role_ == Role::Standby || state.epoch != epoch_) {
    return;
  }
  shippers_ = state;
  decide(Freshness::Remembered, now_ns);
}

void Member::on_promised(std::uint64_t epoch, std::int64_t now_ns) {
  epochs_.promised = std::max(epochs_.promised, epoch);
  has_promise_failed_ = false;
  if (epochs_.promising.epoch == epoch) {
    // The reason for the promise may have gone while the disk wrote it.
    const bool is_due =
        store_.revision() == epochs_.promising.revision && !store_.pending() &&
        !store_.needs_read() &&
        (role_ != Role::Standby || accepts_loss() || why_entry_forbids() == WhyStandby::None);
    if (!is_due) {
      epochs_.promising = {};
    } else if (role_ == Role::Standby && is_primary_in_entry() && entry_.epoch == epoch) {
      lead(epoch, now_ns);
    } else {
      write_promotion(now_ns);
    }
  }
  decide(Freshness::Remembered, now_ns);
}

void Member::on_promise_failed(std::int64_t now_ns) {
  epochs_.promising = {};
  has_promise_failed_ = true;
  store_.back_off(now_ns);
  decide(Freshness::Remembered, now_ns);
}

void Member::on_lead_failed(std::int64_t now_ns, Content content) {
  if (role_ != Role::Standby) {
    content_ = content;
    has_lead_failed_ = true;
    lead_again_ns_ = now_ns + options_.lead_retry_ns;
    step_down(now_ns);
  }
  decide(Freshness::Remembered, now_ns);
}

void Member::on_time(std::int64_t now_ns) {
  decide(Freshness::Remembered, now_ns);
}

WishAnswer Member::promote(Loss loss, std::int64_t now_ns) {
  if (role_ != Role::Standby && (!is_set_back_ || loss == Loss::Refused)) {
    return WishAnswer::LeadsAlready;
  }
  if (epochs_.is_promising() || hand_over_.is_under_way() || store_.is_writing()) {
    return WishAnswer::Busy;
  }
  if (!store_.is_known()) {
    return WishAnswer::StoreSilent;
  }
  if (role_ == Role::Standby && loss == Loss::Accepted &&
      link_.state == PrimaryLink::State::Connected) {
    return WishAnswer::PrimaryAlive;
  }
  if (loss == Loss::Refused) {
    switch (why_entry_forbids()) {
      case WhyStandby::NotInSync:
        return WishAnswer::NotInSync;
      case WhyStandby::EntryMissing:
        return WishAnswer::EntryMissing;
      case WhyStandby::EntryOld:
        return WishAnswer::EntryOld;
      case WhyStandby::ContentDoubtful:
      case WhyStandby::LeadFailed:
        return WishAnswer::ContentDoubtful;
      default:
        break;
    }
    if (now_ns < lease_end_ns()) {
      return WishAnswer::LeaseRuns;
    }
  }
  wish_ = Wish{loss, now_ns + options_.wish_ns};
  decide(Freshness::Remembered, now_ns);
  return WishAnswer::Begun;
}

WishAnswer Member::hand_over(std::string_view node, std::int64_t now_ns) {
  if (role_ == Role::Standby) {
    return WishAnswer::NotLeading;
  }
  if (hand_over_.is_under_way() || epochs_.is_promising() || is_set_back_ ||
      (store_.pending() && store_.pending()->request.kind == RequestKind::Promote)) {
    return WishAnswer::Busy;
  }
  const auto target = std::ranges::find_if(others_, [&](const std::string& other) {
    return node.empty() ? entry_.has_in_sync(other) : other == node;
  });
  if (target == others_.end()) {
    return node.empty() ? WishAnswer::NotInSync : WishAnswer::NotANode;
  }
  if (!entry_.has_in_sync(*target)) {
    return WishAnswer::NotInSync;
  }
  role_ = Role::HandingOver;
  hand_over_ = {.stage = HandOver::Stage::Draining,
                .to = static_cast<std::size_t>(target - others_.begin()),
                .until_ns = now_ns + options_.hand_over_ns};
  // The target's present state says nothing: input may have come since the shippers were asked.
  shippers_.everything = 0;
  actions_.emplace_back(StopInput{others_[hand_over_.to]});
  decide(Freshness::Remembered, now_ns);
  return WishAnswer::Begun;
}

std::optional<Action> Member::take() {
  if (actions_.empty()) {
    return std::nullopt;
  }
  std::optional<Action> action = std::move(actions_.front());
  actions_.pop_front();
  return action;
}

Standing Member::standing() const {
  return {.role = role_,
          .epoch = epoch(),
          .promised = epochs_.promised,
          .primary = entry_.primary,
          .in_sync = entry_.in_sync,
          .gate = gate_,
          .revision = store_.revision(),
          .why_standby = why_,
          .output = output_.output,
          .speak_until_ns = output_.speak_until_ns,
          .content = content_,
          .store = store_.outcome(),
          .store_error = store_.error(),
          .handing_over_to = hand_over_.is_under_way() ? others_[hand_over_.to] : std::string()};
}

// The store.

void Member::ask(RequestKind kind, Entry entry, std::int64_t now_ns) {
  actions_.emplace_back(Ask{store_.ask(kind, std::move(entry), now_ns)});
}

void Member::read(std::int64_t now_ns) {
  ask(RequestKind::Read, {}, now_ns);
}

void Member::wake_at(std::int64_t at_ns) noexcept {
  deadline_ns_ = std::min(deadline_ns_, at_ns);
}

/// By a write of its own, in its present epoch: nobody else had written in between.
void Member::renew_lease(const StoreView::Pending& asked, const Answer& answer) noexcept {
  if (options_.lease_ns != 0 && answer.outcome == Outcome::Done &&
      asked.request.kind != RequestKind::Read && role_ != Role::Standby && is_primary_in_entry() &&
      answer.entry.epoch == epoch_) {
    lease_until_ns_ = asked.asked_ns + options_.lease_ns - options_.lease_margin_ns;
    renew_at_ns_ = asked.asked_ns + options_.lease_ns / 3;
  }
}

void Member::adopt(const Entry& entry, std::uint64_t revision, std::int64_t now_ns) {
  // A group that has been led has journals, and this node has none: its disk may be another one
  // than that of the node in the set, or the primary may be about to add what this node was before.
  if (!store_.is_known() && epochs_.last == 0 && epochs_.promised == 0 && entry.epoch != 0) {
    content_ = Content::Doubtful;
  }
  store_.adopt(revision, now_ns);
  const bool was_set_back =
      std::exchange(is_set_back_, revision == 0 ? epochs_.last != 0 : entry.epoch < epochs_.last);
  if (is_set_back_ && !was_set_back) {
    actions_.emplace_back(Alarm{AlarmKind::StoreSetBack});
  }
  // A primary goes on with the set that its gate obeys.
  if (is_set_back_ && role_ != Role::Standby) {
    return;
  }
  entry_ = entry;
  if (!is_set_back_) {
    epochs_.last = std::max(epochs_.last, entry.epoch);
  }
  on_adopted(now_ns);
}

void Member::on_adopted(std::int64_t now_ns) {
  const bool is_own_attempt = is_primary_in_entry() && epochs_.attempted != 0 &&
                              entry_.epoch == epochs_.attempted && epochs_.attempted > epoch_;
  if (role_ != Role::Standby) {
    if (is_own_attempt) {
      lead(entry_.epoch, now_ns);
    } else if (!is_primary_in_entry() || entry_.epoch != epoch_) {
      step_down(now_ns);
    }
  } else if (is_own_attempt && (content_ == Content::Kept || accepts_loss())) {
    lead(entry_.epoch, now_ns);
  } else {
    follow_entry(now_ns);
  }
}

// Decisions.

void Member::decide(Freshness freshness, std::int64_t now_ns) {
  deadline_ns_ = never_ns;
  if (wish_ && now_ns >= wish_->until_ns) {
    wish_.reset();
  }
  if (wish_) {
    wake_at(wish_->until_ns);
  }
  if (role_ == Role::Standby) {
    decide_standby(freshness, now_ns);
  } else {
    decide_leading(freshness, now_ns);
  }
  decide_output(now_ns);
}

void Member::decide_output(std::int64_t now_ns) {
  SetOutput wanted;
  if (role_ != Role::Standby) {
    if (options_.lease_ns != 0) {
      wanted.speak_until_ns = lease_until_ns_;
    }
    if (is_fenced()) {
      wanted.output = Output::HeldByEpoch;
    } else if (entry_.in_sync.size() < options_.in_sync_min || has_strangers()) {
      wanted.output = Output::HeldForStandby;
    } else if (now_ns >= wanted.speak_until_ns) {
      wanted.output = Output::HeldByLease;
    } else {
      wanted.output = Output::Passes;
      wake_at(wanted.speak_until_ns);
    }
  }
  if (wanted.output != output_.output || wanted.speak_until_ns != output_.speak_until_ns) {
    output_ = wanted;
    actions_.emplace_back(wanted);
  }
}

// Epochs.

std::uint64_t Member::next_epoch() const noexcept {
  return epochs_.next(std::max({entry_.epoch, shippers_.fenced_epoch, epoch_}));
}

void Member::begin_promotion(std::int64_t now_ns) {
  epochs_.promising = {.epoch = next_epoch(), .revision = store_.revision()};
  if (epochs_.promised >= epochs_.promising.epoch) {
    write_promotion(now_ns);
  } else {
    actions_.emplace_back(Promise{epochs_.promising.epoch});
  }
}

void Member::write_promotion(std::int64_t now_ns) {
  epochs_.attempted = std::exchange(epochs_.promising, {}).epoch;
  ask(RequestKind::Promote,
      Entry{.epoch = epochs_.attempted, .primary = options_.node, .in_sync = {options_.node}},
      now_ns);
}

void Member::lead(std::uint64_t epoch, std::int64_t now_ns) {
  if (hand_over_.is_under_way()) {
    give_up_hand_over(now_ns);
  }
  if (accepts_loss()) {
    actions_.emplace_back(Alarm{AlarmKind::LossAccepted});
  }
  wish_.reset();
  role_ = Role::Leading;
  why_ = WhyStandby::None;
  epoch_ = epoch;
  epochs_.last = std::max(epochs_.last, epoch);
  epochs_.recorded = epochs_.last;
  epochs_.attempted = 0;
  epochs_.promising = {};
  content_ = Content::Kept;
  has_lead_failed_ = false;
  followed_ = {};
  shippers_ = {};
  lease_until_ns_ = 0;
  renew_at_ns_ = now_ns;
  gate_ = others_in_set();
  actions_.emplace_back(SetGate{gate_});
  actions_.emplace_back(Lead{epoch});
}

void Member::step_down(std::int64_t now_ns) {
  role_ = Role::Standby;
  hand_over_ = {};
  epochs_.promising = {};
  gate_ = 0;
  shippers_ = {};
  told_alone_.reset();
  actions_.emplace_back(StepDown{});
  followed_ = {};
  follow_entry(now_ns);
}

// Names and masks.

StandbyMask Member::others_in_set() const noexcept {
  StandbyMask mask = 0;
  for (std::size_t index = 0; index < others_.size(); ++index) {
    if (entry_.has_in_sync(others_[index])) {
      mask |= StandbyMask{1} << index;
    }
  }
  return mask;
}

std::vector<std::string> Member::set_of(StandbyMask others) const {
  std::vector<std::string> names{options_.node};
  for (std::size_t index = 0; index < others_.size(); ++index) {
    if ((others >> index & 1U) != 0) {
      names.push_back(others_[index]);
    }
  }
  std::ranges::sort(names);
  return names;
}

bool Member::has_strangers() const noexcept {
  return std::ranges::any_of(entry_.in_sync, [&](const std::string& name) {
    return std::ranges::find(options_.nodes, name) == options_.nodes.end();
  });
}

}  // namespace affix::inline v0::replication
