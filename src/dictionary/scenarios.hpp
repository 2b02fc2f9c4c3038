// SPDX-License-Identifier: MIT
// Orchestra's scenarios: merges several definitions of one item.
#pragma once

#include "dictionary/draft.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

/// Merges `lists`: members of any of them, in order of first appearance; required if every list has
/// and requires it. Takes time in proportion to the lists.
[[nodiscard]] std::vector<DraftMember> merge_lists(std::vector<std::vector<DraftMember>> lists);

/// Gathers definitions by a key. A known key with a new scenario adds a scenario to the item; with
/// a known scenario it is a duplicate and stored separately, for the caller to judge.
template <typename Item>
class ScenarioTable {
 public:
  struct Entry {
    Item first;
    std::vector<std::vector<DraftMember>> lists;  ///< One per scenario.
    std::set<std::string_view> scenarios;
  };

  void add(std::string key, std::string_view scenario, Item item,
           std::vector<DraftMember> members) {
    const auto [slot, is_new] = by_key_.emplace(std::move(key), entries_.size());
    if (!is_new && entries_[slot->second].scenarios.insert(scenario).second) {
      entries_[slot->second].lists.push_back(std::move(members));
      return;
    }
    Entry entry{std::move(item), {}, {scenario}};
    entry.lists.push_back(std::move(members));
    entries_.push_back(std::move(entry));
  }

  [[nodiscard]] std::vector<Entry>& entries() noexcept { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> by_key_;
};

}  // namespace affix::inline v0::dictionary
