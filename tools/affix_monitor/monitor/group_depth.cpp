// SPDX-License-Identifier: MIT
// A stack of groups: a counter opens one, a field that the group does not have closes it.
#include "monitor/group_depth.hpp"

#include "affix/dictionary/walk.hpp"
#include "affix/wire/groups.hpp"
#include "affix/wire/header_tags.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::monitor {

using affix::dictionary::Dictionary;
using affix::dictionary::FlatMember;
using affix::dictionary::Member;
using affix::dictionary::MemberKind;

namespace {

std::uint32_t tag_of(const Dictionary& dictionary, const Member& member) {
  const std::uint32_t field =
      member.kind == MemberKind::Group ? dictionary.groups()[member.index].counter : member.index;
  return dictionary.fields()[field].tag;
}

}  // namespace

GroupDepth::GroupDepth(std::vector<const Dictionary*> dictionaries, std::string_view msg_type)
    : dictionaries_(std::move(dictionaries)), type_(msg_type) {}

// Enters the group of this counter if `members` have one.
bool GroupDepth::open_group(const Dictionary& dictionary, std::span<const Member> members,
                            std::uint32_t tag) {
  for (const FlatMember& flat : affix::dictionary::flatten(dictionary, members)) {
    if (flat.member.kind != MemberKind::Group || tag_of(dictionary, flat.member) != tag) {
      continue;
    }
    Open group;
    group.dictionary = &dictionary;
    group.members = dictionary.groups()[flat.member.index].members;
    for (const FlatMember& inner : affix::dictionary::flatten(dictionary, group.members)) {
      const std::uint32_t inner_tag = tag_of(dictionary, inner.member);
      group.first_tag = group.tags.empty() ? inner_tag : group.first_tag;
      group.tags.insert(inner_tag);
    }
    open_.push_back(std::move(group));
    return true;
  }
  return false;
}

GroupDepth::Place GroupDepth::place(std::uint32_t tag) {
  const bool is_known = std::ranges::any_of(
      dictionaries_, [tag](const Dictionary* each) { return each->find_field(tag) != nullptr; });
  // A field unknown to all dictionaries ends no group: it is a private one, in any place.
  while (!open_.empty() && is_known && !open_.back().tags.contains(tag)) {
    open_.pop_back();
  }
  Place place;
  place.part = wire::is_header_tag(tag) && open_.empty() ? "header"
               : wire::is_trailer_tag(tag)               ? "trailer"
                                                         : "body";
  if (!open_.empty()) {
    Open& innermost = open_.back();
    if (tag == innermost.first_tag || innermost.entry == 0) {
      ++innermost.entry;
    }
    place.depth = open_.size();
    place.entry = innermost.entry;
    if (open_.size() < wire::group_depth_max) {
      const Dictionary& dictionary = *innermost.dictionary;
      const auto members = innermost.members;  // open_group moves the object that innermost refers
                                               // to.
      static_cast<void>(open_group(dictionary, members, tag));
    }
    return place;
  }
  for (const Dictionary* const each : dictionaries_) {
    const auto* const message = each->find_message_by_type(type_);
    if ((message != nullptr && open_group(*each, message->members, tag)) ||
        open_group(*each, each->header(), tag)) {
      break;
    }
  }
  return place;
}

}  // namespace affix::inline v0::tools::monitor
