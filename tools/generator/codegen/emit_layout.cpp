// SPDX-License-Identifier: MIT
// Accessors and setters of a layout's members.
#include "codegen/emit_layout.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::codegen {

namespace {

/// The last required place before an item, as an expression with the setters' parameters.
std::string after_text(const Item& item) {
  return item.after == 0 ? "After_"
                         : "Required_ ? At_ + " + std::to_string(item.after) + " : After_";
}

void emit_accessor(const Plan& plan, const Item& item, bool outside, SourceText& out) {
  const std::string_view fields =
      outside ? "messages::OutsideGroups(self().view(), Self_::group_list())" : "self().view()";
  if (item.kind == ItemKind::Group) {
    const GroupPlan& group = plan.groups[item.index];
    out.line("\n  /// ", title_of(*group.counter), item.required ? ", required." : ".");
    out.line("  [[nodiscard]] messages::Group<", group.name, "> ",
             plan.field_of(*group.counter).accessor, "() const noexcept {");
    out.line("    return messages::read_group<", group.name, ">(", fields, ");\n  }");
    return;
  }
  const FieldPlan& field = plan.fields[item.index];
  out.line("\n  /// ", title_of(*field.field), item.required ? ", required." : ".");
  out.line("  [[nodiscard, gnu::always_inline]] messages::Result<", field.read_type, "> ",
           field.accessor, "() const noexcept {");
  out.line("    return messages::read<", field.read_type, ">(", fields, ", ", field.field->tag,
           ");\n  }");
}

void emit_group_setter(const Plan& plan, const Item& item, SourceText& out) {
  const GroupPlan& group = plan.groups[item.index];
  out.line("\n  /// ", title_of(*group.counter), item.required ? ", required" : "",
           ": `source` is a number of entries or a sized range,");
  out.line("  /// and fill(", group.name, "Writer&, index or element) writes each.");
  out.line("  template <typename Source_, typename Fill_>");
  out.line("  Self_& ", plan.field_of(*group.counter).accessor,
           "(const Source_& source, Fill_&& fill) noexcept {");
  out.line("    return self().template put_group<", group.name, "Writer>(", group.counter->tag,
           ", ", after_text(item), ", At_ + ", item.place, ", source, fill);\n  }");
}

bool is_integer(std::string_view type) {
  return type == "SeqNum" || type.starts_with("std::int") || type.starts_with("std::uint");
}

/// Parameter type of a setter. C++ silently converts numbers, characters and even texts to bools,
/// characters and shorter integers, so those accept only their own kind.
std::string parameter_text(std::string_view type) {
  if (is_integer(type)) {
    return "wire::FieldInteger auto";
  }
  return type == "bool" || type == "char" ? "std::same_as<" + std::string(type) + "> auto"
                                          : std::string(type);
}

/// The function of messages::FieldWriter that writes a value of `type`.
std::string put_text(std::string_view type) {
  return is_integer(type) ? "template put_integer<" + std::string(type) + ">" : "put_field";
}

void emit_setter(const Plan& plan, const Item& item, SourceText& out) {
  const FieldPlan& field = plan.fields[item.index];
  const std::uint32_t tag = field.field->tag;
  const std::string places = after_text(item) + ", At_ + " + std::to_string(item.place);
  out.line("\n  /// ", title_of(*field.field), item.required ? ", required." : ".");
  switch (field.write) {
    case WriteForm::Value:
      out.line("  [[gnu::always_inline]] Self_& ", field.accessor, "(",
               parameter_text(field.write_type), " value) noexcept {");
      out.line("    return self().", put_text(field.write_type), "(", tag, ", ", places,
               ", value);\n  }");
      break;
    case WriteForm::Time:
      out.line("  [[gnu::always_inline]] Self_& ", field.accessor, "(", field.write_type,
               " value,");
      out.line("      wire::TimePrecision precision = wire::TimePrecision::", field.precision,
               ") noexcept {");
      out.line("    return self().put_field(", tag, ", ", places, ", value, precision);\n  }");
      break;
    case WriteForm::Codes:
      out.line("  Self_& ", field.accessor, "(std::span<const ", field.write_type,
               "> values) noexcept {");
      out.line("    return self().put_codes(", tag, ", ", places, ", values);\n  }\n");
      out.line("  Self_& ", field.accessor, "(std::initializer_list<", field.write_type,
               "> values) noexcept {");
      out.line("    return self().put_codes(", tag, ", ", places, ", std::span<const ",
               field.write_type, ">(values.begin(), values.size()));\n  }");
      break;
    case WriteForm::Data:
      out.line("  Self_& ", field.accessor, "(std::string_view bytes) noexcept {");
      out.line("    return self().put_data(", field.field->length_tag, ", ", tag, ", ", places,
               ", bytes);\n  }");
      break;
    case WriteForm::None:
      break;
  }
  if (field.enum_kind == EnumKind::Place && field.field->values_are_open &&
      field.write == WriteForm::Value) {
    out.line("\n  /// The same with a code that the dictionary does not list.");
    out.line("  [[gnu::always_inline]] Self_& ", field.accessor,
             "(std::string_view code) noexcept {");
    out.line("    return self().put_field(", tag, ", ", places, ", code);\n  }");
  }
}

void emit_self(std::string_view constness, SourceText& out) {
  out.line("\n private:");
  out.line("  [[nodiscard]] ", constness, "Self_& self() ", constness.empty() ? "" : "const ",
           "noexcept { return static_cast<", constness, "Self_&>(*this); }\n};");
}

bool is_ambiguous(const Plan& plan, const Item& item, std::span<const Item> ambiguous) {
  for (const Item& other : ambiguous) {
    if (plan.tag_of(other) == plan.tag_of(item)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void include_members(const Plan& plan, const Layout& layout, SourceText& out) {
  out.include("version.hpp");
  for (const Item& item : layout.items) {
    switch (item.kind) {
      case ItemKind::Field:
        if (plan.fields[item.index].enum_kind != EnumKind::None) {
          out.include("enums/" + plan.fields[item.index].enum_file + ".hpp");
        }
        break;
      case ItemKind::Group:
        out.include("groups/" + plan.groups[item.index].file + ".hpp");
        break;
      case ItemKind::Component:
        out.include("components/" + plan.components[item.index].file + ".hpp");
        break;
    }
  }
}

void emit_accessors(const Plan& plan, const Layout& layout, std::string_view stem,
                    std::span<const Item> ambiguous, SourceText& out) {
  out.line("\ntemplate <typename Self_>\nclass ", stem, "Fields_");
  std::string_view lead = "    : public ";
  for (const Item& item : layout.items) {
    if (item.kind == ItemKind::Component) {
      out.line(lead, plan.components[item.index].name, "Fields_<Self_>");
      lead = "    , public ";
    }
  }
  out.line("{\n public:");
  for (const Item& item : layout.items) {
    if (item.kind != ItemKind::Component && !is_ambiguous(plan, item, ambiguous)) {
      emit_accessor(plan, item, false, out);
    }
  }
  for (const Item& item : ambiguous) {
    emit_accessor(plan, item, true, out);
  }
  emit_self("const ", out);
}

void emit_setters(const Plan& plan, const Layout& layout, std::string_view stem, SourceText& out) {
  out.line(
      "\ntemplate <typename Self_, bool Required_, std::uint32_t At_, std::uint32_t "
      "After_>\nclass ",
      stem, "Setters_");
  std::string_view lead = "    : public ";
  for (const Item& item : layout.items) {
    if (item.kind == ItemKind::Component) {
      out.line(lead, plan.components[item.index].name, "Setters_<Self_, ",
               item.required ? "Required_" : "false", ", At_ + ", item.place, ", (",
               after_text(item), ")>");
      lead = "    , public ";
    }
  }
  out.line("{\n public:");
  for (const Item& item : layout.items) {
    if (item.kind == ItemKind::Group) {
      emit_group_setter(plan, item, out);
    } else if (item.kind == ItemKind::Field && item.offered) {
      emit_setter(plan, item, out);
    }
  }
  emit_self("", out);
}

void emit_required_array(const Layout& layout, std::string_view file, SourceText& out) {
  if (layout.required.empty()) {
    return;
  }
  out.line("\ninline constexpr messages::Required ", file, "_required[] = {");
  for (const RequiredPlace& required : layout.required) {
    out.line("    {", required.place, ", ", required.tag, "},");
  }
  out.line("};");
}

void emit_required_members(const Layout& layout, std::string_view file, SourceText& out) {
  out.line("\n  static constexpr std::uint32_t last_required = ", layout.last_required, ";\n");
  out.line(
      "  [[nodiscard]] static constexpr std::span<const messages::Required> required_fields() "
      "noexcept {");
  if (layout.required.empty()) {
    out.line("    return {};\n  }");
  } else {
    out.line("    return detail::", file, "_required;\n  }");
  }
}

}  // namespace affix::inline v0::tools::codegen
