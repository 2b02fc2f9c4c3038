// SPDX-License-Identifier: MIT
// Finds pairs of length and data fields by number, name and place.

#include "dictionary/data_pairs.hpp"

#include "affix/dictionary/data_fields.hpp"
#include "affix/wire/index.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

namespace affix::inline v0::dictionary {

namespace {

class Pairing {
 public:
  explicit Pairing(const Parts& parts)
      : parts_(parts), length_tags_(parts.fields.size()), is_taken_(parts.fields.size()) {}

  std::vector<std::uint32_t> run() {
    const bool has_data = std::ranges::any_of(
        parts_.fields, [](const Field& field) { return has_raw_bytes(field.type); });
    if (has_data) {
      pair_by_number();
      pair_by_name();
      pair_by_place();
    }
    return std::move(length_tags_);
  }

 private:
  void pair(std::size_t length, std::size_t data) {
    if (has_raw_bytes(parts_.fields[data].type) && can_be_length(parts_.fields[length].type) &&
        length_tags_[data] == 0 && !is_taken_[length]) {
      length_tags_[data] = parts_.fields[length].tag;
      is_taken_[length] = true;
    }
  }

  void pair_by_number() {
    for (std::size_t length = 0; length < parts_.fields.size(); ++length) {
      const std::uint32_t data_tag =
          wire::DataFields::standard().data_tag_of(parts_.fields[length].tag);
      const auto data = std::ranges::lower_bound(parts_.fields, data_tag, {}, &Field::tag);
      if (data_tag != 0 && data != parts_.fields.end() && data->tag == data_tag) {
        pair(length, static_cast<std::size_t>(data - parts_.fields.begin()));
      }
    }
  }

  void pair_by_name() {
    std::unordered_map<std::string_view, std::size_t> by_name;
    for (std::size_t at = 0; at < parts_.fields.size(); ++at) {
      by_name.emplace(parts_.fields[at].name, at);
    }
    for (std::size_t data = 0; data < parts_.fields.size(); ++data) {
      for (const char* ending : {"Len", "Length"}) {
        if (has_raw_bytes(parts_.fields[data].type) && length_tags_[data] == 0) {
          const auto found = by_name.find(parts_.fields[data].name + ending);
          if (found != by_name.end()) {
            pair(found->second, data);
          }
        }
      }
    }
  }

  void pair_by_place() {
    pair_in(parts_.header);
    pair_in(parts_.trailer);
    for (const Message& message : parts_.messages) {
      pair_in(message.members);
    }
    for (const Component& component : parts_.components) {
      pair_in(component.members);
    }
    for (const Group& group : parts_.groups) {
      pair_in(group.members);
    }
  }

  void pair_in(const std::vector<Member>& members) {
    for (std::size_t at = 1; at < members.size(); ++at) {
      const Member& before = members[at - 1];
      if (members[at].kind == MemberKind::Field && before.kind == MemberKind::Field &&
          parts_.fields[before.index].type == FieldType::Length) {
        pair(before.index, members[at].index);
      }
    }
  }

  const Parts& parts_;
  std::vector<std::uint32_t> length_tags_;
  std::vector<bool> is_taken_;
};

}  // namespace

bool can_be_length(FieldType type) noexcept {
  return value_class(type) == ValueClass::Integer || value_class(type) == ValueClass::Natural;
}

std::vector<std::uint32_t> find_length_tags(const Parts& parts) {
  return Pairing(parts).run();
}

bool add_data_fields(const Dictionary& dictionary, wire::DataFields& fields) noexcept {
  for (const Field& field : dictionary.fields()) {
    if (field.data_tag != 0 && !fields.add(field.tag, field.data_tag)) {
      return false;
    }
  }
  return true;
}

}  // namespace affix::inline v0::dictionary
