// SPDX-License-Identifier: MIT
// Steps of a run, from logon to the figures.
#include "bench/load/load_run.hpp"

#include "affix/service/stop_signals.hpp"

#include "bench/load/load_peers.hpp"

#include <algorithm>
#include <numeric>

namespace affix::inline v0::tools::bench {

namespace {

constexpr std::int64_t usage_interval_ns = base::ns_per_second;
constexpr std::int64_t logout_timeout_ns = 10 * base::ns_per_second;

[[nodiscard]] std::int64_t ns_of(double seconds) noexcept {
  return static_cast<std::int64_t>(seconds * static_cast<double>(base::ns_per_second));
}

[[nodiscard]] LoadCounters difference(LoadCounters after, const LoadCounters& before) noexcept {
  after.sent -= before.sent;
  after.answered -= before.answered;
  after.rejected -= before.rejected;
  after.further -= before.further;
  after.duplicates -= before.duplicates;
  after.foreign -= before.foreign;
  after.resent -= before.resent;
  after.resend_requests -= before.resend_requests;
  after.duplicates_passed_over -= before.duplicates_passed_over;
  after.sent_again -= before.sent_again;
  after.sequence_faults -= before.sequence_faults;
  after.garbled -= before.garbled;
  after.logons -= before.logons;
  after.unexpected_logouts -= before.unexpected_logouts;
  return after;
}

/// Measures the server's process during one round.
class UsageWatch {
 public:
  explicit UsageWatch(pid_t pid) : pid_(pid) {}

  [[nodiscard]] std::expected<void, base::Error> begin() {
    if (pid_ == 0) {
      return {};
    }
    const auto usage = read_process_usage(pid_);
    if (!usage) {
      return std::unexpected(usage.error());
    }
    first_ = *usage;
    most_bytes_ = first_.anonymous_bytes;
    return {};
  }

  void look(std::int64_t steady_ns) {
    if (pid_ == 0 || steady_ns < next_ns_) {
      return;
    }
    next_ns_ = steady_ns + usage_interval_ns;
    if (const auto usage = read_process_usage(pid_)) {
      most_bytes_ = std::max(most_bytes_, usage->anonymous_bytes);
    }
  }

  /// Adds the round to `sum`. An error: the process is gone.
  [[nodiscard]] std::expected<std::int64_t, base::Error> end(std::optional<ServerUsage>& sum) {
    if (pid_ == 0) {
      return 0;
    }
    const auto last = read_process_usage(pid_);
    if (!last) {
      return std::unexpected(last.error());
    }
    if (!sum) {
      sum.emplace();
      sum->anonymous_bytes_before = first_.anonymous_bytes;
    }
    const std::int64_t cpu_ns = last->cpu_ns - first_.cpu_ns;
    sum->cpu_ns += cpu_ns;
    sum->journal_ns += last->journal_ns - first_.journal_ns;
    sum->user_ns += last->user_ns - first_.user_ns;
    sum->system_ns += last->system_ns - first_.system_ns;
    sum->anonymous_bytes_max =
        std::max({sum->anonymous_bytes_max, most_bytes_, last->anonymous_bytes});
    sum->anonymous_bytes_after = last->anonymous_bytes;
    sum->file_bytes_after = last->file_bytes;
    return cpu_ns;
  }

 private:
  pid_t pid_;
  ProcessUsage first_;
  std::int64_t most_bytes_ = 0;
  std::int64_t next_ns_ = 0;
};

class LoadRun {
 public:
  LoadRun(const LoadOptions& options, LoadPeers& peers) : options_(options), peers_(peers) {}

  [[nodiscard]] std::expected<std::unique_ptr<LoadResult>, base::Error> run() {
    if (auto logged_on = peers_.log_on(ns_of(options_.logon_timeout_seconds)); !logged_on) {
      return std::unexpected(std::move(logged_on.error()));
    }
    if (options_.warm_up != 0) {
      peers_.begin_round({.messages = options_.warm_up});
      drive(nullptr);
    }
    if (auto made = peers_.make_history(ns_of(options_.answer_timeout_seconds)); !made) {
      return std::unexpected(std::move(made.error()));
    }
    const std::uint32_t kinds = options_.hostile.total() != 0 ? 2 : 1;
    for (std::uint32_t round = 0;
         round < options_.rounds * kinds && !service::StopSignals::requested(); ++round) {
      const bool hostile = kinds == 2 && round % 2 == 1;
      LoadFigures& figures = hostile ? result_->hostile : result_->calm;
      if (auto done = measure_round(figures, hostile); !done) {
        return std::unexpected(std::move(done.error()));
      }
    }
    result_->lost = peers_.outstanding();
    result_->bad_logouts = peers_.log_out(logout_timeout_ns);
    result_->hostile_peers = peers_.hostile_counters();
    result_->dropped = peers_.dropped();
    result_->lost_connections = peers_.lost_connections();
    result_->refused = peers_.refused();
    result_->trouble = peers_.trouble();
    result_->is_cluster = targets_of(options_).size() > 1;
    return std::move(result_);
  }

 private:
  /// Sends the round's orders and waits for the answers; returns the time of the last one.
  std::int64_t drive(UsageWatch* watch) {
    while (peers_.sending() && !service::StopSignals::requested()) {
      const base::Now now = peers_.turn();
      if (watch != nullptr) {
        watch->look(now.steady_ns);
      }
    }
    peers_.end_sending();
    answered_while_sending_ = peers_.answered_by_session();
    const std::int64_t patience_ns = ns_of(options_.answer_timeout_seconds);
    std::uint64_t outstanding = peers_.outstanding();
    base::Now now = peers_.now();
    std::int64_t last_progress_ns = now.steady_ns;
    // Connections dropped last by a storm are reconnected even when no order waits for them.
    while ((outstanding != 0 || !peers_.all_active()) &&
           now.steady_ns - last_progress_ns < patience_ns) {
      now = peers_.turn();
      const std::uint64_t left = peers_.outstanding();
      last_progress_ns = left != outstanding ? now.steady_ns : last_progress_ns;
      outstanding = left;
    }
    return last_progress_ns;
  }

  [[nodiscard]] std::expected<void, base::Error> measure_round(LoadFigures& figures, bool hostile) {
    UsageWatch watch(options_.server_pid);
    if (auto begun = watch.begin(); !begun) {
      return std::unexpected(std::move(begun.error()));
    }
    const LoadCounters before = peers_.counters();
    const std::vector<std::uint64_t> answered_before = peers_.answered_by_session();
    *latencies_ = {};
    peers_.record(latencies_.get());
    peers_.log(options_.logs_answers ? &result_->answers : nullptr);
    const std::int64_t begin_ns = peers_.now().steady_ns;
    peers_.begin_round({.messages = options_.messages,
                        .duration_ns = ns_of(options_.seconds),
                        .rate = options_.rate,
                        .storm_rate = options_.storm_rate,
                        .hostile = hostile});
    const std::int64_t elapsed_ns = std::max<std::int64_t>(drive(&watch) - begin_ns, 1);
    result_->unsent += service::StopSignals::requested() ? 0 : peers_.unsent();
    peers_.end_round();
    peers_.record(nullptr);
    peers_.log(nullptr);
    figures.latencies.response.merge(latencies_->response);
    figures.latencies.service.merge(latencies_->service);
    figures.p99_ns.push_back(static_cast<double>(latencies_->response.value_at(0.99)));
    const std::int64_t journal_before_ns = figures.server ? figures.server->journal_ns : 0;
    const auto cpu_ns = watch.end(figures.server);
    if (!cpu_ns) {
      return std::unexpected(cpu_ns.error());
    }
    const LoadCounters counted = difference(peers_.counters(), before);
    figures.elapsed_ns += elapsed_ns;
    figures.counters.add(counted);
    figures.answered_by_session.resize(answered_before.size());
    for (std::size_t at = 0; at < answered_before.size(); ++at) {
      figures.answered_by_session[at] += answered_while_sending_[at] - answered_before[at];
    }
    ++figures.rounds;
    const auto answered = static_cast<double>(std::max<std::uint64_t>(counted.answered, 1));
    figures.rates.push_back(answered * 1e9 / static_cast<double>(elapsed_ns));
    if (figures.server) {
      const std::int64_t journal_ns = figures.server->journal_ns - journal_before_ns;
      figures.cpu_ns_per_answer.push_back(static_cast<double>(*cpu_ns) / answered);
      figures.messages_ns_per_answer.push_back(static_cast<double>(*cpu_ns - journal_ns) /
                                               answered);
    }
    return {};
  }

  const LoadOptions& options_;
  LoadPeers& peers_;
  // Histograms are large, so the result is on the heap.
  std::unique_ptr<LoadResult> result_ = std::make_unique<LoadResult>();
  std::unique_ptr<Latencies> latencies_ = std::make_unique<Latencies>();  // Of the round.
  std::vector<std::uint64_t> answered_while_sending_;
};

}  // namespace

double LoadFigures::rate() const noexcept {
  return elapsed_ns == 0
             ? 0
             : static_cast<double>(counters.answered) * 1e9 / static_cast<double>(elapsed_ns);
}

double LoadFigures::fairness() const noexcept {
  const std::uint64_t sum =
      std::accumulate(answered_by_session.begin(), answered_by_session.end(), std::uint64_t{0});
  if (sum == 0) {
    return 1;
  }
  const std::uint64_t least =
      *std::min_element(answered_by_session.begin(), answered_by_session.end());
  return static_cast<double>(least) * static_cast<double>(answered_by_session.size()) /
         static_cast<double>(sum);
}

std::vector<double> LoadResult::others_p99() const {
  std::vector<double> ratios;
  for (std::size_t pair = 0; pair < std::min(calm.p99_ns.size(), hostile.p99_ns.size()); ++pair) {
    if (calm.p99_ns[pair] > 0) {
      ratios.push_back(hostile.p99_ns[pair] / calm.p99_ns[pair]);
    }
  }
  return ratios;
}

bool LoadResult::sound() const noexcept {
  return lost == 0 && unsent == 0 && (lost_connections == 0 || is_cluster) && bad_logouts == 0 &&
         calm.counters.faults() == 0 && hostile.counters.faults() == 0;
}

std::expected<std::unique_ptr<LoadResult>, base::Error> run_load(const LoadOptions& options) {
  if (auto checked = check(options); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  auto peers = LoadPeers::make(options);
  if (!peers) {
    return std::unexpected(std::move(peers.error()));
  }
  return LoadRun(options, **peers).run();
}

}  // namespace affix::inline v0::tools::bench
