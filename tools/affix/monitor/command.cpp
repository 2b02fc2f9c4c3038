// SPDX-License-Identifier: MIT
// Options, threads, the end.
#include "monitor/command.hpp"

#include "affix/base/time.hpp"
#include "affix/base/version.hpp"
#include "affix/net/clock.hpp"

#include "monitor/alert_command.hpp"
#include "monitor/engine_watch.hpp"
#include "monitor/http_server.hpp"
#include "monitor/journal_patrol.hpp"
#include "monitor/monitor.hpp"
#include "process/service_notice.hpp"
#include "process/stop_signals.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::monitor {

namespace {

constexpr int failed_status = 1;
constexpr int configuration_status = 6;  ///< As of `affix serve`.

constexpr auto look_every = std::chrono::seconds(1);
constexpr auto patrol_every = std::chrono::seconds(10);
constexpr std::int64_t patrol_patience_ns = 50 * base::ns_per_ms;

struct Wishes {
  std::string configuration;
  std::string listen = "127.0.0.1:9444";
  std::string directory;
  std::string page;
  std::string tls_certificate;
  std::string tls_key;
  std::vector<std::string> hosts;
  bool operate = false;
  std::string alerts_directory;
  std::string audit_file;
  std::string admin;
  std::string alert_command;
  std::size_t history_sessions = 200;
  AlertLimits limits;
};

int fail(int status, const std::string& text) {
  std::fprintf(stderr, "affix monitor: %s%s", text.c_str(), text.ends_with('\n') ? "" : "\n");
  return status;
}

/// A thread that does something every so often until it is destroyed.
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
  std::thread thread_;  // Last: it uses the others.
};

std::expected<AccessRules, std::string> rules_of(const Wishes& wishes, const net::Address& address,
                                                 const engine::ManagementSettings& settings) {
  AccessRules rules;
  auto tokens = admin::Tokens::read(settings);
  if (!tokens) {
    return std::unexpected(tokens.error().text());
  }
  rules.tokens = std::move(*tokens);
  rules.hosts = wishes.hosts;
  rules.operate = wishes.operate;
  rules.reads_need_token = !address.is_loopback() || settings.management_local_role == "NONE";
  if (!address.is_loopback() && wishes.tls_certificate.empty()) {
    return std::unexpected("other machines reach " + address.text() +
                           ": that needs --tls-certificate and --tls-key");
  }
  if (rules.reads_need_token && !rules.tokens.any()) {
    return std::unexpected(
        "who may read is to show a token: management_read_token or management_users_file of "
        "[ENGINE] says which");
  }
  return rules;
}

void look(EngineWatch& watch, Observer& observer, const Roster& roster, AlertCommand& program) {
  EngineLook seen = watch.look();
  observer.look(net::now().utc_ns, std::move(seen), look_at_disks(roster.places()));
  program.tell(observer.take_news());
}

/// Where systemd lets the service keep what it has to; empty: nowhere.
std::string state_directory() {
  const char* const given = std::getenv("STATE_DIRECTORY");
  return given == nullptr ? std::string() : std::string(given);
}

/// Of acknowledged and silenced alerts: who only looks changes nothing, and needs none.
std::expected<AlertFile, base::Error> alert_file_of(const Wishes& wishes, const std::string& name,
                                                    const engine::EngineSettings& settings) {
  std::filesystem::path directory = wishes.alerts_directory;
  if (directory.empty()) {
    directory = state_directory();
  }
  if (directory.empty() && !settings.counters_file.empty()) {
    const auto beside = std::filesystem::path(settings.counters_file).parent_path();
    directory = beside.empty() ? "." : beside;
  }
  if (!wishes.operate || directory.empty()) {
    return AlertFile();
  }
  return AlertFile::open((directory / (name + ".alerts")).string());
}

AuditTrail audit_trail_of(const Wishes& wishes, const engine::EngineSettings& settings) {
  const std::string state = state_directory();
  return AuditTrail(!wishes.audit_file.empty() ? wishes.audit_file
                    : !state.empty()           ? state + "/audit.log"
                                               : settings.audit_file);
}

void patrol(JournalPatrol& journals, Observer& observer) {
  const auto snapshot = observer.snapshot();
  if (snapshot == nullptr) {
    return;
  }
  for (const SessionView& session : snapshot->sessions) {
    if (!session.journal.empty()) {
      observer.set_damage(
          net::now().utc_ns, session.name,
          journals.look(session.journal, patrol_patience_ns).value_or(std::string()));
    }
  }
}

int run(const Wishes& wishes) {
  if (!wishes.directory.empty() && ::chdir(wishes.directory.c_str()) != 0) {
    return fail(failed_status, wishes.directory + ": no such directory");
  }
  const auto configuration = engine::load_configuration(wishes.configuration);
  if (!configuration) {
    return fail(configuration_status, engine::text_of(configuration.error()));
  }
  const auto roster = Roster::of(*configuration);
  if (!roster) {
    return fail(configuration_status, engine::text_of(roster.error()));
  }
  const auto address = net::Address::parse(wishes.listen);
  if (!address) {
    return fail(failed_status, address.error().text());
  }
  Monitor::Parts parts;
  auto rules = rules_of(wishes, *address, configuration->engine);
  if (!rules) {
    return fail(configuration_status, rules.error());
  }
  parts.rules = std::move(*rules);
  if (wishes.operate && !parts.rules.tokens.any_operates()) {
    return fail(configuration_status,
                "--operate needs management_operate_token or management_users_file in [ENGINE]");
  }
  if (auto admin = admin_place_of(configuration->engine, wishes.admin)) {
    parts.admin = std::move(*admin);
  } else if (wishes.operate || !wishes.admin.empty()) {
    return fail(configuration_status, admin.error());
  }
  std::optional<TlsContext> tls;
  if (!wishes.tls_certificate.empty()) {
    auto context = TlsContext::for_server(wishes.tls_certificate, wishes.tls_key);
    if (!context) {
      return fail(failed_status, context.error().text());
    }
    tls = std::move(*context);
  }
  parts.page_directory = wishes.page;
  parts.facts = {.version = std::string(base::version),
                 .name = std::filesystem::path(wishes.configuration).stem().string(),
                 .configuration = wishes.configuration,
                 .counters_file = configuration->engine.counters_file,
                 .started_ns = net::now().utc_ns,
                 .interval_ms = std::chrono::milliseconds(look_every).count(),
                 .operate = wishes.operate};

  const ServiceNotice notice = ServiceNotice::from_environment();
  const StopSignals signals;
  Observer observer(*roster, wishes.limits, wishes.history_sessions);
  EngineWatch watch(configuration->engine.counters_file);
  AlertCommand program(wishes.alert_command);
  auto alert_file = alert_file_of(wishes, parts.facts.name, configuration->engine);
  if (!alert_file) {
    return fail(failed_status, alert_file.error().text());
  }
  AlertDesk alert_desk(observer, std::move(*alert_file),
                       audit_trail_of(wishes, configuration->engine));
  look(watch, observer, *roster, program);
  JournalPatrol journals;
  Monitor monitor(*roster, observer, alert_desk, std::move(parts));
  auto server = HttpServer::open(*address, tls);
  if (!server) {
    return fail(failed_status, server.error().text());
  }
  const Every looking(look_every, [&] { look(watch, observer, *roster, program); });
  const Every patrolling(patrol_every, [&] {
    patrol(journals, observer);
    if (const auto tidied = alert_desk.tidy(); !tidied) {
      std::fprintf(stderr, "affix monitor: %s\n", tidied.error().text().c_str());
    }
  });
  server->start({.refuse =
                     [&](const Request& request) {
                       return monitor.refuse_early(request, net::now().steady_ns);
                     },
                 .answer = [&](const Request& request) { return monitor.answer(request); }});
  std::printf("monitor on %s://%s\nready\n", tls ? "https" : "http",
              server->address().text().c_str());
  std::fflush(stdout);
  notice.ready("monitor on " + server->address().text());
  while (!StopSignals::requested()) {
    // A signal ends the wait at once; one that came just before it, a little later.
    const timespec pause{0, 100'000'000};
    ::nanosleep(&pause, nullptr);
  }
  notice.stopping("ending");
  return 0;
}

}  // namespace

void add_command(CLI::App& program, int& status) {
  CLI::App* const command = program.add_subcommand(
      "monitor", "Serve a page, an interface and metrics about an engine that runs elsewhere");
  const auto wishes = std::make_shared<Wishes>();
  command
      ->add_option("CONFIG", wishes->configuration, "the configuration that the engine runs with")
      ->required();
  command->add_option("--listen", wishes->listen,
                      "address and port; 127.0.0.1:9444 when not given, port 0 is any");
  command->add_option("--directory", wishes->directory,
                      "where the engine runs, from which relative paths in CONFIG lead");
  command->add_option("--page", wishes->page,
                      "a directory to serve the page from, in place of the one built in");
  auto* const certificate =
      command->add_option("--tls-certificate", wishes->tls_certificate, "PEM file; then HTTPS");
  auto* const key = command->add_option("--tls-key", wishes->tls_key, "PEM file of its key");
  certificate->needs(key);
  key->needs(certificate);
  command->add_option("--host", wishes->hosts,
                      "a name that the monitor may be called by; may be given several times");
  command->add_flag("--operate", wishes->operate,
                    "let who shows the operate token command the engine");
  command->add_option("--admin", wishes->admin,
                      "address and port of the administration port, when not as in CONFIG");
  command->add_option("--alerts-directory", wishes->alerts_directory,
                      "where acknowledged and silenced alerts are kept");
  command->add_option("--audit-file", wishes->audit_file,
                      "who did what about alerts; audit_file of CONFIG when not given");
  command->add_option("--alert-command", wishes->alert_command,
                      "a program to run for each alert that is raised or cleared");
  command
      ->add_option("--history-sessions", wishes->history_sessions,
                   "how many sessions have a history of their own")
      ->check(CLI::Range(0, 10'000));
  AlertLimits& limits = wishes->limits;
  const CLI::Range seconds(0, 86'400);
  command
      ->add_option("--alert-engine-down", limits.engine_down_seconds,
                   "seconds that the engine may be down")
      ->check(seconds);
  command
      ->add_option("--alert-session-down", limits.session_down_seconds,
                   "seconds that a session may be down within its schedule")
      ->check(seconds);
  command->add_option("--alert-rejects", limits.rejects, "Rejects in a minute")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--alert-resends", limits.resends, "ResendRequests in a minute")
      ->check(CLI::Range(1, 1'000'000));
  command
      ->add_option("--alert-disk", limits.disk_free_percent,
                   "percent of a disk that are to be free")
      ->check(CLI::Range(0.0, 100.0));
  command
      ->add_option("--alert-quiet", limits.quiet_seconds,
                   "seconds that an alert of a gap or a sequence reset stays")
      ->check(seconds);
  command->callback([wishes, &status] { status = run(*wishes); });
}

}  // namespace affix::inline v0::tools::monitor
