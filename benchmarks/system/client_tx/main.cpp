// SPDX-License-Identifier: MIT
// Client TX: the time from an order's values to the kernel having its bytes, each order alone,
// paced, over loopback, beside a plain send() of the same bytes.
#include "affix/os/clock.hpp"

#include "../../temporary_directory.hpp"
#include "measure/distribution.hpp"
#include "measure/latency_histogram.hpp"
#include "measure/measurement.hpp"
#include "sender.hpp"
#include "sink.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace affix_bench {

namespace {

using affix::tools::LatencyHistogram;
using affix::tools::Measurement;

struct Options {
  std::uint64_t messages = 100'000;
  std::uint64_t batch = 1'000;
  std::int64_t pace_ns = 10'000;
  std::int64_t warm_ns = 0;
  int core = -1;
  int sink_core = -1;
  bool sink_sleeps = false;
  std::string json;
  std::string distribution;
};

struct Contender {
  std::string name;
  std::unique_ptr<Sender> sender;
  bool warms = false;
  std::unique_ptr<LatencyHistogram> times = std::make_unique<LatencyHistogram>();
  std::vector<double> batch_medians;
  std::uint64_t sent = 0;
};

/// A warming takes less.
constexpr std::int64_t warm_margin_ns = 3'000;

/// A sink that was held up has not read: the raw sender's send() waits for it, and the others are
/// given the same time, which counts as the order's.
constexpr std::int64_t refusal_patience_ns = affix::base::ns_per_second;

bool send_or_wait(Sender& sender, std::uint64_t number, std::int64_t begin_ns) {
  while (!sender.send(number)) {
    if (affix::os::read_clock_ns(CLOCK_MONOTONIC) - begin_ns > refusal_patience_ns) {
      return false;
    }
    sender.rest();
  }
  return true;
}

/// One batch; false when an order was not sent.
bool run_batch(Contender& contender, const Options& options) {
  LatencyHistogram batch;
  std::int64_t due_ns = affix::os::read_clock_ns(CLOCK_MONOTONIC);
  // The first orders bring code and buffers back into the caches.
  const std::uint64_t warm_up = options.batch / 10;
  for (std::uint64_t order = 0; order < options.batch + warm_up; ++order) {
    std::int64_t begin_ns = affix::os::read_clock_ns(CLOCK_MONOTONIC);
    std::int64_t warm_at_ns = begin_ns + options.warm_ns;
    while (begin_ns < due_ns) {
      // Early enough that the order does not wait for it.
      if (contender.warms && begin_ns >= warm_at_ns && begin_ns + warm_margin_ns < due_ns) {
        contender.sender->warm();
        warm_at_ns = begin_ns + options.warm_ns;
      }
      begin_ns = affix::os::read_clock_ns(CLOCK_MONOTONIC);
    }
    if (!send_or_wait(*contender.sender, ++contender.sent, begin_ns)) {
      return false;
    }
    const std::int64_t end_ns = affix::os::read_clock_ns(CLOCK_MONOTONIC);
    if (order >= warm_up) {
      contender.times->record(end_ns - begin_ns);
      batch.record(end_ns - begin_ns);
    }
    due_ns = std::max(due_ns + options.pace_ns, end_ns);
  }
  contender.batch_medians.push_back(static_cast<double>(batch.value_at(0.5)));
  contender.sender->rest();
  return true;
}

/// Of each batch: the median minus that of the plain send() in the same round.
std::vector<double> above_raw(const Contender& contender, const Contender& raw) {
  std::vector<double> above;
  for (std::size_t batch = 0; batch < contender.batch_medians.size(); ++batch) {
    above.push_back(contender.batch_medians[batch] - raw.batch_medians[batch]);
  }
  return above;
}

void print(const std::vector<Contender>& contenders) {
  std::printf("%-16s %8s %8s %8s %8s %8s %8s %10s %14s\n", "ns an order", "min", "median", "p90",
              "p99", "p99.9", "p99.99", "max", "less raw");
  for (const Contender& contender : contenders) {
    const LatencyHistogram& times = *contender.times;
    std::vector<double> less = above_raw(contender, contenders.front());
    std::sort(less.begin(), less.end());
    const auto at = [&times](double fraction) {
      return static_cast<long long>(times.value_at(fraction));
    };
    std::printf("%-16s %8lld %8lld %8lld %8lld %8lld %8lld %10lld %14.0f\n", contender.name.c_str(),
                static_cast<long long>(times.min_ns()), at(0.5), at(0.9), at(0.99), at(0.999),
                at(0.9999), static_cast<long long>(times.max_ns()), less[less.size() / 2]);
  }
}

int fail(const std::string& text) {
  std::fprintf(stderr, "affix_bench_client_tx: %s\n", text.c_str());
  return 2;
}

int measure(const Options& options, const std::string& directory) {
  Sink sink(options.sink_core, !options.sink_sleeps);
  if (sink.port() == 0) {
    return fail("no port to listen on");
  }
  pin_thread(options.core);
  std::vector<Contender> contenders;
  const auto add = [&contenders](const char* name, std::unique_ptr<Sender> sender) {
    contenders.push_back({});
    contenders.back().name = name;
    contenders.back().sender = std::move(sender);
  };
  std::string why;
  add("raw", make_raw_sender(sink.port()));
  add("raw_stored", make_storing_sender(sink.port(), directory, why));
  add("affix", make_affix_sender(sink.port(), directory + "/affix", "process", false, why));
  add("affix_prepared",
      make_affix_sender(sink.port(), directory + "/prepared", "process", true, why));
  if (options.warm_ns != 0) {
    add("affix_warmed",
        make_affix_sender(sink.port(), directory + "/warmed", "process", false, why));
    contenders.back().warms = true;
  }
  add("affix_memory", make_affix_sender(sink.port(), directory + "/memory", "memory", false, why));
#ifdef AFFIX_BENCH_QUICKFIX
  add("quickfix_file", make_quickfix_sender(sink.port(), directory + "/quickfix", why));
  add("quickfix_memory", make_quickfix_sender(sink.port(), {}, why));
#endif
  for (const Contender& contender : contenders) {
    if (!contender.sender) {
      return fail(contender.name + ": " + why);
    }
  }
  const std::uint64_t before = sink.orders();
  std::uint64_t sent = 0;
  const std::uint64_t batches = std::max<std::uint64_t>(options.messages / options.batch, 1);
  for (std::uint64_t batch = 0; batch < batches; ++batch) {
    for (Contender& contender : contenders) {
      if (!run_batch(contender, options)) {
        return fail(contender.name + " could not send");
      }
    }
  }
  for (const Contender& contender : contenders) {
    sent += contender.sent;
  }
  const std::int64_t deadline_ns = affix::os::now().steady_ns + 5 * affix::base::ns_per_second;
  while (sink.orders() - before < sent && affix::os::now().steady_ns < deadline_ns) {
  }
  if (sink.orders() - before != sent) {
    return fail("the sink has read " + std::to_string(sink.orders() - before) + " orders of " +
                std::to_string(sent));
  }
  print(contenders);
  std::vector<Measurement> rows;
  std::vector<affix::tools::DistributionColumn> columns;
  for (const Contender& contender : contenders) {
    rows.push_back(affix::tools::measurement_of("client_tx", contender.name, *contender.times));
    rows.push_back(affix::tools::measurement_of("client_tx_above_raw", contender.name, "ns",
                                                above_raw(contender, contenders.front())));
    columns.push_back({contender.name + "_ns", contender.times.get()});
  }
  if (!options.json.empty()) {
    if (const auto written = affix::tools::write_measurements(options.json, rows); !written) {
      return fail(written.error().text());
    }
  }
  if (!options.distribution.empty()) {
    const auto written = affix::tools::write_distribution(options.distribution, columns);
    if (!written) {
      return fail(written.error().text());
    }
  }
  return 0;
}

int run(int count, char** arguments) {
  Options options;
  CLI::App program(
      "One order alone, from its values to the kernel: written, stored in a mapped journal and "
      "sent, beside send() of the same bytes",
      "affix_bench_client_tx");
  program.add_option("--messages", options.messages, "Orders of each contender")
      ->capture_default_str();
  program.add_option("--batch", options.batch, "Orders until the next contender's turn")
      ->check(CLI::Range(std::uint64_t{10}, std::uint64_t{1'000'000}))
      ->capture_default_str();
  program.add_option("--pace", options.pace_ns, "Nanoseconds from one order to the next")
      ->capture_default_str();
  program
      .add_option("--warm", options.warm_ns,
                  "One more contender, which runs the send path without sending each so many "
                  "nanoseconds between orders; for a large --pace")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}))
      ->capture_default_str();
  program.add_option("--core", options.core, "Core of the sender");
  program.add_option("--sink-core", options.sink_core, "Core of the reader");
  program.add_flag("--sink-sleeps", options.sink_sleeps,
                   "The reader sleeps between orders, and each send wakes it");
  program.add_option("--json", options.json, "Write the figures to this file");
  program.add_option("--distribution", options.distribution,
                     "Write the contenders' percentile curves to this CSV file");
  CLI11_PARSE(program, count, arguments);
  const TemporaryDirectory directory;
  return measure(options, directory.path());
}

}  // namespace

}  // namespace affix_bench

int main(int count, char** arguments) {
  return affix_bench::run(count, arguments);
}
