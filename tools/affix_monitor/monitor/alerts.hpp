// SPDX-License-Identifier: MIT
// Decides from counter readings which conditions an operator should see: raised, present and
// cleared alerts. Uses no clock, file or thread.
#pragma once

#include "affix/counters/counter_reader.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

enum class AlertKind : std::uint8_t {
  EngineDown,
  SessionDown,
  Gap,
  Rejects,
  ResendStorm,
  SequenceReset,
  DiskLow,
  JournalDamaged,
  FailoverAlone,
  FailoverHeld,
  ElectionSilent,
};

inline constexpr std::size_t alert_kind_count = 11;

/// True if the subject of such an alert is a session.
[[nodiscard]] bool is_about_session(AlertKind kind) noexcept;

/// "session_down"; static storage.
[[nodiscard]] const char* to_text(AlertKind kind) noexcept;

/// The reverse; nullopt: no kind has that name.
[[nodiscard]] std::optional<AlertKind> alert_kind_of(std::string_view name) noexcept;

/// "critical" or "warning".
[[nodiscard]] const char* severity_of(AlertKind kind) noexcept;

/// Thresholds, set by options of the command line.
struct AlertLimits {
  std::int64_t engine_down_seconds = 5;
  std::int64_t session_down_seconds = 30;
  std::int64_t rejects = 1;  ///< In a minute, of both sides together.
  std::int64_t resends = 5;  ///< ResendRequests of both sides in a minute.
  double disk_free_percent = 5;
  std::int64_t failover_seconds = 5;  ///< Until a condition of a failover group is an alert.
  std::int64_t quiet_seconds = 60;  ///< Time after the last occurrence until an alert about single
                                    ///< occurrences clears.
};

/// An operator's mark on alerts: by whom, when, and why.
struct AlertMark {
  std::string by;
  std::string comment;
  std::int64_t at_ns = 0;
  std::uint64_t id = 0;       ///< Only for a silence.
  std::int64_t until_ns = 0;  ///< Only for a silence.

  friend bool operator==(const AlertMark&, const AlertMark&) = default;
};

struct Alert {
  std::uint64_t id = 0;  ///< Unique, also across processes.
  AlertKind kind = AlertKind::EngineDown;
  std::string session;  ///< Empty: the engine.
  std::string text;
  std::int64_t since_ns = 0;
  std::int64_t cleared_ns = 0;  ///< 0: still present.

  /// Subject: a session, the path of a disk, a failover group, or empty for the engine.
  std::string subject{};

  /// Distinguishes, together with kind and subject, this alert from a later one, also in a process
  /// that did not see it begin.
  std::uint64_t origin = 0;

  std::optional<AlertMark> acknowledged{};
  std::optional<AlertMark> silenced{};
  std::int64_t changed_ns = 0;  ///< Snapshot of the last change of any member above.

  /// Neither acknowledged nor silenced.
  [[nodiscard]] bool open() const noexcept { return !acknowledged && !silenced; }
};

/// State of one session at one moment, as far as alerts depend on it.
struct SessionCondition {
  std::string name;
  bool present = false;   ///< The engine has the session.
  bool expected = false;  ///< It should be logged on now: enabled, and within its schedule.
  session::SessionStanding standing = session::SessionStanding::Disconnected;
  std::int64_t state_since_ns = 0;
  std::uint64_t gaps = 0;
  std::uint64_t rejects = 0;
  std::uint64_t resend_requests = 0;
  std::uint64_t next_outgoing = 0;
  std::uint64_t next_expected = 0;
};

struct DiskCondition {
  std::string path;
  double free_percent = 100;
};

/// State of a failover group at one moment, as this node sees it.
struct GroupCondition {
  std::string name;
  bool alone = false;         ///< This node leads it, and no other may take over.
  bool output_held = false;   ///< This node leads it, and holds its output back.
  bool store_silent = false;  ///< The election store does not answer this node.
};

/// One thread.
class Alerts {
 public:
  static constexpr std::size_t recent_max = 200;

  /// Maximum number of sessions remembered; further ones have no alerts about changes.
  static constexpr std::size_t sessions_max = 10'000;

  /// Takes alert ids from `ids`, which several engines share and which outlives it.
  Alerts(const AlertLimits& limits, std::atomic<std::uint64_t>& ids)
      : limits_(limits), ids_(&ids) {}

  explicit Alerts(const AlertLimits& limits) : limits_(limits) {}

  /// Evaluates one reading. `engine_started_ns` distinguishes restarts of the engine.
  void look(std::int64_t utc_ns, bool engine_up, const std::string& engine_text,
            std::uint64_t engine_started_ns, const std::vector<SessionCondition>& sessions,
            const std::vector<DiskCondition>& disks,
            const std::vector<GroupCondition>& groups = {});

  /// Sets the damage of one journal; an empty text: none.
  void set_damage(std::int64_t utc_ns, const std::string& session, const std::string& text);

  /// Present alerts, newest first.
  [[nodiscard]] std::vector<Alert> current() const;

  /// Cleared alerts, the last to end first.
  [[nodiscard]] const std::deque<Alert>& recent() const noexcept { return recent_; }

  [[nodiscard]] std::size_t count(AlertKind kind) const noexcept;
  [[nodiscard]] std::size_t count(std::string_view session) const noexcept;

  /// Alerts raised or cleared since the last call, in that order.
  [[nodiscard]] std::vector<Alert> take_news();

 private:
  using Key = std::pair<AlertKind, std::string>;

  /// Earlier state of a session, and its occurrences within the last minute.
  struct Memory {
    SessionCondition seen;
    std::uint64_t engine_started_ns = 0;
    std::deque<std::pair<std::int64_t, std::uint64_t>> rejects;  // Time and number of new
                                                                 // occurrences.
    std::deque<std::pair<std::int64_t, std::uint64_t>> resends;
    std::int64_t last_gap_ns = 0;
    std::int64_t last_reset_ns = 0;
    std::uint64_t new_gaps = 0;
    std::string reset_text;
  };

  void set(std::int64_t utc_ns, AlertKind kind, const std::string& session, bool holds,
           const std::string& text, std::int64_t since_ns = 0, std::uint64_t origin = 0);
  void look_at(std::int64_t utc_ns, const GroupCondition& group);
  void look_at(std::int64_t utc_ns, std::uint64_t engine_started_ns,
               const SessionCondition& session);
  [[nodiscard]] std::uint64_t next_id(std::int64_t utc_ns) noexcept;
  [[nodiscard]] bool is_recent(std::int64_t utc_ns, std::int64_t when_ns) const noexcept;

  const AlertLimits limits_;
  std::atomic<std::uint64_t> own_ids_{0};
  std::atomic<std::uint64_t>* ids_ = &own_ids_;
  std::int64_t engine_gone_ns_ = 0;
  std::map<Key, Alert> current_;
  std::map<Key, std::int64_t> group_since_;  // Of conditions of groups that hold.
  std::deque<Alert> recent_;
  std::map<std::string, Memory, std::less<>> memory_;
  std::vector<Alert> news_;
};

}  // namespace affix::inline v0::tools::monitor
