// SPDX-License-Identifier: MIT
// Formats trees of members as text.
#include "dictionary/show.hpp"

#include "affix/base/text.hpp"
#include "affix/dictionary/walk.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace affix::inline v0::tools::dictionary {

namespace {

using affix::dictionary::Component;
using affix::dictionary::Dictionary;
using affix::dictionary::Field;
using affix::dictionary::Member;
using affix::dictionary::MemberKind;
using affix::dictionary::Message;
using affix::dictionary::MessageCategory;
using affix::dictionary::Value;

// A tree shows up to this many values after the field.
constexpr std::size_t values_inline_max = 4;
// Column of the type in a tree, unless names are longer.
constexpr std::size_t type_column = 46;

void pad(std::string& line, std::size_t column) {
  line.append(line.size() < column ? column - line.size() : 1, ' ');
}

std::string type_text(const Field& field) {
  return field.own_type.empty() ? std::string(affix::dictionary::to_text(field.type))
                                : field.own_type;
}

std::string open_text(const Field& field) {
  if (!field.values_are_open) {
    return {};
  }
  return field.union_type ? std::string(" or ") + affix::dictionary::to_text(*field.union_type)
                          : " or others";
}

const char* category_text(const Message& message) {
  return message.category == MessageCategory::Admin ? "admin" : "app";
}

class Tree {
 public:
  Tree(const Dictionary& dictionary, bool all_values)
      : dictionary_(dictionary), all_values_(all_values) {}

  // Recursive, as deep as groups and components nest.
  void add(std::span<const Member> members, std::size_t depth) {
    for (const Member& member : members) {
      switch (member.kind) {
        case MemberKind::Field:
          add_line(member, depth, type_text(dictionary_.field(member)));
          add_values(dictionary_.field(member), depth);
          break;
        case MemberKind::Group:
          add_line(member, depth, "group");
          text_ += '\n';
          add(dictionary_.group(member).members, depth + 1);
          break;
        case MemberKind::Component:
          add_line(member, depth, "component");
          text_ += '\n';
          add(dictionary_.component(member).members, depth + 1);
          break;
      }
    }
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add_line(const Member& member, std::size_t depth, const std::string& type) {
    const std::uint32_t tag = dictionary_.tag(member);
    std::string line = member.required ? "  Y " : "  N ";
    const std::string number = tag != 0 ? std::to_string(tag) : std::string();
    line.append(number.size() < 5 ? 5 - number.size() : 0, ' ');
    line += number + ' ';
    line.append(2 * depth, ' ');
    line += dictionary_.name(member);
    pad(line, type_column);
    text_ += line + type;
  }

  void add_values(const Field& field, std::size_t depth) {
    if (field.values.size() > values_inline_max && !all_values_) {
      text_ += ", " + std::to_string(field.values.size()) + " values";
    } else if (field.values.size() <= values_inline_max) {
      for (const Value& value : field.values) {
        text_ += (&value == field.values.data() ? ": " : ", ") + value.code + "=" + value.name;
      }
    }
    text_ += open_text(field) + '\n';
    if (field.values.size() > values_inline_max && all_values_) {
      for (const Value& value : field.values) {
        std::string line(10 + 2 * (depth + 1), ' ');
        line += value.code + "=" + value.name;
        text_ += line + '\n';
      }
    }
  }

  const Dictionary& dictionary_;
  bool all_values_;
  std::string text_;
};

// True if `members` have `wanted` directly or in a group, not through components. Recursive, as
// deep as groups nest.
template <typename Wanted>
bool holds(const Dictionary& dictionary, std::span<const Member> members, Wanted wanted) {
  return std::ranges::any_of(members, [&](const Member& member) {
    return wanted(member) || (member.kind == MemberKind::Group &&
                              holds(dictionary, dictionary.group(member).members, wanted));
  });
}

template <typename Wanted>
std::string uses_text(const Dictionary& dictionary, Wanted wanted) {
  std::string text;
  const auto add = [&](std::string_view name, std::span<const Member> members) {
    if (holds(dictionary, members, wanted)) {
      text += text.empty() ? "" : ", ";
      text += name;
    }
  };
  add("header", dictionary.header());
  add("trailer", dictionary.trailer());
  for (const Message& message : dictionary.messages()) {
    add(message.name, message.members);
  }
  for (const Component& component : dictionary.components()) {
    add(component.name, component.members);
  }
  return "  used in " + (text.empty() ? std::string("nothing") : text) + "\n";
}

std::string field_text(const Dictionary& dictionary, const Field& field) {
  std::string text = "field " + std::to_string(field.tag) + " " + field.name + "\n";
  text += "  type " + type_text(field) + " (" +
          affix::dictionary::to_text(affix::dictionary::value_class(field.type)) + ")\n";
  if (field.length_tag != 0) {
    text += "  length in " + dictionary.find_field(field.length_tag)->name + " (" +
            std::to_string(field.length_tag) + ")\n";
  }
  if (field.data_tag != 0) {
    text += "  length of " + dictionary.find_field(field.data_tag)->name + " (" +
            std::to_string(field.data_tag) + ")\n";
  }
  if (!field.values.empty()) {
    text += "  values" + open_text(field) + "\n";
    std::size_t widest = 0;
    for (const Value& value : field.values) {
      widest = std::max(widest, value.code.size());
    }
    for (const Value& value : field.values) {
      std::string line = "    " + value.code;
      pad(line, 4 + widest + 2);
      text += line + value.name + "\n";
    }
  }
  return text + uses_text(dictionary, [&](const Member& member) {
           return dictionary.tag(member) == field.tag;
         });
}

std::string message_text(const Dictionary& dictionary, const Message& message, bool all_values) {
  Tree tree(dictionary, all_values);
  tree.add(message.members, 0);
  return "message " + message.type + " " + message.name + " (" + category_text(message) + ")\n" +
         tree.take();
}

std::string component_text(const Dictionary& dictionary, const Component& component,
                           bool all_values) {
  Tree tree(dictionary, all_values);
  tree.add(component.members, 0);
  return "component " + component.name + "\n" + tree.take() +
         uses_text(dictionary, [&](const Member& member) {
           return member.kind == MemberKind::Component &&
                  &dictionary.component(member) == &component;
         });
}

std::string envelope_text(const Dictionary& dictionary, std::string_view name,
                          std::span<const Member> members, bool all_values) {
  Tree tree(dictionary, all_values);
  tree.add(members, 0);
  return std::string(name) + "\n" + tree.take();
}

}  // namespace

std::string summary_text(const Dictionary& dictionary) {
  const affix::dictionary::Version& version = dictionary.version();
  std::string text = version.name() + "\n  BeginString " + version.begin_string() + "\n";
  if (!version.appl_ver_id().empty()) {
    text += "  ApplVerID " + std::string(version.appl_ver_id()) + "\n";
  }
  std::size_t values = 0;
  for (const Field& field : dictionary.fields()) {
    values += field.values.size();
  }
  const auto counted = [&](const char* what, std::size_t count) {
    text += "  " + std::to_string(count) + " " + what + "\n";
  };
  counted("messages", dictionary.messages().size());
  counted("components", dictionary.components().size());
  counted("groups", dictionary.groups().size());
  counted("fields", dictionary.fields().size());
  counted("values", values);
  for (const Message& message : dictionary.messages()) {
    std::string line = "message " + message.type;
    pad(line, 12);
    line += message.name;
    pad(line, type_column);
    text += line + category_text(message) + "\n";
  }
  return text;
}

std::string part_text(const Dictionary& dictionary, std::string_view what, bool all_values) {
  std::string text;
  if (what == "header") {
    text += envelope_text(dictionary, what, dictionary.header(), all_values);
  } else if (what == "trailer") {
    text += envelope_text(dictionary, what, dictionary.trailer(), all_values);
  }
  const Message* named = dictionary.find_message(what);
  const Message* typed = dictionary.find_message_by_type(what);
  if (named != nullptr) {
    text += message_text(dictionary, *named, all_values);
  }
  if (typed != nullptr && typed != named) {
    text += message_text(dictionary, *typed, all_values);
  }
  if (const Component* component = dictionary.find_component(what)) {
    text += component_text(dictionary, *component, all_values);
  }
  const Field* field = dictionary.find_field(what);
  const auto tag = base::parse_number<std::uint32_t>(what);
  if (field == nullptr && tag) {
    field = dictionary.find_field(*tag);
  }
  if (field != nullptr) {
    text += field_text(dictionary, *field);
  }
  return text;
}

}  // namespace affix::inline v0::tools::dictionary
