// SPDX-License-Identifier: MIT
// The seed's NewOrderSingle from values to bytes that may leave: the session's header and number,
// encoded, stored. QuickFIX does the same with Session::send over a memory store.
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "../../temporary_directory.hpp"
#include "benchmarks.hpp"
#include "party.hpp"

#ifdef AFFIX_BENCH_QUICKFIX
#include "../codec_contenders/quickfix_session.hpp"
#endif

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace affix_bench {

namespace {

affix::journal::Options options_of(affix::journal::Durability durability,
                                   const std::string& directory) {
  affix::journal::Options options;
  options.directory = directory;
  options.identity = "bench session";
  options.durability = durability;
  options.sync_on_close = false;
  return options;
}

/// A sender that replaces its journal before it grows large.
class Sender {
 public:
  explicit Sender(affix::journal::Durability durability)
      : durability_(durability), party_(order_sender, fresh()) {
    party_.prepare_order();
  }

  Party& party() { return party_; }

  [[gnu::always_inline]] void advance() {
    order_.time_ns += 1'000;
    ++sent_;
  }

  [[nodiscard]] const OrderValues& order() const { return order_; }

  void between_rounds() {
    if (sent_ > orders_max) {
      sent_ = 0;
      party_.close_journal();
      party_.open_journal(fresh());
    }
    party_.prepare_journal();
  }

 private:
  static constexpr std::uint64_t orders_max = 200'000;

  affix::journal::Options fresh() {
    directory_ = std::make_unique<TemporaryDirectory>();
    return options_of(durability_, directory_->path() + "/journal");
  }

  affix::journal::Durability durability_;
  std::unique_ptr<TemporaryDirectory> directory_;
  Party party_;
  OrderValues order_;
  std::uint64_t sent_ = 0;
};

/// The fields except those that depend on the clock or on a contender's numbers, sorted by
/// text.
std::string reading_of(std::string_view message) {
  affix::wire::FieldIndexOf<64> index;
  affix::wire::index_message(message, index);
  if (!index.clean()) {
    return "refused";
  }
  std::vector<std::string> fields;
  for (const affix::wire::Field field : affix::wire::MessageView(message, index)) {
    const bool differs = field.tag == 34 || field.tag == 52 || field.tag == 9 || field.tag == 10;
    fields.push_back(std::to_string(field.tag) + (differs ? "" : "=" + std::string(field.value)));
  }
  std::sort(fields.begin(), fields.end());
  std::string result;
  for (const std::string& field : fields) {
    result += field + "|";
  }
  return result;
}

template <bool Prepared>
void add_affix(Benchmark& benchmark, std::string name, affix::journal::Durability durability) {
  const auto sender = std::make_shared<Sender>(durability);
  const auto send = [](Sender& from) {
    return Prepared ? from.party().send_prepared(from.order()) : from.party().send(from.order());
  };
  benchmark.contenders.push_back({std::move(name),
                                  [sender, send](std::size_t count) {
                                    for (std::size_t done = 0; done < count; ++done) {
                                      std::string_view bytes = send(*sender);
                                      keep(bytes.data());
                                      sender->party().leave();
                                      sender->advance();
                                    }
                                  },
                                  [durability, send] {
                                    Sender fresh(durability);
                                    return reading_of(send(fresh));
                                  },
                                  [sender] { sender->between_rounds(); }});
}

}  // namespace

void add_send_benchmarks(std::vector<Benchmark>& benchmarks) {
  using affix::journal::Durability;
  Benchmark benchmark{"session_send_nos",
                      "NewOrderSingle of 25 fields; header, number, encoded, stored in a journal "
                      "in memory or in a mapped file (QuickFIX: Session::send, memory store)",
                      {}};
  add_affix<false>(benchmark, "affix-memory", Durability::Memory);
  add_affix<false>(benchmark, "affix-process", Durability::Process);
  add_affix<true>(benchmark, "affix-prepared", Durability::Memory);
#ifdef AFFIX_BENCH_QUICKFIX
  benchmark.contenders.push_back({"quickfix",
                                  [order = QuickfixOrder{0, seed_time_ns, "1", "NOKIA.HE", 10,
                                                         10000}](std::size_t count) mutable {
                                    for (std::size_t done = 0; done < count; ++done) {
                                      const char* bytes = quickfix_send(order);
                                      keep(bytes);
                                      order.time_ns += 1'000;
                                    }
                                  },
                                  [] {
                                    return reading_of(quickfix_send(QuickfixOrder{
                                        0, seed_time_ns, "1", "NOKIA.HE", 10, 10000}));
                                  },
                                  {}});
#endif
  benchmark.contenders.push_back({"floor",
                                  [](std::size_t count) {
                                    static std::array<char, 512> buffer;
                                    static std::array<char, 512> copy;
                                    affix::wire::TimeStampCache cache;
                                    OrderValues order;
                                    for (std::size_t done = 0; done < count; ++done) {
                                      const auto message = encode_order(buffer, cache, order);
                                      std::memcpy(copy.data(), message->data(), message->size());
                                      keep(copy.data());
                                      order.time_ns += 1'000;
                                    }
                                  },
                                  {},
                                  {}});
  benchmarks.push_back(std::move(benchmark));
}

}  // namespace affix_bench
