// SPDX-License-Identifier: MIT
// affix_counts SCENARIO ITERATIONS: does one message's work ITERATIONS times in the function
// affix_measured, where callgrind counts instructions, and prints the number of memory allocations
// there. scripts/check_counts.py compares both with the baselines.
#include "affix/dictionary/load.hpp"
#include "affix/dictionary/validator.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../micro/dictionary/judged_messages.hpp"
#include "../micro/messages.hpp"
#include "../micro/session/party.hpp"
#include "../micro/wire/fill.hpp"
#include "../micro/wire/seed_order.hpp"
#include "engine_orders.hpp"
#include "support/allocation_count.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace {

namespace dictionary = affix::dictionary;
namespace wire = affix::wire;

template <class T>
void hide(T& value) {
  asm volatile("" : "+r"(value) : : "memory");
}

/// State of a connection, made before counting begins.
struct State {
  wire::Framer framer;
  wire::FieldIndexOf<256> index;
  wire::TimeStampCache cache;
  affix_bench::PreparedOrder prepared;
  affix_bench::OrderValues order;
  std::array<char, 512> buffer{};
  std::uint64_t seen = 0;
  std::optional<dictionary::Validator> validator;  ///< Made by the first call.
  dictionary::Shapes shapes;
  const affix_counts::CountersWatcher* watcher = nullptr;  ///< Must watch until the end.
};

void index_message(State& state, const affix_bench::Message& message) {
  const char* bytes = message.bytes.data();
  hide(bytes);
  const std::string_view input(bytes, message.size);
  const wire::Frame frame = state.framer.next(input);
  wire::index_message(input.substr(0, frame.size), state.index);
  state.seen += state.index.count;
}

void index_er169(State& state) {
  index_message(state, affix_bench::execution_report_169);
}

void index_er248(State& state) {
  index_message(state, affix_bench::execution_report_248);
}

void typed_er248(State& state) {
  index_message(state, affix_bench::execution_report_248);
  const affix_bench::FillFields fill =
      affix_bench::read_fill({affix_bench::execution_report_248.view(), state.index});
  if (!fill.complete()) {
    std::abort();
  }
  state.seen += static_cast<std::uint64_t>(
      *fill.sequence + fill.sent->ns + *fill.exec_type + *fill.side + fill.quantity->mantissa +
      fill.last_price->mantissa + fill.filled->mantissa + fill.transacted->ns);
}

dictionary::Validator load_validator() {
  const auto transport = dictionary::load(AFFIX_DICTIONARIES "/FIXT11.xml");
  const auto application = dictionary::load(AFFIX_DICTIONARIES "/FIX50SP2.xml");
  if (!transport || !application) {
    std::abort();
  }
  auto compiled = dictionary::Validator::compile(*transport.dictionary, *application.dictionary);
  if (!compiled) {
    std::abort();
  }
  return std::move(*compiled);
}

void validate(State& state, const affix_bench::Message& message) {
  if (!state.validator) {
    state.validator = load_validator();
  }
  index_message(state, message);
  if (!state.validator->clean({message.view(), state.index}, dictionary::Rules::all(),
                              dictionary::FaultOrder::Message, state.shapes)) {
    std::abort();
  }
}

void validate_nos212(State& state) {
  validate(state, affix_bench::order_212);
}

void validate_er30(State& state) {
  validate(state, affix_bench::report_30);
}

void advance(State& state) {
  state.order.sequence = 1 + (state.order.sequence & 7);
  state.order.time_ns += 1000;
}

void encode_nos242(State& state) {
  const auto message = affix_bench::encode_order(state.buffer, state.cache, state.order);
  state.seen += message->size();
  advance(state);
}

/// A report whose id is as long as one made of a time, with two stamps of the same moment in two
/// precisions; the 64 reports of a turn share that moment.
void encode_er_long_id(State& state) {
  constexpr std::uint64_t turn = 64;
  wire::Encoder report(state.buffer, &state.cache);
  const affix::base::UtcTime time{affix_bench::seed_time_ns, 0};
  const affix::base::UtcTime now{time.ns + static_cast<std::int64_t>(state.seen / turn), 0};
  report.begin("FIXT.1.1", "8");
  report.integer(34, state.seen);
  report.text(49, "EXECUTOR");
  report.utc_time(52, now, wire::TimePrecision::Nanos);
  report.text(56, "CLIENT1");
  report.text(11, "20251231T182136.457-0000012345");
  report.utc_time(60, now, wire::TimePrecision::Millis);
  if (!report.finish()) {
    std::abort();
  }
  ++state.seen;
}

void prepared_nos242(State& state) {
  const auto message = state.prepared.encode(state.cache, state.order);
  state.seen += message->size();
  advance(state);
}

affix::journal::Options journal_in_memory() {
  affix::journal::Options options;
  options.identity = "affix_counts";
  options.durability = affix::journal::Durability::Memory;
  return options;
}

/// A session and its input, made by the first call.
struct Receiver {
  affix_bench::Party party{affix_bench::report_receiver, journal_in_memory()};
  affix_bench::ReportStream stream;
};

void session_receive_er248(State& state) {
  static Receiver receiver;
  receiver.party.receive(receiver.stream.next(receiver.party), affix_bench::ReportStream::time_ns);
  state.seen = receiver.party.delivered();
}

void session_send_nos(State& state) {
  static affix_bench::Party sender{affix_bench::order_sender, journal_in_memory()};
  state.seen += sender.send(state.order).size();
  sender.leave();
  state.order.time_ns += 1000;
}

affix_counts::EngineOrders& engines() {
  static affix_counts::EngineOrders made;
  return made;
}

/// From one engine to another.
void engine_order(State& state) {
  engines().order();
  state.seen = engines().arrived();
}

/// From here on another process reads their counters without a pause.
void watch(State& state) {
  static const affix_counts::CountersWatcher watcher(engines().counters_path());
  state.watcher = &watcher;
}

struct Scenario {
  const char* name;
  void (*work)(State& state);
  void (*prepare)(State& state) = nullptr;  ///< Called after the first call.
};

constexpr Scenario scenarios[] = {
    {"index_er169", index_er169},           {"index_er248", index_er248},
    {"typed_er248", typed_er248},           {"encode_nos242", encode_nos242},
    {"prepared_nos242", prepared_nos242},   {"validate_nos212", validate_nos212},
    {"validate_er30", validate_er30},       {"session_receive_er248", session_receive_er248},
    {"session_send_nos", session_send_nos}, {"encode_er_long_id", encode_er_long_id},
    {"engine_order", engine_order},         {"engine_order_watched", engine_order, watch}};

}  // namespace

/// The counted part; callgrind looks for it by name.
[[gnu::noinline]] void affix_measured(void (*work)(State& state), State& state,
                                      std::uint64_t iterations) {
  for (std::uint64_t done = 0; done < iterations; ++done) {
    work(state);
  }
}

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const Scenario& scenario : scenarios) {
      std::printf("%s\n", scenario.name);
    }
    return 0;
  }
  std::uint64_t iterations = 0;
  if (argc != 3 ||
      std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), iterations).ptr !=
          argv[2] + std::strlen(argv[2]) ||
      iterations == 0) {
    std::fprintf(stderr, "usage: affix_counts SCENARIO ITERATIONS | --list\n");
    return 2;
  }
  for (const Scenario& scenario : scenarios) {
    if (std::strcmp(scenario.name, argv[1]) == 0) {
      static State state;
      // The first call selects the kernel, which is no part of a message's work.
      scenario.work(state);
      if (scenario.prepare != nullptr) {
        scenario.prepare(state);
      }
      const std::uint64_t before = affix::support::allocation_count();
      affix_measured(scenario.work, state, iterations);
      std::printf("{\"scenario\": \"%s\", \"iterations\": %llu, \"allocations\": %llu}\n",
                  scenario.name, static_cast<unsigned long long>(iterations),
                  static_cast<unsigned long long>(affix::support::allocation_count() - before));
      return state.seen != 0 && (state.watcher == nullptr || state.watcher->watches()) ? 0 : 1;
    }
  }
  std::fprintf(stderr, "no scenario '%s'\n", argv[1]);
  return 2;
}
