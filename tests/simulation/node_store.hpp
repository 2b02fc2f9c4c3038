// SPDX-License-Identifier: MIT
// The election store as one node's process sees it: each question is a point at which the process
// may be killed, and a planted bug may change what it learns.
#pragma once

#include "affix/testing/memory_election_store.hpp"

#include "simulation/failover_plan.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace affix::simulation {

class NodeStore final : public replication::ElectionStore {
 public:
  /// The highest epoch of each group that a node's processes have asked for.
  using Epochs = std::map<std::string, std::uint64_t, std::less<>>;

  /// `die_here` is true if the process is dead, perhaps since this call. `asked` outlives it.
  NodeStore(std::unique_ptr<replication::ElectionStore> store, std::string node, PlantedBug bug,
            Epochs& asked, std::function<bool()> die_here)
      : store_(std::move(store)),
        node_(std::move(node)),
        bug_(bug),
        asked_epochs_(asked),
        die_here_(std::move(die_here)) {}

  void ask(replication::StoreRequest request) override;

  void watch(std::string_view group) override { store_->watch(group); }

  [[nodiscard]] std::optional<replication::Answer> take() override;

  [[nodiscard]] std::string place() const override { return store_->place(); }

  void wake_with(net::Waker* waker) override {
    waker_ = waker;
    store_->wake_with(waker);
  }

 private:
  [[nodiscard]] bool keeps_back(const replication::StoreRequest& request) const;
  [[nodiscard]] bool changes(replication::Answer& answer);

  std::unique_ptr<replication::ElectionStore> store_;
  std::string node_;
  PlantedBug bug_;
  Epochs& asked_epochs_;
  std::function<bool()> die_here_;
  net::Waker* waker_ = nullptr;
  std::map<std::string, replication::Answer, std::less<>> believed_;  // Of groups it believes to
                                                                      // lead.
  std::map<std::string, replication::Entry, std::less<>> asked_;
  std::optional<replication::Answer> invented_;
};

}  // namespace affix::simulation
