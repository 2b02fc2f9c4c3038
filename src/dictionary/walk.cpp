// SPDX-License-Identifier: MIT
// Expands components in place.

#include "affix/dictionary/walk.hpp"

namespace affix::inline v0::dictionary {

namespace {

// Recursive, as deep as components nest, which loaders bound.
void append(const Dictionary& dictionary, std::span<const Member> members, const FlatMember& around,
            std::vector<FlatMember>& flat) {
  for (const Member& member : members) {
    FlatMember entry = around;
    entry.member = member;
    entry.required = around.required && member.required;
    if (member.kind == MemberKind::Component) {
      entry.component = member.index;
      ++entry.depth;
      append(dictionary, dictionary.component(member).members, entry, flat);
    } else {
      flat.push_back(entry);
    }
  }
}

}  // namespace

std::vector<FlatMember> flatten(const Dictionary& dictionary, std::span<const Member> members) {
  std::vector<FlatMember> flat;
  flat.reserve(members.size());
  append(dictionary, members,
         {.member = {}, .required = true, .component = no_component, .depth = 0}, flat);
  return flat;
}

}  // namespace affix::inline v0::dictionary
