// SPDX-License-Identifier: MIT
// Starts the processes on ports that are held for them.
#include "demo/failover_cluster.hpp"

#include "affix/config/configuration.hpp"
#include "affix/config/session_hours.hpp"
#include "affix/os/clock.hpp"

#include "program/other_program.hpp"

#include <csignal>
#include <filesystem>
#include <poll.h>
#include <utility>

namespace affix::inline v0::tools::demo {

namespace {

using counters::FailoverCounter;

/// The program `affix` in its package, and etcd in Debian's.
constexpr const char* node_program = "affix";
constexpr const char* etcd_program = "etcd";

/// Until both nodes have found etcd and each other, on a machine that is busy.
constexpr std::int64_t whole_timeout_ns = 30 * base::ns_per_second;
constexpr int nap_ms = 20;

base::Error cluster_failure(std::string text) {
  return base::Error{base::ErrorCode::Io, std::move(text), {}, "L109"};
}

std::expected<std::string, base::Error> installed_program(const char* program,
                                                          const char* package) {
  if (auto path = find_program(program)) {
    return *std::move(path);
  }
  return std::unexpected(cluster_failure(std::string("the program ") + program +
                                         " is not installed; as root: apt-get install " + package));
}

}  // namespace

std::vector<std::string> journals_of(const std::string& configuration, std::string_view kind) {
  std::vector<std::string> journals;
  const auto loaded = affix::config::load_configuration(configuration);
  if (!loaded) {
    return journals;
  }
  for (const affix::config::SessionSettings& session : loaded->sessions) {
    if (session.name.starts_with(kind)) {
      journals.push_back(affix::config::journal_directory_of(session));
    }
  }
  return journals;
}

bool NodeReading::leads() const noexcept {
  return group && group->role() != counters::FailoverRole::Standby;
}

std::uint64_t NodeReading::epoch() const noexcept {
  return group ? (*group)[FailoverCounter::Epoch] : 0;
}

std::string FailoverCluster::path(std::string_view name) const {
  return directory_ + "/" + std::string(name);
}

std::expected<std::unique_ptr<FailoverCluster>, base::Error> FailoverCluster::start(
    const std::string& directory, const std::function<bool()>& stopped) {
  // Without it nothing of the earlier run need go.
  if (const auto etcd = installed_program(etcd_program, "etcd-server"); !etcd) {
    return std::unexpected(etcd.error());
  }
  std::vector<std::string> parts{"exchange", "traders",      "etcd",
                                 "etcd.log", "exchange.log", "traders.log"};
  for (const std::string_view node : node_names) {
    for (const char* const end : {"", ".failover", ".log", ".counters"}) {
      parts.push_back(std::string(node) + end);
    }
  }
  if (auto made = make_empty(directory, parts); !made) {
    return std::unexpected(std::move(made.error()));
  }
  std::unique_ptr<FailoverCluster> cluster(new FailoverCluster(directory));
  if (auto held = cluster->hold_ports(); !held) {
    return std::unexpected(std::move(held.error()));
  }
  if (auto started = cluster->start_etcd(); !started) {
    return std::unexpected(std::move(started.error()));
  }
  auto exchange = start_exchange(directory);
  if (!exchange) {
    return std::unexpected(std::move(exchange.error()));
  }
  cluster->places_.exchange_port = exchange->port;
  cluster->exchange_.emplace(std::move(*exchange));
  for (std::size_t node = 0; node < node_count; ++node) {
    if (auto started = cluster->start_node(node); !started) {
      return std::unexpected(std::move(started.error()));
    }
  }
  if (auto whole = cluster->wait_whole(stopped); !whole) {
    return std::unexpected(std::move(whole.error()));
  }
  return cluster;
}

FailoverCluster::~FailoverCluster() {
  etcd_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(path("etcd"), ignored);
}

std::expected<void, base::Error> FailoverCluster::hold_ports() {
  std::vector<std::string*> numbers{&places_.etcd_port, &etcd_peer_port_};
  for (std::size_t node = 0; node < node_count; ++node) {
    numbers.push_back(&places_.stream_ports[node]);
    numbers.push_back(&places_.accept_ports[node]);
  }
  for (std::string* const number : numbers) {
    auto port = HeldPort::hold();
    if (!port) {
      return std::unexpected(std::move(port.error()));
    }
    *number = port->number();
    ports_.push_back(std::move(*port));
  }
  return {};
}

std::expected<void, base::Error> FailoverCluster::start_etcd() {
  const auto program = installed_program(etcd_program, "etcd-server");
  if (!program) {
    return std::unexpected(program.error());
  }
  const std::string client = "http://127.0.0.1:" + places_.etcd_port;
  const std::string peer = "http://127.0.0.1:" + etcd_peer_port_;
  auto started = start_mortal({*program,
                               "--name",
                               "one",
                               "--data-dir",
                               path("etcd"),
                               "--listen-peer-urls",
                               peer,
                               "--initial-advertise-peer-urls",
                               peer,
                               "--initial-cluster",
                               "one=" + peer,
                               "--listen-client-urls",
                               client,
                               "--advertise-client-urls",
                               client,
                               "--heartbeat-interval",
                               "50",
                               "--election-timeout",
                               "300",
                               "--logger",
                               "zap",
                               "--log-outputs",
                               path("etcd.log")});
  if (!started) {
    return std::unexpected(std::move(started.error()));
  }
  etcd_ = std::make_unique<ChildProcess>(std::move(*started));
  return {};
}

std::expected<void, base::Error> FailoverCluster::start_node(std::size_t node) {
  const auto program = installed_program(node_program, "affix-tools");
  if (!program) {
    return std::unexpected(program.error());
  }
  const auto configuration = write_configuration(directory_, std::string(node_names[node]) + ".ini",
                                                 node_configuration(directory_, places_, node));
  if (!configuration) {
    return std::unexpected(configuration.error());
  }
  auto started = start_mortal({*program, "serve", *configuration});
  if (!started) {
    return std::unexpected(std::move(started.error()));
  }
  nodes_[node].process.emplace(std::move(*started));
  nodes_[node].killed = false;
  return {};
}

std::expected<void, base::Error> FailoverCluster::wait_whole(const std::function<bool()>& stopped) {
  const std::int64_t deadline_ns = os::now().steady_ns + whole_timeout_ns;
  while (!whole_primary()) {
    if (stopped() || os::now().steady_ns > deadline_ns) {
      return std::unexpected(
          cluster_failure("the nodes did not come in sync; see " + path(node_names[0]) + ".log"));
    }
    if (!etcd_runs()) {
      return std::unexpected(cluster_failure("etcd did not start; see " + path("etcd.log")));
    }
    for (std::size_t node = 0; node < node_count; ++node) {
      if (read(node).ended) {
        return std::unexpected(cluster_failure("node " + std::string(node_names[node]) +
                                               " did not start; see " + path(node_names[node]) +
                                               ".log"));
      }
    }
    static_cast<void>(::poll(nullptr, 0, nap_ms));
  }
  return {};
}

NodeReading FailoverCluster::read(std::size_t node) {
  Node& one = nodes_[node];
  NodeReading reading;
  reading.killed = one.killed;
  reading.ended = !one.killed && one.process && one.process->has_ended();
  if (one.killed || reading.ended || !one.process) {
    return reading;
  }
  if (!one.counters) {
    if (auto opened = counters::CounterReader::open(path(node_names[node]) + ".counters")) {
      one.counters.emplace(std::move(*opened));
    } else {
      return reading;
    }
  }
  // An error leaves the file of the former process, which the number shows.
  static_cast<void>(one.counters->follow());
  counters::EngineReading engine = one.counters->read();
  if (engine.process_id == static_cast<std::uint64_t>(one.process->pid()) &&
      !engine.failover.empty()) {
    reading.group = std::move(engine.failover.front());
  }
  return reading;
}

std::optional<std::size_t> FailoverCluster::whole_primary() {
  for (std::size_t node = 0; node < node_count; ++node) {
    const NodeReading reading = read(node);
    if (reading.leads() && (*reading.group)[FailoverCounter::InSync] == node_count &&
        (*reading.group)[FailoverCounter::OutputHeld] == 0) {
      return node;
    }
  }
  return std::nullopt;
}

pid_t FailoverCluster::kill_node(std::size_t node) {
  Node& one = nodes_[node];
  one.killed = true;
  one.process->send(SIGKILL);
  return one.process->pid();
}

std::expected<void, base::Error> FailoverCluster::return_node(std::size_t node) {
  nodes_[node].process.reset();
  return start_node(node);
}

std::expected<std::string, base::Error> FailoverCluster::stop() {
  std::vector<std::string> failed;
  const auto primary = whole_primary();
  // Standbys first: the primary's end would make them lead.
  for (const bool leads : {false, true}) {
    for (std::size_t node = 0; node < node_count; ++node) {
      Node& one = nodes_[node];
      if (one.process && (primary == node) == leads) {
        if (!one.killed && one.process->stop(stop_timeout_ns).status != 0) {
          failed.push_back(path(node_names[node]) + ".log");
        }
        one.process.reset();
      }
    }
  }
  const auto exchange = exchange_->process.stop(stop_timeout_ns);
  if (exchange.status != 0) {
    failed.push_back(path("exchange.log"));
  }
  exchange_.reset();
  etcd_->stop(stop_timeout_ns);
  if (!failed.empty()) {
    return std::unexpected(
        cluster_failure("a process did not end in order; see " + failed.front()));
  }
  return exchange.output;
}

}  // namespace affix::inline v0::tools::demo
