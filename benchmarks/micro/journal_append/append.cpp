// SPDX-License-Identifier: MIT
// Appends in batches of 16 with one time stamp, per message.
#include "benchmarks.hpp"
#ifdef AFFIX_BENCH_QUICKFIX
#include "quickfix_store.hpp"
#endif

#include <memory>

namespace affix_bench {

void add_append_benchmarks(const TemporaryDirectory& directory,
                           std::vector<Benchmark>& benchmarks) {
  Benchmark benchmark{"journal_append",
                      "one message of 212 bytes stored, in batches of 16 with one time stamp",
                      {}};
  const auto floor = std::make_shared<MappedFloor>(directory.path("floor"));
  benchmark.contenders.push_back({"floor",
                                  [floor](std::size_t count) {
                                    for (std::size_t at = 0; at < count; ++at) {
                                      floor->append();
                                    }
                                  },
                                  {},
                                  {}});
  for (const auto& [name, durability] : {std::pair("process", affix::journal::Durability::Process),
                                         std::pair("group", affix::journal::Durability::Group)}) {
    const auto journal = std::make_shared<EndlessJournal>(directory.path(name), durability);
    benchmark.contenders.push_back({name,
                                    [journal](std::size_t count) {
                                      for (std::size_t at = 0; at < count; ++at) {
                                        journal->append();
                                      }
                                    },
                                    {},
                                    [journal] { journal->prepare(); }});
  }
  const auto file = std::make_shared<PlainFile>(directory.path("plain"));
  benchmark.contenders.push_back({"write",
                                  [file](std::size_t count) {
                                    for (std::size_t at = 0; at < count; ++at) {
                                      file->append();
                                    }
                                  },
                                  {},
                                  [file] { file->start_over(); }});
#ifdef AFFIX_BENCH_QUICKFIX
  const std::shared_ptr<QuickfixStore> store = make_quickfix_store(directory.path("quickfix"));
  benchmark.contenders.push_back({"quickfix",
                                  [store, text = std::string(message())](std::size_t count) {
                                    for (std::size_t at = 0; at < count; ++at) {
                                      store->append(text);
                                    }
                                  },
                                  {},
                                  {}});
#endif
  benchmarks.push_back(std::move(benchmark));
}

}  // namespace affix_bench
