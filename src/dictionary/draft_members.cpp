// SPDX-License-Identifier: MIT
// Resolves references in member lists.

#include "dictionary/draft_members.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace affix::inline v0::dictionary {

namespace {

const char* kind_name(MemberKind kind) {
  switch (kind) {
    case MemberKind::Field:
      return "field ";
    case MemberKind::Group:
      return "group ";
    case MemberKind::Component:
      break;
  }
  return "component ";
}

std::string describe(const DraftMember& member) {
  return kind_name(member.kind) +
         (member.name.empty() ? std::to_string(member.tag) : in_quotes(member.name));
}

/// True if both differ only in capitals, in one wrong, missing or additional letter, or in two
/// exchanged neighbours: the usual typing errors.
bool is_slip_of(std::string_view known, std::string_view name) {
  constexpr std::size_t shortest = 4;  // In shorter names one letter is too large a part.
  if (base::is_same_word(known, name)) {
    return true;
  }
  const std::string_view& longer = known.size() < name.size() ? name : known;
  const std::string_view& shorter = known.size() < name.size() ? known : name;
  if (shorter.size() < shortest || longer.size() - shorter.size() > 1) {
    return false;
  }
  const auto first = std::ranges::mismatch(longer, shorter);
  const bool same_size = longer.size() == shorter.size();
  const std::ranges::subrange rest(first.in1, longer.end());
  if (same_size && rest.size() >= 2 && first.in1[0] == first.in2[1] &&
      first.in1[1] == first.in2[0]) {
    return std::ranges::equal(rest.next(2), std::ranges::subrange(first.in2 + 2, shorter.end()));
  }
  return std::ranges::equal(std::ranges::subrange(first.in1 + 1, longer.end()),
                            std::ranges::subrange(first.in2 + (same_size ? 1 : 0), shorter.end()));
}

/// " ('ClOrdID' is)" when a known name is similar.
template <typename Names>
std::string other_spelling(std::string_view name, const Names& names) {
  std::string_view found;
  for (const auto& [known, index] : names) {
    // The smallest name, since the order of a hash table is arbitrary.
    if (!name.empty() && is_slip_of(known, name) && (found.empty() || known < found)) {
      found = known;
    }
  }
  return found.empty() ? std::string() : " (" + in_quotes(found) + " is)";
}

}  // namespace

// Recursive, as deep as elements nest, which is limited.
bool same_members(const std::vector<DraftMember>& left, const std::vector<DraftMember>& right) {
  return std::ranges::equal(left, right, [](const DraftMember& one, const DraftMember& other) {
    return one.kind == other.kind && one.required == other.required && one.tag == other.tag &&
           one.name == other.name && same_members(one.members, other.members);
  });
}

MemberResolver::MemberResolver(const PlacedFields& fields, const ComponentIndex& components,
                               Problems& problems)
    : fields_(fields),
      components_(components),
      problems_(problems),
      seen_fields_(fields.fields.size()),
      seen_components_(components.size()) {}

template <typename Names>
std::string MemberResolver::hint(std::string_view name, const Names& names) {
  if (hints_left_ == 0) {
    return {};
  }
  --hints_left_;
  return other_spelling(name, names);
}

std::uint32_t MemberResolver::field_of(const DraftMember& member, std::string_view owner) {
  if (member.name.empty() && member.tag == 0) {
    problems_.error(
        member.place, owner,
        member.kind == MemberKind::Group ? "a group without a name" : "a field without a name",
        "D114");
    return not_found;
  }
  if (member.tag != 0) {
    const auto found = fields_.by_tag.find(member.tag);
    if (found != fields_.by_tag.end()) {
      return found->second;
    }
  } else {
    const auto found = fields_.by_name.find(member.name);
    if (found != fields_.by_name.end()) {
      return found->second;
    }
  }
  problems_.error(
      member.place, owner,
      describe(member) +
          (member.kind == MemberKind::Group ? " has no field of that name for its counter"
                                            : " is not defined") +
          hint(member.name, fields_.by_name),
      "D116");
  return not_found;
}

std::uint32_t MemberResolver::component_of(const DraftMember& member, std::string_view owner) {
  if (member.name.empty()) {
    problems_.error(member.place, owner, "a component without a name", "D114");
    return not_found;
  }
  const auto found = components_.find(member.name);
  if (found != components_.end()) {
    return found->second;
  }
  problems_.error(member.place, owner,
                  describe(member) + " is not defined" + hint(member.name, components_), "D116");
  return not_found;
}

// Handles a member that its list already has: true if it replaces the first one. Two equal ones are
// merged; a counter listed both as a field and as a group is the group. Any other pair is
// ambiguous.
bool MemberResolver::replaces(const DraftMember& member, const DraftMember& first,
                              std::string_view owner) {
  const std::string where = problems_.at_line(first.place);
  if (member.kind != first.kind) {
    problems_.warn(
        member.place, owner,
        describe(member) + " is listed as a field and as a group" + where + "; it is the group",
        "D118");
    return member.kind == MemberKind::Group;
  }
  if (member.required != first.required) {
    problems_.warn(member.place, owner,
                   describe(member) + " is listed twice, once required and once not" + where +
                       "; read as required",
                   "D118");
  }
  if (!same_members(member.members, first.members)) {
    problems_.error(member.place, owner,
                    describe(member) + " is listed twice with two contents" + where, "D118");
  } else if (member.required == first.required) {
    problems_.warn(member.place, owner, describe(member) + " is listed twice" + where, "D118");
  }
  return false;
}

// Recursive, as deep as elements nest, which is limited.
std::vector<Member> MemberResolver::resolve(const std::vector<DraftMember>& draft,
                                            std::string_view owner) {
  const std::uint32_t list = ++list_;
  std::vector<Member> members;
  std::vector<const DraftMember*> sources;
  for (const DraftMember& member : draft) {
    const bool is_component = member.kind == MemberKind::Component;
    const std::uint32_t index =
        is_component ? component_of(member, owner) : field_of(member, owner);
    if (index == not_found) {
      continue;
    }
    Seen& seen = is_component ? seen_components_[index] : seen_fields_[index];
    if (seen.list == list) {
      Member& first = members[seen.position];
      first.required = first.required || member.required;
      if (replaces(member, *seen.member, owner)) {
        first.kind = member.kind;
        sources[seen.position] = &member;
        seen.member = &member;
      }
      continue;
    }
    seen = {list, &member, static_cast<std::uint32_t>(members.size())};
    members.push_back({member.kind, member.required, index});
    sources.push_back(&member);
  }
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (members[at].kind == MemberKind::Group && sources[at]->members.empty()) {
      problems_.warn(sources[at]->place, owner,
                     describe(*sources[at]) + " holds nothing, read as the field that counts it",
                     "D116");
      members[at].kind = MemberKind::Field;
    }
  }
  // Groups last, since their members are tracked in lists of their own.
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (members[at].kind == MemberKind::Group) {
      const std::uint32_t counter = members[at].index;
      members[at].index = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({counter, {}});
      group_places_.push_back(sources[at]->place);
      std::vector<Member> inner = resolve(sources[at]->members, fields_.fields[counter].name);
      groups_[members[at].index].members = std::move(inner);
    }
  }
  return members;
}

}  // namespace affix::inline v0::dictionary
