// SPDX-License-Identifier: MIT
// Look-ups in the model. arrange.cpp sorts the parts.

#include "affix/dictionary/model.hpp"

#include "affix/base/assert.hpp"

#include "dictionary/arrange.hpp"
#include "dictionary/code_order.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

// Indices of `items` ordered by name; of two with one name the first comes first.
template <typename Item>
std::vector<std::uint32_t> order_by_name(const std::vector<Item>& items) {
  std::vector<std::uint32_t> order(items.size());
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    order[at] = at;
  }
  std::ranges::sort(
      order, {}, [&](std::uint32_t at) { return std::pair(std::string_view(items[at].name), at); });
  return order;
}

template <typename Item>
const Item* find_by_name(const std::vector<Item>& items, const std::vector<std::uint32_t>& order,
                         std::string_view name) noexcept {
  const auto found = std::ranges::lower_bound(
      order, name, {}, [&](std::uint32_t at) -> std::string_view { return items[at].name; });
  return found != order.end() && items[*found].name == name ? &items[*found] : nullptr;
}

}  // namespace

Dictionary::Dictionary(Parts parts)
    : parts_(arrange(std::move(parts))),
      fields_by_name_(order_by_name(parts_.fields)),
      messages_by_name_(order_by_name(parts_.messages)) {}

const Field* Dictionary::find_field(std::uint32_t tag) const noexcept {
  const auto found = std::ranges::lower_bound(parts_.fields, tag, {}, &Field::tag);
  return found != parts_.fields.end() && found->tag == tag ? &*found : nullptr;
}

const Field* Dictionary::find_field(std::string_view name) const noexcept {
  return find_by_name(parts_.fields, fields_by_name_, name);
}

const Component* Dictionary::find_component(std::string_view name) const noexcept {
  const auto found = std::ranges::lower_bound(
      parts_.components, name, {},
      [](const Component& component) -> std::string_view { return component.name; });
  return found != parts_.components.end() && found->name == name ? &*found : nullptr;
}

const Message* Dictionary::find_message(std::string_view name) const noexcept {
  return find_by_name(parts_.messages, messages_by_name_, name);
}

const Message* Dictionary::find_message_by_type(std::string_view type) const noexcept {
  const auto found = std::ranges::lower_bound(
      parts_.messages, type, code_precedes,
      [](const Message& message) -> std::string_view { return message.type; });
  return found != parts_.messages.end() && found->type == type ? &*found : nullptr;
}

std::string_view Dictionary::value_name(std::uint32_t tag, std::string_view code) const noexcept {
  const Field* field = find_field(tag);
  const Value* value = field != nullptr ? field->find_value(code) : nullptr;
  return value != nullptr ? std::string_view(value->name) : std::string_view();
}

const Field& Dictionary::field(const Member& member) const noexcept {
  AFFIX_DEBUG_ASSERT(member.kind == MemberKind::Field);
  return parts_.fields[member.index];
}

const Group& Dictionary::group(const Member& member) const noexcept {
  AFFIX_DEBUG_ASSERT(member.kind == MemberKind::Group);
  return parts_.groups[member.index];
}

const Component& Dictionary::component(const Member& member) const noexcept {
  AFFIX_DEBUG_ASSERT(member.kind == MemberKind::Component);
  return parts_.components[member.index];
}

std::string_view Dictionary::name(const Member& member) const noexcept {
  switch (member.kind) {
    case MemberKind::Field:
      return field(member).name;
    case MemberKind::Group:
      return counter(group(member)).name;
    case MemberKind::Component:
      break;
  }
  return component(member).name;
}

std::uint32_t Dictionary::tag(const Member& member) const noexcept {
  switch (member.kind) {
    case MemberKind::Field:
      return field(member).tag;
    case MemberKind::Group:
      return counter(group(member)).tag;
    case MemberKind::Component:
      break;
  }
  return 0;
}

const Field* Dictionary::first_field(std::span<const Member> members) const noexcept {
  for (const Member& member : members) {
    switch (member.kind) {
      case MemberKind::Field:
        return &field(member);
      case MemberKind::Group:
        return &counter(group(member));
      case MemberKind::Component:
        if (const Field* found = first_field(component(member).members)) {
          return found;
        }
        break;
    }
  }
  return nullptr;
}

}  // namespace affix::inline v0::dictionary
