// SPDX-License-Identifier: MIT
// State of an engine at one moment, and the observer that makes it from readings.
#pragma once

#include "monitor/alert_book.hpp"
#include "monitor/alerts.hpp"
#include "monitor/history.hpp"
#include "monitor/roster.hpp"
#include "top/session_rows.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::monitor {

enum class EngineStatus : std::uint8_t {
  Up,
  Ended,    ///< Ended in order.
  Killed,   ///< Its file shows neither that it runs nor that it ended in order.
  Unknown,  ///< There is no readable file.
};

[[nodiscard]] const char* to_text(EngineStatus status) noexcept;

/// Data read from an engine's file at one moment.
struct EngineLook {
  EngineStatus status = EngineStatus::Unknown;
  std::string problem;  ///< Reason why there is no readable file.
  counters::EngineReading reading;
};

struct SessionView {
  std::string name;
  std::string instance;
  std::string begin_string;
  std::string sender;
  std::string target;
  std::string journal;
  bool initiator = false;
  const char* schedule = "always";  ///< Or "open", "closed".
  bool present = false;             ///< The engine has the session, and `row` has its counters.
  top::SessionRow row;
  std::size_t alerts = 0;
  std::size_t alerts_open = 0;  ///< Of these, neither acknowledged nor silenced.
  std::int64_t changed_ns = 0;  ///< Snapshot of the last change of any member above.

  [[nodiscard]] bool sending_stopped() const noexcept {
    return row.now[counters::SessionCounter::SendingStopped] != 0;
  }
};

struct WorkerView {
  counters::WorkerReading reading;
  double duty = 0;
  double messages_per_s = 0;
  double turns_per_s = 0;
};

struct DiskView {
  std::string path;
  std::string used;
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
};

/// An alert that was present in one snapshot and not in the next.
struct GoneAlert {
  std::uint64_t id = 0;
  std::int64_t gone_ns = 0;  ///< Time of the next one.
};

/// Const once it is made; shared by all readers.
struct Snapshot {
  std::int64_t utc_ns = 0;
  EngineStatus status = EngineStatus::Unknown;
  std::string problem;
  std::uint64_t process_id = 0;
  std::uint64_t started_ns = 0;
  std::uint64_t stopped_ns = 0;
  std::int64_t status_since_ns = 0;  ///< If unknown, the time since which the monitor has seen it
                                     ///< so.
  std::string version;
  bool sending_stopped = false;         ///< An operator has stopped the whole engine's sending.
  std::uint64_t instances_stopped = 0;  ///< Number of instances whose sending is stopped.
  std::vector<std::string> stopped_instances;  ///< Those of them whose names are known.
  std::vector<WorkerView> workers;
  std::vector<counters::FailoverReading> failover;  ///< Its failover groups, if it is a node.
  std::vector<SessionView> sessions;
  std::int64_t sessions_since_ns = 0;  ///< Snapshot since which no session has come or gone.
  std::vector<Alert> alerts;           ///< Newest first.
  std::vector<GoneAlert> gone_alerts;  ///< Alerts that are no longer present, in the order in which
                                       ///< they ended.
  std::int64_t alerts_since_ns = 0;    ///< All that ended after this time are among these.
  std::vector<Alert> recent_alerts;
  std::vector<Silence> silences;
  std::vector<DiskView> disks;
  std::vector<std::string> problems;

  [[nodiscard]] const SessionView* find(std::string_view name) const noexcept;
};

/// Makes snapshots, and maintains history and alerts. look() and set_damage() may be called on
/// different threads, everything else on any.
class Observer {
 public:
  /// `roster` outlives it.
  Observer(const Roster& roster, const AlertLimits& limits, std::size_t history_sessions_max);

  /// Does the same with alert ids that are unique among all observers that share `alert_ids`, which
  /// outlives it.
  Observer(const Roster& roster, const AlertLimits& limits, std::size_t history_sessions_max,
           std::atomic<std::uint64_t>& alert_ids);

  void look(std::int64_t utc_ns, EngineLook look, std::vector<DiskView> disks);

  /// Sets a journal's fault; an empty text: none.
  void set_damage(std::int64_t utc_ns, const std::string& session, const std::string& text);

  /// Null before the first look.
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;

  [[nodiscard]] std::optional<HistorySeries> series(std::string_view session,
                                                    std::int64_t seconds) const;

  /// Alerts to report since the last call: raised ones, unless silenced; those whose silence has
  /// ended; and ended ones whose beginning was reported.
  [[nodiscard]] std::vector<Alert> take_news();

  /// Acknowledged and silenced alerts.
  [[nodiscard]] AlertBook book() const;
  void set_book(AlertBook book);

  /// The book, if entries have expired since the last call.
  [[nodiscard]] std::optional<AlertBook> take_tidied();

  /// Present alerts, with their marks at this moment.
  [[nodiscard]] std::vector<Alert> current_alerts() const;

 private:
  [[nodiscard]] std::vector<SessionView> views_of(const top::TimedReading& now) const;
  [[nodiscard]] std::vector<SessionCondition> conditions_of(const std::vector<SessionView>& views,
                                                            std::int64_t utc_ns) const;

  const Roster& roster_;
  mutable std::mutex mutex_;
  Alerts alerts_;
  History history_;
  top::TimedReading before_;
  std::map<std::string, std::string, std::less<>> damages_;
  AlertBook book_;
  bool tidied_ = false;
  std::int64_t started_ns_ = 0;       // Time of the first look.
  std::set<std::uint64_t> reported_;  // Present alerts that were reported.
  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace affix::inline v0::tools::monitor
