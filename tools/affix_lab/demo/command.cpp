// SPDX-License-Identifier: MIT
// Runs the demonstration's steps, and ends everything that it started, whatever happens.
#include "demo/command.hpp"

#include "affix/engine/engine.hpp"
#include "affix/service/event_log.hpp"
#include "affix/service/stop_signals.hpp"

#include "demo/configurations.hpp"
#include "log/show_log.hpp"
#include "process/child_process.hpp"
#include "program/other_program.hpp"
#include "trade/client.hpp"
#include "trade/progress.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace affix::inline v0::tools::demo {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t start_timeout_ns = 10 * base::ns_per_second;
constexpr std::int64_t stop_timeout_ns = 15 * base::ns_per_second;
constexpr std::string_view listening = "listening on ";

struct CommandOptions {
  std::string directory = "affix-demo";
  double duration_seconds = 15;
  std::int64_t rate = 500;
};

int fail(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  return 1;
}

std::expected<std::string, base::Error> write_configuration(const std::string& directory,
                                                            const std::string& name,
                                                            const std::string& text) {
  const std::string path = directory + "/" + name;
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    return std::unexpected(base::make_system_error("write", errno, path));
  }
  return path;
}

/// The exchange in a process of its own, and its port.
struct Exchange {
  ChildProcess process;
  std::string port;
};

std::expected<Exchange, base::Error> start_exchange(const std::string& directory) {
  const auto path =
      write_configuration(directory, "exchange.ini", exchange_configuration(directory));
  if (!path) {
    return std::unexpected(path.error());
  }
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    return std::unexpected(base::make_system_error("readlink", error.value(), "/proc/self/exe"));
  }
  auto process = ChildProcess::start({self.string(), "exchange", "--config", *path});
  if (!process) {
    return std::unexpected(process.error());
  }
  const auto line = process->wait_line(start_timeout_ns);
  if (!line || !line->starts_with(listening)) {
    return std::unexpected(
        base::Error{base::ErrorCode::Io,
                    "the exchange did not start; see " + directory + "/exchange.log",
                    {},
                    "L108"});
  }
  const std::size_t colon = line->rfind(':');
  return Exchange{std::move(*process), line->substr(colon + 1)};
}

trade::ClientOptions client_options(const CommandOptions& options) {
  trade::ClientOptions client;
  client.duration_ns = static_cast<std::int64_t>(options.duration_seconds *
                                                 static_cast<double>(base::ns_per_second));
  client.flow.rate_per_second = options.rate;
  client.market_data = true;
  client.flow.symbols = {{.symbol = "AAPL"},
                         {.symbol = "MSFT", .mid = {400, 0}},
                         {.symbol = "NOKIA.HE", .mid = {450, -2}}};
  return client;
}

// A path of the program `affix` that the user can type, since a build tree is not in PATH.
std::string reader_path() {
  std::error_code error;
  const auto path = find_program("affix");
  const fs::path near = path ? fs::proximate(*path, error) : fs::path();
  return error || near.empty() ? "affix" : near.string();
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
  trade::Client client(client_options(options), *log);
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
  std::error_code error;
  // A run begins with empty books, so it needs empty journals too.
  for (const char* part : {"exchange", "traders"}) {
    fs::remove_all(fs::path(options.directory) / part, error);
  }
  fs::create_directories(options.directory, error);
  if (error) {
    return fail(base::make_system_error("mkdir", error.value(), options.directory).text());
  }
  auto exchange = start_exchange(options.directory);
  if (!exchange) {
    return fail(exchange.error().text());
  }
  std::printf("exchange    listens on 127.0.0.1:%s\n", exchange->port.c_str());
  return trade_and_report(options, *exchange);
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
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::demo
