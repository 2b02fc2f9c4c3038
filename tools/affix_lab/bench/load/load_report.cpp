// SPDX-License-Identifier: MIT
// Formats a load run's figures as lines and rows.
#include "bench/load/load_report.hpp"

#include "log/record_text.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>

namespace affix::inline v0::tools::bench {

namespace {

constexpr std::array fractions{std::pair{"p50", 0.5}, std::pair{"p90", 0.9}, std::pair{"p99", 0.99},
                               std::pair{"p99.9", 0.999}, std::pair{"p99.99", 0.9999}};

std::string percentiles(const LatencyHistogram& histogram) {
  std::string text = "min " + log::duration_text(histogram.min_ns());
  for (const auto& [name, fraction] : fractions) {
    text += std::string("  ") + name + " " + log::duration_text(histogram.value_at(fraction));
  }
  return text + "  max " + log::duration_text(histogram.max_ns());
}

double mebibytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024.0);
}

void print_server(const ServerUsage& server, std::uint64_t answered, std::FILE* out) {
  const auto orders = static_cast<double>(std::max<std::uint64_t>(answered, 1));
  const auto us_per_order = [orders](std::int64_t ns) {
    return static_cast<double>(ns) / orders / 1e3;
  };
  std::fprintf(out,
               "server      %.3f us of processor time an order, %.3f without preparing journals "
               "(user %.2f, system %.2f, by the "
               "clock tick)\n"
               "memory      %.1f MiB of the server's own before, %.1f at most, %.1f after; %.1f "
               "MiB of files\n",
               us_per_order(server.cpu_ns), us_per_order(server.cpu_ns - server.journal_ns),
               us_per_order(server.user_ns), us_per_order(server.system_ns),
               mebibytes(server.anonymous_bytes_before), mebibytes(server.anonymous_bytes_max),
               mebibytes(server.anonymous_bytes_after), mebibytes(server.file_bytes_after));
}

void print_figures(const LoadOptions& options, const LoadFigures& figures, std::FILE* out) {
  const LoadCounters& counted = figures.counters;
  std::fprintf(out,
               "orders      %" PRIu64 " sent, %" PRIu64
               " answered in %.3f s: %.0f a second\n"
               "answers     %" PRIu64 " duplicate, %" PRIu64 " foreign, %" PRIu64
               " rejected, %" PRIu64 " further\n",
               counted.sent, counted.answered, static_cast<double>(figures.elapsed_ns) / 1e9,
               figures.rate(), counted.duplicates, counted.foreign, counted.rejected,
               counted.further);
  if (counted.resent + counted.resend_requests + counted.duplicates_passed_over != 0) {
    std::fprintf(out,
                 "resends     %" PRIu64 " orders sent again, %" PRIu64 " requests of ours, %" PRIu64
                 " possible duplicates passed over\n",
                 counted.resent, counted.resend_requests, counted.duplicates_passed_over);
  }
  if (options.rate > 0) {
    std::fprintf(out, "response    %s  (from when due)\n",
                 percentiles(figures.latencies.response).c_str());
  }
  std::fprintf(out, "service     %s  (from the write)\n",
               percentiles(figures.latencies.service).c_str());
  if (figures.answered_by_session.size() > 1) {
    const auto [least, most] =
        std::minmax_element(figures.answered_by_session.begin(), figures.answered_by_session.end());
    std::fprintf(out,
                 "fairness    %.3f: the slowest session's answers by the mean (%" PRIu64
                 " to %" PRIu64 ")\n",
                 figures.fairness(), *least, *most);
  }
  if (figures.server) {
    print_server(*figures.server, counted.answered, out);
  }
}

void add_rows(const LoadFigures& figures, const std::string& suffix, const std::string& contender,
              std::vector<Measurement>& rows) {
  rows.push_back(measurement_of("response" + suffix, contender, figures.latencies.response));
  rows.push_back(measurement_of("service" + suffix, contender, figures.latencies.service));
  rows.push_back(measurement_of("rate" + suffix, contender, "1/s", figures.rates));
  std::vector<double> answered(figures.answered_by_session.begin(),
                               figures.answered_by_session.end());
  rows.push_back(
      measurement_of("answers_by_session" + suffix, contender, "orders", std::move(answered)));
  rows.push_back(measurement_of("fairness" + suffix, contender, "ratio", {figures.fairness()}));
  if (figures.server) {
    const ServerUsage& server = *figures.server;
    const auto orders = static_cast<double>(std::max<std::uint64_t>(figures.counters.answered, 1));
    rows.push_back(
        measurement_of("server_cpu" + suffix, contender, "ns", figures.cpu_ns_per_answer));
    rows.push_back(measurement_of("server_cpu_messages" + suffix, contender, "ns",
                                  figures.messages_ns_per_answer));
    rows.push_back(measurement_of("server_user" + suffix, contender, "ns",
                                  {static_cast<double>(server.user_ns) / orders}));
    rows.push_back(measurement_of("server_system" + suffix, contender, "ns",
                                  {static_cast<double>(server.system_ns) / orders}));
    rows.push_back(measurement_of("server_memory" + suffix, contender, "bytes",
                                  {static_cast<double>(server.anonymous_bytes_before),
                                   static_cast<double>(server.anonymous_bytes_max)}));
    rows.push_back(measurement_of("server_memory_after" + suffix, contender, "bytes",
                                  {static_cast<double>(server.anonymous_bytes_after)}));
  }
}

}  // namespace

void print_report(const LoadOptions& options, const LoadResult& result, std::FILE* out) {
  std::fprintf(out, "load        %u sessions at %s, %s, %u orders a write, ", options.sessions,
               options.target.c_str(),
               options.session.raw ? "raw" : options.identity.begin_string.c_str(),
               options.per_write);
  if (options.rate > 0) {
    std::fprintf(out, "%.0f a second\n", options.rate);
  } else {
    std::fprintf(out, "as many as it takes, %u at most without an answer\n",
                 options.session.window);
  }
  print_figures(options, result.calm, out);
  if (result.hostile.rounds != 0) {
    const HostileCounters& peers = result.hostile_peers;
    std::fprintf(out,
                 "-- with %u hostile peers: %" PRIu64 " connections, %" PRIu64
                 " closed by the server, %" PRIu64 " refused; %" PRIu64 " logons, %" PRIu64
                 " bytes, %" PRIu64 " messages sent again\n",
                 options.hostile.total(), peers.connects, peers.closed_by_server,
                 peers.connect_failures, peers.logons, peers.bytes_sent, peers.sent_again);
    print_figures(options, result.hostile, out);
    const Measurement others = measurement_of("", "", "", result.others_p99());
    std::fprintf(
        out,
        "others      p99 %.2f times that of the calm round before, at the median of %" PRIu64
        " pairs (%.2f to %.2f)\n",
        others.median, others.n, others.min, others.max);
  }
  if (options.storm_rate > 0) {
    std::fprintf(out, "storm       %" PRIu64 " connections dropped, %" PRIu64 " logons refused\n",
                 result.dropped, result.refused);
  }
  std::fprintf(out, "lost        %" PRIu64 " orders without an answer, %" PRIu64 " never sent\n",
               result.lost, result.unsent);
  if (!result.sound()) {
    LoadCounters all = result.calm.counters;
    all.add(result.hostile.counters);
    std::fprintf(out,
                 "trouble     %" PRIu64 " connections lost, %" PRIu64
                 " logouts unexpected, %" PRIu64 " not answered, %" PRIu64
                 " numbers too low, %" PRIu64 " pieces garbled\n",
                 result.lost_connections, all.unexpected_logouts, result.bad_logouts,
                 all.sequence_faults, all.garbled);
    if (!result.trouble.empty()) {
      std::fprintf(out, "            first: %s\n", result.trouble.c_str());
    }
  }
}

std::vector<Measurement> measurements_of(const LoadResult& result, const std::string& contender) {
  std::vector<Measurement> rows;
  add_rows(result.calm, "", contender, rows);
  if (result.hostile.rounds != 0) {
    add_rows(result.hostile, "_beside_hostile", contender, rows);
    rows.push_back(measurement_of("others_p99", contender, "ratio", result.others_p99()));
    rows.push_back(measurement_of("sent_again", contender, "messages",
                                  {static_cast<double>(result.hostile_peers.sent_again)}));
  }
  rows.push_back(measurement_of("lost", contender, "orders", {static_cast<double>(result.lost)}));
  rows.push_back(
      measurement_of("dropped", contender, "connections", {static_cast<double>(result.dropped)}));
  return rows;
}

}  // namespace affix::inline v0::tools::bench
