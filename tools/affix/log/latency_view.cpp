// SPDX-License-Identifier: MIT
// Tables of latencies.
#include "log/latency_view.hpp"

#include "log/record_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace affix::inline v0::tools::log {

namespace {

using counters::LatencyMessage;
using counters::LatencyPart;
using counters::LatencyReading;
using counters::LatencySpread;
using Json = nlohmann::ordered_json;

/// In the order of counters::LatencyStep.
constexpr std::array<const char*, counters::latency_step_count> step_names{
    "received", "read", "handed_over", "committed", "sent", "transmitted"};

constexpr std::array parts{LatencyPart::InStack, LatencyPart::InEngine, LatencyPart::OutStack,
                           LatencyPart::Whole};

std::string in_us(std::uint64_t ns) {
  std::array<char, 32> text;
  const int size =
      std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(ns) / 1'000.0);
  return {text.data(), static_cast<std::size_t>(size)};
}

std::string in_us(std::optional<std::uint64_t> ns) {
  return ns ? in_us(*ns) : "-";
}

void pad(std::string& line, const std::string& text, std::size_t width) {
  line.append(width > text.size() ? width - text.size() : 0, ' ');
  line += text;
}

/// `FIRM 17`, or a dash.
std::string half(const LatencyReading& reading, std::uint64_t session, std::uint64_t number) {
  if (session == 0 && number == 0) {
    return "-";
  }
  std::string name(reading.name_of(session));
  // A file may contain any bytes, and a terminal obeys control characters.
  std::ranges::replace_if(name, [](char each) { return each < ' ' || each == 0x7f; }, '?');
  return (name.empty() ? "?" : name) + ' ' + std::to_string(number);
}

std::uint64_t first_step(const LatencyMessage& message) {
  std::uint64_t first = 0;
  for (const std::uint64_t step : message.steps) {
    first = first == 0 || (step != 0 && step < first) ? step : first;
  }
  return first;
}

Json part_json(const LatencySpread& spread) {
  return {{"count", spread.count}, {"p50", spread.p50},   {"p90", spread.p90},
          {"p99", spread.p99},     {"p999", spread.p999}, {"longest", spread.longest}};
}

}  // namespace

std::string latency_text(const LatencyReading& reading, std::size_t worst) {
  const auto spreads = counters::spread_of(reading);
  std::string text = std::to_string(reading.messages.size()) + " of " +
                     std::to_string(reading.recorded) + " messages; microseconds\n\n";
  constexpr std::size_t width = 11;
  std::string line = "part      ";
  for (const char* const head : {"messages", "p50", "p90", "p99", "p99.9", "longest"}) {
    pad(line, head, width);
  }
  text += line + '\n';
  for (const LatencyPart part : parts) {
    const LatencySpread& spread = spreads[static_cast<std::size_t>(part)];
    line = counters::to_text(part);
    line.resize(10, ' ');
    pad(line, std::to_string(spread.count), width);
    for (const std::uint64_t ns :
         {spread.p50, spread.p90, spread.p99, spread.p999, spread.longest}) {
      pad(line, spread.count == 0 ? "-" : in_us(ns), width);
    }
    text += line + '\n';
  }
  const auto messages = counters::worst_of(reading, worst);
  if (messages.empty()) {
    return text;
  }
  text += "\nthe slowest\n";
  for (const LatencyMessage* const message : messages) {
    line = time_text(static_cast<std::int64_t>(first_step(*message))) + "  in " +
           half(reading, message->in_session, message->in_number) + ", out " +
           half(reading, message->out_session, message->out_number) + ":";
    for (const LatencyPart part : parts) {
      line += std::string(" ") + counters::to_text(part) + ' ' + in_us(message->part_ns(part));
    }
    if (message->wait_ns != 0) {
      line += std::string("; ") + counters::latency_cause_name(message->cause).name + ' ' +
              in_us(message->wait_ns);
    }
    text += line + '\n';
  }
  return text;
}

std::string latency_json(const LatencyReading& reading, std::size_t worst) {
  const auto spreads = counters::spread_of(reading);
  Json all;
  all["process_id"] = reading.process_id;
  all["running"] = reading.running;
  all["started"] = reading.started_utc_ns;
  all["recorded"] = reading.recorded;
  all["messages"] = reading.messages.size();
  Json& of_parts = all["parts"] = Json::object();
  for (const LatencyPart part : parts) {
    of_parts[counters::to_text(part)] = part_json(spreads[static_cast<std::size_t>(part)]);
  }
  Json& slowest = all["slowest"] = Json::array();
  for (const LatencyMessage* const message : counters::worst_of(reading, worst)) {
    Json& one = slowest.emplace_back(Json::object());
    one["worker"] = message->worker;
    one["in_session"] = reading.name_of(message->in_session);
    one["in_number"] = message->in_number;
    one["out_session"] = reading.name_of(message->out_session);
    one["out_number"] = message->out_number;
    for (std::size_t step = 0; step < step_names.size(); ++step) {
      one[step_names[step]] = message->steps[step];
    }
    for (const LatencyPart part : parts) {
      const auto ns = message->part_ns(part);
      one[counters::to_text(part)] = ns ? Json(*ns) : Json(nullptr);
    }
    one["cause"] = counters::latency_cause_name(message->cause).name;
    one["wait"] = message->wait_ns;
  }
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string latency_line(const LatencyReading& reading) {
  const auto messages = counters::worst_of(reading, 1);
  if (messages.empty()) {
    return {};
  }
  const auto spreads = counters::spread_of(reading);
  std::string line = "way p50/p99 us:";
  for (const LatencyPart part : parts) {
    const LatencySpread& spread = spreads[static_cast<std::size_t>(part)];
    line += std::string(" ") + counters::to_text(part) + ' ' +
            (spread.count == 0 ? "-" : in_us(spread.p50) + '/' + in_us(spread.p99));
  }
  const LatencyMessage& slowest = *messages.front();
  line += "; slowest of " + std::to_string(reading.messages.size()) + ": " +
          in_us(slowest.part_ns(LatencyPart::Whole));
  if (slowest.wait_ns != 0) {
    line += std::string(", ") + counters::latency_cause_name(slowest.cause).name + ' ' +
            in_us(slowest.wait_ns);
  }
  return line;
}

}  // namespace affix::inline v0::tools::log
