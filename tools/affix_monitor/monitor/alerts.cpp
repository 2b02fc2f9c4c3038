// SPDX-License-Identifier: MIT
// Raises and clears alerts by the rules in docs/reference/monitor.md.
#include "monitor/alerts.hpp"

#include "affix/base/time.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <unordered_set>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr std::int64_t counting_window_ns = 60 * base::ns_per_second;

/// Limit for news that no caller takes.
constexpr std::size_t news_max = 1'000;

struct KindTexts {
  const char* name;
  const char* severity;
};

constexpr std::array<KindTexts, alert_kind_count> kinds{{{"engine_down", "critical"},
                                                         {"session_down", "critical"},
                                                         {"gap", "warning"},
                                                         {"rejects", "warning"},
                                                         {"resend_storm", "critical"},
                                                         {"sequence_reset", "warning"},
                                                         {"disk_low", "critical"},
                                                         {"journal_damaged", "critical"},
                                                         {"failover_alone", "critical"},
                                                         {"failover_held", "critical"},
                                                         {"election_silent", "warning"}}};

/// Adds new occurrences, drops those older than the window, and returns the sum.
std::uint64_t sum_of_window(std::deque<std::pair<std::int64_t, std::uint64_t>>& window,
                            std::int64_t utc_ns, std::uint64_t more) {
  if (more != 0) {
    window.emplace_back(utc_ns, more);
  }
  std::uint64_t sum = 0;
  while (!window.empty() && window.front().first <= utc_ns - counting_window_ns) {
    window.pop_front();
  }
  for (const auto& [when, count] : window) {
    sum += count;
  }
  return sum;
}

std::string times(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

const char* to_text(AlertKind kind) noexcept {
  return kinds[static_cast<std::size_t>(kind)].name;
}

std::optional<AlertKind> alert_kind_of(std::string_view name) noexcept {
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (name == kinds[kind].name) {
      return static_cast<AlertKind>(kind);
    }
  }
  return std::nullopt;
}

const char* severity_of(AlertKind kind) noexcept {
  return kinds[static_cast<std::size_t>(kind)].severity;
}

bool is_about_session(AlertKind kind) noexcept {
  switch (kind) {
    case AlertKind::EngineDown:
    case AlertKind::DiskLow:
    case AlertKind::FailoverAlone:
    case AlertKind::FailoverHeld:
    case AlertKind::ElectionSilent:
      return false;
    case AlertKind::SessionDown:
    case AlertKind::Gap:
    case AlertKind::Rejects:
    case AlertKind::ResendStorm:
    case AlertKind::SequenceReset:
    case AlertKind::JournalDamaged:
      return true;
  }
  return false;
}

std::uint64_t Alerts::next_id(std::int64_t utc_ns) noexcept {
  // Greater than ids of an earlier process, and exact in a JavaScript number.
  constexpr int ids_per_second_bits = 20;
  std::uint64_t none = 0;
  ids_->compare_exchange_strong(none, static_cast<std::uint64_t>(utc_ns / base::ns_per_second)
                                          << ids_per_second_bits);
  return ids_->fetch_add(1) + 1;
}

bool Alerts::is_recent(std::int64_t utc_ns, std::int64_t when_ns) const noexcept {
  return when_ns != 0 && utc_ns - when_ns < limits_.quiet_seconds * base::ns_per_second;
}

void Alerts::set(std::int64_t utc_ns, AlertKind kind, const std::string& session, bool holds,
                 const std::string& text, std::int64_t since_ns, std::uint64_t origin) {
  if (!holds && current_.empty()) {
    return;
  }
  const auto found = current_.find({kind, session});
  if (!holds) {
    if (found != current_.end()) {
      found->second.cleared_ns = utc_ns;
      news_.push_back(found->second);
      recent_.push_front(std::move(found->second));
      current_.erase(found);
      if (recent_.size() > recent_max) {
        recent_.pop_back();
      }
    }
  } else if (found != current_.end()) {
    found->second.text = text;
  } else {
    const Alert alert{.id = next_id(utc_ns),
                      .kind = kind,
                      .session = is_about_session(kind) ? session : std::string(),
                      .text = text,
                      .since_ns = since_ns != 0 ? since_ns : utc_ns,
                      .subject = session,
                      .origin = origin};
    current_.emplace(Key{kind, session}, alert);
    news_.push_back(alert);
  }
  if (news_.size() > news_max) {
    news_.erase(news_.begin(), news_.begin() + news_max / 2);
  }
}

void Alerts::look_at(std::int64_t utc_ns, std::uint64_t engine_started_ns,
                     const SessionCondition& session) {
  const std::int64_t down_ns = utc_ns - session.state_since_ns;
  const bool down = session.expected && session.present &&
                    session.standing != session::SessionStanding::LoggedOn &&
                    down_ns >= limits_.session_down_seconds * base::ns_per_second;
  // `since_ns` shows the duration: an alert whose text counted seconds would change all the time.
  set(utc_ns, AlertKind::SessionDown, session.name, down,
      down ? std::string(session::to_text(session.standing)) + " within its schedule"
           : std::string(),
      session.state_since_ns, static_cast<std::uint64_t>(session.state_since_ns));
  if (!session.present) {
    return;
  }
  const auto known = memory_.find(session.name);
  if (known == memory_.end() && memory_.size() >= sessions_max) {
    return;
  }
  Memory& memory = known != memory_.end() ? known->second : memory_[session.name];
  const bool first = memory.seen.name.empty();
  const bool same_engine = memory.engine_started_ns == engine_started_ns;
  // A restarted engine counts from 0.
  const auto since = [&](std::uint64_t SessionCondition::* member) {
    const std::uint64_t before = same_engine ? memory.seen.*member : 0;
    return !first && session.*member > before ? session.*member - before : 0;
  };
  if (const std::uint64_t gaps = since(&SessionCondition::gaps); gaps != 0) {
    memory.new_gaps = is_recent(utc_ns, memory.last_gap_ns) ? memory.new_gaps + gaps : gaps;
    memory.last_gap_ns = utc_ns;
  }
  const bool lowered = !first && (session.next_outgoing < memory.seen.next_outgoing ||
                                  session.next_expected < memory.seen.next_expected);
  if (lowered) {
    memory.last_reset_ns = utc_ns;
    memory.reset_text =
        "sequence numbers went back: outgoing " + std::to_string(memory.seen.next_outgoing) +
        " -> " + std::to_string(session.next_outgoing) + ", expected " +
        std::to_string(memory.seen.next_expected) + " -> " + std::to_string(session.next_expected);
  }
  const std::uint64_t rejects =
      sum_of_window(memory.rejects, utc_ns, since(&SessionCondition::rejects));
  const std::uint64_t resends =
      sum_of_window(memory.resends, utc_ns, since(&SessionCondition::resend_requests));
  // Most of thousands of sessions have none of these; only the others get a text.
  const auto set_counted = [&](AlertKind kind, bool holds, std::uint64_t count, const char* what,
                               const char* where) {
    set(utc_ns, kind, session.name, holds, holds ? times(count, what) + where : std::string());
  };
  set_counted(AlertKind::Gap, is_recent(utc_ns, memory.last_gap_ns), memory.new_gaps, "gap",
              " in what the peer sent");
  set(utc_ns, AlertKind::SequenceReset, session.name, is_recent(utc_ns, memory.last_reset_ns),
      memory.reset_text);
  set_counted(AlertKind::Rejects,
              rejects != 0 && rejects >= static_cast<std::uint64_t>(limits_.rejects), rejects,
              "Reject", " in a minute");
  set_counted(AlertKind::ResendStorm,
              resends != 0 && resends >= static_cast<std::uint64_t>(limits_.resends), resends,
              "ResendRequest", " in a minute");
  memory.seen = session;
  memory.engine_started_ns = engine_started_ns;
}

void Alerts::look_at(std::int64_t utc_ns, const GroupCondition& group) {
  const auto judge = [&](AlertKind kind, bool holds, const char* text) {
    const Key key{kind, group.name};
    if (!holds) {
      group_since_.erase(key);
      set(utc_ns, kind, group.name, false, {});
      return;
    }
    const std::int64_t since_ns = group_since_.emplace(key, utc_ns).first->second;
    set(utc_ns, kind, group.name,
        current_.contains(key) ||
            utc_ns - since_ns >= limits_.failover_seconds * base::ns_per_second,
        "failover group " + group.name + ": " + text, since_ns,
        static_cast<std::uint64_t>(since_ns));
  };
  judge(AlertKind::FailoverAlone, group.alone, "no other node may take over");
  judge(AlertKind::FailoverHeld, group.output_held, "the primary's output is held back");
  judge(AlertKind::ElectionSilent, group.store_silent, "the election store does not answer");
}

void Alerts::look(std::int64_t utc_ns, bool engine_up, const std::string& engine_text,
                  std::uint64_t engine_started_ns, const std::vector<SessionCondition>& sessions,
                  const std::vector<DiskCondition>& disks,
                  const std::vector<GroupCondition>& groups) {
  if (engine_up) {
    engine_gone_ns_ = 0;
  } else if (engine_gone_ns_ == 0) {
    engine_gone_ns_ = utc_ns;
  }
  set(utc_ns, AlertKind::EngineDown, {},
      !engine_up && utc_ns - engine_gone_ns_ >= limits_.engine_down_seconds * base::ns_per_second,
      engine_text, engine_gone_ns_, engine_started_ns);
  for (const SessionCondition& session : sessions) {
    if (engine_up) {
      look_at(utc_ns, engine_started_ns, session);
    } else {
      // One alert covers all of them.
      set(utc_ns, AlertKind::SessionDown, session.name, false, {});
    }
  }
  for (const GroupCondition& group : groups) {
    // An engine that is down leaves its last counters.
    look_at(utc_ns, engine_up ? group : GroupCondition{.name = group.name});
  }
  for (const DiskCondition& disk : disks) {
    std::array<char, 128> text{};
    std::snprintf(text.data(), text.size(), "%.1f %% free at ", disk.free_percent);
    // The path takes the place of a session: one alert per disk.
    const Key key{AlertKind::DiskLow, disk.path};
    set(utc_ns, key.first, key.second, disk.free_percent < limits_.disk_free_percent,
        text.data() + disk.path);
  }
  if (!engine_up || current_.empty()) {
    return;
  }
  // Removed sessions have no condition any more.
  std::unordered_set<std::string_view> there;
  for (const SessionCondition& session : sessions) {
    there.insert(session.name);
  }
  std::vector<Key> gone;
  for (const auto& [key, alert] : current_) {
    if (is_about_session(key.first) && !there.contains(key.second)) {
      gone.push_back(key);
    }
  }
  for (const Key& key : gone) {
    set(utc_ns, key.first, key.second, false, {});
    memory_.erase(key.second);
  }
}

void Alerts::set_damage(std::int64_t utc_ns, const std::string& session, const std::string& text) {
  set(utc_ns, AlertKind::JournalDamaged, session, !text.empty(), text);
}

std::vector<Alert> Alerts::current() const {
  std::vector<Alert> all;
  for (const auto& [key, alert] : current_) {
    all.push_back(alert);
  }
  std::ranges::sort(all, [](const Alert& left, const Alert& right) { return left.id > right.id; });
  return all;
}

std::size_t Alerts::count(AlertKind kind) const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(current_, [&](const auto& one) { return one.first.first == kind; }));
}

std::size_t Alerts::count(std::string_view session) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(current_, [&](const auto& one) {
    return one.first.second == session && is_about_session(one.first.first);
  }));
}

std::vector<Alert> Alerts::take_news() {
  return std::exchange(news_, {});
}

}  // namespace affix::inline v0::tools::monitor
