// SPDX-License-Identifier: MIT
// Sorts a dictionary's parts, renumbers references to them, and asserts what loaders check.

#include "dictionary/arrange.hpp"

#include "affix/base/assert.hpp"

#include "dictionary/code_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

// Sorts `items` by `precedes` and returns their new positions: new index by old one.
template <typename Item, typename Precedes>
std::vector<std::uint32_t> sort_items(std::vector<Item>& items, Precedes precedes) {
  std::vector<std::uint32_t> order(items.size());
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    order[at] = at;
  }
  std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
    return precedes(items[left], items[right]) ||
           (left < right && !precedes(items[right], items[left]));
  });
  std::vector<std::uint32_t> moved_to(items.size());
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (const std::uint32_t from : order) {
    moved_to[from] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(items[from]));
  }
  items = std::move(sorted);
  return moved_to;
}

template <typename Item, typename Precedes>
bool is_strictly_ordered(const std::vector<Item>& items, Precedes precedes) {
  return std::ranges::adjacent_find(items, [&](const Item& left, const Item& right) {
           return !precedes(left, right);
         }) == items.end();
}

bool value_precedes(const Value& left, const Value& right) {
  return code_precedes(left.code, right.code);
}

bool field_precedes(const Field& left, const Field& right) {
  return left.tag < right.tag;
}

bool component_precedes(const Component& left, const Component& right) {
  return left.name < right.name;
}

bool message_precedes(const Message& left, const Message& right) {
  return code_precedes(left.type, right.type);
}

// Renumbers members, and rebuilds the groups in the order of a walk. A group used twice becomes
// two; an unused one is dropped.
class Renumbering {
 public:
  Renumbering(std::vector<std::uint32_t> fields, std::vector<std::uint32_t> components,
              std::vector<Group> groups)
      : fields_(std::move(fields)),
        components_(std::move(components)),
        groups_(std::move(groups)),
        open_(groups_.size()) {}

  void apply(std::vector<Member>& members) {
    for (Member& member : members) {
      switch (member.kind) {
        case MemberKind::Field:
          AFFIX_ASSERT(member.index < fields_.size());
          member.index = fields_[member.index];
          break;
        case MemberKind::Component:
          AFFIX_ASSERT(member.index < components_.size());
          member.index = components_[member.index];
          break;
        case MemberKind::Group:
          member.index = place(member.index);
          break;
      }
    }
  }

  [[nodiscard]] std::vector<Group> take_groups() { return std::move(placed_); }

 private:
  std::uint32_t place(std::uint32_t index) {
    AFFIX_ASSERT(index < groups_.size());
    AFFIX_ASSERT(!open_[index]);  // A group that contains itself.
    AFFIX_ASSERT(groups_[index].counter < fields_.size());
    const auto at = static_cast<std::uint32_t>(placed_.size());
    placed_.push_back({fields_[groups_[index].counter], {}});
    std::vector<Member> members = groups_[index].members;
    open_[index] = true;
    apply(members);
    open_[index] = false;
    placed_[at].members = std::move(members);
    return at;
  }

  std::vector<std::uint32_t> fields_;
  std::vector<std::uint32_t> components_;
  std::vector<Group> groups_;
  std::vector<bool> open_;  // Groups being placed, around the present one.
  std::vector<Group> placed_;
};

// Checks that every component ends, and every group has a field; visits each component once.
class Soundness {
 public:
  explicit Soundness(const Parts& parts) : parts_(parts), components_(parts.components.size()) {}

  void check() {
    for (std::size_t at = 0; at < components_.size(); ++at) {
      component_has_field(at);
    }
    for (const Group& group : parts_.groups) {
      AFFIX_ASSERT(has_field(group.members));
    }
  }

 private:
  enum class State : std::uint8_t { Unseen, Open, Empty, Full };

  bool component_has_field(std::size_t index) {
    AFFIX_ASSERT(components_[index] != State::Open);  // A component that contains itself.
    if (components_[index] == State::Unseen) {
      components_[index] = State::Open;
      components_[index] = has_field(parts_.components[index].members) ? State::Full : State::Empty;
    }
    return components_[index] == State::Full;
  }

  // Visits every member, not only up to the first field, so that every cycle is found.
  bool has_field(const std::vector<Member>& members) {
    bool found = false;
    for (const Member& member : members) {
      switch (member.kind) {
        case MemberKind::Field:
          found = true;
          break;
        case MemberKind::Group:
          found = true;
          has_field(parts_.groups[member.index].members);
          break;
        case MemberKind::Component:
          found = component_has_field(member.index) || found;
          break;
      }
    }
    return found;
  }

  const Parts& parts_;
  std::vector<State> components_;
};

// Both halves of a pair name each other.
void check_pairs(const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    for (const std::uint32_t tag : {field.length_tag, field.data_tag}) {
      if (tag != 0) {
        const auto other = std::ranges::lower_bound(fields, tag, {}, &Field::tag);
        AFFIX_ASSERT(other != fields.end() && other->tag == tag);
        AFFIX_ASSERT(tag == field.length_tag ? other->data_tag == field.tag
                                             : other->length_tag == field.tag);
      }
    }
  }
}

}  // namespace

Parts arrange(Parts parts) {
  for (Field& field : parts.fields) {
    field.type = type_in(parts.version, field.type);
    std::ranges::sort(field.values, value_precedes);
    AFFIX_ASSERT(is_strictly_ordered(field.values, value_precedes));
    AFFIX_ASSERT(field.tag != 0);
  }
  std::vector<std::uint32_t> fields = sort_items(parts.fields, field_precedes);
  AFFIX_ASSERT(is_strictly_ordered(parts.fields, field_precedes));
  std::vector<std::uint32_t> components = sort_items(parts.components, component_precedes);
  AFFIX_ASSERT(is_strictly_ordered(parts.components, component_precedes));
  std::ranges::sort(parts.messages, message_precedes);
  AFFIX_ASSERT(is_strictly_ordered(parts.messages, message_precedes));

  Renumbering renumbering(std::move(fields), std::move(components), std::move(parts.groups));
  renumbering.apply(parts.header);
  renumbering.apply(parts.trailer);
  for (Message& message : parts.messages) {
    renumbering.apply(message.members);
  }
  for (Component& component : parts.components) {
    renumbering.apply(component.members);
  }
  parts.groups = renumbering.take_groups();
  check_pairs(parts.fields);
  Soundness(parts).check();
  return parts;
}

}  // namespace affix::inline v0::dictionary
