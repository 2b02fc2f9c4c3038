// SPDX-License-Identifier: MIT
// Reviews a finished dictionary.

#include "dictionary/review.hpp"

#include "affix/dictionary/walk.hpp"

#include "dictionary/data_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

class Reviewer {
 public:
  Reviewer(const Dictionary& dictionary, const ReviewPlaces& places, Problems& problems)
      : dictionary_(dictionary),
        places_(places),
        problems_(problems),
        seen_(dictionary.fields().size()),
        is_envelope_(dictionary.fields().size()),
        is_judged_counter_(dictionary.fields().size()) {}

  void run() {
    mark_envelope(dictionary_.header());
    mark_envelope(dictionary_.trailer());
    review_list(dictionary_.header(), "header", whole_file);
    review_list(dictionary_.trailer(), "trailer", whole_file);
    review_envelope();
    for (const Message& message : dictionary_.messages()) {
      const std::uint32_t place = place_in(places_.messages, std::string_view(message.type));
      review_list(message.members, message.name, place);
      review_body(message.members, message.name, place);
    }
    for (const Component& component : dictionary_.components()) {
      review_list(component.members, component.name,
                  place_in(places_.components, std::string_view(component.name)));
    }
  }

 private:
  struct Seen {
    std::uint32_t list = 0;
    std::uint32_t member = 0;
  };

  template <typename Places, typename Key>
  static std::uint32_t place_in(const Places& places, const Key& key) {
    const auto found = places.find(key);
    return found != places.end() ? found->second : whole_file;
  }

  [[nodiscard]] std::uint32_t field_index(const Member& member) const {
    return member.kind == MemberKind::Group ? dictionary_.group(member).counter : member.index;
  }

  void mark_envelope(std::span<const Member> members) {
    for (const FlatMember& flat : flatten(dictionary_, members)) {
      is_envelope_[field_index(flat.member)] = true;
    }
  }

  void review_envelope() {
    if (dictionary_.header().empty()) {
      return;
    }
    for (const std::uint32_t tag : {8U, 9U, 35U, 34U, 49U, 56U, 52U}) {
      expect(dictionary_.header(), "header", tag);
    }
    if (!dictionary_.trailer().empty()) {
      expect(dictionary_.trailer(), "trailer", 10U);
    }
  }

  void expect(std::span<const Member> members, std::string_view where, std::uint32_t tag) {
    const bool found = std::ranges::any_of(
        flatten(dictionary_, members),
        [&](const FlatMember& flat) { return dictionary_.tag(flat.member) == tag; });
    if (!found) {
      problems_.warn(whole_file, where, "field " + std::to_string(tag) + " is missing", "D119");
    }
  }

  void review_body(std::span<const Member> members, std::string_view owner, std::uint32_t place) {
    for (const Member& member : members) {
      if (member.kind == MemberKind::Field && is_envelope_[member.index]) {
        problems_.warn(
            place, owner,
            "field " + in_quotes(dictionary_.name(member)) + " is the header's or trailer's",
            "D119");
      }
    }
  }

  // Recursive, as deep as groups nest, which is limited.
  void review_list(std::span<const Member> members, std::string_view owner, std::uint32_t place) {
    review_repeats(members, owner, place);
    for (std::size_t at = 0; at < members.size(); ++at) {
      const Member& member = members[at];
      if (member.kind == MemberKind::Field) {
        review_length(members, at, owner, place);
      } else if (member.kind == MemberKind::Group) {
        const Group& group = dictionary_.group(member);
        review_counter(group.counter);
        review_list(group.members, dictionary_.counter(group).name, place);
      }
    }
  }

  // Only repetitions among one list's own members: those within a component belong to the
  // component, and are reported once.
  void review_repeats(std::span<const Member> members, std::string_view owner,
                      std::uint32_t place) {
    const std::uint32_t list = ++list_;
    for (std::uint32_t at = 0; at < members.size(); ++at) {
      for (const FlatMember& flat : flatten(dictionary_, members.subspan(at, 1))) {
        Seen& seen = seen_[field_index(flat.member)];
        if (seen.list == list && seen.member != at) {
          const bool is_group = flat.member.kind == MemberKind::Group;
          problems_.warn(place, owner,
                         (is_group ? "group " : "field ") +
                             in_quotes(dictionary_.name(flat.member)) + " comes twice: in " +
                             origin(members[seen.member]) + " and in " + origin(members[at]) +
                             (is_group ? "; the first counts" : ""),
                         "D118");
        }
        seen = {list, at};
      }
    }
  }

  [[nodiscard]] std::string origin(const Member& member) const {
    return member.kind == MemberKind::Component ? "component " + in_quotes(dictionary_.name(member))
                                                : std::string("the list itself");
  }

  void review_length(std::span<const Member> members, std::size_t at, std::string_view owner,
                     std::uint32_t place) {
    const Field& field = dictionary_.field(members[at]);
    if (field.length_tag == 0) {
      return;
    }
    const bool follows = at > 0 && members[at - 1].kind == MemberKind::Field &&
                         dictionary_.field(members[at - 1]).tag == field.length_tag;
    if (!follows) {
      problems_.warn(place, owner,
                     "data field " + in_quotes(field.name) + " does not follow its length field " +
                         in_quotes(dictionary_.find_field(field.length_tag)->name),
                     "D117");
    }
  }

  void review_counter(std::uint32_t index) {
    const Field& counter = dictionary_.fields()[index];
    if (!is_judged_counter_[index] && !can_be_length(counter.type)) {
      problems_.warn(place_in(places_.fields, counter.tag), counter.name,
                     std::string("counts a group, but has the type ") + to_text(counter.type),
                     "D119");
    }
    is_judged_counter_[index] = true;
  }

  const Dictionary& dictionary_;
  const ReviewPlaces& places_;
  Problems& problems_;
  std::vector<Seen> seen_;
  std::vector<bool> is_envelope_;
  std::vector<bool> is_judged_counter_;
  std::uint32_t list_ = 0;
};

}  // namespace

void review(const Dictionary& dictionary, const ReviewPlaces& places, Problems& problems) {
  Reviewer(dictionary, places, problems).run();
}

}  // namespace affix::inline v0::dictionary
