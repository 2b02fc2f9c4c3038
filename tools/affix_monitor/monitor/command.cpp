// SPDX-License-Identifier: MIT
// Options, threads and shutdown.
#include "monitor/command.hpp"

#include "affix/base/time.hpp"
#include "affix/base/version.hpp"
#include "affix/os/clock.hpp"
#include "affix/service/service_notice.hpp"
#include "affix/service/stop_signals.hpp"

#include "monitor/admin_place.hpp"
#include "monitor/alert_command.hpp"
#include "monitor/engine_watch.hpp"
#include "monitor/http_server.hpp"
#include "monitor/journal_patrol.hpp"
#include "monitor/monitor.hpp"
#include "monitor/watched_engine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <expected>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <time.h>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr int failed_status = 1;
constexpr int configuration_status = 6;  ///< The same as for `affix serve`.

constexpr auto look_every = std::chrono::seconds(1);
constexpr auto patrol_every = std::chrono::seconds(10);
constexpr std::int64_t patrol_patience_ns = 50 * base::ns_per_ms;

struct Arguments {
  std::vector<std::string> configurations;
  std::string listen = "127.0.0.1:9444";
  std::vector<std::string> directories;
  std::string page;
  std::string tls_certificate;
  std::string tls_key;
  std::vector<std::string> hosts;
  bool operate = false;
  std::string alerts_directory;
  std::string audit_file;
  std::vector<std::string> admins;
  std::string alert_command;
  std::size_t history_sessions = 200;
  AlertLimits limits;
};

int fail(int status, const std::string& text) {
  std::fprintf(stderr, "affix-monitor: %s%s", text.c_str(), text.ends_with('\n') ? "" : "\n");
  return status;
}

/// A thread that repeats an action at an interval until it is destroyed.
class Every {
 public:
  template <typename Work>
  Every(std::chrono::milliseconds pause, Work work)
      : thread_([this, pause, work] {
          std::unique_lock lock(mutex_);
          while (!ending_) {
            lock.unlock();
            work();
            lock.lock();
            changed_.wait_for(lock, pause, [this] { return ending_; });
          }
        }) {}

  Every(const Every&) = delete;
  Every& operator=(const Every&) = delete;

  ~Every() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::thread thread_;  // Last member: it uses the others.
};

/// An engine's name, and its argument without the name.
struct NamedWord {
  std::string name;
  std::string word;
};

/// Parses `NAME=WORD`; the name may be missing. In a path with `=`, a `/` precedes it.
NamedWord named_word_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  return equals != std::string::npos && is_engine_name(std::string_view(text).substr(0, equals))
             ? NamedWord{text.substr(0, equals), text.substr(equals + 1)}
             : NamedWord{{}, text};
}

/// Read error, and the program's exit code for it.
struct Failure {
  int status = failed_status;
  std::string text{};
};

/// The service's state directory according to systemd; empty: none.
std::string state_directory() {
  const char* const given = std::getenv("STATE_DIRECTORY");
  return given == nullptr ? std::string() : std::string(given);
}

/// Reads the configurations, each from the directory in which its engine runs.
class EngineReader {
 public:
  EngineReader(const Arguments& arguments, std::atomic<std::uint64_t>& alert_ids)
      : arguments_(arguments), alert_ids_(alert_ids) {}

  [[nodiscard]] bool several() const noexcept { return arguments_.configurations.size() > 1; }

  /// Reads the configuration of that number; adds its tokens to `access`.
  [[nodiscard]] std::expected<std::unique_ptr<WatchedEngine>, Failure> read(
      std::size_t number, const net::Address& listen, EngineAccess& access) const {
    const NamedWord given = named_word_of(arguments_.configurations[number]);
    auto made = std::make_unique<WatchedEngine>();
    made->name =
        given.name.empty() ? std::filesystem::path(given.word).stem().string() : given.name;
    made->configuration = given.word;
    if (several() && !is_engine_name(made->name)) {
      return std::unexpected(
          Failure{.text = "'" + made->name +
                          "' is not a name for an engine: NAME=CONFIG gives it one, of "
                          "letters, digits, '-', '_' and '.' [M127]"});
    }
    const auto base = enter(number);
    if (!base) {
      return std::unexpected(Failure{.text = base.error().text()});
    }
    const auto configuration = affix::config::load_configuration(given.word);
    if (!configuration) {
      return std::unexpected(
          Failure{configuration_status, affix::config::text_of(configuration.error())});
    }
    auto roster = Roster::of(*configuration, *base);
    if (!roster) {
      return std::unexpected(Failure{configuration_status, affix::config::text_of(roster.error())});
    }
    made->roster = std::move(*roster);
    made->counters_file = made->roster.resolve(configuration->engine.counters_file);
    if (const auto ready = read_access(*made, configuration->engine, listen, access); !ready) {
      return std::unexpected(Failure{configuration_status, ready.error().text()});
    }
    made->observer = std::make_unique<Observer>(made->roster, arguments_.limits,
                                                arguments_.history_sessions, alert_ids_);
    auto file = alert_file_of(*made);
    if (!file) {
      return std::unexpected(Failure{.text = file.error().text()});
    }
    made->alert_service = std::make_unique<AlertService>(
        *made->observer, std::move(*file), audit_trail_of(*made, configuration->engine));
    return made;
  }

  /// With several engines, paths in the other options are relative to no engine's directory.
  void leave() const {
    std::error_code ignored;
    if (several()) {
      std::filesystem::current_path(start_, ignored);
    }
  }

 private:
  /// Changes into the engine's directory, and returns the base for paths that are resolved later.
  [[nodiscard]] std::expected<std::string, base::Error> enter(std::size_t number) const {
    const std::vector<std::string>& all = arguments_.directories;
    const std::string wanted = all.empty() ? "." : all[all.size() == 1 ? 0 : number];
    std::error_code error;
    std::filesystem::current_path(start_ / wanted, error);
    if (error) {
      return std::unexpected(
          base::Error{base::ErrorCode::NotFound, "no such directory", wanted, "M101"});
    }
    return several() ? std::filesystem::current_path().string() : std::string();
  }

  [[nodiscard]] std::expected<void, base::Error> read_access(
      WatchedEngine& engine, const affix::config::ManagementSettings& settings,
      const net::Address& listen, EngineAccess& access) const {
    auto tokens = admin::Tokens::read(settings);
    if (!tokens) {
      return std::unexpected(tokens.error());
    }
    access.tokens = std::move(*tokens);
    access.reads_need_token =
        !listen.is_loopback() || settings.management_local_role == affix::config::LocalRole::None;
    if (access.reads_need_token && !access.tokens.any()) {
      return base::invalid_argument(
          "readers need a token here: set management_read_token or management_users_file in "
          "[ENGINE]",
          "M102");
    }
    if (arguments_.operate && !access.tokens.any_operates()) {
      return base::invalid_argument(
          "--operate needs management_operate_token or management_users_file in [ENGINE]", "M103");
    }
    const std::string address = admin_of(engine.name);
    if (auto admin = admin_place_of(settings, address)) {
      engine.admin = std::move(*admin);
    } else if (arguments_.operate || !address.empty()) {
      return std::unexpected(admin.error());
    }
    return {};
  }

  /// From `--admin`; empty: use the configuration.
  [[nodiscard]] std::string admin_of(const std::string& engine) const {
    for (const std::string& text : arguments_.admins) {
      const NamedWord given = named_word_of(text);
      if (given.name == engine || (given.name.empty() && !several())) {
        return given.word;
      }
    }
    return {};
  }

  /// The file of acknowledged and silenced alerts: a read-only monitor changes nothing, and needs
  /// none.
  [[nodiscard]] std::expected<AlertFile, base::Error> alert_file_of(
      const WatchedEngine& engine) const {
    std::filesystem::path directory =
        arguments_.alerts_directory.empty() ? "" : start_ / arguments_.alerts_directory;
    if (directory.empty()) {
      directory = state_directory();
    }
    if (directory.empty() && !engine.counters_file.empty()) {
      const auto beside = std::filesystem::path(engine.counters_file).parent_path();
      directory = beside.empty() ? "." : beside;
    }
    if (!arguments_.operate || directory.empty()) {
      return AlertFile();
    }
    return AlertFile::open((directory / (engine.name + ".alerts")).string());
  }

  [[nodiscard]] AuditTrail audit_trail_of(const WatchedEngine& engine,
                                          const affix::config::EngineSettings& settings) const {
    const std::string state = state_directory();
    return AuditTrail(!arguments_.audit_file.empty() ? (start_ / arguments_.audit_file).string()
                      : !state.empty()               ? state + "/audit.log"
                                                     : engine.roster.resolve(settings.audit_file));
  }

  const Arguments& arguments_;
  std::atomic<std::uint64_t>& alert_ids_;
  const std::filesystem::path start_ = std::filesystem::current_path();
};

/// Checks the names given to the engines.
std::expected<void, base::Error> check_names(const Arguments& arguments) {
  const std::size_t engines = arguments.configurations.size();
  if (arguments.directories.size() > 1 && arguments.directories.size() != engines) {
    return base::invalid_argument(
        "--directory is given once for all configurations, or once for each", "M127");
  }
  for (const std::string& text : arguments.admins) {
    if (engines > 1 && named_word_of(text).name.empty()) {
      return base::invalid_argument(
          "--admin is NAME=ADDRESS:PORT, for there are several engines: '" + text + "'", "M127");
    }
  }
  if (engines == 1 && arguments.admins.size() > 1) {
    return base::invalid_argument("--admin is given once for each engine", "M127");
  }
  return {};
}

std::expected<Fleet, Failure> fleet_of(const Arguments& arguments, const net::Address& listen,
                                       std::atomic<std::uint64_t>& alert_ids, AccessRules& rules) {
  if (const auto named = check_names(arguments); !named) {
    return std::unexpected(Failure{.text = named.error().text()});
  }
  const EngineReader reader(arguments, alert_ids);
  std::vector<std::unique_ptr<WatchedEngine>> engines;
  for (std::size_t number = 0; number < arguments.configurations.size(); ++number) {
    auto engine = reader.read(number, listen, rules.engines.emplace_back());
    if (!engine) {
      Failure failure = std::move(engine.error());
      failure.text =
          (reader.several() ? arguments.configurations[number] + ": " : "") + failure.text;
      return std::unexpected(std::move(failure));
    }
    const std::string& name = (*engine)->name;
    if (std::ranges::any_of(engines, [&](const auto& one) { return one->name == name; })) {
      return std::unexpected(Failure{.text = "two engines are called '" + name +
                                             "': NAME=CONFIG gives them other names [M127]"});
    }
    engines.push_back(std::move(*engine));
  }
  for (const std::string& text : arguments.admins) {
    const std::string name = named_word_of(text).name;
    const bool known =
        std::ranges::any_of(engines, [&](const auto& one) { return one->name == name; });
    if (!name.empty() && !known) {
      return std::unexpected(Failure{.text = "--admin: there is no engine '" + name + "' [M127]"});
    }
  }
  reader.leave();
  return Fleet(std::move(engines));
}

/// Watches one engine, on threads that wait for no other engine's files.
class EngineWatcher {
 public:
  EngineWatcher(WatchedEngine& engine, AlertCommand& program)
      : engine_(engine),
        program_(program),
        watch_(engine.counters_file),
        looking_(look_every, [this] { look(); }),
        patrolling_(patrol_every, [this] { patrol(); }) {}

  EngineWatcher(const EngineWatcher&) = delete;
  EngineWatcher& operator=(const EngineWatcher&) = delete;
  ~EngineWatcher() = default;

 private:
  void look() {
    EngineLook seen = watch_.look();
    engine_.observer->look(os::now().utc_ns, std::move(seen),
                           look_at_disks(engine_.roster.places()));
    program_.report(engine_.name, engine_.observer->take_news());
  }

  void patrol() {
    if (const auto snapshot = engine_.observer->snapshot()) {
      journals_.go_round(snapshot->sessions, patrol_patience_ns,
                         [this](const std::string& session, const std::string& damage) {
                           engine_.observer->set_damage(os::now().utc_ns, session, damage);
                         });
    }
    if (const auto tidied = engine_.alert_service->tidy(); !tidied) {
      std::fprintf(stderr, "affix-monitor: %s\n", tidied.error().text().c_str());
    }
  }

  WatchedEngine& engine_;
  AlertCommand& program_;
  EngineWatch watch_;
  JournalPatrol journals_;
  const Every looking_;  // Last member: it uses the others.
  const Every patrolling_;
};

/// Waits until every engine was looked at once, or one takes too long.
void wait_for_first_looks(const Fleet& fleet) {
  constexpr int tries_max = 200;
  for (int tries = 0; tries < tries_max; ++tries) {
    bool all = true;
    for (std::size_t number = 0; number < fleet.size(); ++number) {
      all = all && fleet[number].observer->snapshot() != nullptr;
    }
    if (all) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

std::expected<std::optional<TlsContext>, base::Error> tls_of(const Arguments& arguments) {
  if (arguments.tls_certificate.empty()) {
    return std::nullopt;
  }
  auto context = TlsContext::for_server(arguments.tls_certificate, arguments.tls_key);
  if (!context) {
    return std::unexpected(std::move(context.error()));
  }
  return std::optional(std::move(*context));
}

int run(const Arguments& arguments) {
  const auto address = net::Address::parse(arguments.listen);
  if (!address) {
    return fail(failed_status, address.error().text());
  }
  std::atomic<std::uint64_t> alert_ids{0};
  Monitor::Parts parts;
  parts.rules.hosts = arguments.hosts;
  parts.rules.operate = arguments.operate;
  const auto fleet = fleet_of(arguments, *address, alert_ids, parts.rules);
  if (!fleet) {
    return fail(fleet.error().status, fleet.error().text);
  }
  if (!address->is_loopback() && arguments.tls_certificate.empty()) {
    return fail(configuration_status, "other machines reach " + address->text() +
                                          ": that needs --tls-certificate and --tls-key [M102]");
  }
  const auto tls = tls_of(arguments);
  if (!tls) {
    return fail(failed_status, tls.error().text());
  }
  parts.page_directory = arguments.page;
  parts.facts = {.version = std::string(base::version),
                 .started_ns = os::now().utc_ns,
                 .interval_ms = std::chrono::milliseconds(look_every).count(),
                 .operate = arguments.operate};

  const service::ServiceNotice notice = service::ServiceNotice::from_environment();
  const service::StopSignals signals;
  AlertCommand program(arguments.alert_command);
  Monitor monitor(*fleet, std::move(parts));
  auto server = HttpServer::open(*address, *tls);
  if (!server) {
    return fail(failed_status, server.error().text());
  }
  std::deque<EngineWatcher> watchers;
  for (std::size_t number = 0; number < fleet->size(); ++number) {
    watchers.emplace_back((*fleet)[number], program);
  }
  wait_for_first_looks(*fleet);
  server->start({.refuse =
                     [&](const Request& request) {
                       return monitor.refuse_early(request, os::now().steady_ns);
                     },
                 .answer = [&](const Request& request) { return monitor.answer(request); }});
  std::printf("monitor on %s://%s\nready\n", *tls ? "https" : "http",
              server->address().text().c_str());
  std::fflush(stdout);
  notice.ready("monitor on " + server->address().text());
  while (!service::StopSignals::requested()) {
    // A signal ends the wait at once; one that came just before it, a little later.
    const timespec pause{0, 100'000'000};
    ::nanosleep(&pause, nullptr);
  }
  notice.stopping("ending");
  return 0;
}

}  // namespace

void add_options(Command command) {
  const auto arguments = std::make_shared<Arguments>();
  // Required, but not of `affix-monitor completion`.
  command.add_option(
      "CONFIG", arguments->configurations,
      "the configuration that an engine runs with; several, or NAME=CONFIG, for as many engines");
  command.add_option("--listen", arguments->listen,
                     "address and port; 127.0.0.1:9444 when not given, port 0 is any");
  command
      .add_option("--directory", arguments->directories,
                  "where the engine runs, from which relative paths in CONFIG lead; once for all, "
                  "or once for each CONFIG")
      .one_value();
  command.add_option("--page", arguments->page,
                     "a directory to serve the page from, in place of the one built in");
  const Option certificate =
      command.add_option("--tls-certificate", arguments->tls_certificate, "PEM file; then HTTPS");
  const Option key = command.add_option("--tls-key", arguments->tls_key, "PEM file of its key");
  certificate.needs(key);
  key.needs(certificate);
  command.add_option("--host", arguments->hosts,
                     "a name that the monitor may be called by; may be given several times");
  command.add_flag("--operate", arguments->operate,
                   "let holders of the operate token command the engine");
  command
      .add_option("--admin", arguments->admins,
                  "address and port of the administration port, when not as in CONFIG; of "
                  "several engines NAME=ADDRESS:PORT")
      .one_value();
  command.add_option("--alerts-directory", arguments->alerts_directory,
                     "where acknowledged and silenced alerts are kept");
  command.add_option("--audit-file", arguments->audit_file,
                     "audit trail of actions on alerts; audit_file of CONFIG when not given");
  command.add_option("--alert-command", arguments->alert_command,
                     "a program to run for each alert that is raised or cleared");
  command
      .add_option("--history-sessions", arguments->history_sessions,
                  "how many sessions have a history of their own")
      .between(0, 10'000);
  AlertLimits& limits = arguments->limits;
  constexpr std::int64_t seconds_max = 86'400;
  command
      .add_option("--alert-engine-down", limits.engine_down_seconds,
                  "seconds that the engine may be down")
      .between(0, seconds_max);
  command
      .add_option("--alert-session-down", limits.session_down_seconds,
                  "seconds that a session may be down within its schedule")
      .between(0, seconds_max);
  command
      .add_option("--alert-failover", limits.failover_seconds,
                  "seconds that a failover group may have no standby in sync, held output or a "
                  "silent election store")
      .between(0, seconds_max);
  command.add_option("--alert-rejects", limits.rejects, "Rejects in a minute")
      .between(1, 1'000'000);
  command.add_option("--alert-resends", limits.resends, "ResendRequests in a minute")
      .between(1, 1'000'000);
  command.add_option("--alert-disk", limits.disk_free_percent, "minimum free percent of a disk")
      .between_decimals(0.0, 100.0);
  command
      .add_option("--alert-quiet", limits.quiet_seconds,
                  "seconds that an alert of a gap or a sequence reset stays")
      .between(0, seconds_max);
  command.on_run([arguments] {
    if (arguments->configurations.empty()) {
      refuse_without("CONFIG");
    }
    return run(*arguments);
  });
}

}  // namespace affix::inline v0::tools::monitor
