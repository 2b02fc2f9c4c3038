// SPDX-License-Identifier: MIT
// Reads FIX Orchestra. References are ids there; their names are collected before any list is read,
// so that the order of sections does not matter.

#include "dictionary/load_orchestra.hpp"

#include "dictionary/scenarios.hpp"
#include "dictionary/xml_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

constexpr std::string_view header_name = "StandardHeader";
constexpr std::string_view trailer_name = "StandardTrailer";

struct CodeSet {
  std::string_view type;
  std::string_view union_type;
  std::vector<DraftValue> values;
  std::unordered_set<std::string_view> codes;
  std::set<std::string_view> scenarios;
};

class OrchestraReader {
 public:
  OrchestraReader(std::deque<std::string>& texts, Problems& problems)
      : texts_(texts), problems_(problems) {}

  Draft read(const pugi::xml_node& root) {
    read_version(root);
    for_each(root, "datatypes", "datatype", &OrchestraReader::read_datatype);
    for_each(root, "categories", "category", &OrchestraReader::read_category);
    for_each(root, "codeSets", "codeSet", &OrchestraReader::read_code_set);
    for_each(root, "fields", "field", &OrchestraReader::read_field);
    for_each(root, "components", "component", &OrchestraReader::name_component);
    for_each(root, "groups", "group", &OrchestraReader::name_group);
    for_each(root, "components", "component", &OrchestraReader::read_component);
    for_each(root, "groups", "group", &OrchestraReader::read_group);
    for_each(root, "messages", "message", &OrchestraReader::read_message);
    finish_components();
    finish_messages();
    if (draft_.fields.empty()) {
      problems_.error(whole_file, {}, "no field is defined", "D107");
    }
    return std::move(draft_);
  }

 private:
  using Names = std::unordered_map<std::uint32_t, std::string_view>;

  void for_each(const pugi::xml_node& root, std::string_view section, std::string_view element,
                void (OrchestraReader::*take)(const pugi::xml_node&)) {
    for (const pugi::xml_node& list : root.children()) {
      if (local_name(list) != section) {
        continue;
      }
      for (const pugi::xml_node& node : list.children()) {
        if (local_name(node) == element) {
          (this->*take)(node);
        }
      }
    }
  }

  void read_version(const pugi::xml_node& root) {
    for (const char* attribute : {"version", "name"}) {
      if (const auto version = version_from_text(text_of(root, attribute))) {
        draft_.version = *version;
        return;
      }
    }
    draft_.version = *version_from_text("FIX.Latest");
    problems_.warn(place_of(root), {},
                   "version " + in_quotes(text_of(root, "version")) +
                       " names no version of FIX; read as FIX.Latest",
                   "D108");
  }

  // Id of a definition or reference; nullopt, and a problem, when it is not a number.
  std::optional<std::uint32_t> read_id(const pugi::xml_node& node, std::string_view owner) {
    const std::string_view text = text_of(node, "id");
    const auto id = number_in(text);
    if (!id) {
      problems_.error(
          place_of(node), owner,
          "<" + std::string(local_name(node)) + "> " +
              (text.empty() ? std::string("without an id")
                            : "with the id " + in_quotes(text) + ", which is not a number"),
          "D109");
    }
    return id;
  }

  void read_datatype(const pugi::xml_node& node) {
    base_types_.emplace(text_of(node, "name"), text_of(node, "baseType"));
  }

  void read_category(const pugi::xml_node& node) {
    if (text_of(node, "section") == "Session") {
      session_categories_.insert(text_of(node, "name"));
    }
  }

  // The standard type that `name` is or derives from.
  [[nodiscard]] std::optional<FieldType> resolve_type(std::string_view name) const {
    // At most as many steps as there are types, which also ends cycles of types.
    for (std::size_t step = 0; step <= base_types_.size(); ++step) {
      if (const auto type = field_type_from_text(name)) {
        return type;
      }
      const auto base = base_types_.find(name);
      if (base == base_types_.end()) {
        break;
      }
      name = base->second;
    }
    return std::nullopt;
  }

  void read_code_set(const pugi::xml_node& node) {
    const std::string_view name = text_of(node, "name");
    const auto [slot, is_new] = code_sets_.try_emplace(name);
    CodeSet& set = slot->second;
    const bool is_scenario = set.scenarios.insert(scenario_of(node)).second;
    if (is_new) {
      set.type = text_of(node, "type");
      set.union_type = text_of(node, "unionDataType");
    } else if (!is_scenario) {
      problems_.error(place_of(node), name, "a second code set of this name", "D111");
      return;
    }
    for (const pugi::xml_node& code : node.children()) {
      if (local_name(code) != "code") {
        continue;
      }
      const std::string_view value = text_of(code, "value");
      // The field's check reports a code that occurs twice in one scenario.
      if (set.codes.insert(value).second || is_new) {
        set.values.push_back({place_of(code), value, text_of(code, "name")});
      }
    }
  }

  [[nodiscard]] static std::string_view scenario_of(const pugi::xml_node& node) {
    if (has(node, "scenario")) {
      return text_of(node, "scenario");
    }
    // Orchestra 1.1 numbers scenarios, and names may be omitted; 1 is the base.
    const std::string_view number = text_of(node, "scenarioId");
    return number.empty() || number == "1" ? std::string_view("base") : number;
  }

  void read_field(const pugi::xml_node& node) {
    DraftField field;
    field.place = place_of(node);
    field.name = text_of(node, "name");
    const auto tag = read_id(node, field.name);
    if (!tag) {
      return;
    }
    field.tag = *tag;
    read_type(node, field);
    if (has(node, "lengthId")) {
      field.length_tag = number_in(text_of(node, "lengthId"));
      if (!field.length_tag) {
        problems_.error(field.place, field.name,
                        "lengthId " + in_quotes(text_of(node, "lengthId")) + " is not a tag",
                        "D109");
      }
    }
    auto [slot, is_new] = field_scenarios_.try_emplace(field.tag);
    const bool is_scenario = slot->second.insert(scenario_of(node)).second;
    if (!is_new && is_scenario) {
      // The assembler merges two definitions that agree, values included.
      problems_.warn(field.place, field.name,
                     "scenario " + in_quotes(scenario_of(node)) + " is read as one with the others",
                     "D119");
    }
    draft_.fields.push_back(std::move(field));
  }

  void read_type(const pugi::xml_node& node, DraftField& field) {
    // From Orchestra 1.1 on, code sets have their own attribute.
    std::string_view type = text_of(node, has(node, "codeSet") ? "codeSet" : "type");
    std::string_view union_type = text_of(node, "unionDataType");
    const auto set = code_sets_.find(type);
    if (set != code_sets_.end()) {
      field.values = set->second.values;
      type = set->second.type;
      union_type = union_type.empty() ? set->second.union_type : union_type;
    }
    if (const auto known = resolve_type(type)) {
      field.type = *known;
    } else {
      field.own_type = type;
      problems_.warn(field.place, field.name,
                     "unknown type " + in_quotes(type) + ", read as String", "D112");
    }
    if (!union_type.empty()) {
      field.values_are_open = true;
      field.union_type = resolve_type(union_type);
      if (!field.union_type) {
        problems_.warn(field.place, field.name, "unknown unionDataType " + in_quotes(union_type),
                       "D112");
      }
    }
  }

  void name_component(const pugi::xml_node& node) {
    if (const auto id = read_id(node, text_of(node, "name"))) {
      const std::string_view name = text_of(node, "name");
      component_names_.emplace(*id, name);
      taken_names_.insert(name);
    }
  }

  // Components and groups share one namespace of the model.
  void name_group(const pugi::xml_node& node) {
    const auto id = number_in(text_of(node, "id"));
    std::string_view name = text_of(node, "name");
    if (!id || group_names_.contains(*id)) {
      return;
    }
    if (taken_names_.contains(name)) {
      texts_.push_back(std::string(name) + "_" + std::to_string(*id));
      problems_.warn(
          place_of(node), name,
          "a component or another group has this name; called " + in_quotes(texts_.back()), "D111");
      name = texts_.back();
    }
    group_names_.emplace(*id, name);
    taken_names_.insert(name);
  }

  void read_component(const pugi::xml_node& node) {
    DraftComponent component;
    component.place = place_of(node);
    component.name = text_of(node, "name");
    std::vector<DraftMember> members = read_members(node, component.name);
    std::string key = "component " + std::string(text_of(node, "id"));
    components_.add(std::move(key), scenario_of(node), std::move(component), std::move(members));
  }

  void read_group(const pugi::xml_node& node) {
    const auto id = read_id(node, text_of(node, "name"));
    if (!id) {
      return;
    }
    DraftComponent component;
    component.place = place_of(node);
    component.name = group_names_.find(*id)->second;
    DraftMember group;
    group.kind = MemberKind::Group;
    // The reference to the component says whether the group is required.
    group.required = true;
    group.place = component.place;
    for (const pugi::xml_node& child : node.children()) {
      if (local_name(child) == "numInGroup") {
        group.tag = read_id(child, component.name).value_or(0);
      }
    }
    group.members = read_members(node, component.name);
    if (group.tag == 0) {
      problems_.error(component.place, component.name, "a group without numInGroup", "D116");
      return;
    }
    std::vector<DraftMember> members;
    members.push_back(std::move(group));
    components_.add("group " + std::to_string(*id), scenario_of(node), std::move(component),
                    std::move(members));
  }

  std::vector<DraftMember> read_members(const pugi::xml_node& parent, std::string_view owner) {
    std::vector<DraftMember> members;
    for (const pugi::xml_node& node : parent.children()) {
      const std::string_view element = local_name(node);
      if (element != "fieldRef" && element != "groupRef" && element != "componentRef") {
        continue;
      }
      const auto id = read_id(node, owner);
      const std::string_view presence = text_of(node, "presence");
      if (!id || presence == "forbidden") {
        continue;
      }
      DraftMember member;
      member.place = place_of(node);
      member.required = presence == "required";
      if (element == "fieldRef") {
        member.tag = *id;
      } else {
        const auto name = component_name(
            node, element == "groupRef" ? group_names_ : component_names_, *id, owner);
        if (!name) {
          continue;
        }
        member.kind = MemberKind::Component;
        member.name = *name;
      }
      members.push_back(std::move(member));
    }
    return members;
  }

  // Resolves a reference to a component; nullopt for the header and trailer, and for unknown ones.
  std::optional<std::string_view> component_name(const pugi::xml_node& node, const Names& names,
                                                 std::uint32_t id, std::string_view owner) {
    const auto found = names.find(id);
    if (found == names.end()) {
      problems_.error(place_of(node), owner,
                      std::string(local_name(node)) + " " + std::to_string(id) + " is not defined",
                      "D116");
      return std::nullopt;
    }
    const bool is_frame = found->second == header_name || found->second == trailer_name;
    return is_frame ? std::nullopt : std::optional(found->second);
  }

  void read_message(const pugi::xml_node& node) {
    DraftMessage message;
    message.place = place_of(node);
    message.name = text_of(node, "name");
    message.type = text_of(node, "msgType");
    const std::string_view category = text_of(node, "category");
    const bool is_session = category.empty()
                                ? is_session_type(message.type)
                                : category == "Session" || session_categories_.contains(category);
    message.category = is_session ? MessageCategory::Admin : MessageCategory::App;
    std::vector<DraftMember> members;
    for (const pugi::xml_node& child : node.children()) {
      if (local_name(child) == "structure") {
        members = read_members(child, message.name);
      }
    }
    std::string key = std::string(message.type) + " " + std::string(message.name);
    messages_.add(std::move(key), scenario_of(node), std::move(message), std::move(members));
  }

  void warn_of_scenarios(std::uint32_t place, std::string_view name, std::size_t count) {
    if (count > 1) {
      problems_.warn(place, name, "its " + std::to_string(count) + " scenarios are read as one",
                     "D119");
    }
  }

  void finish_components() {
    for (auto& entry : components_.entries()) {
      DraftComponent& component = entry.first;
      warn_of_scenarios(component.place, component.name, entry.lists.size());
      std::vector<DraftMember> members = merge_lists(std::move(entry.lists));
      if (component.name == header_name && !draft_.header) {
        draft_.header = DraftList{component.place, std::move(members)};
      } else if (component.name == trailer_name && !draft_.trailer) {
        draft_.trailer = DraftList{component.place, std::move(members)};
      } else {
        component.members = std::move(members);
        draft_.components.push_back(std::move(component));
      }
    }
  }

  void finish_messages() {
    for (auto& entry : messages_.entries()) {
      DraftMessage& message = entry.first;
      warn_of_scenarios(message.place, message.name, entry.lists.size());
      message.members = merge_lists(std::move(entry.lists));
      draft_.messages.push_back(std::move(message));
    }
  }

  std::deque<std::string>& texts_;
  Problems& problems_;
  Draft draft_;
  std::unordered_map<std::string_view, std::string_view> base_types_;
  std::unordered_set<std::string_view> session_categories_;
  std::unordered_map<std::string_view, CodeSet> code_sets_;
  std::unordered_map<std::uint32_t, std::set<std::string_view>> field_scenarios_;
  Names component_names_;
  Names group_names_;
  std::unordered_set<std::string_view> taken_names_;
  ScenarioTable<DraftComponent> components_;
  ScenarioTable<DraftMessage> messages_;
};

}  // namespace

Draft read_orchestra(const pugi::xml_node& root, std::deque<std::string>& texts,
                     Problems& problems) {
  return OrchestraReader(texts, problems).read(root);
}

}  // namespace affix::inline v0::dictionary
