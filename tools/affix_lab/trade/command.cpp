// SPDX-License-Identifier: MIT
// Options, configuration, and the run of the trade client.
#include "trade/command.hpp"

#include "affix/engine/checked_configuration.hpp"
#include "affix/engine/engine.hpp"
#include "affix/service/admin_port.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/pid_file.hpp"
#include "affix/service/stop_signals.hpp"

#include "process/announcement.hpp"
#include "process/configuration_checks.hpp"
#include "process/configuration_option.hpp"
#include "process/run_prefix.hpp"
#include "trade/client.hpp"
#include "trade/flow/order_file.hpp"
#include "trade/progress.hpp"

#include <cstdio>
#include <memory>

namespace affix::inline v0::tools::trade {

namespace {

struct CommandOptions {
  std::string configuration;
  std::string orders;
  std::vector<std::string> symbols{"AAPL", "MSFT", "NOKIA.HE"};
  std::int64_t rate = 1'000;
  double duration_seconds = 10;
  std::uint64_t count = 0;
  std::uint64_t seed = 1;
  std::string prefix = run_prefix();
  bool market_data = false;
  bool json = false;
  std::int64_t market_data_depth = ClientOptions{}.market_data_depth;
};

std::expected<ClientOptions, int> client_options(const CommandOptions& options) {
  ClientOptions client;
  client.duration_ns = static_cast<std::int64_t>(options.duration_seconds *
                                                 static_cast<double>(base::ns_per_second));
  client.market_data = options.market_data;
  client.market_data_depth = options.market_data_depth;
  client.flow.seed = options.seed;
  client.flow.cl_ord_id_prefix = options.prefix;
  client.flow.rate_per_second = options.rate;
  client.flow.request_count = options.count;
  for (const std::string& symbol : options.symbols) {
    client.flow.symbols.push_back({.symbol = symbol});
  }
  if (options.orders.empty()) {
    return client;
  }
  auto orders = load_orders(options.orders, options.prefix);
  if (!orders) {
    for (const FileProblem& problem : orders.error()) {
      std::fprintf(stderr, "%s:%s [P108]\n", options.orders.c_str(), problem.text().c_str());
    }
    return std::unexpected(2);
  }
  client.orders = std::move(*orders);
  return client;
}

int fail(const base::Error& error) {
  std::fprintf(stderr, "%s\n", error.text().c_str());
  return 2;
}

int run(const CommandOptions& options) {
  const auto checked = engine::load_checked_configuration(options.configuration, &check_for_trade);
  if (!checked) {
    std::fputs(affix::config::text_of(checked.error()).c_str(), stderr);
    return 2;
  }
  const affix::config::Configuration* const configuration = &checked->configuration;
  auto client_settings = client_options(options);
  if (!client_settings) {
    return client_settings.error();
  }
  const auto pid_file = service::PidFile::open(configuration->engine.pid_file);
  if (!pid_file) {
    return fail(pid_file.error());
  }
  auto log = service::EventLog::open(configuration->engine);
  if (!log) {
    return fail(log.error());
  }
  Client client(std::move(*client_settings), *log);
  auto engine = engine::Engine::open(*configuration, client);
  if (!engine) {
    std::fputs(affix::config::text_of(engine.error()).c_str(), stderr);
    return 2;
  }
  const service::StopSignals signals(**engine, configuration->engine.ignore_sighup
                                                   ? service::Hangup::Ignore
                                                   : service::Hangup::Stop);
  service::FileReload reload(options.configuration, **engine);
  const auto port = service::AdminPort::open(configuration->engine, **engine, *log, reload);
  if (!port) {
    return fail(port.error());
  }
  if (!options.json) {
    announce_administration((*port)->address());
  }
  Progress progress(stdout);
  const auto result = client.run(
      **engine, [] { return service::StopSignals::requested(); },
      [&] {
        if (!options.json) {
          progress.show(client.state(), client.round_trips());
        }
      });
  progress.finish();
  if (!result) {
    return fail(result.error());
  }
  const ClientState state = client.state();
  if (options.json) {
    std::fputs(summary_json(state, client.round_trips()).c_str(), stdout);
  } else {
    print_summary(state, client.round_trips(), stdout);
  }
  return state.sound() ? 0 : 1;
}

}  // namespace

void add_command(Command program) {
  auto options = std::make_shared<CommandOptions>();
  Command command = program.add_command(
      "trade", "Trade over the sessions of a configuration: orders of a file, or a made-up flow");
  add_configuration_option(command, options->configuration,
                           "INI file with a client and its sessions");
  command.add_option("--orders", options->orders,
                     "CSV file of orders, dealt out to the sessions in turn");
  command.add_option("--rate", options->rate, "Requests a second and session").with_default();
  command.add_option("--duration", options->duration_seconds, "Seconds to trade").with_default();
  command
      .add_option("--count", options->count, "Requests a session; 0 = as many as the time allows")
      .with_default();
  command.add_option("--symbol", options->symbols, "Symbols to trade; repeat it")
      .one_value()
      .with_default();
  command.add_option("--seed", options->seed, "The same seed makes the same flow").with_default();
  command.add_option("--prefix", options->prefix,
                     "Begins every ClOrdID that is made up; by default another one for every run");
  command.add_flag("--market-data", options->market_data,
                   "Subscribe to the books of the symbols, follow and check them");
  command
      .add_option("--market-data-depth", options->market_data_depth,
                  "Price levels a side to subscribe to; 0 = all that there are")
      .not_negative()
      .with_default();
  command.add_flag("--json", options->json,
                   "The summary as one JSON object, and nothing before it");
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::trade
