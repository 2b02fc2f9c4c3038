// SPDX-License-Identifier: MIT
// Layouts: the order of members, shared parts, and ambiguous tags.
#include "codegen/plan.hpp"

#include "affix/dictionary/walk.hpp"

#include "codegen/naming.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::codegen {

using dictionary::FlatMember;
using dictionary::Member;
using dictionary::MemberKind;

namespace {

/// Header and trailer fields that only the session writes: frame, identity, number, time.
constexpr std::uint32_t session_tags[] = {8, 9, 10, 34, 35, 49, 52, 56};

class Planner {
 public:
  explicit Planner(Plan& plan) : plan_(plan), dictionary_(plan.dictionary) {}

  void run() {
    reserve_names();
    claim_messages();
    plan_.fields = plan_fields(dictionary_, types_);
    find_shapes();
    plan_components();
    plan_groups();
    plan_.header = lay_out(dictionary_.header());
    plan_.trailer = lay_out(dictionary_.trailer());
    hide_session_fields(plan_.header);
    hide_session_fields(plan_.trailer);
    for (MessagePlan& message : plan_.messages) {
      plan_message(message);
    }
  }

 private:
  void reserve_names() {
    for (const char* name : {"Amt", "Header", "HeaderWriter", "Percentage", "Price", "PriceOffset",
                             "Qty", "SeqNum", "Trailer", "TrailerWriter"}) {
      types_.reserve(name);
    }
    // Layouts of header and trailer use it; components and messages have their own names.
    stems_.reserve("Header");
    stems_.reserve("Trailer");
    for (const char* name : {"dispatch", "enums", "exercise", "fields", "fwd", "header",
                             "instantiations", "known_tags", "version"}) {
      files_.reserve(name);
    }
  }

  /// Claims names for class and writer together: messages "Order" and "OrderWriter" can coexist, in
  /// any order.
  std::string claim_pair(const std::string& wanted, std::string_view distinction) {
    return types_.claim(wanted, distinction, {"", "Writer"});
  }

  /// Messages come first: users know their names best.
  void claim_messages() {
    for (const dictionary::Message& message : dictionary_.messages()) {
      MessagePlan plan;
      plan.message = &message;
      plan.name = claim_pair(type_name(message.name), message.type);
      plan.file = files_.claim(file_stem(message.name), message.type);
      stems_.reserve(plan.name);
      plan_.messages.push_back(std::move(plan));
    }
  }

  /// Text that is equal for equivalent groups.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as groups nest, which loaders bound.
  void append_shape(std::span<const Member> members, std::string& text) const {
    for (const Member& member : members) {
      text += member.required ? '!' : '.';
      if (member.kind == MemberKind::Component) {
        text += dictionary_.name(member);
      } else {
        text += std::to_string(dictionary_.tag(member));
      }
      if (member.kind == MemberKind::Group) {
        text += '(';
        append_shape(dictionary_.group(member).members, text);
        text += ')';
      }
    }
  }

  /// Assigns a plan to each shape, and to each group of the dictionary that of its shape.
  void find_shapes() {
    std::map<std::string, std::uint32_t> known;
    for (const dictionary::Group& group : dictionary_.groups()) {
      std::string shape = std::to_string(dictionary_.counter(group).tag) + ':';
      append_shape(group.members, shape);
      const auto [at, added] =
          known.emplace(shape, static_cast<std::uint32_t>(plan_.groups.size()));
      if (added) {
        GroupPlan plan;
        plan.shape = shape;
        plan.counter = &dictionary_.counter(group);
        plan.delimiter = &dictionary_.delimiter(group);
        plan_.groups.push_back(std::move(plan));
        sources_.push_back(&group);
      }
      plan_.group_plans.push_back(at->second);
    }
    name_groups();
  }

  /// A group is named after its counter; if one counter has groups of several shapes, after its
  /// message or component too.
  void name_groups() {
    std::map<std::uint32_t, std::uint32_t> shapes_of_counter;
    for (const GroupPlan& group : plan_.groups) {
      ++shapes_of_counter[group.counter->tag];
    }
    const std::vector<std::string> owners = find_owners();
    for (std::size_t at = 0; at < plan_.groups.size(); ++at) {
      GroupPlan& group = plan_.groups[at];
      const std::string tag = std::to_string(group.counter->tag);
      std::string name = type_name(group.counter->name);
      std::string file = file_stem(group.counter->name);
      if (shapes_of_counter[group.counter->tag] > 1) {
        name.insert(0, type_name(owners[at]));
        file.insert(0, file_stem(owners[at]) + '_');
      }
      group.name = claim_pair(name, tag);
      group.file = group_files_.claim(file, tag);
      stems_.reserve(group.name);
    }
  }

  /// The first message or component, in the dictionary's order, that contains each shape.
  std::vector<std::string> find_owners() const {
    std::vector<std::string> owners(plan_.groups.size());
    note_owner("Header", dictionary_.header(), owners);
    note_owner("Trailer", dictionary_.trailer(), owners);
    for (const dictionary::Component& component : dictionary_.components()) {
      note_owner(component.name, component.members, owners);
    }
    for (const dictionary::Message& message : dictionary_.messages()) {
      note_owner(message.name, message.members, owners);
    }
    return owners;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as groups nest, which loaders bound.
  void note_owner(const std::string& owner, std::span<const Member> members,
                  std::vector<std::string>& owners) const {
    for (const Member& member : members) {
      if (member.kind == MemberKind::Group) {
        std::string& noted = owners[plan_.group_plans[member.index]];
        if (noted.empty()) {
          noted = owner;
        }
        note_owner(owner, dictionary_.group(member).members, owners);
      }
    }
  }

  /// A component's own components are laid out first, since their places are needed.
  void plan_components() {
    plan_.components.resize(dictionary_.components().size());
    for (std::size_t at = 0; at < plan_.components.size(); ++at) {
      const dictionary::Component& component = dictionary_.components()[at];
      ComponentPlan& plan = plan_.components[at];
      plan.component = &component;
      plan.name = stems_.claim(type_name(component.name), "Component");
      plan.file = component_files_.claim(file_stem(component.name), "component");
    }
    laid_out_.resize(plan_.components.size(), false);
    for (std::uint32_t at = 0; at < plan_.components.size(); ++at) {
      plan_component(at);
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as components nest, which loaders bound.
  void plan_component(std::uint32_t index) {
    if (laid_out_[index]) {
      return;
    }
    laid_out_[index] = true;
    const dictionary::Component& component = dictionary_.components()[index];
    for (const Member& member : component.members) {
      if (member.kind == MemberKind::Component) {
        plan_component(member.index);
      }
    }
    plan_.components[index].layout = lay_out(component.members);
  }

  void plan_groups() {
    for (std::size_t at = 0; at < plan_.groups.size(); ++at) {
      GroupPlan& plan = plan_.groups[at];
      plan.layout = lay_out(with_delimiter_in_front(sources_[at]->members));
      require_delimiter(plan);
      std::set<std::uint32_t> seen;
      for (const FlatMember& member : dictionary::flatten(dictionary_, sources_[at]->members)) {
        if (!seen.insert(dictionary_.tag(member.member)).second) {
          continue;
        }
        if (member.member.kind == MemberKind::Group) {
          plan.nested.push_back(plan_.group_plans[member.member.index]);
        } else {
          plan.members.push_back(dictionary_.tag(member.member));
        }
      }
    }
  }

  /// The members, with a leading component expanded until a field or group comes first: that one is
  /// required in any case, so it cannot belong to the shared layout.
  std::vector<Member> with_delimiter_in_front(std::span<const Member> members) const {
    std::vector<Member> opened(members.begin(), members.end());
    while (!opened.empty() && opened.front().kind == MemberKind::Component) {
      const Member component = opened.front();
      std::vector<Member> inner = dictionary_.component(component).members;
      for (Member& member : inner) {
        member.required = member.required && component.required;
      }
      inner.insert(inner.end(), opened.begin() + 1, opened.end());
      opened = std::move(inner);
    }
    return opened;
  }

  /// Every entry has its first field, even if the dictionary does not require it.
  static void require_delimiter(GroupPlan& plan) {
    Layout& layout = plan.layout;
    if (layout.required.empty() || layout.required.front().place != 1) {
      layout.required.insert(layout.required.begin(), {1, plan.delimiter->tag});
    }
    layout.last_required = layout.required.back().place;
    for (Item& item : layout.items) {
      if (item.place > 1 || item.kind == ItemKind::Component) {
        item.after = std::max(item.after, 1U);
      }
    }
  }

  void plan_message(MessagePlan& plan) const {
    plan.layout = lay_out(plan.message->members);
    std::set<std::uint32_t> inner;  // Tags within groups.
    std::set<std::uint32_t> groups;
    for (const std::span<const Member> members :
         {dictionary_.header(), std::span<const Member>(plan.message->members),
          dictionary_.trailer()}) {
      for (const FlatMember& member : dictionary::flatten(dictionary_, members)) {
        if (member.member.kind == MemberKind::Group &&
            groups.insert(dictionary_.tag(member.member)).second) {
          const std::uint32_t group = plan_.group_plans[member.member.index];
          plan.groups.push_back(group);
          append_inner_tags(group, inner);
        }
      }
    }
    std::set<std::uint32_t> seen;
    for (const FlatMember& member : dictionary::flatten(dictionary_, plan.message->members)) {
      const std::uint32_t tag = dictionary_.tag(member.member);
      if (inner.contains(tag) && seen.insert(tag).second) {
        plan.ambiguous.push_back(item_of(member.member, member.required));
      }
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as groups nest, which loaders bound.
  void append_inner_tags(std::uint32_t index, std::set<std::uint32_t>& tags) const {
    const GroupPlan& group = plan_.groups[index];
    tags.insert(group.members.begin(), group.members.end());
    for (const std::uint32_t nested : group.nested) {
      tags.insert(plan_.groups[nested].counter->tag);
      append_inner_tags(nested, tags);
    }
  }

  Item item_of(const Member& member, bool required) const {
    Item item;
    item.required = required;
    switch (member.kind) {
      case MemberKind::Field:
        item.kind = ItemKind::Field;
        item.index = member.index;
        item.offered = plan_.fields[member.index].write != WriteForm::None;
        break;
      case MemberKind::Group:
        item.kind = ItemKind::Group;
        item.index = plan_.group_plans[member.index];
        break;
      case MemberKind::Component:
        item.kind = ItemKind::Component;
        item.index = member.index;
        break;
    }
    return item;
  }

  /// If a tag would occur twice through components, all of them are laid out flat: a class cannot
  /// inherit one accessor twice.
  bool has_twins(std::span<const Member> members) const {
    std::set<std::uint32_t> seen;
    for (const FlatMember& member : dictionary::flatten(dictionary_, members)) {
      if (!seen.insert(dictionary_.tag(member.member)).second) {
        return true;
      }
    }
    return false;
  }

  Layout lay_out(std::span<const Member> members) const {
    Layout layout;
    if (!has_twins(members)) {
      for (const Member& member : members) {
        if (member.kind != MemberKind::Component ||
            !plan_.components[member.index].layout.items.empty()) {
          layout.items.push_back(item_of(member, member.required));
        }
      }
    } else {
      std::set<std::uint32_t> seen;
      for (const FlatMember& member : dictionary::flatten(dictionary_, members)) {
        if (seen.insert(dictionary_.tag(member.member)).second) {
          layout.items.push_back(item_of(member.member, member.required));
        }
      }
    }
    pass_on_required_lengths(layout);
    give_places(layout);
    return layout;
  }

  /// A length field has no setter, so if it is required, its data field is.
  void pass_on_required_lengths(Layout& layout) const {
    for (const Item& length : layout.items) {
      if (length.kind != ItemKind::Field || length.offered || !length.required) {
        continue;
      }
      for (Item& item : layout.items) {
        if (item.kind == ItemKind::Field &&
            plan_.tag_of(item) == plan_.fields[length.index].field->data_tag) {
          item.required = true;
        }
      }
    }
  }

  void give_places(Layout& layout) const {
    layout.places = 0;
    layout.last_required = 0;
    layout.required.clear();
    for (Item& item : layout.items) {
      if (!item.offered) {
        continue;
      }
      item.after = layout.last_required;
      if (item.kind != ItemKind::Component) {
        item.place = ++layout.places;
        if (item.required) {
          layout.required.push_back({item.place, plan_.tag_of(item)});
        }
      } else {
        item.place = layout.places;
        const Layout& inner = plan_.components[item.index].layout;
        layout.places += inner.places;
        if (item.required) {
          for (const RequiredPlace& required : inner.required) {
            layout.required.push_back({item.place + required.place, required.tag});
          }
        }
      }
      layout.last_required = layout.required.empty() ? 0 : layout.required.back().place;
    }
  }

  /// Fields that the session writes have no setter, and its configuration decides whether the rest
  /// is required: the session's template may have it.
  void hide_session_fields(Layout& layout) const {
    for (Item& item : layout.items) {
      item.required = false;
      if (item.kind == ItemKind::Field &&
          std::ranges::count(session_tags, plan_.tag_of(item)) > 0) {
        item.offered = false;
      }
    }
    give_places(layout);
  }

  Plan& plan_;
  const dictionary::Dictionary& dictionary_;
  NameScope types_;            ///< Classes and enums.
  NameScope stems_;            ///< Stems of the layout classes: messages, groups, components.
  NameScope files_;            ///< Names in the namespace's folder.
  NameScope group_files_;      ///< Names in its folder groups.
  NameScope component_files_;  ///< Names in its folder components.
  std::vector<const dictionary::Group*> sources_;  ///< One group of each shape.
  std::vector<bool> laid_out_;                     ///< By component.
};

}  // namespace

const FieldPlan& Plan::field_of(const dictionary::Field& field) const noexcept {
  return fields[static_cast<std::size_t>(&field - dictionary.fields().data())];
}

std::uint32_t Plan::tag_of(const Item& item) const noexcept {
  return item.kind == ItemKind::Field   ? fields[item.index].field->tag
         : item.kind == ItemKind::Group ? groups[item.index].counter->tag
                                        : 0;
}

Plan make_plan(dictionary::Dictionary dictionary, std::string_view name_space) {
  Plan plan;
  plan.dictionary = std::move(dictionary);
  plan.name_space = name_space;
  plan.folder = name_space;
  for (std::size_t at = plan.folder.find("::"); at != std::string::npos;
       at = plan.folder.find("::")) {
    plan.folder.replace(at, 2, "/");
  }
  plan.begin_string = plan.dictionary.version().begin_string();
  Planner(plan).run();
  return plan;
}

}  // namespace affix::inline v0::tools::codegen
