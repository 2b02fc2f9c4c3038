// SPDX-License-Identifier: MIT
// Options, configuration, and the loop of the exchange.
#include "exchange/command.hpp"

#include "affix/engine/checked_configuration.hpp"
#include "affix/engine/engine.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/pid_file.hpp"
#include "affix/service/stop_signals.hpp"

#include "exchange/faults/fault_source.hpp"
#include "exchange/faults/faulty_reactor.hpp"
#include "exchange/gateway.hpp"
#include "process/announcement.hpp"
#include "process/configuration_checks.hpp"
#include "process/configuration_option.hpp"
#include "process/run_prefix.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>

namespace affix::inline v0::tools::exchange {

namespace {

struct CommandOptions {
  std::string configuration;
  std::string book;
  GatewayOptions gateway;
  std::string faults;
  bool cancel_on_disconnect = false;
};

/// Session groups, including templates.
std::vector<affix::config::SessionSettings*> groups_of(
    affix::config::Configuration& configuration) {
  std::vector<affix::config::SessionSettings*> groups;
  for (auto* const list : {&configuration.sessions, &configuration.templates}) {
    for (affix::config::SessionSettings& session : *list) {
      groups.push_back(&session);
    }
  }
  return groups;
}

bool cancels_when_lost(const affix::config::SessionSettings& session) {
  return session.cancel_on_disconnect == affix::config::CancelOnDisconnect::Disconnect ||
         session.cancel_on_disconnect == affix::config::CancelOnDisconnect::Both;
}

/// Safety that the exchange's own records need to match the sessions' journals.
CommandSafety safety_for(const std::vector<affix::config::SessionSettings*>& groups) {
  CommandSafety safety = CommandSafety::Process;
  for (const affix::config::SessionSettings* const session : groups) {
    if (session->durability == journal::Durability::Sync) {
      return CommandSafety::OnFlush;
    }
    safety = session->durability == journal::Durability::Group ? CommandSafety::Soon : safety;
  }
  return safety;
}

/// Continues with the book of the last run, unless no session stores anything.
std::expected<void, base::Error> begin(Gateway& gateway, const CommandOptions& options,
                                       const std::vector<affix::config::SessionSettings*>& groups,
                                       const std::vector<host::SessionHandle>& sessions) {
  const auto kept =
      std::find_if(groups.begin(), groups.end(), [](const affix::config::SessionSettings* session) {
        return session->durability != journal::Durability::Memory;
      });
  // A faulty exchange's state is not one to go on with.
  if (kept == groups.end() || !options.faults.empty()) {
    gateway.begin();
    return {};
  }
  std::string directory = options.book;
  if (directory.empty()) {
    directory = (*kept)->journal_path + "/exchange-book";
  }
  auto file = CommandFile::open(std::move(directory), safety_for(groups));
  if (!file) {
    return std::unexpected(std::move(file.error()));
  }
  return gateway.recover(std::move(*file), sessions);
}

/// Determines the sessions whose orders are cancelled when the exchange was killed.
void note_cancels(const affix::config::Configuration& configuration, GatewayOptions& options) {
  for (const affix::config::SessionSettings& session : configuration.sessions) {
    if (cancels_when_lost(session)) {
      options.cancel_when_lost.insert(session.name);
    }
  }
  const auto& templates = configuration.templates;
  if (!templates.empty()) {
    options.absent_orders = std::any_of(templates.begin(), templates.end(), &cancels_when_lost)
                                ? AbsentOrders::KeepUnlessLost
                                : AbsentOrders::Keep;
  }
}

/// Null: the system's.
std::expected<std::unique_ptr<net::Reactor>, base::Error> make_transport(
    const affix::config::Configuration& configuration, FaultSource* faults) {
  if (faults == nullptr) {
    return nullptr;
  }
  auto sockets = net::make_reactor("epoll", engine::Engine::reactor_options(configuration));
  if (!sockets) {
    return std::unexpected(std::move(sockets.error()));
  }
  return make_faulty_reactor(std::move(*sockets), faults->rules());
}

int fail(const base::Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 2;
}

int run(CommandOptions options) {
  auto checked = engine::load_checked_configuration(options.configuration, &check_for_exchange);
  if (!checked) {
    std::fputs(affix::config::text_of(checked.error()).c_str(), stderr);
    return 2;
  }
  affix::config::Configuration* const configuration = &checked->configuration;
  if (options.cancel_on_disconnect) {
    for (affix::config::SessionSettings* const session : groups_of(*configuration)) {
      // The session's own setting takes precedence.
      if (session->cancel_on_disconnect == affix::config::CancelOnDisconnect::Off) {
        session->cancel_on_disconnect = affix::config::CancelOnDisconnect::Both;
      }
    }
  }
  const auto pid_file = service::PidFile::open(configuration->engine.pid_file);
  if (!pid_file) {
    return fail(pid_file.error());
  }
  auto log = service::EventLog::open(configuration->engine);
  if (!log) {
    return fail(log.error());
  }
  options.gateway.id_prefix = run_prefix();
  note_cancels(*configuration, options.gateway);
  FaultSource faults(options.faults);
  if (!options.faults.empty()) {
    if (const auto read = faults.read(); !read) {
      std::fputs(read.error().c_str(), stderr);
      return 2;
    }
    options.gateway.faults = &faults;
  }
  Gateway gateway(std::move(options.gateway), *log);
  auto reactor = make_transport(*configuration, options.faults.empty() ? nullptr : &faults);
  if (!reactor) {
    return fail(reactor.error());
  }
  auto engine = engine::Engine::open(*configuration, gateway, std::move(*reactor));
  if (!engine) {
    std::fputs(affix::config::text_of(engine.error()).c_str(), stderr);
    return 2;
  }
  if (const auto begun = begin(gateway, options, groups_of(*configuration), (*engine)->sessions());
      !begun) {
    return fail(begun.error());
  }
  // Before the start is announced, as other processes might then end it.
  std::optional<service::StopSignals> signals(
      std::in_place, **engine,
      configuration->engine.ignore_sighup ? service::Hangup::Ignore : service::Hangup::Stop);
  announce_listeners(**engine);
  service::FileReload file_reload(options.configuration, **engine);
  FaultReload reload(file_reload, options.faults.empty() ? nullptr : &faults, **engine);
  const auto port = service::AdminPort::open(configuration->engine, **engine, *log, reload);
  if (!port) {
    return fail(port.error());
  }
  announce_administration((*port)->address());
  std::fflush(stdout);
  (*engine)->run();
  signals.reset();
  const EngineCounters& done = gateway.matching().counters();
  std::printf("%" PRIu64 " orders accepted, %" PRIu64 " rejected, %" PRIu64 " trades, %" PRIu64
              " canceled, %" PRIu64 " replaced, %" PRIu64 " changes refused, %zu open\n",
              done.accepted, done.rejected, done.trades, done.canceled, done.replaced,
              done.cancel_rejects, gateway.matching().open_orders());
  const MarketDataCounters& reported = gateway.market_data().counters();
  if (reported.subscriptions + reported.refused != 0) {
    std::printf("market data: %" PRIu64 " requests taken, %" PRIu64 " refused, %" PRIu64
                " snapshots, %" PRIu64 " increments, %" PRIu64 " entries\n",
                reported.subscriptions, reported.refused, reported.snapshots, reported.increments,
                reported.entries);
  }
  return 0;
}

}  // namespace

void add_command(Command program) {
  auto options = std::make_shared<CommandOptions>();
  Command command = program.add_command(
      "exchange", "Run an exchange: a price-time priority book per symbol behind FIX sessions");
  add_configuration_option(command, options->configuration,
                           "INI file with a server and its sessions");
  command
      .add_option("--symbol", options->gateway.symbols,
                  "A symbol to trade; repeat it. Without any, every symbol asked for is traded")
      .one_value();
  command.add_option(
      "--book", options->book,
      "Directory of the exchange's own records, from which book and reports go on after a restart "
      "(the first session's journal_path/exchange-book)");
  command
      .add_option("--book-bytes", options->gateway.book_bytes,
                  "Size from which these records are begun anew, with the present state alone")
      .with_default();
  command.add_action(
      "--drop-copy",
      [options](const std::vector<std::string>& names) {
        options->gateway.drop_copies.insert(names.begin(), names.end());
      },
      "A session, by its group's name, that gets a copy of each report of every member; repeat it");
  command.add_option("--faults", options->faults,
                     "File of faults that the exchange commits; the administration port's reload "
                     "reads it again. The book is empty at the start");
  command.add_flag("--cancel-on-disconnect", options->cancel_on_disconnect,
                   "Cancel a member's open orders whenever its session ends, where the file does "
                   "not say cancel_on_disconnect");
  command
      .add_option("--market-data-depth", options->gateway.market_data.depth_max,
                  "Price levels a side that a market data request may ask for")
      .between(1, MarketDataLimits{}.depth_max)
      .with_default();
  command
      .add_option("--market-data-subscriptions", options->gateway.market_data.subscriptions_max,
                  "Market data subscriptions a member may have at a time; 0 = none")
      .with_default();
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::exchange
