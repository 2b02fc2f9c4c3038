// SPDX-License-Identifier: MIT
// components/ and groups/.
#include "codegen/emit.hpp"
#include "codegen/emit_layout.hpp"
#include "codegen/source_text.hpp"

#include <cstdint>
#include <string>

namespace affix::inline v0::tools::codegen {

namespace {

/// For names in namespace detail: a message's file may have the same name.
std::string stem_of(const GroupPlan& group) {
  return "group_" + group.file;
}

/// Tables with which the wire layer finds the group's entries.
void emit_description(const Plan& plan, const GroupPlan& group, SourceText& out) {
  const std::string stem = stem_of(group);
  if (!group.members.empty()) {
    std::string tags;
    for (const std::uint32_t tag : group.members) {
      tags += tags.empty() ? "" : ", ";
      tags += std::to_string(tag);
    }
    out.line("\ninline constexpr std::uint32_t ", stem, "_members[] = {", tags, "};");
  }
  if (!group.nested.empty()) {
    out.line("inline constexpr wire::GroupDescription ", stem, "_nested[] = {");
    for (const std::uint32_t nested : group.nested) {
      out.line("    ", stem_of(plan.groups[nested]), "_description,");
    }
    out.line("};");
  }
  out.line("inline constexpr wire::GroupDescription ", stem, "_description{");
  out.line("    ", group.counter->tag, ", ", group.delimiter->tag, ", ",
           group.members.empty() ? "{}" : stem + "_members", ", ",
           group.nested.empty() ? "{}" : stem + "_nested", ", &known_tags};");
}

std::string group_text(const Plan& plan, const GroupPlan& group) {
  const std::string title = title_of(*group.counter);
  SourceText out(plan, "One entry of the group " + title);
  include_members(plan, group.layout, out);
  out.include("known_tags.hpp");
  for (const std::uint32_t nested : group.nested) {
    out.include("groups/" + plan.groups[nested].file + ".hpp");
  }
  out.line("\nnamespace detail {");
  emit_description(plan, group, out);
  emit_required_array(group.layout, stem_of(group), out);
  emit_accessors(plan, group.layout, group.name, {}, out);
  emit_setters(plan, group.layout, group.name, out);
  out.line("\n}  // namespace detail");

  out.line("\n/// An entry of ", title, ". Views the message.");
  out.line("class ", group.name, " : public messages::EntryReader, public detail::", group.name,
           "Fields_<", group.name, "> {\n public:");
  out.line("  explicit ", group.name,
           "(const wire::GroupEntry& view) noexcept : messages::EntryReader(view) {}\n");
  out.line(
      "  [[nodiscard]] static constexpr const wire::GroupDescription& description() noexcept {");
  out.line("    return detail::", stem_of(group), "_description;\n  }\n};");

  out.line("\n/// Writes an entry of ", title, ".");
  out.line("class ", group.name, "Writer : public messages::EntryWriter<", group.name,
           "Writer>,\n    public detail::", group.name, "Setters_<", group.name,
           "Writer, true, 0, 0> {\n public:");
  out.line("  explicit ", group.name,
           "Writer(wire::Encoder& encoder) noexcept\n      : messages::EntryWriter<", group.name,
           "Writer>(encoder) {}");
  emit_required_members(group.layout, stem_of(group), out);
  out.line("};");
  return out.text();
}

}  // namespace

void emit_components(const Plan& plan, Files& files) {
  for (const ComponentPlan& component : plan.components) {
    if (component.layout.items.empty()) {
      continue;  // No fields are left in it.
    }
    SourceText out(plan, "The component " + comment_text(component.component->name));
    include_members(plan, component.layout, out);
    out.line("\nnamespace detail {");
    emit_accessors(plan, component.layout, component.name, {}, out);
    emit_setters(plan, component.layout, component.name, out);
    out.line("\n}  // namespace detail");
    files.push_back({plan.folder + "/components/" + component.file + ".hpp", out.text()});
  }
}

void emit_groups(const Plan& plan, Files& files) {
  for (const GroupPlan& group : plan.groups) {
    files.push_back({plan.folder + "/groups/" + group.file + ".hpp", group_text(plan, group)});
  }
}

}  // namespace affix::inline v0::tools::codegen
