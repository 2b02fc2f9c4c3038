// SPDX-License-Identifier: MIT
// From values to bytes. The order is the seed's of 242 bytes; number and time differ from message
// to message, as they do in a program, and the first message's bytes are compared.
#include "affix/wire/index.hpp"
#include "affix/wire/timestamp.hpp"

#include "../messages.hpp"
#include "benchmarks.hpp"
#include "kernels.hpp"
#include "seed_order.hpp"

#ifdef AFFIX_BENCH_QUICKFIX
#include "../codec_contenders/quickfix_codec.hpp"
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix_bench {

namespace {

namespace wire = affix::wire;

/// The fields sorted by text, since QuickFIX has its own order; 9 and 10 are the same for
/// both.
std::string sorted_fields(std::string_view message) {
  std::vector<std::string> fields;
  while (!message.empty()) {
    const std::size_t end = message.find('\001');
    fields.emplace_back(message.substr(0, end));
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
  }
  std::sort(fields.begin(), fields.end());
  std::string result;
  for (const std::string& field : fields) {
    result += field + "|";
  }
  return result;
}

/// The next order's values: numbers of one digit count, so that every order has the seed's size, a
/// microsecond apart.
[[gnu::always_inline]] inline void advance(OrderValues& order) {
  order.sequence = 1 + (order.sequence & 7);
  order.time_ns += 1000;
  const char* id = order.cl_ord_id.data();
  hide(id);
  order.cl_ord_id = {id, order.cl_ord_id.size()};
}

void add_floor(Benchmark& benchmark, std::size_t size) {
  benchmark.contenders.push_back({"floor",
                                  [size](std::size_t count) {
                                    static char copy[Message::capacity];
                                    for (std::size_t done = 0; done < count; ++done) {
                                      // Any message of that size will do.
                                      const char* from = seed_new_order_single.bytes.data();
                                      std::size_t hidden = size;
                                      hide(from);
                                      hide(hidden);
                                      std::memcpy(copy, from, hidden);
                                      keep(copy);
                                    }
                                  },
                                  {},
                                  {}});
}

Benchmark encode_benchmark() {
  Benchmark benchmark{
      "encode_nos242",
      "NewOrderSingle of 242 bytes, 25 fields, header and trailer included, time passed in",
      {}};
  const auto run = [](std::size_t count) {
    static std::array<char, 512> buffer;
    wire::TimeStampCache cache;
    OrderValues order;
    for (std::size_t done = 0; done < count; ++done) {
      const auto message = encode_order(buffer, cache, order);
      keep(message->data());
      advance(order);
    }
  };
  add_affix(benchmark, run, [] {
    std::array<char, 512> buffer;
    wire::TimeStampCache cache;
    const auto message = encode_order(buffer, cache, OrderValues{});
    return message && *message == seed_new_order_single.view()
               ? sorted_fields(*message)
               : std::string("not the seed's bytes");
  });
#ifdef AFFIX_BENCH_QUICKFIX
  const auto quickfix_run = [](std::size_t count) {
    static std::array<char, 512> buffer;
    QuickfixOrder order{2, seed_time_ns, "1", "NOKIA.HE", 10, 10000};
    for (std::size_t done = 0; done < count; ++done) {
      static_cast<void>(quickfix_encode_new_order_single(order, buffer.data(), buffer.size()));
      keep(buffer.data());
      order.msg_seq_num = 1 + (order.msg_seq_num & 7);
      order.time_ns += 1000;
    }
  };
  benchmark.contenders.push_back(
      {"quickfix",
       quickfix_run,
       [] {
         std::array<char, 512> buffer;
         const QuickfixOrder order{2, seed_time_ns, "1", "NOKIA.HE", 10, 10000};
         const std::size_t size =
             quickfix_encode_new_order_single(order, buffer.data(), buffer.size());
         return sorted_fields({buffer.data(), size});
       },
       {}});
#endif
  add_floor(benchmark, seed_new_order_single.size);
  return benchmark;
}

/// 2023-09-01 12:30:45, the time in the seed's report.
constexpr std::int64_t seed_report_time_ns = 1'693'571'445'000'000'000;

/// The seed's report as a venue writes it: 23 fields, header and trailer included.
[[gnu::always_inline]] inline std::expected<std::string_view, wire::EncodeError> encode_report(
    std::span<char> buffer, wire::TimeStampCache& cache, std::int64_t sequence,
    std::int64_t time_ns) {
  wire::Encoder encoder(buffer, &cache);
  encoder.begin("FIX.4.2", "8");
  encoder.integer(34, sequence);
  encoder.text(49, "EXECUTOR");
  encoder.utc_time(52, {time_ns, 0}, wire::TimePrecision::Millis);
  encoder.text(56, "TRADER");
  encoder.integer(17, 12345);
  encoder.character(20, '0');
  encoder.text(37, "ABC123");
  encoder.character(39, '1');
  encoder.text(11, "1");
  encoder.character(150, '1');
  encoder.decimal(32, {1, 0});
  encoder.decimal(31, {100, 0});
  encoder.integer(453, 2);
  encoder.text(448, "PARTY1");
  encoder.character(447, 'D');
  encoder.integer(452, 1);
  encoder.text(448, "PARTY2");
  encoder.character(447, 'D');
  encoder.integer(452, 3);
  return encoder.finish();
}

Benchmark encode_report_benchmark() {
  Benchmark benchmark{"encode_seed_er184",
                      "the seed's ExecutionReport of 184 bytes, 23 fields, header and trailer "
                      "included, time passed in",
                      {}};
  const auto run = [](std::size_t count) {
    static std::array<char, 512> buffer;
    wire::TimeStampCache cache;
    std::int64_t sequence = 1;
    std::int64_t time_ns = seed_report_time_ns;
    for (std::size_t done = 0; done < count; ++done) {
      const auto message = encode_report(buffer, cache, sequence, time_ns);
      keep(message->data());
      sequence = 1 + (sequence & 7);
      time_ns += 1000;
    }
  };
  add_affix(benchmark, run, [] {
    std::array<char, 512> buffer;
    wire::TimeStampCache cache;
    const auto message = encode_report(buffer, cache, 1, seed_report_time_ns);
    return message && *message == seed_execution_report.view()
               ? std::string("the seed's bytes")
               : std::string("not the seed's bytes");
  });
  add_floor(benchmark, seed_execution_report.size);
  return benchmark;
}

Benchmark prepared_benchmark() {
  Benchmark benchmark{
      "prepared_nos242",
      "the same order prepared: 34, 52, 60 (one time) and 11 patched, checksum corrected",
      {}};
  const auto run = [order_of_all = std::make_shared<PreparedOrder>()](std::size_t count) {
    wire::TimeStampCache cache;
    OrderValues order;
    for (std::size_t done = 0; done < count; ++done) {
      const auto message = order_of_all->encode(cache, order);
      keep(message->data());
      advance(order);
    }
  };
  add_affix(benchmark, run, [] {
    PreparedOrder prepared;
    if (!prepared.good()) {
      return std::string("cannot be prepared");
    }
    wire::TimeStampCache cache;
    OrderValues order;
    order.sequence = 7;
    order.time_ns += 123'456'789'012;
    order.cl_ord_id = "9";
    std::array<char, 512> buffer;
    wire::TimeStampCache other_cache;
    const auto patched = prepared.encode(cache, order);
    const auto encoded = encode_order(buffer, other_cache, order);
    return patched && encoded && *patched == *encoded ? std::string("as encoded")
                                                      : std::string("not as encoded");
  });
  add_floor(benchmark, seed_new_order_single.size);
  return benchmark;
}

Benchmark timestamp_benchmark() {
  Benchmark benchmark{
      "timestamp_render",
      "a UTC time stamp of 21 characters from nanoseconds, a microsecond after the last one",
      {}};
  constexpr std::size_t size = 21;
  const auto affix_run = [](std::size_t count) {
    wire::TimeStampCache cache;
    char text[64];
    std::int64_t time_ns = seed_time_ns;
    for (std::size_t done = 0; done < count; ++done) {
      hide(time_ns);
      cache.write({time_ns, 0}, wire::TimePrecision::Millis, text);
      keep(text);
      time_ns += 1000;
    }
  };
  add_affix(benchmark, affix_run, [] {
    wire::TimeStampCache cache;
    char text[64];
    return std::string(text, cache.write({seed_time_ns, 0}, wire::TimePrecision::Millis, text));
  });
  const auto render_slowly = [](std::int64_t time_ns, char* text, std::size_t room) {
    const std::time_t seconds = time_ns / affix::base::ns_per_second;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::size_t written = std::strftime(text, room, "%Y%m%d-%H:%M:%S", &parts);
    const auto millis = static_cast<unsigned>(time_ns / affix::base::ns_per_ms % 1000);
    written +=
        static_cast<std::size_t>(std::snprintf(text + written, room - written, ".%03u", millis));
    return written;
  };
  benchmark.contenders.push_back({"gmtime_r",
                                  [render_slowly](std::size_t count) {
                                    char text[64];
                                    std::int64_t time_ns = seed_time_ns;
                                    for (std::size_t done = 0; done < count; ++done) {
                                      hide(time_ns);
                                      static_cast<void>(render_slowly(time_ns, text, sizeof text));
                                      keep(text);
                                      time_ns += 1000;
                                    }
                                  },
                                  [render_slowly] {
                                    char text[64];
                                    return std::string(
                                        text, render_slowly(seed_time_ns, text, sizeof text));
                                  },
                                  {}});
  add_floor(benchmark, size);
  return benchmark;
}

}  // namespace

void add_encode_benchmarks(std::vector<Benchmark>& benchmarks) {
  benchmarks.push_back(encode_benchmark());
  benchmarks.push_back(encode_report_benchmark());
  benchmarks.push_back(prepared_benchmark());
  benchmarks.push_back(timestamp_benchmark());
}

}  // namespace affix_bench
