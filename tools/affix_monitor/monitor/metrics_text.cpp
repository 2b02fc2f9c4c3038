// SPDX-License-Identifier: MIT
// Derives metric families from the engine's own tables of names, in base units: bytes, seconds.
#include "monitor/metrics_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <utility>

namespace affix::inline v0::tools::monitor {

namespace {

using counters::CounterKind;

/// Seconds; the range of a FIX engine's latencies.
constexpr std::array<double, 21> bounds{1e-6,   2.5e-6, 5e-6, 1e-5,   2.5e-5, 5e-5, 1e-4,
                                        2.5e-4, 5e-4,   1e-3, 2.5e-3, 5e-3,   1e-2, 2.5e-2,
                                        5e-2,   0.1,    0.25, 0.5,    1,      2.5,  10};

/// Messages of a turn.
constexpr std::array<double, 11> batch_bounds{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.15g", value);
  return text.data();
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

std::string seconds(std::uint64_t nanoseconds) {
  return number(static_cast<double>(nanoseconds) / 1e9);
}

/// Escaped for quotes in the format.
std::string label_value(std::string_view text) {
  std::string value;
  for (const char c : as_utf8(text)) {
    if (c == '\\' || c == '"') {
      value += '\\';
      value += c;
    } else if (c == '\n') {
      value += "\\n";
    } else {
      value += c;
    }
  }
  return value;
}

std::string label(std::string_view name, std::string_view value) {
  return std::string(name) + "=\"" + label_value(value) + '"';
}

/// A counter's name as a metric: its unit last, `_total` if it only grows.
std::string family_name(std::string_view prefix, const counters::CounterName& counter) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> in_units{
      {{"bytes_received", "received_bytes"},
       {"bytes_sent", "sent_bytes"},
       {"output_waiting", "output_waiting_bytes"},
       {"output_high_water", "output_high_water_bytes"},
       {"busy_time", "busy_seconds"},
       {"longest_turn", "longest_turn_seconds"},
       {"last_silence", "last_silence_seconds"},
       {"last_take_over", "last_take_over_seconds"},
       {"lag_time", "lag_seconds"}}};
  std::string name = counter.name;
  for (const auto& [from, to] : in_units) {
    if (name == from) {
      name = to;
    }
  }
  const std::string ending = counter.kind == CounterKind::Total  ? "_total"
                             : counter.kind == CounterKind::Time ? "_timestamp_seconds"
                                                                 : "";
  return std::string(prefix) + name + ending;
}

std::string help_of(const counters::CounterName& counter) {
  if (std::string_view(counter.name) == "state_since") {
    return "When the session's state began.";
  }
  std::string help = counter.help;
  // A metric is in seconds, whatever the unit of the counter.
  if (constexpr std::string_view unit = "nanoseconds "; help.starts_with(unit)) {
    help = "time " + help.substr(unit.size());
  }
  help[0] = help[0] >= 'a' && help[0] <= 'z' ? static_cast<char>(help[0] - 'a' + 'A') : help[0];
  return help + ".";
}

std::string value_text(const counters::CounterName& counter, std::uint64_t value) {
  const std::string_view name = counter.name;
  const bool in_seconds = counter.kind == CounterKind::Time || name == "busy_time" ||
                          name == "longest_turn" || name == "last_silence" ||
                          name == "last_take_over" || name == "lag_time";
  return in_seconds ? seconds(value) : number(value);
}

/// Writes families one after another. With a null snapshot it only lists them.
class Writer {
 public:
  explicit Writer(const HistogramSelection& arguments) : arguments_(arguments) {}

  /// Writes one engine's samples; `label_engine` if there are others. Null: only lists the
  /// families.
  void write(const EngineState* state, bool label_engine) {
    snapshot_ = state != nullptr ? state->snapshot.get() : nullptr;
    name_of_engine_ = state != nullptr ? state->engine->name : std::string();
    engine_label_ = label_engine ? label("engine", name_of_engine_) : std::string();
    next_family_ = 0;
    write_engine();
    write_workers();
    write_failover();
    write_sessions();
    write_alerts_and_disks();
  }

  void write_monitor(const MonitorFacts* facts) {
    engine_label_.clear();
    begin("affix_monitor_info", "gauge", "version", "Which monitor wrote this; always 1.");
    if (facts != nullptr) {
      line(label("version", facts->version), "1");
    }
  }

  [[nodiscard]] std::string take_text() {
    std::string text;
    for (const Section& section : sections_) {
      text += section.head + section.samples;
    }
    return text;
  }

  [[nodiscard]] std::vector<MetricFamily> take_families() { return std::move(families_); }

 private:
  void begin(std::string name, const char* type, const char* labels, const std::string& help) {
    name_ = std::move(name);
    // Every engine has the same families in the same order, and the samples of a family must be
    // adjacent.
    if (next_family_ == sections_.size()) {
      families_.push_back({name_, type, labels, help});
      sections_.push_back(
          {"# HELP " + name_ + ' ' + help + "\n# TYPE " + name_ + ' ' + type + '\n', {}});
    }
    samples_ = &sections_[next_family_++].samples;
  }

  void line(const std::string& labels, const std::string& value, const char* ending = "") {
    const char* const comma = engine_label_.empty() || labels.empty() ? "" : ",";
    *samples_ += name_ + ending;
    if (!labels.empty() || !engine_label_.empty()) {
      *samples_ += '{' + engine_label_ + comma + labels + '}';
    }
    *samples_ += ' ' + value + '\n';
  }

  template <std::size_t Count>
  void histogram(const std::string& labels, const base::LatencySnapshot& values,
                 const std::array<double, Count>& upper, double unit) {
    // A bucket of ours that extends beyond a bound counts for the next bound.
    std::uint64_t sum = 0;
    std::size_t bucket = 0;
    for (const double bound : upper) {
      while (bucket < base::LatencyBuckets::count &&
             static_cast<double>(base::LatencyBuckets::most_of(bucket)) <= bound * unit) {
        sum += values.count_at(bucket++);
      }
      line(labels + ",le=\"" + number(bound) + '"', number(sum), "_bucket");
    }
    line(labels + ",le=\"+Inf\"", number(values.count()), "_bucket");
    line(labels, number(static_cast<double>(values.sum()) / unit), "_sum");
    line(labels, number(values.count()), "_count");
  }

  void write_engine() {
    begin("affix_up", "gauge", "", "Whether the engine runs: 1, or 0.");
    if (snapshot_ != nullptr) {
      line("", number(std::uint64_t{snapshot_->status == EngineStatus::Up}));
    }
    begin("affix_engine_info", "gauge", "engine, version", "Which engine it is; always 1.");
    if (snapshot_ != nullptr) {
      const std::string version = label("version", snapshot_->version);
      line(engine_label_.empty() ? label("engine", name_of_engine_) + ',' + version : version, "1");
    }
    begin("affix_engine_start_time_seconds", "gauge", "",
          "When the engine was started, Unix time.");
    if (snapshot_ != nullptr) {
      line("", seconds(snapshot_->started_ns));
    }
    begin(
        "affix_sending_stopped", "gauge", "",
        "Whether an operator has stopped the whole engine's application messages (kill): 1, or 0.");
    if (snapshot_ != nullptr) {
      line("", number(std::uint64_t{snapshot_->sending_stopped}));
    }
    begin("affix_instance_sending_stopped", "gauge", "instance",
          "Whether an operator has stopped an instance's application messages (kill): 1, or 0.");
    if (snapshot_ != nullptr) {
      for (const auto& [instance, stopped] : instances()) {
        line(label("instance", instance), number(std::uint64_t{stopped}));
      }
    }
  }

  /// Instances with sessions, and instances that are stopped before they have any.
  [[nodiscard]] std::map<std::string_view, bool> instances() const {
    std::map<std::string_view, bool> found;
    for (const SessionView& view : snapshot_->sessions) {
      found.emplace(view.instance, false);
    }
    for (const std::string& instance : snapshot_->stopped_instances) {
      found.insert_or_assign(instance, true);
    }
    return found;
  }

  void write_workers() {
    for (std::size_t which = 0; which < counters::worker_counter_count; ++which) {
      const counters::CounterName& counter = counters::worker_counter_names()[which];
      begin(family_name("affix_worker_", counter),
            counter.kind == CounterKind::Total ? "counter" : "gauge", "worker", help_of(counter));
      each_worker([&](const std::string& labels, const WorkerView& view) {
        line(labels, value_text(counter, view.reading.counters[which]));
      });
    }
    write_waits();
    begin("affix_worker_turn_seconds", "histogram", "worker", "Busy turns, waiting left out.");
    each_worker([&](const std::string& labels, const WorkerView& view) {
      histogram(labels, view.reading.distributions[0], bounds, 1e9);
    });
    begin("affix_worker_batch_messages", "histogram", "worker",
          "Messages of turns that brought any.");
    each_worker([&](const std::string& labels, const WorkerView& view) {
      histogram(labels, view.reading.distributions[1], batch_bounds, 1);
    });
  }

  void write_failover() {
    begin("affix_failover_info", "gauge", "group, node, primary, in_sync",
          "This node, the primary and the nodes in sync of a failover group; always 1.");
    each_group([&](const std::string& labels, const counters::FailoverReading& group) {
      line(labels + ',' + label("node", group.node) + ',' + label("primary", group.primary) + ',' +
               label("in_sync", group.in_sync),
           "1");
    });
    for (std::size_t which = 0; which < counters::failover_counter_count; ++which) {
      const counters::CounterName& counter = counters::failover_counter_names()[which];
      begin(family_name("affix_failover_", counter),
            counter.kind == CounterKind::Total ? "counter" : "gauge", "group", help_of(counter));
      each_group([&](const std::string& labels, const counters::FailoverReading& group) {
        line(labels, value_text(counter, group.counters[which]));
      });
    }
    for (std::size_t which = 0; which < counters::standby_counter_count; ++which) {
      const counters::CounterName& counter = counters::standby_counter_names()[which];
      begin(family_name("affix_failover_standby_", counter), "gauge", "group, standby",
            help_of(counter));
      each_group([&](const std::string& labels, const counters::FailoverReading& group) {
        for (const counters::StandbyReading& standby : group.standbys) {
          line(labels + ',' + label("standby", standby.name),
               value_text(counter, standby.counters[which]));
        }
      });
    }
  }

  void write_waits() {
    begin("affix_worker_waits_total", "counter", "worker, cause",
          "Times that the worker was held up by anything but its messages.");
    each_wait([&](const std::string& labels, const counters::WaitReading& wait) {
      line(labels, number(wait.count));
    });
    begin("affix_worker_wait_seconds_total", "counter", "worker, cause", "Time of these.");
    each_wait([&](const std::string& labels, const counters::WaitReading& wait) {
      line(labels, seconds(wait.time));
    });
    begin("affix_worker_longest_wait_seconds", "gauge", "worker, cause", "The longest of these.");
    each_wait([&](const std::string& labels, const counters::WaitReading& wait) {
      line(labels, seconds(wait.longest));
    });
    begin("affix_worker_recent_wait_seconds", "gauge", "worker, cause",
          "The longest of these in the last ten to twenty seconds.");
    each_wait([&](const std::string& labels, const counters::WaitReading& wait) {
      line(labels, seconds(wait.recent));
    });
  }

  void write_sessions() {
    begin("affix_session_info", "gauge",
          "session, instance, role, begin_string, sender_comp_id, target_comp_id",
          "The CompIDs of a session as labels; always 1.");
    each_session(false, [&](const std::string& labels, const SessionView& view) {
      line(labels + ',' + label("instance", view.instance) + ',' +
               label("role", view.initiator ? "initiator" : "acceptor") + ',' +
               label("begin_string", view.begin_string) + ',' +
               label("sender_comp_id", view.sender) + ',' + label("target_comp_id", view.target),
           "1");
    });
    begin("affix_session_up", "gauge", "session", "Whether the session is logged on: 1, or 0.");
    each_session(false, [&](const std::string& labels, const SessionView& view) {
      const bool up = view.present && snapshot_->status == EngineStatus::Up &&
                      view.row.now.standing() == session::SessionStanding::LoggedOn;
      line(labels, number(std::uint64_t{up}));
    });
    begin("affix_session_schedule_open", "gauge", "session",
          "Whether the session should be up now, by its schedule: 1 or 0.");
    each_session(false, [&](const std::string& labels, const SessionView& view) {
      line(labels, number(std::uint64_t{std::string_view(view.schedule) != "closed"}));
    });
    for (std::size_t which = 0; which < counters::session_counter_count; ++which) {
      const counters::CounterName& counter = counters::session_counter_names()[which];
      begin(family_name("affix_session_", counter),
            counter.kind == CounterKind::Total ? "counter" : "gauge", "session", help_of(counter));
      each_session(true, [&](const std::string& labels, const SessionView& view) {
        line(labels, value_text(counter, view.row.now.counters[which]));
      });
    }
    for (std::size_t which = 0; which < counters::session_latency_count; ++which) {
      const counters::CounterName& latency = counters::session_latency_names()[which];
      begin("affix_" + std::string(latency.name) + "_seconds", "histogram", "instance",
            help_of(latency));
      for (const auto& [instance, sum] : sums_of(which)) {
        histogram(label("instance", instance), sum, bounds, 1e9);
      }
      if (snapshot_ != nullptr && !arguments_.all && arguments_.sessions.empty()) {
        continue;  // A family is not announced without a sample.
      }
      begin("affix_session_" + std::string(latency.name) + "_seconds", "histogram", "session",
            help_of(latency));
      each_session(true, [&](const std::string& labels, const SessionView& view) {
        if (arguments_.want(view.name)) {
          histogram(labels, view.row.measured()[which], bounds, 1e9);
        }
      });
    }
  }

  /// Sums over all present sessions of each instance, since the engine's start.
  [[nodiscard]] std::map<std::string_view, base::LatencySnapshot> sums_of(std::size_t which) const {
    std::map<std::string_view, base::LatencySnapshot> sums;
    for (std::size_t at = 0; snapshot_ != nullptr && at < snapshot_->sessions.size(); ++at) {
      const SessionView& view = snapshot_->sessions[at];
      if (view.present) {
        base::LatencySnapshot& sum = sums[view.instance];
        if (view.row.measured()[which].count() != 0) {
          sum.add(view.row.measured()[which]);
        }
      }
    }
    return sums;
  }

  void write_alerts_and_disks() {
    begin("affix_alerts", "gauge", "kind", "Alerts that hold now.");
    for (std::size_t kind = 0; snapshot_ != nullptr && kind < alert_kind_count; ++kind) {
      std::uint64_t count = 0;
      for (const Alert& alert : snapshot_->alerts) {
        count += alert.kind == static_cast<AlertKind>(kind) ? 1 : 0;
      }
      line(label("kind", to_text(static_cast<AlertKind>(kind))), number(count));
    }
    begin("affix_alerts_open", "gauge", "kind",
          "Of these, those that nobody has acknowledged or silenced.");
    for (std::size_t kind = 0; snapshot_ != nullptr && kind < alert_kind_count; ++kind) {
      std::uint64_t count = 0;
      for (const Alert& alert : snapshot_->alerts) {
        count += alert.kind == static_cast<AlertKind>(kind) && alert.open() ? 1U : 0U;
      }
      line(label("kind", to_text(static_cast<AlertKind>(kind))), number(count));
    }
    begin("affix_disk_free_bytes", "gauge", "path", "Room left on the disk of a directory.");
    each_disk(
        [&](const DiskView& disk) { line(label("path", disk.path), number(disk.free_bytes)); });
    begin("affix_disk_size_bytes", "gauge", "path", "Size of the disk of a directory.");
    each_disk(
        [&](const DiskView& disk) { line(label("path", disk.path), number(disk.total_bytes)); });
  }

  void each_worker(const std::function<void(const std::string&, const WorkerView&)>& visit) {
    for (std::size_t number = 0; snapshot_ != nullptr && number < snapshot_->workers.size();
         ++number) {
      visit(label("worker", std::to_string(number)), snapshot_->workers[number]);
    }
  }

  void each_group(
      const std::function<void(const std::string&, const counters::FailoverReading&)>& visit) {
    if (snapshot_ == nullptr) {
      return;
    }
    for (const counters::FailoverReading& group : snapshot_->failover) {
      visit(label("group", group.name), group);
    }
  }

  void each_wait(
      const std::function<void(const std::string&, const counters::WaitReading&)>& visit) {
    each_worker([&](const std::string& labels, const WorkerView& view) {
      for (std::size_t cause = 0; cause < view.reading.waits.size(); ++cause) {
        visit(labels + ',' + label("cause", counters::wait_cause_names()[cause].name),
              view.reading.waits[cause]);
      }
    });
  }

  void each_session(bool counted,
                    const std::function<void(const std::string&, const SessionView&)>& visit) {
    if (snapshot_ == nullptr) {
      return;
    }
    for (const SessionView& view : snapshot_->sessions) {
      if (view.present || !counted) {
        visit(label("session", view.name), view);
      }
    }
  }

  void each_disk(const std::function<void(const DiskView&)>& visit) {
    if (snapshot_ != nullptr) {
      for (const DiskView& disk : snapshot_->disks) {
        visit(disk);
      }
    }
  }

  struct Section {
    std::string head;
    std::string samples;
  };

  const HistogramSelection& arguments_;
  const Snapshot* snapshot_ = nullptr;
  std::string name_of_engine_;
  std::string engine_label_;  // Empty: samples have no such label.
  std::string name_;
  std::string* samples_ = nullptr;  // Of the current family.
  std::size_t next_family_ = 0;
  std::deque<Section> sections_;
  std::vector<MetricFamily> families_;
};

}  // namespace

std::vector<MetricFamily> metric_families() {
  const HistogramSelection none;
  Writer writer(none);
  writer.write(nullptr, false);
  writer.write_monitor(nullptr);
  return writer.take_families();
}

bool HistogramSelection::want(std::string_view session) const noexcept {
  return all || std::ranges::find(sessions, session) != sessions.end();
}

std::string metrics_text(const EngineStates& states, const MonitorFacts& facts,
                         const HistogramSelection& arguments) {
  Writer writer(arguments);
  for (const EngineState& state : states) {
    writer.write(&state, states.size() > 1);
  }
  writer.write_monitor(&facts);
  return writer.take_text();
}

}  // namespace affix::inline v0::tools::monitor
