// SPDX-License-Identifier: MIT
// An engine's life except its threads: opens it, drives it from the caller's loop, and ends it in
// order.
#include "affix/engine/engine.hpp"

#include "affix/base/assert.hpp"
#include "affix/keeper/keeper.hpp"
#include "affix/os/clock.hpp"

#include "config/configuration_checks.hpp"
#include "config/descriptor_needs.hpp"
#include "config/huge_pages.hpp"
#include "config/instance_options.hpp"
#include "config/kernel_choice.hpp"
#include "config/preparation.hpp"
#include "config/tls_groups.hpp"
#include "config/worker_plan.hpp"
#include "counters/counter_file.hpp"
#include "counters/latency_file.hpp"
#include "engine/acceptor.hpp"
#include "engine/callback_thread.hpp"
#include "engine/cross_thread_senders.hpp"
#include "engine/failover.hpp"
#include "engine/kept_connections.hpp"
#include "engine/registrar.hpp"
#include "engine/sending_holds.hpp"
#include "engine/worker.hpp"
#include "os/numa.hpp"

#include <algorithm>
#include <bit>
#include <ctime>
#include <sys/mman.h>
#include <utility>

namespace affix::inline v0::engine {

namespace {

/// Maximum wait of a turn on one of several workers, while another may have something to do.
constexpr std::int64_t shared_wait_ns = base::ns_per_ms;

/// Number of tries to bind an address that is in use, and the pause between them. The kernel closes
/// io_uring's files some time after a killed process has ended, so a successor that starts at once
/// still finds its predecessor's listener.
constexpr int listen_attempts = 50;
constexpr timespec between_listen_attempts{.tv_sec = 0, .tv_nsec = 20 * base::ns_per_ms};

counters::LatencyRoom latency_room(const config::EngineSettings& settings,
                                   const config::WorkerPlan& plan) noexcept {
  counters::LatencyRoom room{
      .workers = plan.workers.size(),
      .records = std::bit_ceil(static_cast<std::size_t>(settings.latency_records))};
  for (const config::WorkerShare& share : plan.workers) {
    room.sessions += share.capacity;
  }
  return room;
}

base::Error not_in_cluster() {
  return {base::ErrorCode::NotFound, "this engine is no node of a cluster: key 'node' is empty",
          "[ENGINE]", "E309"};
}

}  // namespace

namespace {

/// Names of sessions whose connections end with the process whatever keeps the others; empty: none.
std::string sessions_not_kept(const config::Configuration& configuration) {
  const auto instances = config::instances_of(configuration);
  const auto ends_with_process = [&](const config::SessionSettings& session) {
    return std::ranges::any_of(instances, [&](const config::InstanceSettings* instance) {
      return instance->name == session.instance &&
             (instance->tls == config::Encryption::On || !instance->failover_group.empty());
    });
  };
  std::string names;
  for (const config::SessionSettings& session : configuration.sessions) {
    if (session.durability == journal::Durability::Memory || ends_with_process(session)) {
      names += (names.empty() ? "" : ", ") + session.name;
    }
  }
  return names.empty() ? names
                       : "not kept, as they have TLS, no journal on the disk, or a "
                         "failover group: " +
                             names;
}

}  // namespace

Engine::Engine() : holds_(std::make_unique<SendingHolds>()) {}

Engine::~Engine() {
  if (abandoned_ || workers_.empty()) {
    return;
  }
  if (failover_ != nullptr) {
    failover_->end();
    acceptor_.reset();
    callback_threads_.clear();
    senders_.reset();
  }
  counters_->stop(workers_.front()->clocks().utc_ns);
  if (failover_ != nullptr) {
    workers_.clear();  // Closes the journals.
    failover_->remember_closed();
  }
}

std::expected<std::unique_ptr<Engine>, config::Problems> Engine::open(
    const config::Configuration& configuration, host::Application& application) {
  return open(configuration, application, nullptr);
}

std::expected<std::unique_ptr<Engine>, config::Problems> Engine::open(
    const config::Configuration& configuration, host::Application& application,
    std::unique_ptr<net::Reactor> reactor) {
  return open(configuration, application, std::move(reactor), Succession());
}

std::expected<std::unique_ptr<Engine>, config::Problems> Engine::open(
    const config::Configuration& configuration, host::Application& application,
    std::unique_ptr<net::Reactor> reactor, Succession succession) {
  return open(configuration, application, std::move(reactor), std::move(succession), {});
}

std::expected<std::unique_ptr<Engine>, config::Problems> Engine::open(
    const config::Configuration& configuration, host::Application& application,
    std::unique_ptr<net::Reactor> reactor, Succession succession, FailoverMeans failover) {
  if (config::leaves_owner_open(configuration)) {
    config::Configuration owned = configuration;
    config::name_owners(owned);
    return open(owned, application, std::move(reactor), std::move(succession), std::move(failover));
  }
  const std::vector<config::Finding> findings = config::check_configuration(configuration);
  auto prepared = config::prepare(configuration, findings);
  if (!prepared) {
    return std::unexpected(config::problems_of(prepared.error()));
  }
  if (reactor != nullptr && prepared->plan.workers.size() > 1) {
    return std::unexpected(config::Problems{
        {base::ErrorCode::InvalidArgument,
         "a reactor of the caller's own serves one worker, and worker_thread_count wants " +
             std::to_string(prepared->plan.workers.size()),
         std::string(reactor->name()), "E104"}});
  }
  // From here on the process changes. First its memory and its cores, before the memory of workers
  // and sessions is allocated and before any thread is made.
  if (auto bound = os::bind_to_numa_node(configuration.engine.numa_bind_node,
                                         configuration.engine.numa_aware_allocations);
      !bound) {
    return std::unexpected(config::Problems{std::move(bound.error())});
  }
  if (configuration.engine.lock_pages && ::mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    base::Error error = base::make_system_error("mlockall", errno, "[ENGINE] lock_pages");
    error.message_code = "E101";
    return std::unexpected(config::Problems{std::move(error)});
  }
  if (configuration.engine.numa_bind_node >= 0) {
    // The node may have fewer cores than the machine.
    auto plan = config::plan_workers(configuration);
    if (!plan) {
      return std::unexpected(config::problems_of(plan.error()));
    }
    prepared->plan = std::move(*plan);
  }
  config::Problems kernel_warnings = config::choose_kernel(configuration);
  const config::WorkerPlan& plan = prepared->plan;
  std::shared_ptr<Groundwork> groundwork = std::move(succession.groundwork);
  config::Problems problems;
  std::unique_ptr<Engine> engine(new Engine());
  engine->encryption_ = std::move(prepared->encryption);
  engine->acceptor_core_ = plan.acceptor_core;
  engine->finish_ns_ = configuration.engine.shutdown_timeout_seconds * base::ns_per_second;
  // Figures of the machine do not belong into the log of an engine in virtual time.
  const bool system_clock = reactor == nullptr;
  const base::Now now = system_clock ? os::now() : reactor->now();
  auto counters = counters::CounterFile::create(configuration.engine.counters_file,
                                                plan.workers.size(), now.utc_ns);
  if (!counters) {
    return std::unexpected(config::Problems{std::move(counters.error())});
  }
  engine->counters_ = std::move(*counters);
  engine->holds_->show_in(*engine->counters_);
  if (!configuration.engine.latency_file.empty()) {
    auto latencies = counters::LatencyFile::create(
        configuration.engine.latency_file, latency_room(configuration.engine, plan), now.utc_ns);
    if (!latencies) {
      return std::unexpected(config::Problems{std::move(latencies.error())});
    }
    engine->latencies_ = std::move(*latencies);
  }
  for (const config::WorkerShare& share : plan.workers) {
    auto worker =
        Worker::open(configuration, plan, share, *engine->encryption_, application,
                     *engine->counters_, engine->latencies_.get(), std::exchange(reactor, nullptr));
    if (!worker) {
      std::ranges::move(worker.error(), std::back_inserter(problems));
      continue;
    }
    engine->workers_.push_back(std::move(*worker));
  }
  if (problems.empty()) {
    engine->open_kept(configuration, std::move(succession), plan, problems);
  }
  engine->senders_ = std::make_unique<CrossThreadSenders>(engine->all_workers());
  engine->registrar_ =
      std::make_unique<Registrar>(configuration, *engine->encryption_, *engine->holds_,
                                  engine->kept_.get(), std::move(groundwork));
  if (problems.empty()) {
    engine->registrar_->open(plan, engine->all_workers(), problems);
  }
  if (problems.empty()) {
    StartReports& reports = engine->workers_.front()->start_reports();
    reports.add_warnings(engine->registrar_->take_warnings());
    reports.add_warnings(config::errors_of(configuration.warnings));
    reports.add_warnings(config::warnings_of(findings, configuration.warnings));
    reports.add_warnings(std::move(kernel_warnings));
    if (std::string warning = config::huge_page_warning(configuration.engine); !warning.empty()) {
      reports.add_warnings({{base::ErrorCode::Unsupported, std::move(warning), {}, "E105"}});
    }
    reports.add_warnings(config::pin_warnings(plan, configuration.engine));
    reports.add_note(config::one_core_note(plan.processor_share), "E129");
    if (system_clock) {
      for (std::string& note : engine->registrar_->take_page_notes()) {
        reports.add_note(std::move(note), "E133");
      }
    }
    reports.add_warnings(config::core_warnings(plan, configuration, plan.processor_share));
    reports.add_warnings(config::descriptor_warnings(configuration));
    if (plan.accepts_apart) {
      engine->open_acceptor(configuration, application, problems);
    }
  }
  if (problems.empty()) {
    engine->open_callback_threads(configuration, application, problems);
  }
  if (problems.empty()) {
    engine->listen(configuration, problems);
  }
  if (problems.empty()) {
    engine->close_left();
  }
  engine->join_cluster(configuration, std::move(failover), problems);
  if (problems.empty()) {
    auto published = engine->counters_->publish();
    if (published && engine->latencies_ != nullptr) {
      published = engine->latencies_->publish();
    }
    if (!published) {
      problems.push_back(std::move(published.error()));
    }
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return engine;
}

void Engine::join_cluster(const config::Configuration& configuration, FailoverMeans means,
                          config::Problems& problems) {
  if (!problems.empty() || configuration.engine.node.empty()) {
    return;
  }
  auto opened = Failover::open(configuration, std::move(means), *encryption_, *counters_,
                               *registrar_, all_workers());
  if (opened) {
    failover_ = std::move(*opened);
  } else {
    std::ranges::move(opened.error(), std::back_inserter(problems));
  }
}

/// The keeper, and what it held for this process, before the sessions that continue with it.
void Engine::open_kept(const config::Configuration& configuration, Succession succession,
                       const config::WorkerPlan& plan, config::Problems& problems) {
  if (succession.keeper == nullptr) {
    if (configuration.engine.keeper.empty()) {
      return;
    }
    const std::string& where = configuration.engine.keeper;
    const std::string& instance = configuration.engine.keeper_instance;
    auto keeper = keeper::open_keeper(where, instance);
    std::expected<std::vector<keeper::Kept>, base::Error> kept;
    if (keeper) {
      kept = (*keeper)->take();
    } else if (keeper.error().code == base::ErrorCode::NotFound && !keeper::is_systemd(where)) {
      // Trading does not depend on it, and it is given everything when it comes.
      keeper = keeper::make_absent_keeper(where, instance);
    }
    if (!keeper) {
      kept = std::unexpected(keeper.error());
    }
    if (!kept) {
      problems.push_back(std::move(kept.error()));
      return;
    }
    succession = {std::move(*keeper), std::move(*kept)};
  }
  std::size_t sessions = 0;
  for (const config::WorkerShare& share : plan.workers) {
    sessions += share.capacity;
  }
  auto opened =
      KeptConnections::open(std::move(succession.keeper), std::move(succession.kept), sessions);
  if (!opened) {
    problems.push_back(std::move(opened.error()));
    return;
  }
  kept_ = std::move(*opened);
  for (const auto& worker : workers_) {
    worker->set_kept(kept_.get());
  }
}

/// Connections that no session of the configuration continues.
void Engine::close_left() {
  if (kept_ == nullptr) {
    return;
  }
  config::Problems warnings;
  for (std::string& report : kept_->take_reports()) {
    warnings.push_back({base::ErrorCode::Unsupported, std::move(report), {}, "K301"});
  }
  for (const std::string& name : kept_->close_left()) {
    warnings.push_back({base::ErrorCode::NotFound,
                        "the connection of an earlier process is closed: there is no session " +
                            name + " that could continue it",
                        {},
                        "K301"});
  }
  kept_->close_listeners();
  if (std::string without = sessions_not_kept(registrar_->configuration()); !without.empty()) {
    workers_.front()->start_reports().add_note(std::move(without), "K303");
  }
  workers_.front()->start_reports().add_warnings(std::move(warnings));
}

std::vector<Worker*> Engine::all_workers() const {
  std::vector<Worker*> workers;
  for (const auto& worker : workers_) {
    workers.push_back(worker.get());
  }
  return workers;
}

void Engine::open_acceptor(const config::Configuration& configuration,
                           host::Application& application, config::Problems& problems) {
  auto acceptor = Acceptor::open(configuration, all_workers(), application);
  if (acceptor) {
    acceptor_ = std::move(*acceptor);
    registrar_->set_acceptor(acceptor_.get());
  } else {
    problems.push_back(std::move(acceptor.error()));
  }
}

void Engine::open_callback_threads(const config::Configuration& configuration,
                                   host::Application& application, config::Problems& problems) {
  std::int64_t count = 0;
  for (const config::SessionSettings& session : configuration.sessions) {
    count = std::max(count, session.callback_thread + 1);
  }
  const bool spins =
      config::wait_of(config::instances_of(configuration)).mode == net::Wait::Mode::Spin;
  for (std::int64_t number = 0; number < std::min(count, config::callback_threads_max); ++number) {
    // Room for answers to one Logon of every session.
    auto sender = open_cross_thread_sender({.ring_bytes = configuration.sessions.size() * 1024});
    if (!sender) {
      problems.push_back(std::move(sender.error()));
      return;
    }
    auto thread = CallbackThread::open(application, std::move(*sender), spins);
    if (!thread) {
      problems.push_back(std::move(thread.error()));
      return;
    }
    for (const auto& worker : workers_) {
      const auto bytes = static_cast<std::size_t>(configuration.engine.callback_queue_bytes);
      if (host::CallbackRelay* relay = worker->open_relay(number, bytes, (*thread)->waker())) {
        (*thread)->add(*relay, *worker);
      }
    }
    callback_threads_.push_back(std::move(*thread));
  }
}

/// Opens the listeners with the sessions that peers may log on to.
void Engine::listen(const config::Configuration& configuration, config::Problems& problems) {
  for (const config::ServerSettings& named : configuration.servers) {
    const config::ServerSettings server = config::with_connection_limit(configuration, named);
    const std::vector<LogonTarget> targets = registrar_->targets_of(server.name);
    const auto endpoint = encryption_->server(server.name);
    const auto listen_once = [&] {
      return acceptor_ != nullptr ? acceptor_->listen(server, targets, endpoint, kept_.get())
                                  : workers_.front()->listen(server, targets, endpoint);
    };
    auto address = listen_once();
    for (int attempts = 1; !address && address.error().code == base::ErrorCode::AlreadyExists &&
                           attempts != listen_attempts;
         ++attempts) {
      static_cast<void>(::nanosleep(&between_listen_attempts, nullptr));
      address = listen_once();
    }
    if (!address) {
      problems.push_back(std::move(address.error()));
      continue;
    }
    listening_addresses_.push_back(*address);
  }
  registrar_->post_templates();
}

net::ReactorOptions Engine::reactor_options(const config::Configuration& configuration) {
  return config::reactor_options(configuration);
}

void Engine::abandon() noexcept {
  abandoned_ = true;
  for (const auto& worker : workers_) {
    worker->abandon();
  }
}

// --- Driving ---

bool Engine::poll(std::int64_t wait_until_ns) noexcept {
  bool did = failover_ != nullptr && failover_->poll(wait_until_ns);
  if (abandoned_) {
    return did;
  }
  if (workers_.size() == 1 && callback_threads_.empty()) {
    did = workers_.front()->poll(did ? 0 : wait_until_ns) || did;
    return (failover_ != nullptr && failover_->take_wake()) || did;
  }
  did = (acceptor_ != nullptr && acceptor_->poll(0)) || did;
  for (const auto& worker : workers_) {
    did = worker->poll(0) || did;
  }
  did = poll_all_callbacks() || did;
  if (!did && wait_until_ns != 0) {
    Worker& first = *workers_.front();
    did = first.poll(std::min(wait_until_ns, first.steady_ns() + shared_wait_ns));
  }
  return did;
}

std::expected<int, base::Error> Engine::descriptor() {
  if (workers_.size() != 1 || !callback_threads_.empty() || failover_ != nullptr) {
    return std::unexpected(base::Error{
        base::ErrorCode::Unsupported,
        "one loop cannot drive several workers, callback threads or a node of a cluster",
        "descriptor", "E134"});
  }
  return workers_.front()->descriptor();
}

bool Engine::poll_all_callbacks() noexcept {
  bool did = false;
  for (const auto& thread : callback_threads_) {
    did = thread->poll(0) || did;
  }
  return did;
}

std::size_t Engine::callback_thread_count() const noexcept {
  return callback_threads_.size();
}

bool Engine::poll_callbacks(std::size_t thread, std::int64_t wait_until_ns) noexcept {
  AFFIX_ASSERT(thread < callback_threads_.size());
  return callback_threads_[thread]->poll(wait_until_ns);
}

std::size_t Engine::worker_count() const noexcept {
  return workers_.size();
}

WorkerHandle Engine::worker(std::size_t number) const noexcept {
  AFFIX_ASSERT(number < workers_.size());
  return WorkerHandle(workers_[number].get());
}

bool Engine::accepts_apart() const noexcept {
  return acceptor_ != nullptr;
}

bool Engine::poll_acceptor(std::int64_t wait_until_ns) noexcept {
  AFFIX_ASSERT(acceptor_ != nullptr);
  return acceptor_->poll(wait_until_ns);
}

void Engine::finish_acceptor() noexcept {
  if (acceptor_ != nullptr) {
    acceptor_->finish();
  }
}

bool Engine::prepare_journals() noexcept {
  bool did = false;
  for (const auto& worker : workers_) {
    did = worker->journals().prepare() || did;
  }
  did = registrar_->tend() || did;
  return flush_journals() || did;
}

std::vector<std::shared_ptr<config::ClientAddresses>> Engine::client_addresses() const {
  return registrar_->client_addresses();
}

bool Engine::look_up_names() {
  bool did = false;
  for (const auto& group : client_addresses()) {
    did = group->look_up() || did;
  }
  return did;
}

bool Engine::flush_journals() noexcept {
  bool did = false;
  for (const auto& worker : workers_) {
    did = worker->journals().flush() || did;
  }
  return did;
}

void Engine::wake() noexcept {
  for (const auto& worker : workers_) {
    worker->waker().wake();
  }
}

std::expected<CrossThreadSender, base::Error> Engine::open_cross_thread_sender(
    const CrossThreadSenderOptions& options) {
  constexpr std::size_t bytes_max = std::size_t{1} << 30;
  if (options.message_bytes == 0 || options.message_bytes > bytes_max / 16 ||
      options.ring_bytes > bytes_max) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "message_bytes must be 1 to 67108864, ring_bytes at most "
                                       "1073741824",
                                       "open_cross_thread_sender", "E104"});
  }
  std::optional<CrossThreadSender> sender = senders_->open(options);
  if (!sender) {
    return std::unexpected(base::Error{
        base::ErrorCode::Limit, std::to_string(cross_thread_senders_max) + " senders are there",
        "open_cross_thread_sender", "E104"});
  }
  return std::move(*sender);
}

bool Engine::finish(std::string_view text, std::int64_t deadline_ns) noexcept {
  finish_acceptor();
  for (const auto& worker : workers_) {
    worker->finish(text);
  }
  const auto all_down = [this] {
    return std::all_of(workers_.begin(), workers_.end(),
                       [](const auto& worker) { return worker->all_down(); });
  };
  while (!all_down()) {
    if (workers_.front()->steady_ns() >= deadline_ns) {
      return false;
    }
    poll(deadline_ns);
    prepare_journals();
  }
  while (poll_all_callbacks()) {
    for (const auto& worker : workers_) {
      worker->take_late_reported();
    }
  }
  for (const auto& worker : workers_) {
    worker->take_last_reported();
  }
  return true;
}

// --- Failover ---

std::vector<FailoverStanding> Engine::failover_standings() const {
  return failover_ != nullptr ? failover_->standings() : std::vector<FailoverStanding>();
}

std::expected<replication::WishAnswer, base::Error> Engine::promote(std::string_view group,
                                                                    replication::Loss loss) {
  if (failover_ == nullptr) {
    return std::unexpected(not_in_cluster());
  }
  return failover_->promote(group, loss);
}

std::expected<replication::WishAnswer, base::Error> Engine::hand_over(std::string_view group,
                                                                      std::string_view node) {
  if (failover_ == nullptr) {
    return std::unexpected(not_in_cluster());
  }
  return failover_->hand_over(group, node);
}

// --- TLS ---

std::expected<void, config::Problems> Engine::reload_tls() {
  config::Problems problems = encryption_->reload();
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return {};
}

// --- Changing sessions ---

std::expected<Change, config::Problems> Engine::add_sessions(
    std::vector<config::SessionSettings> sessions) {
  return registrar_->add(std::move(sessions));
}

std::expected<Change, config::Problems> Engine::remove_session(std::string_view name,
                                                               std::string_view text,
                                                               std::int64_t timeout_ns) {
  return registrar_->remove(name, text, timeout_ns);
}

std::expected<Change, config::Problems> Engine::disable_session(std::string_view name,
                                                                std::string_view why,
                                                                std::string_view by) {
  return registrar_->set_enabled(name, false, why, by);
}

std::expected<Change, config::Problems> Engine::enable_session(std::string_view name) {
  return registrar_->set_enabled(name, true, {}, {});
}

std::expected<Change, config::Problems> Engine::reload(const config::Configuration& wanted) {
  if (config::leaves_owner_open(wanted)) {
    config::Configuration owned = wanted;
    config::name_owners(owned);
    return reload(owned);
  }
  if (config::Problems problems = config::problems_of(config::check_configuration(wanted));
      !problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return registrar_->reload(wanted);
}

config::Configuration Engine::configuration() const {
  return registrar_->configuration();
}

std::vector<config::SessionSettings> Engine::sessions_made() const {
  return registrar_->sessions_made();
}

void Engine::set_sending_stopped(const SendingScope& scope, bool stopped) {
  holds_->set(scope, stopped);
}

bool Engine::sending_stopped(const SendingScope& scope) const {
  return holds_->is_stopped(scope);
}

// --- Looking up ---

std::vector<host::SessionHandle> Engine::sessions() const {
  return registrar_->sessions();
}

host::SessionHandle Engine::session(std::string_view name) const {
  return registrar_->session(name);
}

const std::string& Engine::counters_path() const noexcept {
  return counters_->path();
}

const std::vector<net::Address>& Engine::listening_addresses() const noexcept {
  return listening_addresses_;
}

}  // namespace affix::inline v0::engine
