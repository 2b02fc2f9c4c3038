// SPDX-License-Identifier: MIT
// From bytes to fields. Every contender reads the same bytes, in the first-level cache; their
// readings are compared as text.
#include "affix/wire/checksum.hpp"
#include "affix/wire/framer.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../messages.hpp"
#include "benchmarks.hpp"
#include "fill.hpp"
#include "kernels.hpp"

#ifdef AFFIX_BENCH_QUICKFIX
#include "../codec_contenders/quickfix_codec.hpp"
#endif

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix_bench {

namespace {

namespace wire = affix::wire;

/// The work's input: one message again and again, or many in random order.
struct Input {
  Input(std::vector<Message> given, const std::vector<std::uint8_t>& places)
      : messages(std::move(given)) {
    for (const std::uint8_t place : places) {
      order.push_back(&messages[place]);
    }
  }

  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::vector<Message> messages;
  std::vector<const Message*> order;  ///< A power of two of them.
};

using SharedInput = std::shared_ptr<const Input>;

SharedInput one(const Message& message) {
  return std::make_shared<Input>(std::vector<Message>{message}, std::vector<std::uint8_t>(64, 0));
}

SharedInput mixed() {
  return std::make_shared<Input>(mixed_execution_reports(), mixed_order(8192));
}

/// Calls `work` with message after message, hidden from the compiler; continues in the order where
/// the last call ended.
template <class Work>
auto over(SharedInput input, Work work) {
  return [input = std::move(input), work, at = std::size_t{0}](std::size_t count) mutable {
    const Message* const* const order = input->order.data();
    const std::size_t mask = input->order.size() - 1;
    for (std::size_t done = 0; done < count; ++done) {
      const Message* message = order[at++ & mask];
      hide(message);
      work(message->view());
    }
  };
}

/// One index and framer per process, as for one connection.
struct Stream {
  wire::Framer framer;
  wire::FieldIndexOf<256> index;
};

Stream the_stream;

[[gnu::always_inline]] inline Stream& stream() {
  return the_stream;
}

[[gnu::always_inline]] inline void frame_and_index(std::string_view bytes) {
  Stream& state = stream();
  wire::Frame frame = state.framer.next(bytes);
  wire::index_message(bytes.substr(0, frame.size), state.index);
  keep(&state.index);
}

/// Reading that all contenders have: number of fields, sums of tags and of value sizes, and the
/// values of the tags that QuickFIX reads back.
struct Reading {
  std::size_t field_count = 0;
  std::uint64_t tag_sum = 0;
  std::uint64_t value_bytes = 0;
  std::string values;

  [[nodiscard]] std::string text() const {
    return std::to_string(field_count) + " fields, tags " + std::to_string(tag_sum) + ", bytes " +
           std::to_string(value_bytes) + ":" + values + "\n";
  }
};

constexpr std::uint32_t read_tags[] = {8,  9,  35, 49, 56, 34, 52, 37, 17,  11,
                                       39, 55, 54, 38, 44, 32, 31, 14, 150, 60};

std::string affix_reading(const Input& input) {
  std::string result;
  for (const Message& message : input.messages) {
    frame_and_index(message.view());
    const wire::FieldIndex& index = stream().index;
    if (!index.clean()) {
      result += "refused\n";
      continue;
    }
    const wire::MessageView view(message.view(), index);
    Reading reading;
    for (const wire::Field field : view) {
      ++reading.field_count;
      reading.tag_sum += field.tag;
      reading.value_bytes += field.value.size();
    }
    for (const std::uint32_t tag : read_tags) {
      reading.values += " " + std::to_string(tag) + "=" + std::string(view.find(tag).value_or(""));
    }
    result += reading.text();
  }
  return result;
}

#ifdef AFFIX_BENCH_QUICKFIX
std::string quickfix_reading(const Input& input) {
  std::string result;
  for (const Message& message : input.messages) {
    QuickfixValues values;
    if (!quickfix_parse(message.bytes.data(), message.size, &values)) {
      result += "refused\n";
      continue;
    }
    Reading reading{values.field_count, values.tag_sum, values.value_bytes, {}};
    static_assert(std::size(read_tags) == quickfix_value_count);
    for (std::size_t at = 0; at < quickfix_value_count; ++at) {
      reading.values += " " + std::to_string(quickfix_value_tags[at]) + "=" +
                        std::string(values.values[at].text, values.values[at].size);
    }
    result += reading.text();
  }
  return result;
}
#endif

/// A copy of the bytes: the minimum for a program that keeps them.
[[gnu::always_inline]] inline void copy_bytes(std::string_view bytes) {
  static char copy[Message::capacity + Message::padding];
  std::memcpy(copy, bytes.data(), bytes.size());
  keep(copy);
}

void add_floor(Benchmark& benchmark, const SharedInput& input) {
  benchmark.contenders.push_back({"floor", over(input, copy_bytes), {}, {}});
}

Benchmark index_benchmark(std::string name, std::string about, const SharedInput& input) {
  Benchmark benchmark{
      std::move(name),
      std::move(about) +
          "; frame, BodyLength, checksum, every tag, offset and length (QuickFIX: parse)",
      {}};
  add_affix(benchmark, over(input, frame_and_index), [input] { return affix_reading(*input); });
#ifdef AFFIX_BENCH_QUICKFIX
  benchmark.contenders.push_back({"quickfix",
                                  over(input,
                                       [](std::string_view bytes) {
                                         static_cast<void>(
                                             quickfix_parse(bytes.data(), bytes.size(), nullptr));
                                       }),
                                  [input] { return quickfix_reading(*input); },
                                  {}});
#endif
  benchmark.contenders.push_back({"floor-checksum",
                                  over(input,
                                       [](std::string_view bytes) {
                                         std::uint32_t sum = wire::checksum(bytes);
                                         hide(sum);
                                       }),
                                  {},
                                  [] { use_kernel(measured_kernels().front()); }});
  add_floor(benchmark, input);
  return benchmark;
}

Benchmark framing_benchmark(const SharedInput& input) {
  Benchmark benchmark{"framing", "ExecutionReport of 169 bytes; where the message ends", {}};
  add_affix(
      benchmark,
      over(input,
           [](std::string_view bytes) {
             std::size_t size = stream().framer.next(bytes).size;
             hide(size);
           }),
      [input] { return std::to_string(stream().framer.next(input->messages[0].view()).size); });
#ifdef AFFIX_BENCH_QUICKFIX
  benchmark.contenders.push_back({"quickfix",
                                  over(input,
                                       [](std::string_view bytes) {
                                         static_cast<void>(
                                             quickfix_framing(bytes.data(), bytes.size()));
                                       }),
                                  [input] {
                                    const Message& message = input->messages[0];
                                    return quickfix_framing(message.bytes.data(), message.size) == 1
                                               ? std::to_string(message.size)
                                               : std::string("not one message");
                                  },
                                  {}});
#endif
  add_floor(benchmark, input);
  return benchmark;
}

Benchmark checksum_benchmark(std::string name, const SharedInput& input) {
  const std::size_t size = input->messages[0].size;
  Benchmark benchmark{
      std::move(name), std::to_string(size) + " bytes; the sum of all bytes", {}, size};
  add_affix(benchmark,
            over(input,
                 [](std::string_view bytes) {
                   std::uint32_t sum = wire::checksum(bytes);
                   hide(sum);
                 }),
            [input] { return std::to_string(wire::checksum(input->messages[0].view())); });
  add_floor(benchmark, input);
  return benchmark;
}

/// Uses a text: its first byte and its size.
[[gnu::always_inline]] inline std::size_t look_up(const wire::MessageView& view,
                                                  std::uint32_t tag) {
  auto value = view.text(tag);  // GCC 12 would keep a const one in memory.
  if (!value) [[unlikely]] {
    return 0;
  }
  const char* text = value->data();
  hide(text);
  return value->size();
}

[[gnu::always_inline]] inline std::size_t look_up_four(const wire::MessageView& view) {
  return look_up(view, 11) + look_up(view, 37) + look_up(view, 55) + look_up(view, 39);
}

Benchmark lookup_benchmark(const SharedInput& input) {
  Benchmark benchmark{
      "lookup4", "ExecutionReport of 248 bytes, indexed before; the text of 11, 37, 55 and 39", {}};
  const auto run = [input](std::size_t count) {
    frame_and_index(input->messages[0].view());
    const wire::FieldIndex* index = &stream().index;
    for (std::size_t done = 0; done < count; ++done) {
      hide(index);
      std::size_t size = look_up_four(wire::MessageView(input->messages[0].view(), *index));
      hide(size);
    }
  };
  add_affix(benchmark, run, [input] {
    frame_and_index(input->messages[0].view());
    return std::to_string(
        look_up_four(wire::MessageView(input->messages[0].view(), stream().index)));
  });
  return benchmark;
}

/// The values alone, as an application would keep them.
struct Fill {
  std::int64_t sequence = 0;
  affix::base::UtcTime sent;
  char exec_type = 0;
  char side = 0;
  affix::base::Decimal quantity;
  affix::base::Decimal last_price;
  affix::base::Decimal filled;
  affix::base::UtcTime transacted;
  bool good = false;
};

[[gnu::always_inline]] inline Fill decode_fill(std::string_view bytes) {
  Stream& state = stream();
  wire::Frame frame = state.framer.next(bytes);
  wire::index_message(bytes.substr(0, frame.size), state.index);
  if (!state.index.clean()) {
    return {};
  }
  FillFields fields = read_fill({bytes.substr(0, frame.size), state.index});
  if (!fields.complete()) {
    return {};
  }
  return {*fields.sequence,   *fields.sent,   *fields.exec_type,  *fields.side, *fields.quantity,
          *fields.last_price, *fields.filled, *fields.transacted, true};
}

Benchmark typed_benchmark(const SharedInput& input) {
  Benchmark benchmark{"typed_er",
                      "ExecutionReport of 248 bytes; framed, indexed and checked, and eight typed "
                      "values: 34, 52, 150, 54, 38, 31, 14, 60",
                      {}};
  const auto work = [](std::string_view bytes) {
    const Fill fill = decode_fill(bytes);
    keep(&fill);
  };
  add_affix(benchmark, over(input, work), [input] {
    const Fill fill = decode_fill(input->messages[0].view());
    const auto decimal = [](affix::base::Decimal value) {
      return std::to_string(value.mantissa) + "e" + std::to_string(value.exponent) + " ";
    };
    return std::to_string(fill.good) + " " + std::to_string(fill.sequence) + " " +
           std::to_string(fill.sent.ns) + " " + fill.exec_type + fill.side + " " +
           decimal(fill.quantity) + decimal(fill.last_price) + decimal(fill.filled) +
           std::to_string(fill.transacted.ns);
  });
  add_floor(benchmark, input);
  return benchmark;
}

/// A chain of dependent multiplications: the same number of cycles on every core, so that its time
/// shows the clock rate.
[[gnu::always_inline]] inline void count_cycles() {
  std::uint64_t product = 3;
  hide(product);
  for (int done = 0; done < 1000; ++done) {
    product *= product;
    hide(product);
  }
}

Benchmark clock_benchmark(const SharedInput& input) {
  Benchmark benchmark{"clock_er248",
                      "ExecutionReport of 248 bytes; frame and index as above, then 1,000 "
                      "multiplications one after the other: what a kernel's instructions do to the "
                      "core's clock, and so to everything else (floor: the multiplications alone)",
                      {}};
  add_affix(benchmark,
            over(input,
                 [](std::string_view bytes) {
                   frame_and_index(bytes);
                   count_cycles();
                 }),
            [input] { return affix_reading(*input); });
  benchmark.contenders.push_back(
      {"floor", over(input, [](std::string_view) { count_cycles(); }), {}, {}});
  return benchmark;
}

}  // namespace

void add_decode_benchmarks(std::vector<Benchmark>& benchmarks) {
  const SharedInput report_169 = one(execution_report_169);
  const SharedInput report_248 = one(execution_report_248);
  benchmarks.push_back(
      index_benchmark("index_er169", "ExecutionReport of 169 bytes, 20 fields", report_169));
  benchmarks.push_back(index_benchmark("index_nos158", "NewOrderSingle of 158 bytes, 17 fields",
                                       one(new_order_single_158)));
  benchmarks.push_back(
      index_benchmark("index_er248", "ExecutionReport of 248 bytes, 26 fields", report_248));
  benchmarks.push_back(index_benchmark("index_seed_er184",
                                       "the seed's ExecutionReport of 184 bytes, 23 fields with a "
                                       "group (published by llfix 1.0.5: 319)",
                                       one(seed_execution_report)));
  benchmarks.push_back(
      index_benchmark("index_mixed64", "64 different ExecutionReports in random order", mixed()));
  benchmarks.push_back(clock_benchmark(report_248));
  benchmarks.push_back(framing_benchmark(report_169));
  benchmarks.push_back(checksum_benchmark("checksum", report_248));
  benchmarks.push_back(checksum_benchmark("checksum_seed_er184", one(seed_execution_report)));
  benchmarks.push_back(lookup_benchmark(report_248));
  benchmarks.push_back(typed_benchmark(report_248));
}

}  // namespace affix_bench
