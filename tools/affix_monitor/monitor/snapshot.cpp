// SPDX-License-Identifier: MIT
// Combines readings, settings and earlier state.
#include "monitor/snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

using counters::SessionCounter;
using counters::WorkerCounter;

constexpr std::size_t snapshot_problems_max = 100;

/// A client that asks once a second misses none of these; after a longer time it gets all present
/// alerts.
constexpr std::size_t gone_alerts_max = 1'000;

std::vector<WorkerView> workers_of(const top::TimedReading& before, const top::TimedReading& now) {
  std::vector<WorkerView> views;
  const double nanoseconds = static_cast<double>(now.utc_ns - before.utc_ns);
  const bool same = before.engine.started_utc_ns == now.engine.started_utc_ns &&
                    before.engine.process_id == now.engine.process_id &&
                    before.engine.workers.size() == now.engine.workers.size() && nanoseconds > 0;
  for (std::size_t number = 0; number < now.engine.workers.size(); ++number) {
    WorkerView& view = views.emplace_back();
    view.reading = now.engine.workers[number];
    const auto share = [&](WorkerCounter which) {
      const std::uint64_t was = same ? before.engine.workers[number][which] : 0;
      const std::uint64_t is = view.reading[which];
      return same && is > was ? static_cast<double>(is - was) / nanoseconds : 0;
    };
    view.duty = std::min(share(WorkerCounter::BusyTime), 1.0);
    view.messages_per_s = share(WorkerCounter::Messages) * 1e9;
    view.turns_per_s = share(WorkerCounter::Turns) * 1e9;
  }
  return views;
}

SessionView view_of(const WatchedSession& session) {
  SessionView view;
  view.name = session.settings.name;
  view.instance = session.instance;
  view.begin_string = session.settings.begin_string;
  view.sender = session.settings.sender_comp_id;
  view.target = session.settings.target_comp_id;
  view.journal = session.journal;
  view.initiator = session.initiator;
  return view;
}

SessionView view_of(top::SessionRow row) {
  SessionView view;
  const counters::SessionReading& now = row.now;
  view.name = now.name;
  view.instance = now.instance;
  view.begin_string = now.begin_string;
  view.sender = now.sender_comp_id;
  view.target = now.target_comp_id;
  view.journal = now.journal_directory;
  view.initiator = now.initiator;
  view.present = true;
  view.row = std::move(row);
  return view;
}

}  // namespace

const char* to_text(EngineStatus status) noexcept {
  switch (status) {
    case EngineStatus::Up:
      return "up";
    case EngineStatus::Ended:
      return "ended";
    case EngineStatus::Killed:
      return "killed";
    case EngineStatus::Unknown:
      break;
  }
  return "unknown";
}

const SessionView* Snapshot::find(std::string_view name) const noexcept {
  const auto found =
      std::ranges::find_if(sessions, [&](const SessionView& view) { return view.name == name; });
  return found == sessions.end() ? nullptr : &*found;
}

Observer::Observer(const Roster& roster, const AlertLimits& limits,
                   std::size_t history_sessions_max)
    : roster_(roster), alerts_(limits), history_(history_sessions_max) {}

Observer::Observer(const Roster& roster, const AlertLimits& limits,
                   std::size_t history_sessions_max, std::atomic<std::uint64_t>& alert_ids)
    : roster_(roster), alerts_(limits, alert_ids), history_(history_sessions_max) {}

namespace {

/// True if nothing shown of the session has changed.
bool same(const SessionView& one, const SessionView& other) {
  const top::SessionRow& left = one.row;
  const top::SessionRow& right = other.row;
  return one.present == other.present && one.journal == other.journal &&
         std::string_view(one.schedule) == other.schedule && one.alerts == other.alerts &&
         one.alerts_open == other.alerts_open && left.now.version == right.now.version &&
         left.now.worker == right.now.worker && left.now.counters == right.now.counters &&
         left.now.peer == right.now.peer && left.now.last_end == right.now.last_end &&
         left.now.disabled_by == right.now.disabled_by && left.latencies == right.latencies &&
         left.received_rate == right.received_rate && left.sent_rate == right.sent_rate &&
         left.received_byte_rate == right.received_byte_rate &&
         left.sent_byte_rate == right.sent_byte_rate;
}

/// Sets the times of the last change of each session and of the set of sessions.
void note_changes(const Snapshot* before, Snapshot& made) {
  const bool same_sessions = before != nullptr && before->started_ns == made.started_ns &&
                             before->process_id == made.process_id &&
                             before->utc_ns < made.utc_ns &&
                             std::ranges::equal(before->sessions, made.sessions, {},
                                                &SessionView::name, &SessionView::name);
  made.sessions_since_ns = same_sessions ? before->sessions_since_ns : made.utc_ns;
  for (std::size_t at = 0; at < made.sessions.size(); ++at) {
    const bool unchanged = same_sessions && same(before->sessions[at], made.sessions[at]);
    made.sessions[at].changed_ns = unchanged ? before->sessions[at].changed_ns : made.utc_ns;
  }
}

/// Sets the time of each alert's last change, and determines which earlier alerts are gone.
void note_alerts(const Snapshot* before, Snapshot& made) {
  if (before == nullptr || before->utc_ns >= made.utc_ns) {
    made.alerts_since_ns = made.utc_ns;
    for (Alert& alert : made.alerts) {
      alert.changed_ns = made.utc_ns;
    }
    return;
  }
  made.alerts_since_ns = before->alerts_since_ns;
  made.gone_alerts = before->gone_alerts;
  auto old = before->alerts.begin();
  const auto skip_to = [&](std::uint64_t id) {
    for (; old != before->alerts.end() && old->id > id; ++old) {
      made.gone_alerts.push_back({old->id, made.utc_ns});
    }
  };
  for (Alert& alert : made.alerts) {
    skip_to(alert.id);
    const bool known = old != before->alerts.end() && old->id == alert.id;
    const bool unchanged = known && old->text == alert.text &&
                           old->acknowledged == alert.acknowledged &&
                           old->silenced == alert.silenced;
    alert.changed_ns = unchanged ? old->changed_ns : made.utc_ns;
    old += known ? 1 : 0;
  }
  skip_to(0);
  if (made.gone_alerts.size() > gone_alerts_max) {
    const auto kept = made.gone_alerts.end() - static_cast<std::ptrdiff_t>(gone_alerts_max);
    made.alerts_since_ns = std::prev(kept)->gone_ns;
    made.gone_alerts.erase(made.gone_alerts.begin(), kept);
  }
}

}  // namespace

std::vector<SessionView> Observer::views_of(const top::TimedReading& now) const {
  std::vector<SessionView> views;
  std::set<std::string, std::less<>> present;
  for (top::SessionRow& row : top::make_rows(before_, now, {})) {
    present.insert(row.now.name);
    views.push_back(view_of(std::move(row)));
    views.back().journal = roster_.resolve(views.back().journal);
  }
  for (const WatchedSession& session : roster_.sessions()) {
    if (!present.contains(session.settings.name)) {
      views.push_back(view_of(session));
    }
  }
  for (SessionView& view : views) {
    if (const WatchedSession* const known = roster_.find(view.name);
        known != nullptr && !known->hours.always()) {
      view.schedule = known->hours.open(now.utc_ns) ? "open" : "closed";
    }
  }
  return views;
}

std::vector<SessionCondition> Observer::conditions_of(const std::vector<SessionView>& views,
                                                      std::int64_t utc_ns) const {
  std::vector<SessionCondition> conditions;
  for (const SessionView& view : views) {
    SessionCondition& one = conditions.emplace_back();
    // A session made from a template comes and goes with its peer, which is no fault.
    const WatchedSession* const known = roster_.find(view.name);
    one.name = view.name;
    one.present = view.present;
    one.expected = known != nullptr && known->settings.enabled && known->hours.open(utc_ns);
    if (!view.present) {
      continue;
    }
    const counters::SessionReading& now = view.row.now;
    one.standing = now.standing();
    one.expected = one.expected && one.standing != session::SessionStanding::Disabled;
    one.state_since_ns = static_cast<std::int64_t>(now[SessionCounter::StateSince]);
    one.gaps = now[SessionCounter::Gaps];
    one.rejects = now[SessionCounter::RejectsReceived] + now[SessionCounter::RejectsSent];
    one.resend_requests =
        now[SessionCounter::ResendRequestsReceived] + now[SessionCounter::ResendRequestsSent];
    one.next_outgoing = now[SessionCounter::NextOutgoing];
    one.next_expected = now[SessionCounter::NextExpected];
  }
  return conditions;
}

namespace {

/// Time at which the status began.
std::int64_t status_since(const Snapshot* before, const Snapshot& made) noexcept {
  if (made.status == EngineStatus::Up) {
    return static_cast<std::int64_t>(made.started_ns);
  }
  if (made.status == EngineStatus::Ended) {
    return static_cast<std::int64_t>(made.stopped_ns);
  }
  const bool same =
      before != nullptr && before->status == made.status && before->started_ns == made.started_ns;
  return same ? before->status_since_ns : made.utc_ns;
}

void count_alerts(Snapshot& made) {
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> counts;
  for (const Alert& alert : made.alerts) {
    auto& [all, open] = counts[alert.session];
    ++all;
    open += alert.open() ? 1U : 0U;
  }
  for (SessionView& view : made.sessions) {
    if (const auto found = counts.find(view.name); found != counts.end()) {
      std::tie(view.alerts, view.alerts_open) = found->second;
    }
  }
}

}  // namespace

void Observer::look(std::int64_t utc_ns, EngineLook look, std::vector<DiskView> disks) {
  top::TimedReading now{std::move(look.reading), utc_ns};
  const bool up = look.status == EngineStatus::Up;
  auto made = std::make_shared<Snapshot>();
  made->utc_ns = utc_ns;
  made->status = look.status;
  made->problem = look.problem;
  made->process_id = now.engine.process_id;
  made->started_ns = now.engine.started_utc_ns;
  made->stopped_ns = now.engine.stopped_utc_ns;
  made->version = now.engine.engine_version;
  made->sending_stopped = now.engine.sending_stopped;
  made->instances_stopped = now.engine.instances_stopped;
  made->stopped_instances = now.engine.stopped_instances;
  made->workers = workers_of(before_, now);
  made->failover = now.engine.failover;
  made->sessions = views_of(now);
  made->disks = std::move(disks);
  std::vector<DiskCondition> conditions;
  for (const DiskView& disk : made->disks) {
    const double share = disk.total_bytes == 0 ? 100.0
                                               : 100.0 * static_cast<double>(disk.free_bytes) /
                                                     static_cast<double>(disk.total_bytes);
    conditions.push_back({disk.path, share});
  }
  std::vector<GroupCondition> groups;
  for (const counters::FailoverReading& group : made->failover) {
    groups.push_back({.name = group.name,
                      .alone = group[counters::FailoverCounter::Alone] != 0,
                      .output_held = group[counters::FailoverCounter::OutputHeld] != 0,
                      .store_silent = group[counters::FailoverCounter::StoreSilent] != 0});
  }
  const std::string engine_text = look.status == EngineStatus::Ended ? "the engine has ended"
                                  : look.status == EngineStatus::Killed
                                      ? "the engine was killed"
                                      : "the engine's counters cannot be read: " + look.problem;
  const std::lock_guard lock(mutex_);
  history_.add(utc_ns, up ? &now.engine : nullptr);
  alerts_.look(utc_ns, up, engine_text, now.engine.started_utc_ns,
               conditions_of(made->sessions, utc_ns), conditions, groups);
  made->alerts = alerts_.current();
  started_ns_ = started_ns_ == 0 ? utc_ns : started_ns_;
  tidied_ = book_.tidy(utc_ns, started_ns_, made->alerts) || tidied_;
  book_.mark(made->alerts);
  made->silences = book_.silences();
  made->recent_alerts.assign(alerts_.recent().begin(), alerts_.recent().end());
  count_alerts(*made);
  for (const auto& [session, text] : damages_) {
    if (made->problems.size() < snapshot_problems_max) {
      made->problems.push_back(session + ": " + text);
    }
  }
  note_changes(snapshot_.get(), *made);
  note_alerts(snapshot_.get(), *made);
  made->status_since_ns = status_since(snapshot_.get(), *made);
  before_ = std::move(now);
  snapshot_ = std::move(made);
}

void Observer::set_damage(std::int64_t utc_ns, const std::string& session,
                          const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (text.empty()) {
    damages_.erase(session);
  } else {
    damages_[session] = text;
  }
  alerts_.set_damage(utc_ns, session, text);
}

std::shared_ptr<const Snapshot> Observer::snapshot() const {
  const std::lock_guard lock(mutex_);
  return snapshot_;
}

std::optional<HistorySeries> Observer::series(std::string_view session,
                                              std::int64_t seconds) const {
  const std::lock_guard lock(mutex_);
  return history_.series(session, seconds, roster_.find(session) != nullptr);
}

std::vector<Alert> Observer::take_news() {
  const std::lock_guard lock(mutex_);
  std::vector<Alert> happened = alerts_.take_news();
  book_.mark(happened);
  std::vector<Alert> news;
  for (Alert& alert : happened) {
    if (alert.cleared_ns != 0) {
      // If its beginning was reported, its end is reported too.
      if (reported_.erase(alert.id) != 0) {
        news.push_back(std::move(alert));
      }
    } else if (alert.acknowledged) {
      reported_.insert(alert.id);  // Reported by an earlier process.
    } else if (!alert.silenced) {
      reported_.insert(alert.id);
      news.push_back(std::move(alert));
    }
  }
  std::vector<Alert> current = alerts_.current();
  book_.mark(current);
  for (Alert& alert : current) {
    if (alert.open() && reported_.insert(alert.id).second) {
      news.push_back(std::move(alert));  // Its silence has ended, and it is still present.
    }
  }
  return news;
}

AlertBook Observer::book() const {
  const std::lock_guard lock(mutex_);
  return book_;
}

void Observer::set_book(AlertBook book) {
  const std::lock_guard lock(mutex_);
  book_ = std::move(book);
}

std::optional<AlertBook> Observer::take_tidied() {
  const std::lock_guard lock(mutex_);
  return std::exchange(tidied_, false) ? std::optional(book_) : std::nullopt;
}

std::vector<Alert> Observer::current_alerts() const {
  const std::lock_guard lock(mutex_);
  std::vector<Alert> current = alerts_.current();
  book_.mark(current);
  return current;
}

}  // namespace affix::inline v0::tools::monitor
