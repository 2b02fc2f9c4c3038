// SPDX-License-Identifier: MIT
// Actions of a Member, and what comes of them.
#include "engine/failover_group.hpp"

#include "affix/journal/copying.hpp"

#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace affix::inline v0::engine {

namespace {

/// Of a lease: the primary stops this much earlier, a standby waits this much longer. It covers the
/// time between a worker's look at the clock and the kernel's taking of the bytes.
constexpr std::int64_t lease_margin_divisor = 5;

/// Of two shows without an event in between, which only differ in how far the standbys are behind.
/// A show allocates, and an engine that is polled takes a turn each time.
constexpr std::int64_t between_shows_ns = 10 * base::ns_per_ms;

replication::MemberOptions member_options(const config::FailoverSettings& settings,
                                          const std::string& node) {
  replication::MemberOptions options;
  options.group = settings.name;
  options.node = node;
  for (const std::string_view name : config::replication_nodes_of(settings)) {
    options.nodes.emplace_back(name);
  }
  options.in_sync_min = static_cast<std::size_t>(settings.in_sync_min);
  if (settings.replication == config::Replication::Async) {
    options.lease_ns = settings.lease_milliseconds * base::ns_per_ms;
    options.lease_margin_ns = options.lease_ns / lease_margin_divisor;
  }
  return options;
}

/// True if a power loss may have taken records that the journals of this group had acknowledged.
bool may_lose_power(const std::vector<journal::Options>& journals) {
  return std::ranges::any_of(journals, [](const journal::Options& options) {
    return options.durability == journal::Durability::Process;
  });
}

std::uint64_t newest_epoch(const std::vector<journal::Options>& journals) {
  std::uint64_t newest = 0;
  for (const journal::Options& options : journals) {
    newest = std::max(newest, journal::newest_epoch(options.directory).value_or(0));
  }
  return newest;
}

}  // namespace

FailoverGroup::FailoverGroup(const config::FailoverSettings& settings, FailoverNode& node,
                             Remembered remembered, counters::FailoverCounters& counters,
                             base::Now now)
    : settings_(settings), node_(node), remembered_(remembered), meter_(counters) {
  for (const std::string_view name : config::replication_nodes_of(settings_)) {
    const auto address = std::ranges::find(node_.addresses, name, &config::NodeAddress::name);
    if (name != node_.node && address != node_.addresses.end()) {
      others_.push_back({address->name, address->address});
    }
  }
  const std::vector<journal::Options> journals = node_.registrar.journals_of_group(settings_.name);
  const std::uint64_t epoch = newest_epoch(journals);
  const bool lost_power = epoch != 0 && remembered_.boot != node_.boot && !remembered_.closed &&
                          may_lose_power(journals);
  const bool lost_journals = epoch < remembered_.held;  // Another disk, or an older copy of it.
  member_ = std::make_unique<replication::Member>(
      member_options(settings_, node_.node),
      replication::MemberStart{.promised = remembered_.promised,
                               .last_epoch = epoch,
                               .content = lost_power || lost_journals
                                              ? replication::Content::Doubtful
                                              : replication::Content::Kept},
      now.steady_ns);
  remembered_.boot = node_.boot;
  remembered_.closed = false;
  if (const auto written = node_.promises.write(settings_.name, remembered_); !written) {
    report(host::Event::Severity::Error, written.error().sentence(), written.error().message_code);
  }
  node_.store.watch(settings_.name);
  act(now);
}

// --- Events ---

void FailoverGroup::on_answer(const replication::Answer& answer, base::Now now) {
  member_->on_answer(answer, now.steady_ns);
  act(now);
}

void FailoverGroup::on_news(replication::News news, base::Now now) {
  switch (news.kind) {
    case replication::NewsKind::Promised:
      member_->on_promised(news.epoch, now.steady_ns);
      break;
    case replication::NewsKind::Released:
      released_ = std::move(news);
      ask_until_ns_ = now.steady_ns + passed_patience_ns;
      open_sessions(now);
      break;
    case replication::NewsKind::PrimaryGone:
      meter_.begin_take_over(now.steady_ns);
      look_at_left(node_.node, now);  // It may have died before this node was to take them.
      member_->on_news(news.kind, news.epoch, now.steady_ns);
      break;
    case replication::NewsKind::Connected:
      meter_.follows();
      member_->on_news(news.kind, news.epoch, now.steady_ns);
      break;
    case replication::NewsKind::InSync:
      remember_held(news.epoch);
      member_->on_news(news.kind, news.epoch, now.steady_ns);
      break;
    case replication::NewsKind::Failed:
    case replication::NewsKind::Left:
      report(host::Event::Severity::Warning, news.why, news.code);
      if (news.kept) {
        break;  // Behind, perhaps, but what it has acknowledged is there.
      }
      member_->on_news(news.kind, news.epoch, now.steady_ns);
      break;
    default:
      member_->on_news(news.kind, news.epoch, now.steady_ns);
      break;
  }
  act(now);
}

bool FailoverGroup::turn(base::Now now) {
  bool must_show = now.steady_ns >= show_ns_;
  if (!parts_.empty()) {
    replication::ShipperState state = shippers();
    if (must_pass_first(state, now)) {
      state.everything = 0;
    }
    if (state != seen_) {
      seen_ = state;
      member_->on_shippers(state, now.steady_ns);
      must_show = true;
    }
  }
  if (member_->deadline_ns() <= now.steady_ns) {
    member_->on_time(now.steady_ns);
    must_show = true;
  }
  if (record_watch_.due_ns() <= now.steady_ns) {
    remember_led(now);
  }
  if (ask_ns_ <= now.steady_ns) {
    open_sessions(now);
  }
  look_after_connections(now);
  carry_out(now);
  const bool did = std::exchange(did_, false);
  if (must_show || did) {
    show(now);
  }
  return did;
}

std::int64_t FailoverGroup::deadline_ns() const noexcept {
  std::int64_t nearest_ns = std::min({member_->deadline_ns(), record_watch_.due_ns(), ask_ns_});
  for (const LeftLook& look : left_looks_) {
    nearest_ns = std::min(nearest_ns, look.at_ns);
  }
  return nearest_ns;
}

replication::WishAnswer FailoverGroup::promote(replication::Loss loss, base::Now now) {
  const replication::WishAnswer answer = member_->promote(loss, now.steady_ns);
  if (answer == replication::WishAnswer::Begun) {
    loss_accepted_ = loss == replication::Loss::Accepted;
  }
  act(now);
  return answer;
}

replication::WishAnswer FailoverGroup::hand_over(std::string_view node, base::Now now) {
  const replication::WishAnswer answer = member_->hand_over(node, now.steady_ns);
  act(now);
  return answer;
}

/// So that a start with other journals is known as a loss.
void FailoverGroup::remember_held(std::uint64_t epoch) {
  Remembered wanted = remembered_;
  wanted.held = std::max(wanted.held, epoch);
  remember(wanted);
}

/// So that the next epoch goes on with the numbers of this one, which are all in the journals. That
/// they hold it is written once a start would find it there: a worker appends its record later, and
/// with `sync` it is in a segment's file only after the flush. Written before, a kill in between
/// would look like another disk.
void FailoverGroup::remember_led(base::Now now) {
  Remembered wanted = remembered_;
  wanted.led = epoch_;
  if (record_watch_.look(epoch_, now.steady_ns)) {
    wanted.held = std::max(wanted.held, epoch_);
  }
  remember(wanted);
}

void FailoverGroup::remember(const Remembered& wanted) {
  if (wanted == remembered_) {
    return;
  }
  if (const auto written = node_.promises.write(settings_.name, wanted); !written) {
    report(host::Event::Severity::Error, written.error().sentence(), written.error().message_code);
    return;
  }
  remembered_ = wanted;
}

// --- Actions ---

void FailoverGroup::act(base::Now now) {
  carry_out(now);
  show(now);
}

void FailoverGroup::carry_out(base::Now now) {
  for (;;) {
    auto action = member_->take();
    if (!action) {
      advance(now);  // Which may lead to further actions.
      action = member_->take();
    }
    if (!action) {
      break;
    }
    did_ = true;
    std::visit([&](auto& one) { act_on(one, now); }, *action);
  }
}

void FailoverGroup::show(base::Now now) {
  show_ns_ = now.steady_ns + between_shows_ns;
  const FailoverStanding shown = standing();
  node_.registrar.primaries().set(settings_.name, shown.standing.primary);
  meter_.show(shown);
}

void FailoverGroup::act_on(replication::Ask& ask, base::Now /*now*/) {
  node_.store.ask(std::move(ask.request));
}

void FailoverGroup::act_on(const replication::Follow& follow, base::Now /*now*/) {
  follow_ = follow;
  must_follow_ = true;
  lead_.reset();
}

void FailoverGroup::act_on(const replication::Promise& promise, base::Now now) {
  meter_.begin_take_over(now.steady_ns);
  Remembered wanted = remembered_;
  wanted.promised = promise.epoch;
  if (const auto written = node_.promises.write(settings_.name, wanted); !written) {
    report(host::Event::Severity::Error,
           "the promise of epoch " + std::to_string(promise.epoch) +
               " is not on the disk, so this node cannot lead: " + written.error().sentence(),
           written.error().message_code);
    member_->on_promise_failed(now.steady_ns);
    return;
  }
  remembered_ = wanted;
  node_.standby.promise(settings_.name, promise.epoch);
}

void FailoverGroup::act_on(const replication::Lead& lead, base::Now now) {
  if (place_ == Place::Sessions) {
    begin_epoch(lead.epoch, now);
    return;
  }
  lead_ = lead.epoch;
}

void FailoverGroup::act_on(const replication::StepDown& /*down*/, base::Now now) {
  lead_.reset();
  record_watch_.end();
  permit_->speak_until(0);
  if (place_ != Place::Sessions) {
    return;
  }
  wake_workers();
  meter_.ends(std::exchange(handing_over_, false) ? LeadEnd::HandedOver : LeadEnd::Lost);
  node_.standby.stop_serving(settings_.name);
  leaving_ = node_.registrar.step_down(settings_.name);
  parts_.clear();
  seen_ = {};
  leave_connections(now);
  place_ = Place::Leaving;
}

void FailoverGroup::act_on(const replication::SetGate& gate, base::Now /*now*/) {
  gate_ = gate.nodes;
  // The shippers report coverage of this gate anew, even if it equals that of an earlier one.
  seen_ = {};
  for (const Part& part : parts_) {
    part.led->shipper().set_gate(gate_);
  }
  wake_workers();
}

void FailoverGroup::act_on(const replication::SetOutput& output, base::Now /*now*/) {
  permit_->speak_until(output.output == replication::Output::Passes ? output.speak_until_ns : 0);
  wake_workers();
}

void FailoverGroup::act_on(const replication::StopInput& stop, base::Now /*now*/) {
  handing_over_ = true;
  next_ = stop.next;
  pass_stage_ = node_.keeper != nullptr ? PassStage::Due : PassStage::None;
  permit_->set_intake(host::Intake::Stopped);
  wake_workers();
}

void FailoverGroup::act_on(const replication::ResumeInput& /*resume*/, base::Now /*now*/) {
  handing_over_ = false;
  take_connections_back();
  permit_->set_intake(host::Intake::Open);
  wake_workers();
}

void FailoverGroup::act_on(const replication::Alarm& alarm, base::Now /*now*/) {
  using Kind = replication::AlarmKind;
  const bool good = alarm.kind == Kind::NotAlone;
  std::optional<host::FailoverNotice::Kind> notice;
  if (alarm.kind == Kind::Alone) {
    notice = host::FailoverNotice::Kind::Alone;
  } else if (good) {
    notice = host::FailoverNotice::Kind::NotAlone;
  }
  report(good ? host::Event::Severity::Info : host::Event::Severity::Error,
         replication::to_text(alarm.kind), replication::code_of(alarm.kind), notice);
}

// --- Journals between standby and sessions ---

/// Carries out the last actions as far as the journals' present place allows it.
void FailoverGroup::advance(base::Now /*now*/) {
  if (place_ == Place::Leaving && leaving_.done()) {
    leaving_ = {};
    place_ = Place::Closed;
    must_follow_ = true;
  }
  if ((place_ == Place::Closed || place_ == Place::Standby) && must_follow_) {
    follow_now();
  }
  if (place_ == Place::Standby && lead_) {
    place_ = Place::Releasing;
    node_.standby.release(settings_.name);
  }
}

void FailoverGroup::follow_now() {
  replication::GroupCopy copy;
  copy.group = settings_.name;
  copy.epoch = std::max(follow_.epoch, remembered_.promised);
  const auto primary = std::ranges::find(others_, follow_.primary, &replication::Node::name);
  if (primary != others_.end()) {
    copy.primary = *primary;
  }
  copy.ack_when = replication::AckWhen::Flushed;
  for (journal::Options& options : node_.registrar.journals_of_group(settings_.name)) {
    if (options.durability == journal::Durability::Process) {
      copy.ack_when = replication::AckWhen::Stored;
    }
    copy.journals.push_back({.identity = options.identity, .options = std::move(options)});
  }
  node_.standby.follow(std::move(copy));
  must_follow_ = false;
  place_ = Place::Standby;
}

/// With the journals that the standby has given back.
void FailoverGroup::open_sessions(base::Now now) {
  if (place_ == Place::Releasing && await_passed(now)) {
    return;
  }
  ask_ns_ = replication::never_ns;
  replication::News released = std::move(*std::exchange(released_, std::nullopt));
  const std::shared_ptr<KeptConnections> passed = std::exchange(passed_, nullptr);
  did_ = true;
  if (place_ == Place::Releasing) {
    open_sessions_with(released, passed, now);
  }
  if (passed != nullptr) {
    close_untaken(*passed);
  }
  // A node that this one handed over to has not led for long, and need not be waited for.
  for (LeftLook& look : left_looks_) {
    look.at_ns = now.steady_ns;
  }
}

void FailoverGroup::open_sessions_with(replication::News& released,
                                       const std::shared_ptr<KeptConnections>& passed,
                                       base::Now now) {
  place_ = Place::Closed;
  must_follow_ = true;  // If it comes to nothing.
  if (!lead_) {
    return;  // Another node was faster.
  }
  const std::uint64_t epoch = *std::exchange(lead_, std::nullopt);
  if (!released.whole && !loss_accepted_) {
    report(host::Event::Severity::Error,
           "its copies are not whole, so this node does not lead with them", "E305");
    member_->on_lead_failed(now.steady_ns);
    return;
  }
  loss_accepted_ = false;
  Registrar::LedJournals copies;
  for (replication::ReleasedJournal& copy : released.journals) {
    copies.emplace(std::move(copy.identity), std::move(copy.journal));
  }
  // All or none: a standby counts as in sync that has everything of the journals that are shipped,
  // and might lead without what it lacks of another.
  bool is_whole = true;
  Registrar::LedJournals journals;
  for (const journal::Options& options : node_.registrar.journals_of_group(settings_.name)) {
    const host::LinkRecord* const row =
        passed == nullptr ? nullptr : passed->row_of_left(host::identity_of(options.identity));
    auto journal = open_journal(options, std::move(copies[options.identity]), row, epoch, now);
    if (journal) {
      record_watch_.look_in(options.directory);
      journals.emplace(options.identity, std::move(*journal));
    } else {
      is_whole = false;
      report(host::Event::Severity::Error, journal.error().sentence(),
             journal.error().message_code);
    }
  }
  if (!is_whole) {
    member_->on_lead_failed(now.steady_ns, replication::Content::Kept);
    return;
  }
  epoch_ = epoch;
  permit_->set_intake(host::Intake::Open);
  const Registrar::Led led =
      node_.registrar.lead(settings_.name, std::move(journals), passed,
                           [&](std::size_t worker, std::span<const std::size_t> workers) {
                             parts_.push_back({worker, make_part(worker, workers, epoch)});
                             return parts_.back().led;
                           });
  for (const base::Error& problem : led.problems) {
    report(host::Event::Severity::Error, problem.sentence(), problem.message_code);
  }
  if (!led.problems.empty()) {
    member_->on_lead_failed(now.steady_ns, replication::Content::Kept);
    return;
  }
  must_follow_ = false;
  serve(epoch);
  meter_.leads(now);
  place_ = Place::Sessions;
  report(host::Event::Severity::Warning, "leads from here on, in epoch " + std::to_string(epoch),
         "E307", host::FailoverNotice::Kind::Leading);
  remember_led(now);
}

/// The journal of one session, from the standby's copy or, where there has never been one, anew.
/// Its last record is that of the epoch. `passed` is the row of a connection that the former
/// primary has passed on; null: there is none.
std::expected<std::unique_ptr<journal::Journal>, base::Error> FailoverGroup::open_journal(
    const journal::Options& options, std::unique_ptr<journal::Journal> copy,
    const host::LinkRecord* passed, std::uint64_t epoch, base::Now now) const {
  // Numbers that the former primary has used may be in no record here, unless it says how far it
  // was.
  const bool is_known = copy != nullptr && passed != nullptr &&
                        passed->stage.load(std::memory_order_acquire) == host::LinkStage::Active &&
                        passed->place().next_outgoing == copy->next_outgoing();
  const bool may_lack = copy != nullptr && !is_known &&
                        settings_.replication == config::Replication::Async &&
                        follow_.epoch != remembered_.led;
  std::expected<std::unique_ptr<journal::Journal>, base::Error> journal = std::move(copy);
  if (*journal != nullptr) {
    if (auto led = (*journal)->lead(); !led) {
      return std::unexpected(std::move(led.error()));
    }
  } else if (journal::newest_epoch(options.directory).value_or(0) != 0) {
    // Opened by itself it would go on without the numbers that it has to skip.
    return std::unexpected(
        base::Error{base::ErrorCode::Io, "its copy cannot be opened", options.directory, "E305"});
  } else {
    journal = journal::Journal::open(options);
    if (!journal) {
      return journal;
    }
  }
  if ((*journal)->append_epoch(epoch, now.utc_ns, node_.node) != journal::AppendResult::Appended) {
    return std::unexpected(base::Error{base::ErrorCode::NoSpace,
                                       "the journal does not take the epoch's record",
                                       options.directory, "S302"});
  }
  if (may_lack) {
    if (auto skipped = (*journal)->skip_to_reserve(); !skipped) {
      return std::unexpected(std::move(skipped.error()));
    }
  }
  return journal;
}

void FailoverGroup::begin_epoch(std::uint64_t epoch, base::Now now) {
  std::vector<std::size_t> workers;
  std::ranges::transform(parts_, std::back_inserter(workers), &Part::worker);
  epoch_ = epoch;
  seen_ = {};
  for (Part& part : parts_) {
    auto change = std::make_unique<WorkerChange>();
    std::shared_ptr<host::LedGroup> after = make_part(part.worker, workers, epoch);
    change->epochs.push_back({std::exchange(part.led, after), after, epoch, node_.node});
    node_.workers[part.worker]->post(std::move(change));
  }
  serve(epoch);
  remember_led(now);
}

void FailoverGroup::serve(std::uint64_t epoch) {
  record_watch_.begin();
  std::vector<replication::ServedJournal> served;
  for (journal::Options& options : node_.registrar.journals_of_group(settings_.name)) {
    served.push_back({std::move(options.identity), std::move(options.directory)});
  }
  node_.standby.serve(settings_.name, epoch, std::move(served));
}

// --- Shippers ---

std::shared_ptr<host::LedGroup> FailoverGroup::make_part(std::size_t worker,
                                                         std::span<const std::size_t> workers,
                                                         std::uint64_t epoch) const {
  replication::ShipperOptions options;
  options.cluster = node_.cluster;
  options.node = node_.node;
  options.group = settings_.name;
  options.worker = static_cast<std::uint32_t>(std::ranges::find(workers, worker) - workers.begin());
  options.worker_count = static_cast<std::uint32_t>(workers.size());
  options.epoch = epoch;
  options.standbys = others_;
  options.backlog_bytes = static_cast<std::size_t>(settings_.replication_backlog_bytes);
  options.timeout_ns = settings_.replication_timeout_milliseconds * base::ns_per_ms;
  options.beat_ns = settings_.replication_beat_milliseconds * base::ns_per_ms;
  options.control = node_.control;
  Worker& on = *node_.workers[worker];
  // The configuration's check keeps all options within their ranges.
  auto shipper =
      replication::Shipper::make(std::move(options), on.transport(), on.node_dialer()).value();
  shipper->set_gate(gate_);
  return std::make_shared<host::LedGroup>(std::move(shipper), settings_.replication, permit_,
                                          node_.control);
}

replication::ShipperState FailoverGroup::shippers() const {
  constexpr replication::StandbyMask all = ~replication::StandbyMask{0};
  replication::ShipperState state{.epoch = epoch_,
                                  .caught_up = all,
                                  .covered = all,
                                  .late = 0,
                                  .connected = all,
                                  .everything = all,
                                  .fenced_epoch = 0};
  for (const Part& part : parts_) {
    if (part.led->obeyed_intake() != host::Intake::Stopped) {
      state.everything = 0;  // More may be stored.
    }
    const replication::Shipper& shipper = part.led->shipper();
    state.caught_up &= shipper.caught_up();
    state.covered &= shipper.covered();
    state.connected &= shipper.connected();
    state.late |= shipper.late();
    state.fenced_epoch = std::max(state.fenced_epoch, shipper.fenced_epoch());
    for (std::size_t bit = 0; bit < others_.size(); ++bit) {
      if (shipper.lag_bytes(bit) != 0) {
        state.everything &= ~(replication::StandbyMask{1} << bit);
      }
    }
  }
  const replication::StandbyMask known = (replication::StandbyMask{1} << others_.size()) - 1;
  state.caught_up &= known;
  state.connected &= known;
  state.covered &= known;
  state.everything &= known & state.covered;
  return state;
}

void FailoverGroup::wake_workers() const noexcept {
  for (const Part& part : parts_) {
    node_.workers[part.worker]->waker().wake();
  }
}

void FailoverGroup::report(host::Event::Severity severity, std::string_view text,
                           base::MessageCode code,
                           std::optional<host::FailoverNotice::Kind> notice) const {
  auto change = std::make_unique<WorkerChange>();
  FailoverReport& line = change->reports.emplace_back();
  line.severity = severity;
  line.text = "failover group " + settings_.name + ": " + std::string(text);
  line.code = code;
  if (notice) {
    line.notice = host::FailoverNotice{*notice, settings_.name, epoch_};
  }
  node_.workers.front()->post(std::move(change));
}

// --- For operators ---

FailoverStanding FailoverGroup::standing() const {
  FailoverStanding shown{
      .group = settings_.name, .node = node_.node, .standing = member_->standing(), .standbys = {}};
  if (parts_.empty()) {
    return shown;
  }
  for (std::size_t bit = 0; bit < others_.size(); ++bit) {
    const replication::StandbyMask mask = replication::StandbyMask{1} << bit;
    StandbyStanding& standby = shown.standbys.emplace_back();
    standby.node = others_[bit].name;
    standby.connected = true;
    standby.in_gate = (gate_ & mask) != 0;
    for (const Part& part : parts_) {
      const replication::Shipper& shipper = part.led->shipper();
      standby.connected = standby.connected && (shipper.connected() & mask) != 0;
      standby.late = standby.late || (shipper.late() & mask) != 0;
      standby.lag_bytes += shipper.lag_bytes(bit);
      standby.lag_ns = std::max(standby.lag_ns, shipper.lag_ns(bit));
    }
  }
  return shown;
}

bool FailoverGroup::end() {
  parts_.clear();
  if (released_) {
    place_ = Place::Closed;
    for (const replication::ReleasedJournal& copy : released_->journals) {
      if (copy.journal != nullptr) {
        static_cast<void>(copy.journal->close());  // One that fails is judged when it is opened.
      }
    }
    released_.reset();
  }
  if (place_ == Place::Standby) {
    node_.standby.release(settings_.name);
  }
  return place_ == Place::Standby || place_ == Place::Releasing;
}

void FailoverGroup::remember_closed() {
  remembered_.closed = true;
  static_cast<void>(node_.promises.write(settings_.name, remembered_));
}

}  // namespace affix::inline v0::engine
