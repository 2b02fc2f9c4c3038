// SPDX-License-Identifier: MIT
// From a configuration to a worker: the reactor's limits, listeners, end points and sessions.
// Start-up only; collects every problem.
#include "engine/identity.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// More than BeginString, BodyLength and CheckSum fields can have together.
constexpr std::int64_t frame_bytes = 256;

std::string host_and_port(const std::string& host, std::int64_t port) {
  const bool is_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

net::SocketOptions socket_options(const InstanceSettings& settings) {
  net::SocketOptions options;
  options.no_delay = settings.disable_nagle;
  options.quick_ack = settings.quick_ack;
  options.receive_buffer_bytes = static_cast<std::uint32_t>(settings.socket_rx_size);
  options.send_buffer_bytes = static_cast<std::uint32_t>(settings.socket_tx_size);
  options.bind_interface = settings.nic_name;
  return options;
}

net::Wait::Mode wait_mode(const std::string& word) noexcept {
  if (word == "SPIN") {
    return net::Wait::Mode::Spin;
  }
  return word == "SPIN_THEN_BLOCK" ? net::Wait::Mode::SpinThenBlock : net::Wait::Mode::Block;
}

std::vector<const InstanceSettings*> instances_of(const Configuration& configuration) {
  std::vector<const InstanceSettings*> instances;
  for (const ServerSettings& server : configuration.servers) {
    instances.push_back(&server);
  }
  for (const ClientSettings& client : configuration.clients) {
    instances.push_back(&client);
  }
  return instances;
}

}  // namespace

Worker::Worker(Application& application, std::size_t session_count)
    : application_(application),
      index_(std::make_unique_for_overwrite<MessageIndex>()),
      replay_index_(std::make_unique_for_overwrite<MessageIndex>()) {
  timers_.open(static_cast<std::uint32_t>(session_count));
  places_.reserve(session_count);
  attention_.reserve(session_count);
  attending_.reserve(session_count);
  again_.reserve(session_count);
  awaiting_durability_.reserve(session_count);
  awaiting_pages_.reserve(session_count);
}

Worker::~Worker() = default;

std::expected<std::unique_ptr<Worker>, Problems> Worker::open(
    const Configuration& configuration, Application& application,
    std::unique_ptr<net::Reactor> reactor) {
  Problems problems;
  std::unique_ptr<Worker> worker(new Worker(application, configuration.sessions.size()));
  worker->take_settings(configuration);
  worker->open_reactor(configuration, std::move(reactor), problems);
  if (worker->reactor_ == nullptr) {
    return std::unexpected(std::move(problems));
  }
  for (const ServerSettings& server : configuration.servers) {
    worker->open_server(configuration, server, problems);
  }
  for (const ClientSettings& client : configuration.clients) {
    worker->open_client(configuration, client, problems);
  }
  std::ranges::move(worker->dictionaries_.take_warnings(),
                    std::back_inserter(worker->start_warnings_));
  worker->dictionaries_ = {};  // Sessions keep what they judge by; the models may go.
  if (problems.empty()) {
    worker->number_handles(configuration, problems);
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return worker;
}

/// Handles in configuration order. A configuration made by hand may hold what a file's reader would
/// have refused.
void Worker::number_handles(const Configuration& configuration, Problems& problems) {
  for (const SessionSettings& settings : configuration.sessions) {
    const auto place = std::find_if(places_.begin(), places_.end(), [&](const Place& one) {
      return one.session->settings().name == settings.name;
    });
    if (place == places_.end() || places_.size() != configuration.sessions.size()) {
      problems.push_back({base::ErrorCode::InvalidArgument,
                          "belongs to no client or server group, or shares its name with another",
                          "[" + settings.name + "]"});
      continue;
    }
    handles_.emplace_back(place->session.get());
  }
}

net::ReactorOptions reactor_options(const Configuration& configuration) {
  net::ReactorOptions options;
  std::int64_t rx_bytes = options.rx_buffer_capacity;
  std::int64_t connections = static_cast<std::int64_t>(configuration.sessions.size()) + 64;
  for (const ServerSettings& server : configuration.servers) {
    connections += server.max_connections_before_logon;
    options.events_per_turn =
        std::max(options.events_per_turn, static_cast<std::uint32_t>(server.max_poll_events));
  }
  for (const SessionSettings& session : configuration.sessions) {
    // The framer's limit is on BodyLength; what stands around it must fit as well.
    rx_bytes = std::max(rx_bytes, session.max_message_bytes + frame_bytes);
  }
  for (const InstanceSettings* instance : instances_of(configuration)) {
    rx_bytes = std::max(rx_bytes, instance->rx_buffer_capacity);
    options.tx_buffer_capacity =
        std::max(options.tx_buffer_capacity,
                 static_cast<std::uint32_t>(instance->tx_encode_buffer_capacity));
  }
  options.rx_buffer_capacity = static_cast<std::uint32_t>(rx_bytes);
  options.connections_max = static_cast<std::uint32_t>(connections);
  options.listeners_max = static_cast<std::uint32_t>(
      std::max<std::size_t>(configuration.servers.size(), std::size_t{1}));
  return options;
}

/// What the settings of one thread are, when the groups that share it wish for different ones.
void Worker::take_settings(const Configuration& configuration) {
  for (const SessionSettings& session : configuration.sessions) {
    logon_timeout_ns_ =
        std::max(logon_timeout_ns_, session.logon_timeout_seconds * base::ns_per_second);
  }
  for (const InstanceSettings* instance : instances_of(configuration)) {
    core_ = std::max(core_, instance->cpu_core_id);
    // One thread serves all instances, so the most eager of them decides how it waits.
    const net::Wait::Mode mode = wait_mode(instance->wait_mode);
    if (mode == net::Wait::Mode::Spin ||
        (mode == net::Wait::Mode::SpinThenBlock && wait_.mode == net::Wait::Mode::Block)) {
      wait_.mode = mode;
    }
    wants_io_uring_ = wants_io_uring_ || instance->reactor == "IO_URING";
    wait_.spin_ns = std::max(wait_.spin_ns, instance->spin_microseconds * base::ns_per_us);
  }
}

void Worker::open_reactor(const Configuration& configuration, std::unique_ptr<net::Reactor> reactor,
                          Problems& problems) {
  const net::ReactorOptions needed = reactor_options(configuration);
  if (reactor == nullptr) {
    auto made = net::make_reactor(wants_io_uring_ ? "io_uring" : "epoll", needed);
    if (!made && wants_io_uring_) {
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
  reactor_ = std::move(reactor);
  connections_.resize(reactor_->options().connections_max);
  logon_timers_.open(reactor_->options().connections_max);
}

HostedSession* Worker::open_session(const SessionSettings& settings, session::Role role,
                                    const InstanceSettings& instance, Problems& problems) {
  auto dictionary = dictionaries_.open(settings);
  if (!dictionary) {
    problems.insert(problems.end(), dictionary.error().begin(), dictionary.error().end());
    return nullptr;
  }
  auto session = HostedSession::open(settings, role, std::move(*dictionary),
                                     static_cast<std::size_t>(instance.tx_encode_buffer_capacity),
                                     places_.size(), *this);
  if (!session) {
    problems.push_back(std::move(session.error()));
    return nullptr;
  }
  places_.emplace_back();
  places_.back().session = std::move(*session);
  return places_.back().session.get();
}

void Worker::open_server(const Configuration& configuration, const ServerSettings& settings,
                         Problems& problems) {
  Server server;
  server.name = settings.name;
  server.before_logon_max = static_cast<std::size_t>(settings.max_connections_before_logon);
  for (const SessionSettings* session : configuration.sessions_of(settings.name)) {
    if (HostedSession* opened =
            open_session(*session, session::Role::Acceptor, settings, problems)) {
      server.sessions.emplace(identity_key(*session), opened);
    }
  }
  const std::string where = host_and_port(settings.nic_address.empty() ? "*" : settings.nic_address,
                                          settings.accept_port);
  const auto address = net::Address::parse(where);
  if (!address) {
    problems.push_back({base::ErrorCode::InvalidArgument, address.error().message,
                        "[" + settings.name + "] " + where});
    return;
  }
  net::SocketOptions options = socket_options(settings);
  options.backlog = static_cast<std::uint32_t>(settings.pending_connection_queue_size);
  auto listening = reactor_->listen(*address, options);
  if (!listening) {
    base::Error error = std::move(listening.error());
    error.where = "[" + settings.name + "] " + where;
    problems.push_back(std::move(error));
    return;
  }
  server.listener = listening->id;
  listening_addresses_.push_back(listening->address);
  servers_.push_back(std::move(server));
}

void Worker::open_client(const Configuration& configuration, const ClientSettings& settings,
                         Problems& problems) {
  std::vector<net::Address> addresses;
  for (const auto& [host, port] :
       {std::pair(settings.primary_address, settings.primary_port),
        std::pair(settings.secondary_address, settings.secondary_port)}) {
    if (host.empty()) {
      continue;
    }
    auto resolved = net::wait_resolve(host_and_port(host, port));
    if (!resolved) {
      base::Error error = std::move(resolved.error());
      error.where = "[" + settings.name + "] " + host_and_port(host, port);
      problems.push_back(std::move(error));
      continue;
    }
    addresses.insert(addresses.end(), resolved->begin(), resolved->end());
  }
  Client client{socket_options(settings), settings.connect_timeout_milliseconds * base::ns_per_ms};
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
  for (const SessionSettings* session : configuration.sessions_of(settings.name)) {
    HostedSession* opened = open_session(*session, session::Role::Initiator, settings, problems);
    if (opened == nullptr || addresses.empty()) {
      continue;
    }
    Place& place = places_[opened->number()];
    place.client = &clients_.back();
    place.dialer.emplace(addresses, pauses, std::hash<std::string>{}(opened->identity()));
  }
}

}  // namespace affix::inline v0::engine
