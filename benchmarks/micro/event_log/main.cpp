// SPDX-License-Identifier: MIT
// ./dev bench event_log: cost of a log line for the thread that reports. The log's own thread
// writes the line to a file meanwhile.
#include "affix/os/clock.hpp"
#include "affix/service/event_log.hpp"

#include "../../temporary_directory.hpp"
#include "../harness.hpp"
#include "service/log_lines.hpp"

#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

namespace affix_bench {

namespace {

using namespace affix;
using Severity = service::EventLog::Severity;

constexpr std::string_view session = "FIRM-VENUE";
constexpr std::string_view text = "Resend of 1042 to 1077 asked for by the counterparty";

std::shared_ptr<service::EventLog> open_log(const std::string& path) {
  config::EngineSettings settings;
  settings.log_file = path;
  auto log = service::EventLog::open(settings);
  if (!log) {
    std::fprintf(stderr, "%s\n", log.error().text().c_str());
    std::exit(1);
  }
  return std::make_shared<service::EventLog>(std::move(*log));
}

Contender writing(const char* name, Severity severity, std::shared_ptr<service::EventLog> log) {
  return {name,
          [log, severity](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              log->write(severity, session, text);
            }
          },
          {},
          // All lines of a round fit, as in an engine that does not flood the log.
          [log] { log->flush(); }};
}

/// A report of an engine, with its turn's time. Each comes with a clock reading, so that a round
/// has as many as above and all fit; subtract `clock` for the cost of the line.
Contender writing_event(std::shared_ptr<service::EventLog> log) {
  return {"event_and_clock",
          [log](std::size_t count) {
            host::Event event{Severity::Info, session, text, os::read_clock_ns(CLOCK_REALTIME)};
            for (std::size_t at = 0; at < count; ++at) {
              log->write(event);
              event.utc_ns = os::read_clock_ns(CLOCK_REALTIME);
              hide(event.utc_ns);
            }
          },
          {},
          [log] { log->flush(); }};
}

/// The clock reading of a line that comes without a time.
Contender clock_alone() {
  return {"clock",
          [](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              std::int64_t now_ns = os::read_clock_ns(CLOCK_REALTIME);
              hide(now_ns);
            }
          },
          {},
          {}};
}

/// The same line, written and flushed by the thread itself.
Contender at_once(const std::string& path) {
  const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "ae"), std::fclose);
  if (file == nullptr) {
    std::perror(path.c_str());
    std::exit(1);
  }
  return {"at_once",
          [file](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              const std::string line = service::log_line(
                  {os::read_clock_ns(CLOCK_REALTIME), Severity::Info, session, text},
                  service::LogForm::Text);
              std::fputs(line.c_str(), file.get());
              std::fflush(file.get());
            }
          },
          {},
          {}};
}

}  // namespace

}  // namespace affix_bench

int main(int argc, char** argv) {
  using namespace affix_bench;
  const Options options = parse_options(argc, argv);
  const TemporaryDirectory directory;
  const auto log = open_log(directory.path() + "/log");
  const int status = run_benchmarks(
      options,
      {{"event_log",
        "a line of 62 characters given to the log, its time read for it; with the time of its "
        "turn, as an engine's events, and a clock reading beside it; below the level; the clock "
        "reading alone; formatted and "
        "written to the file at once",
        {writing("event_log", Severity::Info, log), writing_event(log),
         writing("below_level", Severity::Debug, log), clock_alone(),
         at_once(directory.path() + "/at_once")}}});
  std::printf("%llu lines were dropped\n", static_cast<unsigned long long>(log->dropped()));
  return status;
}
