// SPDX-License-Identifier: MIT
// Makes layouts from dictionaries.
#include "group_layout.hpp"

#include "affix/dictionary/walk.hpp"

namespace affix::conformance_echo {

namespace {

// Calls itself as deep as the dictionary's groups, which the loader bounds.
// NOLINTNEXTLINE(misc-no-recursion)
GroupLayout make_layout(const dictionary::Dictionary& dictionary,
                        std::span<const dictionary::Member> members) {
  GroupLayout layout;
  for (const dictionary::FlatMember& flat : dictionary::flatten(dictionary, members)) {
    const std::uint32_t tag = dictionary.tag(flat.member);
    layout.places.emplace(tag, layout.places.size());
    if (flat.member.kind == dictionary::MemberKind::Group) {
      layout.groups.emplace(tag, make_layout(dictionary, dictionary.group(flat.member).members));
    }
  }
  return layout;
}

}  // namespace

GroupLayout layout_of(const dictionary::Dictionary& dictionary, std::string_view type) {
  const dictionary::Message* const message = dictionary.find_message_by_type(type);
  return message == nullptr ? GroupLayout() : make_layout(dictionary, message->members);
}

}  // namespace affix::conformance_echo
