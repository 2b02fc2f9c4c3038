// SPDX-License-Identifier: MIT
// Options of `affix log`.
#include "log/command.hpp"

#include "affix/counters/latency_reader.hpp"

#include "log/latency_view.hpp"
#include "log/show_log.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unistd.h>

namespace affix::inline v0::tools::log {

namespace {

struct CommandOptions {
  LogOptions log;
  bool fields = false;
  bool names = false;
  bool columns = false;
  bool json = false;
  bool raw = false;
  bool no_timestamps = false;
  std::string colour = "auto";
  std::string latency;  ///< A latency file to show; empty: show messages.
  std::size_t worst = 10;
};

bool wants_colours(const CommandOptions& options) {
  if (options.colour != "auto") {
    return options.colour == "always";
  }
  return options.log.out.empty() && isatty(STDOUT_FILENO) == 1 &&
         std::getenv("NO_COLOR") == nullptr;
}

int show_latencies(const CommandOptions& options) {
  const auto reading = counters::read_latencies(options.latency);
  if (!reading) {
    std::fprintf(stderr, "affix log: %s\n", reading.error().text().c_str());
    return 1;
  }
  const std::string text =
      options.json ? latency_json(*reading, options.worst) : latency_text(*reading, options.worst);
  std::fwrite(text.data(), 1, text.size(), stdout);  // The program's end reports a failure.
  return 0;
}

int run(CommandOptions& options) {
  if (!options.latency.empty()) {
    return show_latencies(options);
  }
  LogOptions& log = options.log;
  log.print.style = options.json      ? Style::Json
                    : options.raw     ? Style::Raw
                    : options.columns ? Style::Columns
                    : options.fields  ? Style::Fields
                    : options.names   ? Style::Names
                                      : Style::Line;
  log.print.timestamps = !options.no_timestamps;
  log.print.colours = wants_colours(options);
  // Without them, numbers would be counted as missing.
  log.filter.heartbeats = log.filter.heartbeats || log.statistics || options.raw;
  if (log.statistics && log.follow) {
    std::fprintf(stderr,
                 "--stats and --follow: a followed journal has no end to count to [P125]\n");
    return 2;
  }
  return show_log(log, stdout);
}

void add_filters(Command command, LogOptions& log) {
  FilterOptions& filter = log.filter;
  command.add_option("--from", filter.from,
                     "From this time on: 2026-01-31 09:30:00.5, 2026-01-31 or 09:30, UTC");
  command.add_option("--to", filter.to, "Up to this time");
  command.add_option("--direction", filter.direction, "Only messages that went in or out")
      .one_of({"in", "out"});
  command
      .add_option("--type", filter.types,
                  "Only these MsgTypes or message names: D,8 or NewOrderSingle")
      .separated_by(',')
      .one_value();
  command
      .add_option(
          "--where", filter.conditions,
          "Only messages in which this holds: 54=1, 54=Buy, 39!=8, 58~limit, 44; all of several")
      .one_value();
  command
      .add_option("--session", filter.sessions,
                  "Only sessions whose name has this part; one of several")
      .one_value();
  command.add_option("--grep", filter.texts, "Only messages with this text; | stands for SOH")
      .one_value();
  command.add_flag("--heartbeats", filter.heartbeats, "Heartbeat and TestRequest too");
  command.add_option(
      "--order", log.order,
      "The life of the order with this ClOrdID, under all its names, with latencies");
}

void add_output(Command command, CommandOptions& options) {
  LogOptions& log = options.log;
  command.add_flag("--fields", options.fields, "A line per field, with names");
  command.add_flag("--names", options.names, "Names instead of tags and codes, a line per message");
  command
      .add_action(
          "--columns",
          [&options](const std::vector<std::string>& tags) {
            options.columns = true;
            for (const std::string& tag : tags) {
              const unsigned long number = std::strtoul(tag.c_str(), nullptr, 10);
              if (number != 0 && number <= INT32_MAX) {
                options.log.print.columns.push_back(static_cast<std::uint32_t>(number));
              }
            }
          },
          "Chosen fields under one another: --columns=11,54,38; without tags those of orders")
      .separated_by(',')
      .any_number();
  command.add_flag("--json", options.json, "A JSON object a line");
  command.add_flag("--raw", options.raw, "The messages' bytes and nothing else");
  command.add_flag("--stats", log.statistics,
                   "Counts, rates, gaps, resends and latencies instead of messages");
  command.add_flag("--no-timestamps", options.no_timestamps, "Leave the time out");
  command.add_flag("--follow,-f", log.follow, "Go on with what is written, new sessions too");
  command.add_option("--out", log.out, "A file to write instead of standard output");
  command.add_option("--colour", options.colour, "Colours: on a terminal, always or never")
      .one_of({"auto", "always", "never"})
      .with_default();
  command
      .add_option("--dictionary", log.dictionaries,
                  "A dictionary asked before the standard ones (AFFIX_DICTIONARIES names another "
                  "directory of those)")
      .one_value();
  command.add_option("--as", log.own_comp_id,
                     "Our CompID, for text logs and captures that do not say who sent what");
  command
      .add_option("--secret", log.secret_tags, "Tags whose values are not shown, beside passwords")
      .separated_by(',')
      .one_value();
}

}  // namespace

void add_command(Command program) {
  auto options = std::make_shared<CommandOptions>();
  Command command = program.add_command(
      "log", "Read journals, any engine's logs and captures: every message, by time");
  // Required paths are not taken as values of the preceding option.
  const Option path =
      command
          .add_option("path", options->log.paths,
                      "Journals, text logs, pcap files, or directories of them, gzip and zstd "
                      "too; - is standard input")
          .required();
  const auto take_latencies = [options, path](const std::string& file) {
    options->latency = file;
    path.optional();
  };
  command
      .add_action(
          "--latency", take_latencies,
          "In place of a path an engine's latency_file: where the time of its newest messages went")
      .at_once()
      .excludes(path);
  command.add_option("--worst", options->worst, "With --latency: how many of the slowest messages")
      .with_default();
  add_filters(command, options->log);
  add_output(command, *options);
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::log
