// SPDX-License-Identifier: MIT
// Members refer to fields and groups by index, so parts of the transport are copied member by
// member. Its components are expanded on the way: both dictionaries may have one of the same name.
#include "codegen/merge.hpp"

#include "affix/dictionary/walk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::codegen {

using dictionary::FlatMember;
using dictionary::Member;
using dictionary::MemberKind;

namespace {

class Merger {
 public:
  Merger(const dictionary::Dictionary& application, const dictionary::Dictionary& transport)
      : transport_(transport), parts_(application.parts()) {
    for (std::size_t at = 0; at < parts_.fields.size(); ++at) {
      places_.emplace(parts_.fields[at].tag, static_cast<std::uint32_t>(at));
    }
  }

  dictionary::Parts run() {
    for (const dictionary::Field& field : transport_.fields()) {
      merge_field(field);
    }
    parts_.header = copy(transport_.header());
    parts_.trailer = copy(transport_.trailer());
    for (const dictionary::Message& message : transport_.messages()) {
      std::erase_if(parts_.messages,
                    [&](const dictionary::Message& own) { return own.type == message.type; });
      dictionary::Message copied = message;
      copied.members = copy(message.members);
      parts_.messages.push_back(std::move(copied));
    }
    return std::move(parts_);
  }

 private:
  void merge_field(const dictionary::Field& field) {
    const auto [at, added] =
        places_.emplace(field.tag, static_cast<std::uint32_t>(parts_.fields.size()));
    if (added) {
      parts_.fields.push_back(field);
      return;
    }
    dictionary::Field& own = parts_.fields[at->second];
    if (own.values.empty()) {
      return;  // Any value is allowed already.
    }
    for (const dictionary::Value& value : field.values) {
      if (std::ranges::none_of(own.values,
                               [&](const auto& listed) { return listed.code == value.code; })) {
        own.values.push_back(value);
      }
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as groups nest, which loaders bound.
  std::vector<Member> copy(std::span<const Member> members) {
    std::vector<Member> copied;
    for (const FlatMember& flat : dictionary::flatten(transport_, members)) {
      Member member{flat.member.kind, flat.required, 0};
      if (member.kind == MemberKind::Field) {
        member.index = places_.at(transport_.field(flat.member).tag);
      } else {
        const dictionary::Group& group = transport_.group(flat.member);
        dictionary::Group own{places_.at(transport_.counter(group).tag), copy(group.members)};
        member.index = static_cast<std::uint32_t>(parts_.groups.size());
        parts_.groups.push_back(std::move(own));
      }
      copied.push_back(member);
    }
    return copied;
  }

  const dictionary::Dictionary& transport_;
  dictionary::Parts parts_;
  std::map<std::uint32_t, std::uint32_t> places_;  ///< Positions of fields, by tag.
};

}  // namespace

dictionary::Dictionary merge(const dictionary::Dictionary& application,
                             const dictionary::Dictionary& transport) {
  return dictionary::Dictionary(Merger(application, transport).run());
}

}  // namespace affix::inline v0::tools::codegen
