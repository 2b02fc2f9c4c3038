// SPDX-License-Identifier: MIT
// Command line of the load generator.
#include "bench/load/command.hpp"

#include "affix/service/stop_signals.hpp"

#include "bench/load/load_report.hpp"
#include "bench/load/load_run.hpp"
#include "measure/distribution.hpp"
#include "process/run_prefix.hpp"

#include <cstdio>
#include <map>
#include <memory>

namespace affix::inline v0::tools::bench {

namespace {

struct LoadCommandOptions {
  LoadOptions load;
  std::string body;
  std::string precision;
  std::string json;
  std::string distribution;
  std::string answers;
  double silence_milliseconds = 150;
  std::string contender = "server";
  bool keep_numbers = false;
  bool block = false;
};

int fail_load(const base::Error& error) {
  std::fprintf(stderr, "affix-lab bench load: %s\n", error.text().c_str());
  return 2;
}

[[nodiscard]] std::expected<void, base::Error> complete(LoadCommandOptions& options) {
  LoadOptions& load = options.load;
  load.session.reset_numbers = !options.keep_numbers;
  load.silence_seconds = options.silence_milliseconds / 1e3;
  load.logs_answers = !options.answers.empty();
  if (load.messages == 0 && load.seconds == 0) {
    load.seconds = 10;
  }
  load.shape = standard_order(load.identity.begin_string);
  if (!options.body.empty()) {
    auto shape = order_of_text(options.body);
    if (!shape) {
      return std::unexpected(std::move(shape.error()));
    }
    load.shape = std::move(*shape);
  }
  // Differs in every run: an acceptor may remember the ClOrdIDs of the last one.
  load.shape.id_prefix = run_prefix();
  static const std::map<std::string, wire::TimePrecision> precisions{
      {"NONE", wire::TimePrecision::Seconds},
      {"MILLI", wire::TimePrecision::Millis},
      {"MICRO", wire::TimePrecision::Micros},
      {"NANO", wire::TimePrecision::Nanos}};
  const auto precision = precisions.find(options.precision);
  load.identity.precision = precision != precisions.end()
                                ? precision->second
                                : usual_precision(load.identity.begin_string);
  return {};
}

int run(LoadCommandOptions& options) {
  if (auto completed = complete(options); !completed) {
    return fail_load(completed.error());
  }
  const service::StopSignals signals;
  const auto result = run_load(options.load);
  if (!result) {
    return fail_load(result.error());
  }
  print_report(options.load, **result, stdout);
  if (!options.json.empty()) {
    const auto written =
        write_measurements(options.json, measurements_of(**result, options.contender));
    if (!written) {
      return fail_load(written.error());
    }
  }
  if (!options.distribution.empty()) {
    const Latencies& latencies = (*result)->calm.latencies;
    const auto written = write_distribution(
        options.distribution,
        {{"response_ns", &latencies.response}, {"service_ns", &latencies.service}});
    if (!written) {
      return fail_load(written.error());
    }
  }
  if (!options.answers.empty()) {
    if (auto written = (*result)->answers.write(options.answers); !written) {
      return fail_load(written.error());
    }
  }
  return (*result)->sound() ? 0 : 1;
}

void add_session_options(Command command, LoadCommandOptions& options) {
  LoadOptions& load = options.load;
  LoadIdentity& identity = load.identity;
  identity.sender_comp_id = "CLIENT{}";
  identity.target_comp_id = "SERVER";
  command.add_option("--sessions", load.sessions, "How many sessions").with_default();
  command.add_option("--first-session", load.first_session, "Number of the first one")
      .with_default();
  command.add_option("--begin-string", identity.begin_string, "BeginString (8)")
      .one_of({"FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4", "FIXT.1.1"})
      .with_default();
  command
      .add_option("--default-appl-ver-id", identity.default_appl_ver_id,
                  "DefaultApplVerID (1137) of FIXT.1.1 sessions")
      .with_default();
  command
      .add_option("--sender", identity.sender_comp_id, "SenderCompID; `{}` is the session's number")
      .with_default();
  command.add_option("--target-comp-id", identity.target_comp_id, "TargetCompID, with `{}` too")
      .with_default();
  command.add_option("--username", identity.username, "Username (553), with `{}` too");
  command.add_option("--password", identity.password, "Password (554), with `{}` too");
  command.add_option("--heartbeat", identity.heartbeat_seconds, "HeartBtInt (108), seconds")
      .with_default();
  command.add_option("--precision", options.precision, "Digits of time stamps: by version")
      .one_of({"NONE", "MILLI", "MICRO", "NANO"});
  command.add_flag("--keep-numbers", options.keep_numbers,
                   "The first Logon does not reset the numbers (141=Y)");
  command
      .add_option("--next-sender-seq", load.session.next_sender_seq,
                  "Our first number, with --keep-numbers")
      .with_default();
  command
      .add_option("--next-target-seq", load.session.next_target_seq,
                  "The server's first number, with --keep-numbers")
      .with_default();
  command.add_flag("--raw", load.session.raw,
                   "No logon and no numbers: each message answers the oldest order");
}

void add_flow_options(Command command, LoadCommandOptions& options) {
  LoadOptions& load = options.load;
  command.add_option("--messages", load.messages, "Orders of each session and round");
  command.add_option("--seconds", load.seconds,
                     "Seconds of sending in each round; 10 if --messages is not given either");
  command.add_option("--warm-up", load.warm_up, "Orders of each session before measuring");
  command.add_option("--rounds", load.rounds, "How often it is measured").with_default();
  command.add_option("--per-write", load.per_write, "Orders in one send").with_default();
  command.add_option("--rate", load.rate,
                     "Orders a second over all sessions, each charged from when it was due; 0: as "
                     "many as are answered");
  command
      .add_option("--window", load.session.window,
                  "Orders of a session without an answer at one time, a power of two")
      .with_default();
  command.add_option("--body", options.body,
                     "The order's fields, `55=ACME|54=1|...`; 11 and 60 get values of their own");
  command.add_flag("--further-reports", load.session.further_reports,
                   "An order may have more reports than its first");
  command.add_flag("--spin,!--block", load.spin, "Look at the sockets without sleeping");
  command.add_option("--reactor", load.reactor, "How the kernel is asked about sockets")
      .one_of({"epoll", "poll", "io_uring"})
      .with_default();
  command
      .add_option("--logon-timeout", load.logon_timeout_seconds,
                  "Seconds until all sessions are logged on")
      .with_default();
  command
      .add_option("--answer-timeout", load.answer_timeout_seconds,
                  "Seconds without an answer until the rest are lost")
      .with_default();
}

void add_harm_options(Command command, LoadCommandOptions& options) {
  LoadOptions& load = options.load;
  command.add_option("--reconnect-storm", load.storm_rate,
                     "Connections dropped a second, at random, and made again");
  command.add_option("--frozen", load.hostile.frozen,
                     "Beside the load, sessions that send orders and read nothing; rounds are then "
                     "calm and hostile in turns");
  command.add_option("--dribble", load.hostile.dribbling,
                     "Sessions that send their orders a byte a millisecond");
  command.add_option("--garbage", load.hostile.garbage,
                     "Connections that send bytes that are not FIX");
  command.add_option("--half-logons", load.hostile.half_logons,
                     "Connections that send half a Logon");
  command.add_option("--connections", load.hostile.connections, "Connections that say nothing");
  command.add_option("--resending", load.hostile.resending,
                     "Sessions that have traded and ask for all that they were sent again and "
                     "again");
  command
      .add_option("--resend-messages", load.resend_messages,
                  "Reports that each of them has before rounds begin")
      .with_default();
  command.add_option("--seed", load.seed, "Of the storm and the garbage").with_default();
}

}  // namespace

void add_load_command(Command bench) {
  auto options = std::make_shared<LoadCommandOptions>();
  Command command = bench.add_command(
      "load", "Log sessions on to any FIX acceptor, send orders, count and time the answers");
  command
      .add_option(
          "--target", options->load.target,
          "HOST:PORT of the acceptor; several with commas: the nodes of a cluster, which sessions "
          "dial in turn until one answers their Logon")
      .required();
  command
      .add_option(
          "--silence-milliseconds", options->silence_milliseconds,
          "Several targets: time for which an order may wait for a silent node until its session "
          "dials the next one")
      .with_default();
  add_session_options(command, *options);
  add_flow_options(command, *options);
  add_harm_options(command, *options);
  command.add_option("--server-pid", options->load.server_pid,
                     "Tell what this process uses of processor and memory");
  command.add_option("--json", options->json, "Write the figures to this file");
  command.add_option("--distribution", options->distribution,
                     "Write the percentile curves of response and service to this CSV file");
  command.add_option(
      "--answers", options->answers,
      "Write when each order was due, sent and answered, and when sessions came back, to "
      "this CSV file");
  command.add_option("--contender", options->contender, "The server's name in the figures")
      .with_default();
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::bench
