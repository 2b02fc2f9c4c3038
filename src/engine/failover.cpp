// SPDX-License-Identifier: MIT
// Opens a node's part in its cluster, and drives it.
#include "engine/failover.hpp"

#include "affix/os/clock.hpp"
#include "affix/replication/file_election_store.hpp"

#include "config/instance_options.hpp"
#include "engine/registrar.hpp"
#include "engine/worker.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Connections of other nodes: for each of a few groups, each worker's, and those for history.
constexpr std::uint32_t connections_max = 1024;

/// Time for which a promotion or a hand-over waits for a keeper that does not answer.
constexpr std::int64_t keeper_patience_ns = 200 * base::ns_per_ms;

/// Turns of a standby within which it has given all copies back.
constexpr int end_turns_max = 1'000;

std::unexpected<config::Problems> problem(base::Error error) {
  return std::unexpected(config::Problems{std::move(error)});
}

}  // namespace

std::expected<std::unique_ptr<Failover>, config::Problems> Failover::open(
    const config::Configuration& configuration, FailoverMeans means,
    const config::TlsGroups& encryption, counters::CounterFile& counters, Registrar& registrar,
    std::vector<Worker*> workers) {
  const config::EngineSettings& engine = configuration.engine;
  std::unique_ptr<Failover> failover(new Failover());
  if (means.store == nullptr) {
    const auto election = config::election_of(engine);
    if (!election || election->kind != config::ElectionKind::File) {
      return problem(
          {base::ErrorCode::Unsupported,
           "key 'election': this program opens no such store; pass one to Engine::open()",
           "[ENGINE]", "E308"});
    }
    auto store = replication::open_file_election_store({.directory = election->directory});
    if (!store) {
      return problem(std::move(store.error()));
    }
    means.store = std::move(*store);
  }
  failover->store_ = std::move(means.store);
  failover->own_time_ = means.reactor != nullptr;
  const auto addresses = config::node_addresses_of(engine);
  if (!addresses) {
    return problem(addresses.error());
  }
  const auto own = std::ranges::find(*addresses, engine.node, &config::NodeAddress::name);
  if (own == addresses->end()) {
    return problem(
        {base::ErrorCode::InvalidArgument, "key 'node': has no address", "[ENGINE]", "E308"});
  }
  for (net::Waker* const waker : {&failover->control_waker_, &failover->copies_waker_}) {
    if (auto opened = waker->open(); !opened) {
      return problem(std::move(opened.error()));
    }
  }
  if (auto opened = failover->open_transport(own->address, std::move(means.reactor), encryption);
      !opened) {
    return problem(std::move(opened.error()));
  }
  replication::StandbyOptions options;
  options.cluster = engine.cluster;
  options.node = engine.node;
  options.work =
      failover->own_time_ ? replication::CopyWork::InTurns : replication::CopyWork::Apart;
  options.news = &failover->control_waker_;
  options.worker = &failover->copies_waker_;
  for (const config::FailoverSettings& group : configuration.failovers) {
    options.beat_ns =
        std::max(options.beat_ns, group.replication_beat_milliseconds * base::ns_per_ms);
  }
  auto standby =
      replication::Standby::make(std::move(options), *failover->reactor_, *failover->dialer_);
  if (!standby) {
    return problem(std::move(standby.error()));
  }
  failover->standby_ = std::move(*standby);
  auto promises = PromiseFiles::open(engine.failover_directory);
  if (!promises) {
    return problem(std::move(promises.error()));
  }
  failover->promises_ = std::make_unique<PromiseFiles>(std::move(*promises));
  failover->core_ = engine.replication_cpu_core_id;
  failover->wait_.mode = config::wait_mode(engine.replication_wait_mode);
  journal::Disk* disk = nullptr;
  for (const config::SessionSettings& session : configuration.sessions) {
    disk = session.journal_disk != nullptr ? session.journal_disk : disk;
  }
  if (means.keeper == nullptr && !engine.keeper.empty() && !keeper::is_systemd(engine.keeper)) {
    means.keeper = keeper::make_access(engine.keeper, keeper_patience_ns);
  }
  if (means.keeper != nullptr) {
    failover->keeper_ =
        std::make_unique<SharedKeeper>(std::move(means.keeper), engine.cluster, engine.node);
  }
  failover->node_ = std::make_unique<FailoverNode>(
      FailoverNode{.cluster = engine.cluster,
                   .node = engine.node,
                   .addresses = *addresses,
                   .store = *failover->store_,
                   .standby = *failover->standby_,
                   .registrar = registrar,
                   .workers = std::move(workers),
                   .promises = *failover->promises_,
                   .boot = (disk != nullptr ? *disk : journal::system_disk()).boot_id(),
                   .control = &failover->control_waker_,
                   .keeper = failover->keeper_.get()});
  failover->store_->wake_with(&failover->control_waker_);
  std::vector<const config::FailoverSettings*> groups;
  std::vector<std::string_view> names;
  for (const config::FailoverSettings& group : configuration.failovers) {
    const auto nodes = config::replication_nodes_of(group);
    // The sessions of the others never run here.
    if (std::ranges::find(nodes, engine.node) != nodes.end()) {
      groups.push_back(&group);
      names.push_back(group.name);
    }
  }
  const auto counted = counters.add_failover(names, engine.node);
  if (!counted) {
    return problem(counted.error());
  }
  for (std::size_t number = 0; number < groups.size(); ++number) {
    const config::FailoverSettings& group = *groups[number];
    auto remembered = failover->promises_->read(group.name);
    if (!remembered) {
      return problem(std::move(remembered.error()));
    }
    failover->groups_.push_back(std::make_unique<FailoverGroup>(
        group, *failover->node_, *remembered, (*counted)[number], failover->now()));
  }
  return failover;
}

std::expected<void, base::Error> Failover::open_transport(const net::Address& address,
                                                          std::unique_ptr<net::Reactor> given,
                                                          const config::TlsGroups& encryption) {
  const auto endpoint = encryption.node_server();
  reactor_ = std::move(given);
  if (reactor_ == nullptr) {
    net::ReactorOptions options;
    options.connections_max = connections_max;
    options.rx_buffer_capacity = std::max<std::uint32_t>(
        1024 * 1024, static_cast<std::uint32_t>(replication::standby_rx_bytes_min));
    auto made = net::make_reactor(
        net::default_reactor(), endpoint != nullptr ? tls::options_beneath_tls(options) : options);
    if (!made) {
      return std::unexpected(std::move(made.error()));
    }
    reactor_ = std::move(*made);
  }
  const auto in_words = [&](auto listening) -> std::expected<void, base::Error> {
    if (listening) {
      return {};
    }
    base::Error error = std::move(listening.error());
    error.where = "[ENGINE] node_addresses: " + address.text();
    return std::unexpected(std::move(error));
  };
  if (endpoint == nullptr) {
    dialer_ = std::make_unique<NodeDialer>(*reactor_);
    return in_words(reactor_->listen(address, net::SocketOptions{}));
  }
  auto secured = tls::make_tls_reactor(std::move(reactor_));
  if (!secured) {
    return std::unexpected(std::move(secured.error()));
  }
  tls::TlsReactor& tls = **secured;
  reactor_ = std::move(*secured);
  dialer_ = std::make_unique<NodeDialer>(tls, encryption.node_client());
  return in_words(tls.listen_tls(address, net::SocketOptions{}, endpoint));
}

Failover::~Failover() = default;

base::Now Failover::now() noexcept {
  return own_time_ ? reactor_->now() : os::now();
}

bool Failover::control() {
  const std::lock_guard guard(mutex_);
  bool did = false;
  if (keeper_ != nullptr) {
    keeper_->tend(now().steady_ns);
  }
  while (const auto answer = store_->take()) {
    did = true;
    if (FailoverGroup* const group = find(answer->group)) {
      group->on_answer(*answer, now());
    }
  }
  for (replication::News& news : standby_->take_news()) {
    did = true;
    if (news.kind == replication::NewsKind::Unsecured) {
      report_fault(news);
    } else if (FailoverGroup* const group = find(news.group)) {
      group->on_news(std::move(news), now());
    }
  }
  for (const auto& group : groups_) {
    did = group->turn(now()) || did;
  }
  return did;
}

void Failover::report_fault(const replication::News& news) {
  auto change = std::make_unique<WorkerChange>();
  change->reports.push_back({.severity = host::Event::Severity::Error,
                             .text = "connection of another node: TLS: " + news.why,
                             .code = news.code});
  node_->workers.front()->post(std::move(change));
}

std::int64_t Failover::control_deadline_ns() const {
  const std::lock_guard guard(mutex_);
  std::int64_t nearest = keeper_ != nullptr ? keeper_->tend_ns() : replication::never_ns;
  for (const auto& group : groups_) {
    nearest = std::min(nearest, group->deadline_ns());
  }
  return nearest;
}

void Failover::standby(std::int64_t deadline_ns) noexcept {
  net::Wait wait = wait_;
  wait.deadline_ns = deadline_ns;
  standby_->turn(wait);
}

bool Failover::poll(std::int64_t deadline_ns) noexcept {
  const bool did = control();
  // A reactor in virtual time notes until when it could have waited.
  net::Wait wait;
  wait.mode = net::Wait::Mode::Spin;
  wait.deadline_ns = std::min(deadline_ns, control_deadline_ns());
  standby_->turn(wait);
  return control() || did;
}

FailoverGroup* Failover::find(std::string_view group) const {
  const auto found =
      std::ranges::find_if(groups_, [group](const auto& one) { return one->name() == group; });
  return found == groups_.end() ? nullptr : found->get();
}

// --- Operators ---

namespace {

std::unexpected<base::Error> no_group(std::string_view group) {
  return std::unexpected(base::Error{base::ErrorCode::NotFound,
                                     "there is no such failover group on this node",
                                     std::string(group), "E309"});
}

}  // namespace

std::vector<FailoverStanding> Failover::standings() const {
  const std::lock_guard guard(mutex_);
  std::vector<FailoverStanding> shown;
  for (const auto& group : groups_) {
    shown.push_back(group->standing());
  }
  return shown;
}

std::expected<replication::WishAnswer, base::Error> Failover::promote(std::string_view group,
                                                                      replication::Loss loss) {
  const std::lock_guard guard(mutex_);
  FailoverGroup* const found = find(group);
  if (found == nullptr) {
    return no_group(group);
  }
  return found->promote(loss, now());
}

std::expected<replication::WishAnswer, base::Error> Failover::hand_over(std::string_view group,
                                                                        std::string_view node) {
  const std::lock_guard guard(mutex_);
  FailoverGroup* const found = find(group);
  if (found == nullptr) {
    return no_group(group);
  }
  return found->hand_over(node, now());
}

void Failover::end() {
  const std::lock_guard guard(mutex_);
  std::size_t open = 0;
  for (const auto& group : groups_) {
    open += group->end() ? 1U : 0U;
  }
  for (int turns = 0; open != 0 && turns < end_turns_max; ++turns) {
    standby_->turn(net::Wait::block_until(0));
    for (replication::News& news : standby_->take_news()) {
      if (news.kind != replication::NewsKind::Released) {
        continue;
      }
      --open;
      for (const replication::ReleasedJournal& copy : news.journals) {
        if (copy.journal != nullptr) {
          // One that fails is judged when it is opened again.
          static_cast<void>(copy.journal->close());
        }
      }
    }
  }
}

void Failover::remember_closed() {
  const std::lock_guard guard(mutex_);
  for (const auto& group : groups_) {
    group->remember_closed();
  }
}

}  // namespace affix::inline v0::engine
