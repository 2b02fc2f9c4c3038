// SPDX-License-Identifier: MIT
// ./dev bench counters: what counting and measuring costs the thread that does it, with the very
// hooks that the engine's sessions call, inline as there and into a mapped file as there. The clock
// stands beside them: a measured message reads it twice, and one in 64 is measured.
#include "affix/net/clock.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../../temporary_directory.hpp"
#include "../harness.hpp"
#include "engine/session_meter.hpp"

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
using engine::SessionCounter;
using engine::SessionLatency;

constexpr std::size_t message_bytes = 200;

/// Beyond any that was recorded before, and spread over the histogram's buckets as latencies are.
std::int64_t latency_of(std::size_t at) noexcept {
  return static_cast<std::int64_t>(200 + (at * 2'654'435'761U) % 8'192);
}

/// A session that counts in a file, as one of an engine does.
struct Counting {
  explicit Counting(const std::string& path) {
    const base::Now now = net::now();
    auto made = engine::CounterFile::create(path, 1, now.utc_ns);
    if (!made || !(*made)->publish()) {
      std::fprintf(stderr, "%s: no counters\n", path.c_str());
      std::exit(1);
    }
    file = std::move(*made);
    worker.emplace(file->worker(0));
    auto opened = engine::SessionMeter::open(*file, *worker, {.name = "FIRM"}, now, nullptr);
    if (!opened) {
      std::fprintf(stderr, "%s\n", opened.error().text().c_str());
      std::exit(1);
    }
    meter.emplace(std::move(*opened));
    meter->note_event(session::Event::LoggedOn, now);
    meter->record(SessionLatency::Callback, 1);  // The histograms are taken with the first value.
    wire::index_message(order, index);
  }

  std::unique_ptr<engine::CounterFile> file;
  std::optional<engine::WorkerMeter> worker;
  std::optional<engine::SessionMeter> meter;
  std::string order =
      "8=FIX.4.4\0019=60\00135=D\00149=FIRM\00156=VENUE\00134=7\00111=1\00155=ACME\00154=1\00138=5"
      "\00110=000\001";
  wire::FieldIndexOf<64> index;
};

Contender clock_alone() {
  return {"clock",
          [](std::size_t count) {
            for (std::size_t at = 0; at < count; ++at) {
              std::int64_t now_ns = net::read_clock_ns(CLOCK_MONOTONIC);
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

/// What `sample` adds to `clock` when they come together.
Contender clock_and_sample(const std::shared_ptr<Counting>& own) {
  return {"clock_and_sample",
          [own](std::size_t count) {
            std::int64_t before_ns = net::read_clock_ns(CLOCK_MONOTONIC);
            for (std::size_t at = 0; at < count; ++at) {
              const std::int64_t now_ns = net::read_clock_ns(CLOCK_MONOTONIC);
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
  return {
      "message_in",
      [own](std::size_t count) {
        engine::SessionMeter& meter = *own->meter;
        const base::Now turn = net::now();
        for (std::size_t at = 0; at < count; ++at) {
          meter.note_message(wire::MessageView(own->order, own->index));
          if (meter.measures_received_append()) [[unlikely]] {
            const std::int64_t begun_ns = net::read_clock_ns(CLOCK_MONOTONIC);
            meter.record(SessionLatency::Append, net::read_clock_ns(CLOCK_MONOTONIC) - begun_ns);
          }
          meter.add(SessionCounter::ApplicationReceived);
          if (meter.measures_delivery()) [[unlikely]] {
            const std::int64_t begun_ns = net::read_clock_ns(CLOCK_MONOTONIC);
            meter.record(SessionLatency::SocketToApplication, begun_ns - turn.steady_ns);
            meter.record(SessionLatency::Callback, net::read_clock_ns(CLOCK_MONOTONIC) - begun_ns);
          }
          meter.note_input(1, message_bytes, turn);
          keep(own.get());
        }
      },
      {},
      {}};
}

/// The same of one from begin() to the socket, which has a send of its own.
Contender message_out(const std::shared_ptr<Counting>& own) {
  return {"message_out",
          [own](std::size_t count) {
            engine::SessionMeter& meter = *own->meter;
            const base::Now turn = net::now();
            for (std::size_t at = 0; at < count; ++at) {
              if (meter.measures_send()) [[unlikely]] {
                meter.begin_send(net::read_clock_ns(CLOCK_MONOTONIC));
              }
              meter.begin_store();
              meter.add(SessionCounter::MessagesSent);
              meter.note_sending(turn.utc_ns);
              if (meter.measures_sent_append()) [[unlikely]] {
                const std::int64_t begun_ns = net::read_clock_ns(CLOCK_MONOTONIC);
                meter.record(SessionLatency::Append,
                             net::read_clock_ns(CLOCK_MONOTONIC) - begun_ns);
              }
              meter.note_application_sent(at);
              meter.end_send(message_bytes);
              meter.add(SessionCounter::BytesSent, message_bytes);
              if (meter.ends_watch(message_bytes)) [[unlikely]] {
                meter.end_watch(net::read_clock_ns(CLOCK_MONOTONIC));
              }
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
  return run_benchmarks(
      options,
      {{"counters",
        "a clock reading; one counter; one value into a histogram; both together, of which the "
        "goal is 10 ns more than the clock; all hooks of a message in, and of one out, with the "
        "clock readings of the one in 64 that is measured",
        {clock_alone(), counter(own), sample(own), clock_and_sample(own), message_in(own),
         message_out(own)}}});
}
