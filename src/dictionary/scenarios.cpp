// SPDX-License-Identifier: MIT
// Merges member lists.

#include "dictionary/scenarios.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace affix::inline v0::dictionary {

// Recursive, as deep as elements nest, which is limited.
std::vector<DraftMember> merge_lists(std::vector<std::vector<DraftMember>> lists) {
  if (lists.size() == 1) {
    return std::move(lists.front());
  }

  struct Gathered {
    DraftMember member;
    std::size_t requiring = 0;
    std::vector<std::vector<DraftMember>> inner;
  };

  using Key = std::tuple<MemberKind, std::uint32_t, std::string_view>;

  std::vector<Gathered> gathered;
  std::map<Key, std::size_t> by_key;
  const std::size_t count = lists.size();
  for (std::vector<DraftMember>& list : lists) {
    for (DraftMember& member : list) {
      const auto [slot, is_new] =
          by_key.emplace(Key{member.kind, member.tag, member.name}, gathered.size());
      if (is_new) {
        gathered.push_back({member, 0, {}});
      }
      Gathered& entry = gathered[slot->second];
      entry.requiring += member.required ? 1 : 0;
      entry.inner.push_back(std::move(member.members));
    }
  }
  std::vector<DraftMember> merged;
  merged.reserve(gathered.size());
  for (Gathered& entry : gathered) {
    entry.member.required = entry.requiring >= count;
    entry.member.members = merge_lists(std::move(entry.inner));
    merged.push_back(std::move(entry.member));
  }
  return merged;
}

}  // namespace affix::inline v0::dictionary
