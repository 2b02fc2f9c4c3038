// SPDX-License-Identifier: MIT
// The rival's decoder benchmark with its own message, an ExecutionReport of 184 bytes: framed,
// indexed, checked by the session and delivered, with its record in a mapped journal and without
// one. bench wire's index_seed_er184 has bytes to fields alone.
#include "../../temporary_directory.hpp"
#include "benchmarks.hpp"
#include "party.hpp"

#include <cstring>
#include <memory>
#include <string>

namespace affix_bench {

namespace {

/// Of the seed's report.
constexpr PartyIdentity seed_receiver{"FIX.4.2", "TRADER", "EXECUTOR", "", "", ""};
/// 2023-09-01 12:30:45, the time in it, so that it is not too old.
constexpr std::int64_t seed_report_time_ns = 1'693'571'445'000'000'000;
constexpr std::uint64_t seed_sequence = 1;

/// A receiver that gets the same message again and again, and replaces its journal before it grows
/// large.
class Receiver {
 public:
  explicit Receiver(affix::journal::Durability durability)
      : durability_(durability), party_(seed_receiver, fresh()) {}

  [[gnu::always_inline]] void receive() {
    const char* bytes = seed_execution_report.bytes.data();
    hide(bytes);
    party_.expect(seed_sequence);
    party_.receive({bytes, seed_execution_report.size}, seed_report_time_ns);
    ++received_;
  }

  void between_rounds() {
    if (received_ > reports_max) {
      received_ = 0;
      party_.close_journal();
      party_.open_journal(fresh());
    }
    party_.prepare_journal();
  }

  [[nodiscard]] const Party& party() const { return party_; }

 private:
  static constexpr std::uint64_t reports_max = 200'000;

  affix::journal::Options fresh() {
    directory_ = std::make_unique<TemporaryDirectory>();
    affix::journal::Options options;
    options.directory = directory_->path() + "/journal";
    options.identity = "bench session";
    options.durability = durability_;
    options.sync_on_close = false;
    return options;
  }

  affix::journal::Durability durability_;
  std::unique_ptr<TemporaryDirectory> directory_;
  Party party_;
  std::uint64_t received_ = 0;
};

std::string reading_of(affix::journal::Durability durability) {
  constexpr int reports = 3;
  Receiver receiver(durability);
  for (int report = 0; report < reports; ++report) {
    receiver.receive();
  }
  return std::to_string(receiver.party().delivered()) + " delivered, next " +
         std::to_string(receiver.party().state().next_expected);
}

}  // namespace

void add_seed_report_benchmarks(std::vector<Benchmark>& benchmarks) {
  using affix::journal::Durability;
  Benchmark benchmark{"seed_er184_session",
                      "the seed's ExecutionReport of 184 bytes; framed, indexed, judged by the "
                      "session, delivered: with a ring in memory, and with a record in a mapped "
                      "journal. Published by llfix 1.0.5: 361 validated, 410 with its record",
                      {}};
  for (const auto& [name, durability] :
       {std::pair("affix", Durability::Memory), std::pair("affix-record", Durability::Process)}) {
    const auto receiver = std::make_shared<Receiver>(durability);
    benchmark.contenders.push_back({name,
                                    [receiver](std::size_t count) {
                                      for (std::size_t done = 0; done < count; ++done) {
                                        receiver->receive();
                                      }
                                    },
                                    [kept = durability] { return reading_of(kept); },
                                    [receiver] { receiver->between_rounds(); }});
  }

  struct Floor {
    affix::wire::FieldIndexOf<256> index;
    std::array<char, Message::capacity> copy{};
  };

  const auto floor = std::make_shared<Floor>();
  benchmark.contenders.push_back(
      {"floor",
       [floor](std::size_t count) {
         for (std::size_t done = 0; done < count; ++done) {
           const char* bytes = seed_execution_report.bytes.data();
           hide(bytes);
           affix::wire::index_message({bytes, seed_execution_report.size}, floor->index);
           std::memcpy(floor->copy.data(), bytes, seed_execution_report.size);
           keep(floor->copy.data());
         }
       },
       {},
       {}});
  benchmarks.push_back(std::move(benchmark));
}

}  // namespace affix_bench
