// SPDX-License-Identifier: MIT
// Any request to the monitor, without its socket: the first line is the request line, the second a
// Host, the rest a body. Every answer has a valid HTTP status, and its body is a file of the page,
// JSON or text.
#include "affix/config/configuration.hpp"
#include "affix/journal/journal.hpp"
#include "affix/os/clock.hpp"

#include "monitor/engine_watch.hpp"
#include "monitor/monitor.hpp"
#include "temporary_files.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace {

namespace monitor = affix::tools::monitor;

using affix_fuzz::require;

/// A monitor of an engine that is away, with one journal of a few messages.
class World {
 public:
  World() {
    const auto configuration = affix::config::parse_configuration(
        "[VENUE]\nnic_address=127.0.0.1\naccept_port=0\n[A]\nbegin_string=FIX.4.4\n"
        "sender_comp_id=US\ntarget_comp_id=A\njournal_path=" +
            directory_.path() + "\n",
        "fuzz");
    require(configuration.has_value());
    std::vector<std::unique_ptr<monitor::WatchedEngine>> engines;
    for (const char* const name : {"one", "two"}) {
      auto& engine = *engines.emplace_back(std::make_unique<monitor::WatchedEngine>());
      engine.name = name;
      engine.roster = monitor::Roster::of(*configuration).value();
      engine.observer =
          std::make_unique<monitor::Observer>(engine.roster, monitor::AlertLimits{}, 10);
      engine.observer->look(1'000'000'000, {}, {});
      engine.alert_service = std::make_unique<monitor::AlertService>(
          *engine.observer, monitor::AlertFile(), monitor::AuditTrail("/dev/null"));
    }
    write_journal(engines.front()->roster);
    fleet_ = monitor::Fleet(std::move(engines));
    monitor::Monitor::Parts parts;
    parts.rules.operate = true;
    parts.rules.engines.resize(fleet_.size());
    monitor_ = std::make_unique<monitor::Monitor>(fleet_, parts);
  }

  [[nodiscard]] monitor::Monitor& monitor() noexcept { return *monitor_; }

  [[nodiscard]] const monitor::Fleet& fleet() const noexcept { return fleet_; }

 private:
  void write_journal(const monitor::Roster& roster) {
    affix::journal::Options options;
    options.directory = roster.sessions().front().journal;
    options.identity = "FIX.4.4:US->A";
    options.sync_on_close = false;
    const auto journal = affix::journal::Journal::open(options);
    require(journal.has_value());
    for (std::uint64_t number = 1; number <= 4; ++number) {
      const std::string text =
          "8=FIX.4.4\x01"
          "9=5\x01"
          "35=D\x01"
          "34=" +
          std::to_string(number) +
          "\x01"
          "11=O-1\x01"
          "55=IBM\x01"
          "10=000\x01";
      static_cast<void>(
          (*journal)->append_sent(number, static_cast<std::int64_t>(number) * 1'000'000'000, text));
    }
  }

  affix_fuzz::Directory directory_;
  monitor::Fleet fleet_;
  std::unique_ptr<monitor::Monitor> monitor_;
};

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.size(), rest.find('\n'));
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(rest.size(), end + 1));
  return line;
}

void check(const monitor::Answer& answer) {
  require(answer.status >= 200 && answer.status < 600);
  if (answer.content_type == "application/json") {
    require(nlohmann::json::accept(answer.body));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  static World world;
  std::string_view rest(reinterpret_cast<const char*>(input), size);
  auto request = monitor::request_of_target(take_line(rest));
  if (!request) {
    check(monitor::refuse(400, request.error()));
    return 0;
  }
  request->host = take_line(rest);
  request->body = rest;
  // Command lines are checked without a port to send them to.
  if (const auto command = monitor::command_line_of(request->body, world.fleet())) {
    require(command->engine != nullptr && command->line.find('\n') == std::string::npos &&
            nlohmann::json::accept(command->line));
  }
  // No token leads there, so it is called directly.
  check(world.fleet()[0].alert_service->act(*request, {"ann", "127.0.0.1:5"}, 1'000'000'000));
  for (const char* const method : {"GET", "POST"}) {
    request->method = method;
    request->content_type = "application/json";
    const auto refused = world.monitor().refuse_early(*request, affix::os::now().steady_ns);
    check(refused ? *refused : world.monitor().answer(*request));
  }
  return 0;
}
