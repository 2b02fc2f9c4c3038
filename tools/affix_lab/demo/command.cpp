// SPDX-License-Identifier: MIT
// Runs the demonstration's steps, and ends everything that it started, whatever happens.
#include "demo/command.hpp"

#include "affix/engine/engine.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/stop_signals.hpp"

#include "demo/configurations.hpp"
#include "demo/exchange_process.hpp"
#include "demo/failover.hpp"
#include "demo/trading.hpp"
#include "log/show_log.hpp"
#include "trade/client.hpp"
#include "trade/progress.hpp"

#include <cstdio>
#include <memory>

namespace affix::inline v0::tools::demo {

namespace {

/// A day.
constexpr double seconds_max = 86'400;

struct CommandOptions {
  std::string directory = "affix-demo";
  double duration_seconds = 15;
  std::int64_t rate = 500;
  bool failover = false;
  double kill_after_seconds = FailoverOptions{}.kill_after_seconds;
  double return_after_seconds = FailoverOptions{}.return_after_seconds;
};

int fail(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  return 1;
}

void show_records(const std::string& directory, const std::string& order) {
  const std::string program = reader_path();
  std::printf(
      "\njournals    %s/exchange and %s/traders hold every message of both sides; read them with\n"
      "            %s log %s/traders\n"
      "            %s log --order CLORDID --fields %s\n"
      "logs        %s/exchange.log, %s/traders.log\n",
      directory.c_str(), directory.c_str(), program.c_str(), directory.c_str(), program.c_str(),
      directory.c_str(), directory.c_str(), directory.c_str());
  if (order.empty()) {
    return;
  }
  std::printf("\nThe life of order %s, as its trader's journal has it:\n\n", order.c_str());
  std::fflush(stdout);
  log::LogOptions life;
  life.paths = {directory + "/traders"};
  life.order = order;
  life.print.style = log::Style::Fields;
  static_cast<void>(log::show_log(life, stdout));
}

int trade_and_report(const CommandOptions& options, Exchange& exchange) {
  const auto path = write_configuration(options.directory, "traders.ini",
                                        traders_configuration(options.directory, exchange.port));
  if (!path) {
    return fail(path.error().text());
  }
  const auto configuration = affix::config::load_configuration(*path);
  if (!configuration) {
    return fail(affix::config::text_of(configuration.error()));
  }
  auto log = service::EventLog::open(configuration->engine);
  if (!log) {
    return fail(log.error().text());
  }
  trade::ClientOptions flow = flow_of(options.duration_seconds, options.rate);
  flow.market_data = true;
  trade::Client client(std::move(flow), *log);
  auto engine = engine::Engine::open(*configuration, client);
  if (!engine) {
    return fail(affix::config::text_of(engine.error()));
  }
  std::printf(
      "four traders, FIX.4.4, FIX.4.2 and FIXT.1.1, %g seconds at %lld requests a second each\n\n",
      options.duration_seconds, static_cast<long long>(options.rate));
  std::fflush(stdout);
  trade::Progress progress(stdout);
  std::expected<void, base::Error> result;
  bool stopped = false;
  {
    const service::StopSignals signals(**engine, service::Hangup::Stop);
    result = client.run(
        **engine, [] { return service::StopSignals::requested(); },
        [&] { progress.show(client.state(), client.round_trips()); });
    stopped = service::StopSignals::requested();
  }
  progress.finish();
  const auto [exchange_status, exchange_output] = exchange.process.stop(stop_timeout_ns);
  if (!result) {
    return fail(result.error().text());
  }
  const trade::ClientState state = client.state();
  std::printf("\n%s", stopped ? "stopped: everyone is logged out\n\n" : "");
  trade::print_summary(state, client.round_trips(), stdout);
  std::printf("exchange    %s", exchange_output.c_str());
  show_records(options.directory, client.example_order());
  if (!exchange_status || *exchange_status != 0) {
    return fail("the exchange did not end in order; see " + options.directory +
                "/exchange.log [L108]");
  }
  if (state.totals.faulty_reports() != 0 || (!stopped && state.totals.outstanding != 0)) {
    return fail("orders and reports disagree [L108]");
  }
  const bool followed = state.market_data.faulty() == 0 && state.market_data.rejects == 0;
  return followed ? 0 : fail("books and market data disagree [L108]");
}

int run(const CommandOptions& options) {
  if (const auto made = make_empty(options.directory, {"exchange", "traders"}); !made) {
    return fail(made.error().text());
  }
  auto exchange = start_exchange(options.directory);
  if (!exchange) {
    return fail(exchange.error().text());
  }
  std::printf("exchange    listens on 127.0.0.1:%s\n", exchange->port.c_str());
  return trade_and_report(options, *exchange);
}

int run_with_failover(const CommandOptions& options) {
  if (options.kill_after_seconds + options.return_after_seconds > options.duration_seconds) {
    return fail("--kill-after and --return-after together are at most --duration [L109]");
  }
  return run_failover({.directory = options.directory,
                       .duration_seconds = options.duration_seconds,
                       .rate = options.rate,
                       .kill_after_seconds = options.kill_after_seconds,
                       .return_after_seconds = options.return_after_seconds});
}

}  // namespace

void add_command(Command program) {
  auto options = std::make_shared<CommandOptions>();
  Command command = program.add_command(
      "demo", "Watch an exchange and four traders trade over FIX on this machine");
  command
      .add_option("--directory", options->directory,
                  "Where configurations, journals and logs go; its journals are replaced")
      .with_default();
  command.add_option("--duration", options->duration_seconds, "Seconds to trade").with_default();
  command.add_option("--rate", options->rate, "Requests a second and trader").with_default();
  const Option failover = command.add_flag(
      "--failover", options->failover,
      "Trade through two nodes, of which the one that leads is killed; compare everyone's records");
  command
      .add_option("--kill-after", options->kill_after_seconds,
                  "With --failover: seconds until the node is killed")
      .needs(failover)
      .between_decimals(0, seconds_max)
      .with_default();
  command
      .add_option("--return-after", options->return_after_seconds,
                  "With --failover: seconds after the kill until it is started again")
      .needs(failover)
      .between_decimals(0, seconds_max)
      .with_default();
  command.on_run(
      [options] { return options->failover ? run_with_failover(*options) : run(*options); });
}

}  // namespace affix::inline v0::tools::demo
