// SPDX-License-Identifier: MIT
// Orchestra's scenarios: several definitions of one thing, gathered and read as one.
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

/// One list of what any of `lists` has, in order of first appearance; required is what every list
/// has and requires. Takes time in proportion to the lists.
[[nodiscard]] std::vector<DraftMember> merge_lists(std::vector<std::vector<DraftMember>> lists);

/// Gathers definitions by a key. A definition under a known key and a scenario not seen yet is
/// another scenario of it; under a seen one it is a duplicate and kept apart, for others to judge.
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
