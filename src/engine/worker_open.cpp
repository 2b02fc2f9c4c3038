// SPDX-License-Identifier: MIT
// From a share of the plan to a worker: its reactor, end points and sessions. Start-up only;
// collects every problem.
#include "engine/instance_options.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// The groups that any session of the share belongs to; all of them when it has no session.
std::vector<const InstanceSettings*> instances_of(const Configuration& configuration,
                                                  const WorkerShare& share) {
  std::vector<const InstanceSettings*> all = instances_of(configuration);
  if (share.sessions.empty()) {
    return all;
  }
  std::erase_if(all, [&](const InstanceSettings* instance) {
    return std::none_of(share.sessions.begin(), share.sessions.end(), [&](std::size_t session) {
      return configuration.sessions[session].instance == instance->name;
    });
  });
  return all;
}

/// A group's sessions of the share.
std::vector<const SessionSettings*> sessions_of(const Configuration& configuration,
                                                const WorkerShare& share,
                                                std::string_view instance) {
  std::vector<const SessionSettings*> sessions;
  for (const std::size_t session : share.sessions) {
    if (configuration.sessions[session].instance == instance) {
      sessions.push_back(&configuration.sessions[session]);
    }
  }
  return sessions;
}

}  // namespace

Worker::Worker(Application& application, const WorkerShare& share)
    : application_(application),
      index_(std::make_unique_for_overwrite<MessageIndex>()),
      replay_index_(std::make_unique_for_overwrite<MessageIndex>()),
      number_(share.number),
      core_(share.core) {
  const std::size_t sessions = share.sessions.size();
  timers_.open(static_cast<std::uint32_t>(sessions));
  probe_timers_.open(static_cast<std::uint32_t>(sessions));
  places_.reserve(sessions);
  attention_.reserve(sessions);
  attending_.reserve(sessions);
  again_.reserve(sessions);
  awaiting_durability_.reserve(sessions);
  awaiting_pages_.reserve(sessions);
}

Worker::~Worker() = default;

std::expected<std::unique_ptr<Worker>, Problems> Worker::open(
    const Configuration& configuration, const WorkerPlan& plan, const WorkerShare& share,
    Application& application, DictionaryStore& dictionaries, const TlsGroups& encryption,
    std::unique_ptr<net::Reactor> reactor) {
  Problems problems;
  std::unique_ptr<Worker> worker(new Worker(application, share));
  worker->open_reactor(configuration, plan, share, std::move(reactor), problems);
  if (worker->reactor_ == nullptr) {
    return std::unexpected(std::move(problems));
  }
  for (const ServerSettings& server : configuration.servers) {
    for (const SessionSettings* session : sessions_of(configuration, share, server.name)) {
      worker->open_session(*session, session::Role::Acceptor, server, dictionaries, problems);
    }
  }
  for (const ClientSettings& client : configuration.clients) {
    worker->open_client(configuration, client, share, dictionaries, encryption, problems);
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return worker;
}

void Worker::open_reactor(const Configuration& configuration, const WorkerPlan& plan,
                          const WorkerShare& share, std::unique_ptr<net::Reactor> reactor,
                          Problems& problems) {
  const std::vector<const InstanceSettings*> instances = instances_of(configuration, share);
  wait_ = wait_of(instances);
  longest_wait_ns_ = longest_wait_ns(instances);
  const net::ReactorOptions needed = plan.workers.size() == 1
                                         ? reactor_options(configuration)
                                         : engine::reactor_options(configuration, share);
  if (reactor == nullptr) {
    const bool wants_io_uring = std::any_of(
        instances.begin(), instances.end(),
        [](const InstanceSettings* instance) { return instance->reactor == "IO_URING"; });
    auto made = net::make_reactor(wants_io_uring ? "io_uring" : "epoll", needed);
    if (!made && wants_io_uring) {
      start_warnings_.push_back("no io_uring, so epoll is used: " + made.error().text());
      made = net::make_reactor("epoll", needed);
    }
    if (!made) {
      problems.push_back(std::move(made.error()));
      return;
    }
    reactor = std::move(*made);
  }
  // A message that its buffer could never hold would end the session whenever it comes.
  if (reactor->options().rx_buffer_capacity < needed.rx_buffer_capacity) {
    problems.push_back({base::ErrorCode::InvalidArgument,
                        "the reactor's rx_buffer_capacity is below the " +
                            std::to_string(needed.rx_buffer_capacity) +
                            " bytes that the configuration needs",
                        std::string(reactor->name())});
    return;
  }
  const bool has_tls =
      std::any_of(instances.begin(), instances.end(),
                  [](const InstanceSettings* instance) { return instance->tls == "ON"; });
  if (has_tls) {
    auto secured = net::make_tls_reactor(std::move(reactor));
    if (!secured) {
      problems.push_back(std::move(secured.error()));
      return;
    }
    tls_ = secured->get();
    reactor = std::move(*secured);
  }
  reactor_ = std::move(reactor);
  connections_.resize(reactor_->options().connections_max);
  if (plan.accepts_apart) {
    inbox_ = std::make_unique<Inbox>(handed_connections_max);
  }
}

std::expected<net::Address, base::Error> Worker::listen(
    const ServerSettings& settings, std::span<const LogonGate::Target> targets,
    std::shared_ptr<const net::TlsEndpoint> endpoint) {
  if (gate_ == nullptr) {
    gate_ = std::make_unique<LogonGate>(*reactor_, tls_, application_);
  }
  return gate_->listen(settings, targets, std::move(endpoint));
}

void Worker::warn_at_start(std::vector<std::string> warnings) {
  std::ranges::move(warnings, std::back_inserter(start_warnings_));
}

/// With one more room than before.
std::expected<RoomPool*, base::Error> Worker::rooms_for(const RoomSizes& sizes) {
  auto pool = std::ranges::find_if(
      rooms_, [&](const std::unique_ptr<RoomPool>& one) { return one->sizes() == sizes; });
  if (pool == rooms_.end()) {
    pool = rooms_.insert(rooms_.end(), std::make_unique<RoomPool>(sizes));
  }
  if (auto added = (*pool)->add(); !added) {
    return std::unexpected(std::move(added.error()));
  }
  return pool->get();
}

HostedSession* Worker::open_session(const SessionSettings& settings, session::Role role,
                                    const InstanceSettings& instance, DictionaryStore& dictionaries,
                                    Problems& problems) {
  auto dictionary = dictionaries.open(settings, number_);
  if (!dictionary) {
    problems.insert(problems.end(), dictionary.error().begin(), dictionary.error().end());
    return nullptr;
  }
  const auto rooms = rooms_for(HostedSession::room_sizes(
      settings, static_cast<std::size_t>(instance.tx_encode_buffer_capacity)));
  if (!rooms) {
    problems.push_back(rooms.error());
    return nullptr;
  }
  SessionSettings adjusted = settings;
  if (instance.send_try_count != 0) {
    // Nothing is tried again and again; a try is a second in which the peer takes nothing.
    adjusted.output_timeout_seconds =
        std::min(adjusted.output_timeout_seconds, instance.send_try_count);
  }
  auto session =
      HostedSession::open(adjusted, role, std::move(*dictionary), **rooms, places_.size(), *this);
  if (!session) {
    problems.push_back(std::move(session.error()));
    return nullptr;
  }
  places_.emplace_back();
  places_.back().session = std::move(*session);
  if (const std::int64_t interval_ns = places_.back().session->flush_interval_ns();
      interval_ns != 0) {
    flush_interval_ns_ =
        flush_interval_ns_ == 0 ? interval_ns : std::min(flush_interval_ns_, interval_ns);
  }
  flush_due_.reserve(places_.size());
  return places_.back().session.get();
}

void Worker::open_client(const Configuration& configuration, const ClientSettings& settings,
                         const WorkerShare& share, DictionaryStore& dictionaries,
                         const TlsGroups& encryption, Problems& problems) {
  const std::vector<const SessionSettings*> sessions =
      sessions_of(configuration, share, settings.name);
  if (sessions.empty() && share.number != 0) {
    return;  // What is wrong with the group the first worker tells.
  }
  auto hosts = client_hosts(settings);
  if (!hosts) {
    problems.push_back({base::ErrorCode::InvalidArgument, hosts.error(),
                        "[" + settings.name + "] further_addresses"});
    return;
  }
  Client client{.socket = socket_options(settings),
                .connect_timeout_ns = settings.connect_timeout_milliseconds * base::ns_per_ms};
  for (const ClientHost& host : *hosts) {
    client.tls.push_back(encryption.client(settings.name, host.name));
  }
  client.hosts = std::make_shared<ClientAddresses>(settings.name, std::move(*hosts));
  client.hosts->open(problems, start_warnings_);
  if (!settings.nic_address.empty()) {
    auto bind = net::Address::parse(host_and_port(settings.nic_address, 0));
    if (!bind) {
      problems.push_back({base::ErrorCode::InvalidArgument, bind.error().message,
                          "[" + settings.name + "] nic_address"});
      return;
    }
    client.socket.bind_address = *bind;
  }
  clients_.push_back(std::move(client));
  const DialPauses pauses{settings.reconnect_milliseconds * base::ns_per_ms,
                          settings.reconnect_milliseconds_max * base::ns_per_ms};
  for (const SessionSettings* session : sessions) {
    HostedSession* opened =
        open_session(*session, session::Role::Initiator, settings, dictionaries, problems);
    if (opened == nullptr) {
      continue;
    }
    Place& place = places_[opened->number()];
    place.client = &clients_.back();
    place.dialer.emplace(std::vector<net::Address>(), pauses,
                         std::hash<std::string>{}(opened->identity()));
    take_addresses(place);
    place.dialer->set_open(opened->may_log_on());
  }
}

}  // namespace affix::inline v0::engine
