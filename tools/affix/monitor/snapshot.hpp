// SPDX-License-Identifier: MIT
// Everything that the monitor knows of an engine at one moment, and who makes it from readings.
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
  Ended,    ///< In order.
  Killed,   ///< Its file says neither that it runs nor that it ended.
  Unknown,  ///< There is no file that can be read.
};

[[nodiscard]] const char* to_text(EngineStatus status) noexcept;

/// What was read of an engine's file at one moment.
struct EngineLook {
  EngineStatus status = EngineStatus::Unknown;
  std::string problem;  ///< Why there is no file that can be read.
  admin::EngineReading reading;
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
  bool present = false;             ///< The engine has it, and `row` is what it counted.
  top::SessionRow row;
  std::size_t alerts = 0;
  std::size_t alerts_open = 0;  ///< Of these, neither acknowledged nor silenced.
  std::int64_t changed_ns = 0;  ///< The snapshot since which all of the above is as it is.

  [[nodiscard]] bool sending_stopped() const noexcept {
    return row.now[engine::SessionCounter::SendingStopped] != 0;
  }
};

struct WorkerView {
  admin::WorkerReading reading;
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

/// An alert that held in one snapshot and not in the next.
struct GoneAlert {
  std::uint64_t id = 0;
  std::int64_t gone_ns = 0;  ///< The next one.
};

/// Const once it is made; shared by whoever asks.
struct Snapshot {
  std::int64_t utc_ns = 0;
  EngineStatus status = EngineStatus::Unknown;
  std::string problem;
  std::uint64_t process_id = 0;
  std::uint64_t started_ns = 0;
  std::uint64_t stopped_ns = 0;
  std::int64_t status_since_ns = 0;  ///< As far as it is known: else since the monitor saw it so.
  std::string version;
  bool sending_stopped = false;         ///< An operator has stopped the whole engine's sending.
  std::uint64_t instances_stopped = 0;  ///< Or that of so many instances,
  std::vector<std::string> stopped_instances;  ///< of which these are known by name.
  std::vector<WorkerView> workers;
  std::vector<SessionView> sessions;
  std::int64_t sessions_since_ns = 0;  ///< The one since which no session has come or gone.
  std::vector<Alert> alerts;           ///< The newest first.
  std::vector<GoneAlert> gone_alerts;  ///< Those that held once and do not, the last ones last.
  std::int64_t alerts_since_ns = 0;    ///< All that are gone since this one are among these.
  std::vector<Alert> recent_alerts;
  std::vector<Silence> silences;
  std::vector<DiskView> disks;
  std::vector<std::string> problems;

  [[nodiscard]] const SessionView* find(std::string_view name) const noexcept;
};

/// Makes snapshots of looks, and keeps history and alerts on the way. look() and set_damage() may
/// come from different threads, and everything else from any.
class Observer {
 public:
  /// `roster` outlives it.
  Observer(const Roster& roster, const AlertLimits& limits, std::size_t history_sessions_max);

  /// The same with alerts whose ids are unique among all that share `alert_ids`, which outlives it.
  Observer(const Roster& roster, const AlertLimits& limits, std::size_t history_sessions_max,
           std::atomic<std::uint64_t>& alert_ids);

  void look(std::int64_t utc_ns, EngineLook look, std::vector<DiskView> disks);

  /// What is wrong with a journal; an empty text: nothing.
  void set_damage(std::int64_t utc_ns, const std::string& session, const std::string& text);

  /// Null before the first look.
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const;

  [[nodiscard]] std::optional<HistorySeries> series(std::string_view session,
                                                    std::int64_t seconds) const;

  /// What is to be told of alerts since this was last called: those that were raised, unless they
  /// are silenced; those whose silence has ended; and of what was told so, what is over.
  [[nodiscard]] std::vector<Alert> take_news();

  /// What operators have done about alerts.
  [[nodiscard]] AlertBook book() const;
  void set_book(AlertBook book);

  /// The book, when something in it is over since this was last called.
  [[nodiscard]] std::optional<AlertBook> take_tidied();

  /// Those that hold, marked as the book says at this moment.
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
  std::int64_t started_ns_ = 0;   // The first look.
  std::set<std::uint64_t> told_;  // Alerts that hold, and of which somebody was told.
  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace affix::inline v0::tools::monitor
