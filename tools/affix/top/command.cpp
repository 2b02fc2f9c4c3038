// SPDX-License-Identifier: MIT
// The command `affix top`.
#include "top/command.hpp"

#include "affix/config/configuration.hpp"
#include "affix/counters/counter_reader.hpp"
#include "affix/counters/latency_reader.hpp"
#include "affix/os/clock.hpp"
#include "affix/service/stop_signals.hpp"

#include "log/latency_view.hpp"
#include "top/screen.hpp"
#include "top/session_rows.hpp"
#include "top/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <expected>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::top {

namespace {

/// Wide enough for every column.
constexpr std::size_t unlimited = 10'000;

struct Arguments {
  std::string file;
  std::string latency_file;  // Empty: latencies of messages are not shown.
  double interval_seconds = 1;
  std::string sort = "session";
  std::string filter;
  bool once = false;
  bool json = false;
  bool reversed = false;
};

void print(const std::string& text, std::FILE* to = stdout) {
  std::fwrite(text.data(), 1, text.size(), to);
}

TimedReading read_now(counters::CounterReader& reader) {
  return {reader.read(), os::now().utc_ns};
}

/// Files that an engine writes.
struct EngineFiles {
  std::string counters;
  std::string latencies;  // Empty: none.
};

/// Files of a configuration; any other path is a counters file.
std::expected<EngineFiles, affix::config::Problems> files_of(const std::string& path) {
  if (!path.ends_with(".ini")) {
    return EngineFiles{path, {}};
  }
  const auto configuration = affix::config::load_configuration(path);
  if (!configuration) {
    return std::unexpected(configuration.error());
  }
  if (configuration->engine.counters_file.empty()) {
    return std::unexpected(affix::config::Problems{
        {base::ErrorCode::NotFound,
         "[ENGINE] has no counters_file, so no program can read the engine's counters", path,
         "P130"}});
  }
  return EngineFiles{configuration->engine.counters_file, configuration->engine.latency_file};
}

/// Lines above the table.
std::vector<std::string> lines_above(const TimedReading& before, const TimedReading& now,
                                     const std::string& latency_file) {
  std::vector<std::string> lines = engine_lines(before, now);
  if (latency_file.empty()) {
    return lines;
  }
  const auto latencies = counters::read_latencies(latency_file);
  std::string line = latencies ? log::latency_line(*latencies) : latencies.error().text();
  if (!line.empty()) {
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<SessionRow> chosen_rows(const TimedReading& before, const TimedReading& now,
                                    const counters::EngineReading& base, const View& view) {
  std::vector<SessionRow> rows = make_rows(before, now, base);
  filter_rows(rows, view.filter);
  sort_rows(rows, *view.sort, view.reversed);
  return rows;
}

void show_once(counters::CounterReader& reader, const Arguments& arguments, const View& view) {
  const TimedReading before = read_now(reader);
  std::this_thread::sleep_for(std::chrono::duration<double>(arguments.interval_seconds));
  const TimedReading now = arguments.interval_seconds > 0 ? read_now(reader) : before;
  if (arguments.json) {
    print(json_text(before, now) + "\n");
    return;
  }
  std::string text;
  for (const std::string& line : lines_above(before, now, arguments.latency_file)) {
    text += line + "\n";
  }
  text += head_line(unlimited) + "\n";
  for (const SessionRow& row : chosen_rows(before, now, {}, view)) {
    text += row_line(row, now.utc_ns, unlimited) + "\n";
  }
  print(text);
}

void show_live(counters::CounterReader& reader, const Arguments& arguments, View view) {
  const auto interval = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(std::max(arguments.interval_seconds, 0.1)));
  const service::StopSignals signals;
  const Terminal terminal;
  TimedReading before = read_now(reader);
  TimedReading now = before;
  counters::EngineReading base;
  std::string note;
  auto next = std::chrono::steady_clock::now() + interval;
  while (!view.quit && !service::StopSignals::requested()) {
    if (std::exchange(view.zero, false)) {
      base = now.engine;
    }
    Terminal::draw(picture_of(lines_above(before, now, arguments.latency_file),
                              chosen_rows(before, now, base, view), now.utc_ns, view, note,
                              Terminal::size()));
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(
        next - std::chrono::steady_clock::now());
    if (rest.count() > 0) {
      if (const auto key = Terminal::read_key(rest)) {
        press(*key, view);
      }
      continue;
    }
    // A restarted engine counts in a new file; an ended one leaves its last file.
    const auto followed = reader.follow();
    note = followed ? std::string() : followed.error().text();
    before = std::exchange(now, read_now(reader));
    next = std::chrono::steady_clock::now() + interval;
  }
}

int run(Arguments arguments) {
  const Column* const sort = find_column(arguments.sort);
  if (sort == nullptr) {
    std::string text = "affix top: no column '" + arguments.sort + "'; there are";
    for (const Column& column : columns()) {
      text += " " + std::string(column.name);
    }
    print(text + " [P130]\n", stderr);
    return 1;
  }
  const auto files = files_of(arguments.file);
  if (!files) {
    print(affix::config::text_of(files.error()), stderr);
    return 1;
  }
  if (arguments.latency_file.empty()) {
    arguments.latency_file = files->latencies;
  }
  auto reader = counters::CounterReader::open(files->counters);
  if (!reader) {
    print("affix top: " + reader.error().text() + "\n", stderr);
    return 1;
  }
  const View view{.sort = sort, .reversed = arguments.reversed, .filter = arguments.filter};
  if (arguments.once || arguments.json || !Terminal::is_there()) {
    show_once(*reader, arguments, view);
  } else {
    show_live(*reader, arguments, view);
  }
  return 0;
}

}  // namespace

void add_command(Command program) {
  Command command =
      program.add_command("top", "Show an engine's sessions: states, rates, queues, latencies");
  const auto arguments = std::make_shared<Arguments>();
  command
      .add_option("FILE", arguments->file,
                  "the engine's counters_file, or its configuration (.ini) that names it")
      .required();
  command.add_option("--latency", arguments->latency_file,
                     "the engine's latency_file, unless its configuration names one: a line more");
  command.add_flag("--once", arguments->once, "a plain table, once; so too without a terminal");
  command.add_flag("--json", arguments->json, "everything that is counted, once, as JSON");
  command
      .add_option("--interval", arguments->interval_seconds,
                  "seconds between two readings; once: 0 shows no rates and does not wait")
      .between_decimals(0.0, 3600.0);
  command.add_option("--sort", arguments->sort, "column to sort by");
  command.add_flag("--reverse", arguments->reversed, "the other way round");
  command.add_option("--filter", arguments->filter,
                     "only sessions in whose name, instance, state, CompIDs or peer this occurs");
  command.on_run([arguments] { return run(*arguments); });
}

}  // namespace affix::inline v0::tools::top
