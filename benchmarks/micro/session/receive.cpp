// SPDX-License-Identifier: MIT
// An ExecutionReport of 248 bytes from its bytes to the application's call: framed, indexed,
// checked by the session, stored, delivered and marked as processed. QuickFIX does the same with
// its Session::next over a memory store, without a dictionary.
#include "benchmarks.hpp"
#include "party.hpp"

#ifdef AFFIX_BENCH_QUICKFIX
#include "../codec_contenders/quickfix_session.hpp"
#endif

#include <cstring>
#include <memory>
#include <string>

namespace affix_bench {

namespace {

affix::journal::Options in_memory() {
  affix::journal::Options options;
  options.identity = "bench session";
  options.durability = affix::journal::Durability::Memory;
  return options;
}

/// Reading after a whole stream, which every contender has: the number it expects next.
constexpr std::uint64_t expected_after = ReportStream::first_sequence + ReportStream::count;

std::string affix_reading() {
  Party party(report_receiver, in_memory());
  ReportStream stream;
  for (std::uint32_t at = 0; at < ReportStream::count; ++at) {
    party.receive(stream.next(party), ReportStream::time_ns);
  }
  return std::to_string(party.delivered()) + " delivered, next " +
         std::to_string(party.state().next_expected);
}

#ifdef AFFIX_BENCH_QUICKFIX
std::string quickfix_reading() {
  ReportStream stream;
  const std::uint64_t before = quickfix_delivered();
  quickfix_expect(ReportStream::first_sequence);
  for (std::uint32_t at = 0; at < ReportStream::count; ++at) {
    const std::string_view message = stream.next();
    quickfix_receive(message.data(), message.size());
  }
  return std::to_string(quickfix_delivered() - before) + " delivered, next " +
         std::to_string(quickfix_expected());
}
#endif

/// The minimum of work: the index of the message and one copy of its bytes.
struct Floor {
  ReportStream stream;
  affix::wire::FieldIndexOf<256> index;
  std::array<char, Message::capacity> copy{};
};

}  // namespace

void add_receive_benchmarks(std::vector<Benchmark>& benchmarks) {
  static_assert(expected_after > ReportStream::first_sequence);
  Benchmark benchmark{"session_receive_er248",
                      "ExecutionReport of 248 bytes; framed, indexed, through the session, stored "
                      "in a journal in memory, delivered (QuickFIX: Session::next, memory store)",
                      {}};
  const auto party = std::make_shared<Party>(report_receiver, in_memory());
  const auto stream = std::make_shared<ReportStream>();
  benchmark.contenders.push_back({"affix",
                                  [party, stream](std::size_t count) {
                                    for (std::size_t done = 0; done < count; ++done) {
                                      party->receive(stream->next(*party), ReportStream::time_ns);
                                    }
                                  },
                                  affix_reading,
                                  {}});
#ifdef AFFIX_BENCH_QUICKFIX
  const auto quickfix_stream = std::make_shared<ReportStream>();
  benchmark.contenders.push_back({"quickfix",
                                  [stream = quickfix_stream, at = 0U](std::size_t count) mutable {
                                    for (std::size_t done = 0; done < count; ++done) {
                                      if (at++ % ReportStream::count == 0) {
                                        quickfix_expect(ReportStream::first_sequence);
                                      }
                                      const std::string_view message = stream->next();
                                      quickfix_receive(message.data(), message.size());
                                    }
                                  },
                                  quickfix_reading,
                                  {}});
#endif
  const auto floor = std::make_shared<Floor>();
  benchmark.contenders.push_back({"floor",
                                  [floor](std::size_t count) {
                                    for (std::size_t done = 0; done < count; ++done) {
                                      const std::string_view message = floor->stream.next();
                                      affix::wire::index_message(message, floor->index);
                                      std::memcpy(floor->copy.data(), message.data(),
                                                  message.size());
                                      keep(floor->copy.data());
                                    }
                                  },
                                  {},
                                  {}});
  benchmarks.push_back(std::move(benchmark));
}

}  // namespace affix_bench
