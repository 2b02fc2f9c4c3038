// SPDX-License-Identifier: MIT
// Resolves the member lists of a draft; merges or refuses duplicates within one list.
#pragma once

#include "dictionary/draft.hpp"
#include "dictionary/draft_fields.hpp"
#include "dictionary/problems.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace affix::inline v0::dictionary {

/// Positions of the draft's components, by name.
using ComponentIndex = std::unordered_map<std::string_view, std::uint32_t>;

/// True if two lists are equal except for places.
[[nodiscard]] bool same_members(const std::vector<DraftMember>& left,
                                const std::vector<DraftMember>& right);

class MemberResolver {
 public:
  MemberResolver(const PlacedFields& fields, const ComponentIndex& components, Problems& problems);

  /// The list with indices for names; unresolved names are left out and reported under `owner`.
  /// Appends groups to groups().
  [[nodiscard]] std::vector<Member> resolve(const std::vector<DraftMember>& draft,
                                            std::string_view owner);

  [[nodiscard]] std::vector<Group>& groups() noexcept { return groups_; }

  /// Place of each group, and the message or component that contains it.
  [[nodiscard]] const std::vector<std::uint32_t>& group_places() const noexcept {
    return group_places_;
  }

 private:
  static constexpr std::uint32_t not_found = UINT32_MAX;

  // The last list and member in which a field (alone or as counter) or a component was seen.
  struct Seen {
    std::uint32_t list = 0;
    const DraftMember* member = nullptr;
    std::uint32_t position = 0;
  };

  [[nodiscard]] std::uint32_t field_of(const DraftMember& member, std::string_view owner);
  [[nodiscard]] std::uint32_t component_of(const DraftMember& member, std::string_view owner);
  [[nodiscard]] bool replaces(const DraftMember& member, const DraftMember& first,
                              std::string_view owner);

  /// Searches all names, so only the first few problems of a file get a suggestion.
  template <typename Names>
  [[nodiscard]] std::string hint(std::string_view name, const Names& names);

  const PlacedFields& fields_;
  const ComponentIndex& components_;
  Problems& problems_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_places_;
  std::vector<Seen> seen_fields_;
  std::vector<Seen> seen_components_;
  std::uint32_t list_ = 0;
  std::uint32_t hints_left_ = 100;
};

}  // namespace affix::inline v0::dictionary
