// SPDX-License-Identifier: MIT
// ./dev bench counters: cost of counting and measuring for its thread, with the same hooks that the
// engine's sessions call, inline and into a mapped file as there. The clock is measured too: a
// measured message reads it twice, and one in 64 is measured.
#include "affix/config/configuration.hpp"
#include "affix/net/reactor.hpp"
#include "affix/os/clock.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../../temporary_directory.hpp"
#include "../harness.hpp"
#include "counters/latency_recorder.hpp"
#include "host/session_meter.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace affix_bench {

namespace {

using namespace affix;
using counters::SessionCounter;
using counters::SessionLatency;

constexpr std::size_t message_bytes = 200;

/// Exceeds all recorded before, and spreads over the histogram's buckets as latencies do.
std::int64_t latency_of(std::size_t at) noexcept {
  return static_cast<std::int64_t>(200 + (at * 2'654'435'761U) % 8'192);
}

/// A session that counts in a file, like an engine's.
struct Counting {
  explicit Counting(const std::string& path) {
    const base::Now now = os::now();
    auto made = counters::CounterFile::create(path, 1, now.utc_ns);
    if (!made || !(*made)->publish()) {
      std::fprintf(stderr, "%s: no counters\n", path.c_str());
      std::exit(1);
    }
    file = std::move(*made);
    worker.emplace(file->worker(0));
    auto opened = host::SessionMeter::open(*file, *worker, {.name = "FIRM"}, now, nullptr);
    if (!opened) {
      std::fprintf(stderr, "%s\n", opened.error().text().c_str());
      std::exit(1);
    }
    meter.emplace(std::move(*opened));
    meter->note_event(session::Event::LoggedOn, now);
    meter->record(SessionLatency::Callback, 1);  // The first value allocates the histograms.
    wire::index_message(order, index);
  }

  std::unique_ptr<counters::CounterFile> file;
  std::optional<counters::WorkerMeter> worker;
  std::optional<host::SessionMeter> meter;
  std::string order =
      "8=FIX.4.4\0019=60\00135=D\00149=FIRM\00156=VENUE\00134=7\00111=1\00155=ACME\00154=1\00138=5"
      "\00110=000\001";
  wire::FieldIndexOf<64> index;
};

Contender clock_alone() {
  return {"clock",
          [](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              std::int64_t now_ns = os::read_clock_ns(CLOCK_MONOTONIC);
              hide(now_ns);
            }
          },
          {},
          {}};
}

Contender counter(const std::shared_ptr<Counting>& own) {
  return {"counter",
          [own](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              own->meter->add(SessionCounter::BytesSent, message_bytes);
              keep(own.get());
            }
          },
          {},
          {}};
}

Contender sample(const std::shared_ptr<Counting>& own) {
  return {"sample",
          [own](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              std::int64_t taken_ns = latency_of(at);
              hide(taken_ns);
              own->meter->record(SessionLatency::Callback, taken_ns);
              keep(own.get());
            }
          },
          {},
          {}};
}

/// Cost that `sample` adds to `clock` when both are done together.
Contender clock_and_sample(const std::shared_ptr<Counting>& own) {
  return {"clock_and_sample",
          [own](std::size_t count) {
            std::int64_t before_ns = os::read_clock_ns(CLOCK_MONOTONIC);
            for (std::size_t at = 0; at < count; ++at) {
              const std::int64_t now_ns = os::read_clock_ns(CLOCK_MONOTONIC);
              own->meter->record(SessionLatency::Callback, now_ns - before_ns);
              before_ns = now_ns;
              keep(own.get());
            }
          },
          {},
          {}};
}

/// The hooks of a message from the socket to the end of its callback, HostedSession's in its order.
Contender message_in(const std::shared_ptr<Counting>& own) {
  return {"message_in",
          [own](std::size_t count) {
            host::SessionMeter& meter = *own->meter;
            const base::Now turn = os::now();
            for (std::size_t at = 0; at < count; ++at) {
              meter.note_message(wire::MessageView(own->order, own->index));
              if (meter.measures_received_append()) [[unlikely]] {
                const std::int64_t begun_ns = os::read_clock_ns(CLOCK_MONOTONIC);
                meter.record(SessionLatency::Append, os::read_clock_ns(CLOCK_MONOTONIC) - begun_ns);
              }
              meter.add(SessionCounter::ApplicationReceived);
              if (meter.measures_delivery()) [[unlikely]] {
                const std::int64_t begun_ns = os::read_clock_ns(CLOCK_MONOTONIC);
                meter.record(SessionLatency::SocketToApplication, begun_ns - turn.steady_ns);
                meter.record(SessionLatency::Callback,
                             os::read_clock_ns(CLOCK_MONOTONIC) - begun_ns);
              }
              meter.note_input(1, message_bytes, turn);
              keep(own.get());
            }
          },
          {},
          {}};
}

/// The same for a message from begin() to the socket, with a send of its own.
Contender message_out(const std::shared_ptr<Counting>& own) {
  return {"message_out",
          [own](std::size_t count) {
            host::SessionMeter& meter = *own->meter;
            const base::Now turn = os::now();
            for (std::size_t at = 0; at < count; ++at) {
              if (meter.measures_send()) [[unlikely]] {
                meter.begin_send(os::read_clock_ns(CLOCK_MONOTONIC));
              }
              meter.begin_store();
              meter.add(SessionCounter::MessagesSent);
              meter.note_sending(turn.utc_ns);
              if (meter.measures_sent_append()) [[unlikely]] {
                const std::int64_t begun_ns = os::read_clock_ns(CLOCK_MONOTONIC);
                meter.record(SessionLatency::Append, os::read_clock_ns(CLOCK_MONOTONIC) - begun_ns);
              }
              meter.note_application_sent(at);
              meter.end_send(message_bytes);
              meter.add(SessionCounter::BytesSent, message_bytes);
              if (meter.ends_watch(message_bytes)) [[unlikely]] {
                meter.end_watch(os::read_clock_ns(CLOCK_MONOTONIC));
              }
              keep(own.get());
            }
          },
          {},
          {}};
}

/// A worker that records where the time of its messages goes, as one with `latency_file` does.
struct Recording {
  explicit Recording(const std::string& path) {
    auto made = counters::LatencyFile::create(
        path,
        {.workers = 1,
         .records = static_cast<std::size_t>(config::EngineSettings().latency_records),
         .sessions = 2},
        os::now().utc_ns);
    auto reactor = net::make_reactor("epoll", {});
    if (!made || !(*made)->publish() || !reactor) {
      std::fprintf(stderr, "%s: no latencies\n", path.c_str());
      std::exit(1);
    }
    file = std::move(*made);
    clock = std::move(*reactor);
    recorder.emplace(*file, 0, *clock, true);
    in = recorder->track("FIRM");
    out = recorder->track("VENUE");
  }

  std::unique_ptr<counters::LatencyFile> file;
  std::unique_ptr<net::Reactor> clock;
  std::optional<counters::LatencyRecorder> recorder;
  counters::LatencyTrack in;
  counters::LatencyTrack out;
  std::uint64_t position = 0;
};

/// All hooks of a message and its answer, `batch` of which come with one read and leave with one
/// send, whose stamp the kernel reports.
Contender recorded(const char* name, const std::shared_ptr<Recording>& own, std::size_t batch) {
  return {name,
          [own, batch](std::size_t count) {
            counters::LatencyRecorder& recorder = *own->recorder;
            const std::int64_t read_ns = os::now().utc_ns;
            for (std::size_t at = 0; at < count; at += batch) {
              recorder.begin_read(read_ns, read_ns);
              for (std::size_t message = 1; message <= batch; ++message) {
                recorder.begin_delivery(own->in, at + message, false);
                recorder.commit(own->out, at + message, message * message_bytes);
                recorder.end_delivery();
              }
              recorder.begin_sending();
              own->position += batch * message_bytes;
              recorder.note_sent(own->out, batch * message_bytes, own->position,
                                 counters::LatencyCause::Peer);
              recorder.note_transmitted(own->out, own->position, read_ns);
              recorder.end_turn();
              keep(own.get());
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
  const auto own = std::make_shared<Counting>(directory.path() + "/counters");
  const auto recording = std::make_shared<Recording>(directory.path() + "/latencies");
  return run_benchmarks(
      options,
      {{"counters",
        "a clock reading; one counter; one value into a histogram; both together, of which the "
        "goal is 10 ns more than the clock; all hooks of a message in, and of one out, with the "
        "clock readings of the one in 64 that is measured",
        {clock_alone(), counter(own), sample(own), clock_and_sample(own), message_in(own),
         message_out(own)}},
       {"latency",
        "a clock reading; what latency_file costs the engine for a message and its answer, one and "
        "ten to a read and a send, of which the goal is 40 ns; the kernel's stamps are not in it",
        {clock_alone(), recorded("recorded_1", recording, 1),
         recorded("recorded_10", recording, 10)}}});
}
