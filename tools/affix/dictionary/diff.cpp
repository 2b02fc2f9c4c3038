// SPDX-License-Identifier: MIT
// Compares dictionaries part by part; parts match when their tag, type or name does.
#include "dictionary/diff.hpp"

#include "affix/dictionary/walk.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace affix::inline v0::tools::dictionary {

namespace {

using affix::dictionary::Component;
using affix::dictionary::Dictionary;
using affix::dictionary::Field;
using affix::dictionary::FlatMember;
using affix::dictionary::Member;
using affix::dictionary::MemberKind;
using affix::dictionary::Message;
using affix::dictionary::MessageCategory;
using affix::dictionary::Value;

// A dictionary's texts have no characters that a terminal would obey: loading refuses these.
std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// "Side (54)" for fields and groups, "component Parties" otherwise.
std::string describe(const Dictionary& dictionary, const Member& member) {
  const std::string name(dictionary.name(member));
  switch (member.kind) {
    case MemberKind::Field:
      return name + " (" + std::to_string(dictionary.tag(member)) + ")";
    case MemberKind::Group:
      return "group " + name + " (" + std::to_string(dictionary.tag(member)) + ")";
    case MemberKind::Component:
      break;
  }
  return "component " + name;
}

std::string subject_of(const Field& field) {
  return "field " + std::to_string(field.tag) + " " + field.name;
}

std::string subject_of(const Message& message) {
  return "message " + message.type + " " + message.name;
}

std::string subject_of(const Component& component) {
  return "component " + component.name;
}

std::string name_of_type(const Field& field) {
  return field.own_type.empty() ? std::string(to_text(field.type)) : field.own_type;
}

const char* category_text(MessageCategory category) {
  return category == MessageCategory::Admin ? "admin" : "app";
}

class Comparison {
 public:
  Comparison(const Dictionary& before, const Dictionary& after, DiffScope scope)
      : before_(before), after_(after), scope_(scope) {}

  std::vector<Difference> run() {
    if (before_.version() != after_.version()) {
      change("version", before_.version().name() + " became " + after_.version().name());
    }
    compare_lists("header", before_.header(), after_.header());
    compare_lists("trailer", before_.trailer(), after_.trailer());
    compare_parts(before_.messages(), after_.messages(), [](const Message& message) {
      return std::pair(message.type.size(), std::string_view(message.type));
    });
    if (scope_ == DiffScope::AsWritten) {
      compare_parts(before_.components(), after_.components(),
                    [](const Component& component) { return std::string_view(component.name); });
    }
    compare_parts(before_.fields(), after_.fields(), [](const Field& field) { return field.tag; });
    return std::move(differences_);
  }

 private:
  void change(std::string subject, std::string text) {
    differences_.push_back({Change::Changed, std::move(subject), std::move(text)});
  }

  // Both sides are sorted by `key`.
  template <typename Part, typename Key>
  void compare_parts(std::span<const Part> before, std::span<const Part> after, Key key) {
    std::size_t old_at = 0;
    std::size_t new_at = 0;
    while (old_at < before.size() || new_at < after.size()) {
      if (new_at == after.size() ||
          (old_at < before.size() && key(before[old_at]) < key(after[new_at]))) {
        differences_.push_back({Change::Removed, subject_of(before[old_at++]), {}});
      } else if (old_at == before.size() || key(after[new_at]) < key(before[old_at])) {
        differences_.push_back({Change::Added, subject_of(after[new_at++]), {}});
      } else {
        compare(before[old_at++], after[new_at++]);
      }
    }
  }

  void compare(const Message& before, const Message& after) {
    const std::string subject = subject_of(after);
    if (before.name != after.name) {
      change(subject, "was called " + before.name);
    }
    if (before.category != after.category) {
      change(subject, std::string("was ") + category_text(before.category) + ", is " +
                          category_text(after.category));
    }
    compare_lists(subject, before.members, after.members);
  }

  void compare(const Component& before, const Component& after) {
    compare_lists(subject_of(after), before.members, after.members);
  }

  void compare(const Field& before, const Field& after) {
    const std::string subject = subject_of(after);
    if (before.name != after.name) {
      change(subject, "was called " + before.name);
    }
    if (before.type != after.type || before.own_type != after.own_type) {
      change(subject, "type " + name_of_type(before) + " became " + name_of_type(after));
    }
    if (before.length_tag != after.length_tag) {
      change(subject, "its length field was " + std::to_string(before.length_tag) + ", is " +
                          std::to_string(after.length_tag));
    }
    if (before.values_are_open != after.values_are_open) {
      change(subject, after.values_are_open ? "takes other than the listed values now"
                                            : "takes the listed values only now");
    }
    if (before.union_type != after.union_type) {
      const auto name = [](const Field& field) {
        return field.union_type ? to_text(*field.union_type) : "none";
      };
      change(subject,
             std::string("type of other values ") + name(before) + " became " + name(after));
    }
    compare_values(subject, before, after);
  }

  void compare_values(const std::string& subject, const Field& before, const Field& after) {
    for (const Value& value : before.values) {
      const Value* kept = after.find_value(value.code);
      if (kept == nullptr) {
        change(subject, "value " + in_quotes(value.code) + " " + value.name + " is gone");
      } else if (kept->name != value.name) {
        change(subject, "value " + in_quotes(value.code) + " " + value.name + " is called " +
                            kept->name + " now");
      }
    }
    for (const Value& value : after.values) {
      if (before.find_value(value.code) == nullptr) {
        change(subject, "value " + in_quotes(value.code) + " " + value.name + " is new");
      }
    }
  }

  // Members match by this: the tag on the wire, of a field or a group's counter; or a component's
  // name.
  using Key = std::pair<std::uint32_t, std::string_view>;

  struct Entry {
    Key key;
    Member member;
  };

  // In the list's order; the first one if a member occurs twice.
  struct Listed {
    std::vector<Entry> entries;
    std::map<Key, std::size_t> positions;

    [[nodiscard]] auto begin() const { return entries.begin(); }

    [[nodiscard]] auto end() const { return entries.end(); }
  };

  static const Entry* find(const Listed& listed, const Key& key) {
    const auto found = listed.positions.find(key);
    return found != listed.positions.end() ? &listed.entries[found->second] : nullptr;
  }

  [[nodiscard]] Listed list(const Dictionary& dictionary, std::span<const Member> members) const {
    Listed listed;
    const auto add = [&](const Member& member) {
      const std::uint32_t tag = dictionary.tag(member);
      const Key key(tag, tag == 0 ? dictionary.name(member) : std::string_view());
      if (listed.positions.emplace(key, listed.entries.size()).second) {
        listed.entries.push_back({key, member});
      }
    };
    if (scope_ == DiffScope::AsWritten) {
      std::ranges::for_each(members, add);
    } else {
      for (const FlatMember& flat : flatten(dictionary, members)) {
        add({flat.member.kind, flat.required, flat.member.index});
      }
    }
    return listed;
  }

  // Recursive, as deep as groups nest.
  void compare_lists(const std::string& subject, std::span<const Member> before,
                     std::span<const Member> after) {
    const Listed old_list = list(before_, before);
    const Listed new_list = list(after_, after);
    for (const auto& [key, member] : old_list) {
      if (find(new_list, key) == nullptr) {
        change(subject, describe(before_, member) + " is gone");
      }
    }
    bool is_reordered = false;
    const Entry* last = nullptr;
    std::vector<std::pair<Member, Member>> groups;
    for (const auto& [key, member] : new_list) {
      const Entry* found = find(old_list, key);
      if (found == nullptr) {
        change(subject,
               describe(after_, member) + (member.required ? " is new and required" : " is new"));
        continue;
      }
      is_reordered = is_reordered || (last != nullptr && found < last);
      last = found;
      compare_members(subject, found->member, member);
      if (found->member.kind == MemberKind::Group && member.kind == MemberKind::Group) {
        groups.emplace_back(found->member, member);
      }
    }
    if (is_reordered) {
      change(subject, "the order of members is another one");
    }
    for (const auto& [old_group, new_group] : groups) {
      compare_lists(subject + ", group " + std::string(after_.name(new_group)),
                    before_.group(old_group).members, after_.group(new_group).members);
    }
  }

  void compare_members(const std::string& subject, const Member& before, const Member& after) {
    if (before.kind != after.kind) {
      change(subject, describe(before_, before) + " became " + describe(after_, after));
    } else if (before_.name(before) != after_.name(after)) {
      // The fields section reports it too; here it is for readers of this list alone.
      change(subject, describe(before_, before) + " became " + describe(after_, after));
    }
    if (before.required != after.required) {
      change(subject,
             describe(after_, after) + (after.required ? " is required now" : " is optional now"));
    }
  }

  const Dictionary& before_;
  const Dictionary& after_;
  DiffScope scope_;
  std::vector<Difference> differences_;
};

}  // namespace

std::string to_text(const Difference& difference) {
  constexpr std::string_view marks = "+-~";
  std::string text(1, marks[static_cast<std::size_t>(difference.change)]);
  text += ' ' + difference.subject;
  return difference.text.empty() ? text : text + ": " + difference.text;
}

std::vector<Difference> diff(const affix::dictionary::Dictionary& before,
                             const affix::dictionary::Dictionary& after, DiffScope scope) {
  return Comparison(before, after, scope).run();
}

}  // namespace affix::inline v0::tools::dictionary
