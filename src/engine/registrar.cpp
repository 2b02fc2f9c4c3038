// SPDX-License-Identifier: MIT
// Opens sessions, at the start and later, and looks them up.
#include "engine/registrar.hpp"

#include "affix/session/options.hpp"

#include "config/huge_pages.hpp"
#include "config/identity.hpp"
#include "config/instance_options.hpp"
#include "config/session_checks.hpp"
#include "config/tls_groups.hpp"
#include "engine/acceptor.hpp"
#include "engine/kept_connections.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace affix::inline v0::engine {

Registrar::Registrar(const config::Configuration& configuration,
                     const config::TlsGroups& encryption, const SendingHolds& holds,
                     KeptConnections* kept, std::shared_ptr<Groundwork> groundwork)
    : encryption_(encryption),
      holds_(holds),
      kept_(kept),
      groundwork_(groundwork != nullptr ? std::move(groundwork) : std::make_shared<Groundwork>()),
      ring_budget_(configuration.engine.memory_journal_bytes == 0
                       ? journal::RingBudget::unbounded
                       : static_cast<std::uint64_t>(configuration.engine.memory_journal_bytes)),
      running_(configuration) {
  sessions_ = share(running_.sessions);
  running_.sessions =
      std::vector<config::SessionSettings>();  // Frees its memory, which {} would keep.
}

// --- Opening ---

base::Error Registrar::fault(const config::SessionSettings& session, std::string message,
                             base::MessageCode code) {
  return {base::ErrorCode::InvalidArgument, std::move(message), "[" + session.name + "]", code};
}

bool Registrar::is_server(const std::string& name) const {
  return std::any_of(running_.servers.begin(), running_.servers.end(),
                     [&](const config::ServerSettings& server) { return server.name == name; });
}

const config::InstanceSettings* Registrar::instance_of(
    const config::SessionSettings& settings) const {
  const auto is_of = [&](const config::InstanceSettings& group) {
    return group.name == settings.instance;
  };
  if (const auto server = std::ranges::find_if(running_.servers, is_of);
      server != running_.servers.end()) {
    return &*server;
  }
  const auto client = std::ranges::find_if(running_.clients, is_of);
  return client == running_.clients.end() ? nullptr : &*client;
}

void Registrar::find_instance(Opening& opening, config::Problems& problems) {
  const config::SessionSettings& settings = *opening.settings;
  opening.instance = instance_of(settings);
  if (opening.instance == nullptr) {
    problems.push_back(fault(settings, "belongs to no client or server group", "C217"));
    return;
  }
  if (!is_server(settings.instance)) {
    opening.client = clients_.at(settings.instance);
  }
}

void Registrar::choose_worker(Opening& opening, std::vector<std::size_t>& loads,
                              config::Problems& problems) const {
  const config::SessionSettings& settings = *opening.settings;
  const std::size_t count =
      std::min(config::worker_count_of(*opening.instance, automatic_workers_), workers_.size());
  if (settings.worker >= static_cast<std::int64_t>(count)) {
    problems.push_back(fault(settings,
                             "worker " + std::to_string(settings.worker) + " is not one of the " +
                                 std::to_string(count) + " of [" + settings.instance + "]",
                             "E103"));
    return;
  }
  const auto least =
      std::min_element(loads.begin(), loads.begin() + static_cast<std::ptrdiff_t>(count));
  opening.worker = settings.worker >= 0 ? static_cast<std::size_t>(settings.worker)
                                        : static_cast<std::size_t>(least - loads.begin());
  const std::size_t all = std::accumulate(loads.begin(), loads.end(), std::size_t{0});
  if (all >= sessions_max_ || loads[opening.worker] >= workers_[opening.worker]->capacity()) {
    problems.push_back(
        fault(settings,
              "there is no room for it: added_sessions_max are there, or some that were "
              "removed have not ended yet",
              "E202"));
    return;
  }
  ++loads[opening.worker];
}

void Registrar::check_limits(const Opening& opening, config::Problems& problems) const {
  const config::SessionSettings& settings = *opening.settings;
  const Worker& worker = *workers_[opening.worker];
  if (settings.max_message_bytes + config::frame_bytes >
      static_cast<std::int64_t>(worker.limits().rx_buffer_capacity)) {
    problems.push_back(fault(settings,
                             "key 'max_message_bytes': more than the buffers were made for when "
                             "the engine started; a larger rx_buffer_capacity makes room",
                             "E203"));
  }
  if (settings.callback_thread >= 0 &&
      worker.relay_to(settings.callback_thread, settings.max_message_bytes) == nullptr) {
    problems.push_back(fault(settings,
                             "key 'callback_thread': its worker had no session with this callback "
                             "thread, or none of such max_message_bytes, when the engine started",
                             "E203"));
  }
  if (!settings.tls_peer.empty() && opening.instance->tls != config::Encryption::On) {
    problems.push_back(fault(settings, "has key 'tls_peer', and its group speaks no TLS", "C227"));
  }
}

/// For a session that takes over the journal of `running`, whose size does not change.
void Registrar::check_ring(const Opening& opening, const config::SessionSettings& running,
                           config::Problems& problems) {
  const auto outbox_bytes = static_cast<std::size_t>(opening.instance->tx_encode_buffer_capacity);
  const journal::Options there = config::journal_options(running, outbox_bytes);
  journal::Options wanted = config::journal_options(*opening.settings, outbox_bytes);
  wanted.ring_bytes = there.ring_bytes;
  if (wanted.durability == journal::Durability::Memory &&
      journal::ring_bytes_at_start(wanted) > journal::ring_bytes_at_start(there)) {
    problems.push_back(fault(*opening.settings,
                             "key 'max_message_bytes': more than its journal in memory was made "
                             "for when the session came",
                             "E205"));
  }
}

void Registrar::open_dictionary(Opening& opening, host::DictionaryStore& store,
                                config::Problems& problems) {
  auto dictionary = dictionaries_.open(store, *opening.settings, opening.worker);
  if (!dictionary) {
    std::ranges::move(config::problems_of(dictionary.error()), std::back_inserter(problems));
    return;
  }
  std::ranges::move(store.take_warnings(), std::back_inserter(warnings_));
  opening.dictionary = std::move(*dictionary);
}

host::SessionMake Registrar::make_of(const Opening& opening) const {
  Worker& worker = *workers_[opening.worker];
  return {.settings = opening.settings,
          .role = opening.client == nullptr ? session::Role::Acceptor : session::Role::Initiator,
          .outbox_bytes = static_cast<std::size_t>(opening.instance->tx_encode_buffer_capacity),
          .output_tries = opening.instance->send_try_count,
          .takes_stamps = opening.instance->receive_time_stamps != config::ReceiveTimeStamps::None,
          .may_continue = opening.left != nullptr,
          .slot = *opening.slot,
          .host = worker.as_host(),
          .now = worker.clocks()};
}

std::expected<host::BufferReservation, base::Error> Registrar::reserve_buffers(
    const Opening& opening) const {
  return host::BufferReservation::open(host::HostedSession::buffer_sizes(
      *opening.settings, static_cast<std::size_t>(opening.instance->tx_encode_buffer_capacity),
      config::pages_of(running_.engine)));
}

journal::Options Registrar::journal_of(const Opening& opening) {
  journal::Options options = config::journal_options(
      *opening.settings, static_cast<std::size_t>(opening.instance->tx_encode_buffer_capacity));
  options.ring_budget = &ring_budget_;
  options.lock_pages = running_.engine.lock_pages;
  // A disk that a test brings has no speed.
  if (options.durability == journal::Durability::Process && options.disk == nullptr) {
    options.new_pages = groundwork_->pages.for_directory(opening.settings->journal_path);
  }
  return options;
}

void Registrar::find_left(Opening& opening, KeptConnections& where) const {
  auto left = where.take_left(host::identity_of(config::identity_text(*opening.settings)));
  if (left) {
    left->options =
        config::socket_options(*opening.instance, !running_.engine.latency_file.empty());
    opening.left = std::make_unique<LeftConnection>(std::move(*left));
  }
}

void Registrar::open_session(Opening& opening,
                             std::expected<std::unique_ptr<journal::Journal>, base::Error> journal,
                             config::Problems& problems) {
  const config::SessionSettings& settings = *opening.settings;
  if (!journal) {
    base::Error error = std::move(journal.error());
    const bool over_budget = error.code == base::ErrorCode::Limit;
    error.message = "session " + settings.name + ": " +
                    (over_budget ? "key 'memory_journal_bytes': " : "") + error.message;
    problems.push_back(std::move(error));
    return;
  }
  auto buffers = reserve_buffers(opening);
  if (!buffers) {
    problems.push_back(std::move(buffers.error()));
    return;
  }
  opening.buffers = std::move(*buffers);
  if (kept_ != nullptr && opening.instance->failover_group.empty()) {
    find_left(opening, *kept_);
  }
  opening.slot = &slots_.take({.name = settings.name,
                               .instance = settings.instance,
                               .begin_string = settings.begin_string,
                               .sender_comp_id = settings.sender_comp_id,
                               .target_comp_id = settings.target_comp_id,
                               .journal_directory = journal_directory(settings),
                               .initiator = opening.client != nullptr,
                               .worker = opening.worker});
  auto session = host::HostedSession::open(make_of(opening), std::move(opening.dictionary),
                                           std::move(*journal));
  if (!session) {
    slots_.give_back(*std::exchange(opening.slot, nullptr));
    problems.push_back(std::move(session.error()));
    return;
  }
  opening.session = std::move(*session);
}

/// Opens all of them, or none and returns every problem.
std::vector<Registrar::Opening> Registrar::open_all(
    const std::vector<host::SharedSettings>& sessions, config::Problems& problems) {
  host::DictionaryStore store;
  std::vector<std::size_t> loads = loads_;
  std::vector<Opening> openings;
  for (const host::SharedSettings& settings : sessions) {
    Opening& opening = openings.emplace_back();
    opening.settings = settings;
    find_instance(opening, problems);
    if (opening.instance == nullptr) {
      continue;
    }
    choose_worker(opening, loads, problems);
    check_limits(opening, problems);
    const auto role =
        opening.client == nullptr ? session::Role::Acceptor : session::Role::Initiator;
    std::ranges::move(config::check_session(*settings, role), std::back_inserter(problems));
    open_dictionary(opening, store, problems);
  }
  // A change that fails must leave nothing on the disk.
  for (Opening& opening : openings) {
    if (problems.empty()) {
      open_session(opening, journal::Journal::open(journal_of(opening)), problems);
    }
  }
  if (!problems.empty()) {
    give_up(openings);
  }
  return openings;
}

void Registrar::give_up(std::vector<Opening>& openings) noexcept {
  for (Opening& opening : openings) {
    opening.session.reset();
    if (opening.left != nullptr && opening.left->passed != nullptr) {
      opening.left->passed->close(*opening.left);
    }
    if (opening.slot != nullptr) {
      slots_.give_back(*opening.slot);
    }
  }
  openings.clear();
}

void Registrar::check_identities(const std::vector<host::SharedSettings>& sessions,
                                 config::Problems& problems) {
  std::set<std::string> names;
  std::map<std::string, std::string_view> identities;
  for (const host::SharedSettings& one : sessions) {
    const config::SessionSettings& session = *one;
    if (!names.insert(session.name).second) {
      problems.push_back(fault(session, "shares its name with another session", "C224"));
      continue;
    }
    const auto [known, is_new] =
        identities.emplace(session.instance + '\n' + config::identity_text(session), session.name);
    if (!is_new) {
      problems.push_back(
          fault(session, "has the same identity as [" + std::string(known->second) + "]", "C219"));
    }
  }
}

// --- Start-up ---

void Registrar::open(const config::WorkerPlan& plan, const std::vector<Worker*>& workers,
                     config::Problems& problems) {
  const std::lock_guard guard(mutex_);
  workers_ = workers;
  loads_.assign(workers_.size(), 0);
  automatic_workers_ = plan.automatic_workers;
  sessions_max_ = sessions_.size() + config::sessions_to_come(running_);
  check_identities(sessions_, problems);
  for (const config::ClientSettings& client : running_.clients) {
    auto group =
        open_client_group(client, encryption_, !running_.engine.latency_file.empty(), warnings_);
    if (!group) {
      std::ranges::move(group.error(), std::back_inserter(problems));
      continue;
    }
    clients_.emplace(client.name, std::move(*group));
  }
  host::DictionaryStore& store = groundwork_->dictionaries;
  std::vector<Opening> openings;
  // Reports every problem of every session, not only the first.
  for (const config::WorkerShare& share : plan.workers) {
    for (const std::size_t place : share.sessions) {
      Opening opening;
      opening.settings = sessions_[place];
      opening.worker = share.number;
      if (!is_server(opening.settings->instance) &&
          !clients_.contains(opening.settings->instance)) {
        find_orphan(opening, problems);
        continue;
      }
      config::Problems own;
      find_instance(opening, own);
      open_dictionary(opening, store, own);
      if (own.empty()) {
        const auto role =
            opening.client == nullptr ? session::Role::Acceptor : session::Role::Initiator;
        own = config::check_session(*opening.settings, role);
      }
      if (own.empty() && !opening.instance->failover_group.empty()) {
        // Opened when this node comes to lead the group, which then need not read the dictionary.
        dictionaries_.keep_for_failover(std::move(opening.dictionary));
      } else if (own.empty()) {
        openings.push_back(std::move(opening));
      }
      std::ranges::move(own, std::back_inserter(problems));
    }
  }
  open_with_journals(openings, problems);
  check_templates(running_.templates, store, problems);
  store = host::DictionaryStore();
  // Handles are in the configuration's order, whatever their worker.
  std::vector<std::string_view> names;
  std::ranges::transform(
      sessions_, std::back_inserter(names),
      [](const host::SharedSettings& one) -> std::string_view { return one->name; });
  directory_.order(names);
}

/// Opens all journals at once: thousands would wait for the disk thousands of times.
void Registrar::open_with_journals(std::vector<Opening>& openings, config::Problems& problems) {
  std::vector<journal::Options> options;
  options.reserve(openings.size());
  std::ranges::transform(openings, std::back_inserter(options),
                         [this](const Opening& opening) { return journal_of(opening); });
  auto journals = journal::Journal::open_all(options);
  for (std::size_t at = 0; at < openings.size(); ++at) {
    Opening& opening = openings[at];
    open_session(opening, std::move(journals[at]), problems);
    if (opening.session == nullptr) {
      continue;
    }
    ++loads_[opening.worker];
    directory_.enter(opening.settings->name, opening.session->handle());
    workers_[opening.worker]->journals().enter(*opening.session->roster_entry());
    workers_[opening.worker]->take_in({.session = std::move(opening.session),
                                       .buffers = std::move(opening.buffers),
                                       .client = std::move(opening.client),
                                       .left = std::move(opening.left)});
  }
}

/// If a client group could not be opened, the group's problem stands for its sessions.
void Registrar::find_orphan(Opening& opening, config::Problems& problems) const {
  if (instance_of(*opening.settings) == nullptr) {
    problems.push_back(fault(*opening.settings, "belongs to no client or server group", "C217"));
  }
}

std::vector<std::shared_ptr<config::ClientAddresses>> Registrar::client_addresses() const {
  const std::lock_guard guard(mutex_);
  std::vector<std::shared_ptr<config::ClientAddresses>> all;
  for (const auto& [name, group] : clients_) {
    all.push_back(group->hosts);
  }
  return all;
}

config::Problems Registrar::take_warnings() {
  const std::lock_guard guard(mutex_);
  return std::exchange(warnings_, {});
}

std::vector<LogonTarget> Registrar::targets_of(const std::string& server) const {
  const std::lock_guard guard(mutex_);
  std::vector<LogonTarget> targets;
  for (const host::SharedSettings& settings : sessions_) {
    // A session of a failover group is none until the group is led here.
    if (settings->instance == server && session(settings->name)) {
      targets.push_back(logon_target_for(session(settings->name), *settings));
    }
  }
  return targets;
}

// --- Looking up ---

config::Configuration Registrar::configuration() const {
  const std::lock_guard guard(shown_mutex_);
  return compose();
}

config::Configuration Registrar::compose() const {
  config::Configuration all = running_;
  all.sessions.reserve(sessions_.size());
  for (const host::SharedSettings& session : sessions_) {
    all.sessions.push_back(*session);
  }
  return all;
}

/// Reuses running settings that are equal, so that nothing is kept twice.
std::vector<host::SharedSettings> Registrar::share(
    const std::vector<config::SessionSettings>& wanted) const {
  std::unordered_map<std::string_view, const host::SharedSettings*> running;
  for (const host::SharedSettings& session : sessions_) {
    running.emplace(session->name, &session);
  }
  std::vector<host::SharedSettings> shared;
  shared.reserve(wanted.size());
  for (const config::SessionSettings& session : wanted) {
    const auto same = running.find(session.name);
    shared.push_back(same != running.end() && **same->second == session
                         ? *same->second
                         : std::make_shared<const config::SessionSettings>(session));
  }
  return shared;
}

std::vector<config::SessionSettings> Registrar::sessions_made() const {
  const std::lock_guard guard(shown_mutex_);
  std::vector<config::SessionSettings> settings;
  for (const host::SharedSettings& made : made_.settings()) {
    settings.push_back(*made);
  }
  return settings;
}

}  // namespace affix::inline v0::engine
