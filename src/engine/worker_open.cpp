// SPDX-License-Identifier: MIT
// Makes a worker from its share of the plan: its reactor and listeners. Start-up only; collects
// every problem.
#include "config/instance_options.hpp"
#include "engine/reactor_choice.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Groups that any session of the share belongs to; all of them when it has no session.
std::vector<const config::InstanceSettings*> instances_of(
    const config::Configuration& configuration, const config::WorkerShare& share) {
  std::vector<const config::InstanceSettings*> all = config::instances_of(configuration);
  if (share.sessions.empty()) {
    return all;
  }
  std::erase_if(all, [&](const config::InstanceSettings* instance) {
    const auto belongs = [instance](const config::SessionSettings& session) {
      return session.instance == instance->name;
    };
    return std::none_of(configuration.templates.begin(), configuration.templates.end(), belongs) &&
           std::none_of(share.sessions.begin(), share.sessions.end(), [&](std::size_t session) {
             return belongs(configuration.sessions[session]);
           });
  });
  return all;
}

}  // namespace

Worker::Worker(host::Application& application, const config::WorkerShare& share,
               counters::CounterFile& counters)
    : calls_(application),
      counters_(counters),
      meter_(counters.worker(share.number)),
      journal_waits_(meter_.waits()),
      places_(share.capacity),
      indices_(std::make_unique_for_overwrite<MessageIndices>()),
      number_(share.number),
      core_(share.core) {
  timers_.open(static_cast<std::uint32_t>(share.capacity));
  waiting_.reserve(share.capacity);
}

Worker::~Worker() {
  std::vector<host::RosterEntry*> entries;
  places_.for_each([&](SessionPlace& place) { entries.push_back(place.session->roster_entry()); });
  journals_.close(entries);
}

std::expected<std::unique_ptr<Worker>, config::Problems> Worker::open(
    const config::Configuration& configuration, const config::WorkerPlan& plan,
    const config::WorkerShare& share, const config::TlsGroups& encryption,
    host::Application& application, counters::CounterFile& counters,
    counters::LatencyFile* latencies, std::unique_ptr<net::Reactor> reactor) {
  config::Problems problems;
  std::unique_ptr<Worker> worker(new Worker(application, share, counters));
  const bool system_clock = reactor == nullptr;
  worker->open_reactor(configuration, plan, share, encryption, std::move(reactor), problems);
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  if (latencies != nullptr) {
    worker->latency_ = std::make_unique<counters::LatencyRecorder>(*latencies, share.number,
                                                                   *worker->reactor_, system_clock);
    worker->meter_.waits().set_recorder(worker->latency_.get());
  }
  return worker;
}

void Worker::open_reactor(const config::Configuration& configuration,
                          const config::WorkerPlan& plan, const config::WorkerShare& share,
                          const config::TlsGroups& encryption,
                          std::unique_ptr<net::Reactor> reactor, config::Problems& problems) {
  const std::vector<const config::InstanceSettings*> instances = instances_of(configuration, share);
  turn_wait_ = TurnWait(config::wait_of(instances), config::longest_wait_ns(instances));
  const net::ReactorOptions needed = plan.workers.size() == 1
                                         ? reactor_options(configuration)
                                         : config::reactor_options(configuration, share);
  if (reactor == nullptr) {
    const config::ReactorKind kind = reactor_of(instances);
    auto made = net::make_reactor(name_of(kind), needed);
    if (!made && kind == config::ReactorKind::IoUring) {
      start_reports_.add_warnings({{base::ErrorCode::Unsupported,
                                    "no io_uring, so " + std::string(net::default_reactor()) +
                                        " is used: " + made.error().text(),
                                    {},
                                    "E106"}});
      made = net::make_reactor(net::default_reactor(), needed);
    }
    if (!made) {
      problems.push_back(std::move(made.error()));
      return;
    }
    reactor = std::move(*made);
  }
  // A message larger than the buffer would end the session each time it comes.
  if (reactor->options().rx_buffer_capacity < needed.rx_buffer_capacity) {
    problems.push_back({base::ErrorCode::InvalidArgument,
                        "the reactor's rx_buffer_capacity is below the " +
                            std::to_string(needed.rx_buffer_capacity) +
                            " bytes that the configuration needs",
                        std::string(reactor->name()), "E104"});
    return;
  }
  // Sessions of a failover group may come to any worker, and ship their stores from there.
  std::shared_ptr<const tls::TlsEndpoint> to_nodes = encryption.node_client();
  const bool has_tls =
      to_nodes != nullptr ||
      std::any_of(instances.begin(), instances.end(), [](const config::InstanceSettings* instance) {
        return instance->tls == config::Encryption::On;
      });
  if (has_tls) {
    auto secured = tls::make_tls_reactor(std::move(reactor));
    if (!secured) {
      problems.push_back(std::move(secured.error()));
      return;
    }
    tls_ = secured->get();
    reactor = std::move(*secured);
  }
  reactor_ = std::move(reactor);
  failover_.node_dialer = to_nodes != nullptr
                              ? std::make_unique<NodeDialer>(*tls_, std::move(to_nodes))
                              : std::make_unique<NodeDialer>(*reactor_);
  journal_waits_.set_clock(*reactor_);
  journals_.open(*reactor_, places_.capacity());
  meter_.set_spins(turn_wait_.spins());
  meter_.waits().set_reported_from(configuration.engine.wait_warning_microseconds *
                                   base::ns_per_us);
  connections_.open(reactor_->options().connections_max);
  if (plan.accepts_apart) {
    inbox_ = std::make_unique<Inbox>(handed_connections_max);
  }
}

std::expected<net::Address, base::Error> Worker::listen(
    const config::ServerSettings& settings, std::span<const LogonTarget> targets,
    std::shared_ptr<const tls::TlsEndpoint> endpoint) {
  if (gate_ == nullptr) {
    gate_ = std::make_unique<LogonGate>(*reactor_, tls_, calls_.for_hook(), latency_ != nullptr);
  }
  return gate_->listen(settings, targets, std::move(endpoint), kept_.keeper);
}

}  // namespace affix::inline v0::engine
