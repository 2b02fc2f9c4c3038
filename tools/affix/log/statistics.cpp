// SPDX-License-Identifier: MIT
// Counts entries, and formats the result in two ways.
#include "log/statistics.hpp"

#include "affix/base/time.hpp"
#include "affix/wire/convert.hpp"

#include "log/record_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>

namespace affix::inline v0::tools::log {

namespace {

constexpr std::array<const char*, 3> flow_names{"unknown", "in", "out"};
constexpr std::array<double, 6> percentiles{0.5, 0.9, 0.99, 0.999, 0.9999, 1.0};
constexpr std::array<const char*, 6> percentile_names{"p50",   "p90",    "p99",
                                                      "p99.9", "p99.99", "max"};

std::string count_text(std::uint64_t count, const char* what) {
  return std::to_string(count) + ' ' + what;
}

}  // namespace

void Statistics::count_number(Flow& flow, const Entry& entry, const wire::MessageView& message) {
  const wire::MsgType type = message.type();
  if (type == wire::MsgType("2")) {
    ++flow.resend_requests;
  }
  const bool repeated = message.find(43) == "Y";
  flow.repeated += repeated ? 1U : 0U;
  const bool is_reset = type == wire::MsgType("4");
  const auto next = is_reset ? wire::parse_integer<std::uint64_t>(message.find(36).value_or(""))
                             : wire::Result<std::uint64_t>();
  if (is_reset && message.find(123) != "Y") {
    // A reset's own number is ignored, and nothing before the new number is missing.
    ++flow.resets;
    flow.expected = next.value_or(flow.expected);
    return;
  }
  // A repeated message adds nothing new, unless it has the expected number.
  if (entry.sequence == 0 || (repeated && entry.sequence != flow.expected)) {
    return;
  }
  const bool reset = message.find(141) == "Y" && type == wire::MsgType("A");
  if (reset) {
    ++flow.resets;
  } else if (flow.expected != 0 && entry.sequence > flow.expected) {
    ++flow.gaps;
    flow.missing += entry.sequence - flow.expected;
  }
  flow.expected = is_reset ? next.value_or(entry.sequence + 1) : entry.sequence + 1;
}

void Statistics::measure(const Entry& entry, const wire::MessageView& message) {
  const auto name = message.find(11);
  if (!name || name->empty() || entry.utc_ns == 0 || message.find(43) == "Y") {
    return;
  }
  const auto took = requests_.take(entry.session, message, entry.utc_ns);
  if (!took) {
    return;
  }
  if (*took == 0) {
    ++in_same_turn_;
  } else if (*took < 0) {
    ++unclear_;
  } else {
    latencies_.record(*took);
    ++by_power_[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(*took)))];
  }
}

void Statistics::count_second(std::int64_t utc_ns) {
  if (utc_ns == 0) {
    return;
  }
  first_ns_ = first_ns_ == 0 ? utc_ns : std::min(first_ns_, utc_ns);
  last_ns_ = std::max(last_ns_, utc_ns);
  const std::int64_t second = utc_ns / base::ns_per_second;
  if (second != second_) {
    second_ = second;
    in_second_ = 0;
  }
  if (++in_second_ > peak_) {
    peak_ = in_second_;
    peak_second_ = second;
  }
}

void Statistics::add(const Entry& entry, const wire::MessageView& message,
                     const MessageNames& names) {
  auto found = sessions_.find(entry.session);
  if (found == sessions_.end()) {
    found = sessions_.emplace(std::string(entry.session), Session{}).first;
  }
  Session& session = found->second;
  session.unprocessed += entry.unprocessed ? 1U : 0U;
  if (entry.kind == EntryKind::Held) {
    ++session.held;
    return;
  }
  if (entry.kind != EntryKind::Message) {
    ++session.events;
    return;
  }
  ++messages_;
  count_second(entry.utc_ns);
  Flow& flow = session.flows[static_cast<std::size_t>(entry.direction)];
  ++flow.messages;
  flow.bytes += entry.bytes.size();
  if (message.empty()) {
    return;
  }
  const std::string_view type = message.find(35).value_or("");
  auto counted = flow.types.find(type);
  if (counted == flow.types.end()) {
    counted = flow.types.emplace(type, 0).first;
    type_names_.try_emplace(std::string(type), names.type());
  }
  ++counted->second;
  count_number(flow, entry, message);
  measure(entry, message);
}

std::string Statistics::latency_text() const {
  if (latencies_.count() == 0 && in_same_turn_ == 0) {
    return {};
  }
  std::string text = "request to first report: " + count_text(latencies_.count(), "measured");
  if (in_same_turn_ != 0) {
    // An engine stores messages with the time of their turn, so these latencies are too short to
    // measure.
    text += ", " + count_text(in_same_turn_, "in the same turn");
  }
  if (requests_.count() != 0) {
    text += ", " + count_text(requests_.count(), "without a report");
  }
  if (const std::uint64_t not_measured = unclear_ + requests_.left_out(); not_measured != 0) {
    text += ", " + count_text(not_measured, "not measured");
  }
  if (latencies_.count() == 0) {
    return text + '\n';
  }
  text += "\n ";
  for (std::size_t at = 0; at < percentiles.size(); ++at) {
    text += std::string(" ") + percentile_names[at] + ' ' +
            duration_text(latencies_.value_at(percentiles[at]));
  }
  text += '\n';
  constexpr std::size_t bar_width = 50;
  const std::uint64_t most = *std::max_element(by_power_.begin(), by_power_.end());
  for (std::size_t power = 0; power < by_power_.size(); ++power) {
    if (by_power_[power] == 0) {
      continue;
    }
    const std::int64_t upper = power >= 63 ? INT64_MAX : std::int64_t{1} << power;
    std::array<char, 64> head;
    std::snprintf(head.data(), head.size(), "  < %11s %10llu ", duration_text(upper).c_str(),
                  static_cast<unsigned long long>(by_power_[power]));
    text += head.data();
    text.append(std::max<std::size_t>(1, by_power_[power] * bar_width / most), '#');
    text += '\n';
  }
  return text;
}

std::string Statistics::text() const {
  std::string text =
      count_text(messages_, "messages on ") + count_text(sessions_.size(), "sessions");
  if (messages_ != 0 && last_ns_ != 0) {
    const double seconds =
        static_cast<double>(last_ns_ - first_ns_) / static_cast<double>(base::ns_per_second);
    std::array<char, 96> rate;
    std::snprintf(
        rate.data(), rate.size(), ", %.1f a second on average, %llu at most",
        seconds > 0 ? static_cast<double>(messages_) / seconds : static_cast<double>(messages_),
        static_cast<unsigned long long>(peak_));
    text += rate.data();
    text += "\nfrom " + time_text(first_ns_) + " to " + time_text(last_ns_) + ", busiest " +
            time_text(peak_second_ * base::ns_per_second).substr(0, 19);
  }
  text += '\n';
  for (const auto& [name, session] : sessions_) {
    text += '\n' + readable(name);
    for (const auto& [count, what] : {std::pair{session.events, "events"},
                                      {session.held, "held"},
                                      {session.unprocessed, "unprocessed"}}) {
      text += count != 0 ? ", " + count_text(count, what) : std::string();
    }
    text += '\n';
    for (std::size_t at = 0; at < session.flows.size(); ++at) {
      const Flow& flow = session.flows[at];
      if (flow.messages == 0) {
        continue;
      }
      text += std::string("  ") + flow_names[at] + ": " + count_text(flow.messages, "messages, ") +
              count_text(flow.bytes, "bytes, ") + count_text(flow.gaps, "gaps (") +
              count_text(flow.missing, "numbers missing), ") +
              count_text(flow.repeated, "sent again, ") +
              count_text(flow.resend_requests, "resend requests, ") +
              count_text(flow.resets, "resets\n");
      for (const auto& [type, count] : flow.types) {
        std::array<char, 96> line;
        std::snprintf(line.data(), line.size(), "    %10llu %-4s %s\n",
                      static_cast<unsigned long long>(count), readable(type).c_str(),
                      type_names_.at(type).c_str());
        text += line.data();
      }
    }
  }
  const std::string latency = latency_text();
  return latency.empty() ? text : text + '\n' + latency;
}

std::string Statistics::json() const {
  nlohmann::ordered_json root;
  root["messages"] = messages_;
  root["peak_per_second"] = peak_;
  if (last_ns_ != 0) {
    root["from"] = time_text(first_ns_);
    root["to"] = time_text(last_ns_);
  }
  auto& sessions = root["sessions"] = nlohmann::ordered_json::object();
  for (const auto& [name, session] : sessions_) {
    auto& one = sessions[readable(name)];
    one["events"] = session.events;
    one["held"] = session.held;
    one["unprocessed"] = session.unprocessed;
    for (std::size_t at = 0; at < session.flows.size(); ++at) {
      const Flow& flow = session.flows[at];
      if (flow.messages == 0) {
        continue;
      }
      auto& way = one[flow_names[at]];
      way["messages"] = flow.messages;
      way["bytes"] = flow.bytes;
      way["gaps"] = flow.gaps;
      way["missing"] = flow.missing;
      way["repeated"] = flow.repeated;
      way["resend_requests"] = flow.resend_requests;
      way["resets"] = flow.resets;
      for (const auto& [type, count] : flow.types) {
        way["types"][readable(type)] = count;
      }
    }
  }
  if (latencies_.count() != 0 || in_same_turn_ != 0) {
    auto& latency = root["latency_ns"];
    latency["measured"] = latencies_.count();
    latency["in_same_turn"] = in_same_turn_;
    latency["unanswered"] = requests_.count();
    for (std::size_t at = 0; latencies_.count() != 0 && at < percentiles.size(); ++at) {
      latency[percentile_names[at]] = latencies_.value_at(percentiles[at]);
    }
  }
  // A name may contain any bytes.
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace affix::inline v0::tools::log
