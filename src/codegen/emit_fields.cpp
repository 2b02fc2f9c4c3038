// SPDX-License-Identifier: MIT
// fields.hpp, enums.hpp and enums/.
#include "codegen/emit.hpp"
#include "codegen/source_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::codegen {

namespace {

std::string value_text(EnumKind kind, const EnumeratorPlan& enumerator) {
  switch (kind) {
    case EnumKind::Character:
      return " = " + character_literal(enumerator.value->code[0]);
    case EnumKind::Number:
      // The least number cannot be written as a literal of its own type.
      return enumerator.value->code == "-2147483648" ? " = -2147483647 - 1"
                                                     : " = " + enumerator.value->code;
    default:
      return {};
  }
}

std::string enum_text(const Plan& plan, const FieldPlan& field) {
  const std::string title = title_of(*field.field);
  SourceText out(plan, "The values of " + title);
  out.include("version.hpp");
  // GCC before 13 takes an enumerator for one that hides a class of its name.
  out.line(
      "\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic push\n"
      "#pragma GCC diagnostic ignored \"-Wshadow\"\n#endif");
  out.line("/// ", title, ". ",
           field.field->values_are_open ? "Other values are allowed too."
                                        : "No other values are allowed.");
  out.line("enum class ", field.enum_name, " : ", underlying_type(field.enum_kind), " {");
  for (const EnumeratorPlan& enumerator : field.enumerators) {
    out.line("  ", enumerator.identifier, value_text(field.enum_kind, enumerator), ",  ///< ",
             comment_text(enumerator.value->code), ": ", comment_text(enumerator.value->name));
  }
  out.line(
      "};\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic pop\n#endif\n\n"
      "namespace detail {\n");
  out.line("inline constexpr messages::Code ", field.enum_file, "_codes[] = {");
  for (const EnumeratorPlan& enumerator : field.enumerators) {
    out.line("    {", string_literal(enumerator.value->code), ", ",
             string_literal(enumerator.value->name), "},");
  }
  out.line("};\n\n}  // namespace detail\n");
  out.line("[[nodiscard]] constexpr messages::CodeSet code_set(", field.enum_name,
           " /*type*/) noexcept {");
  out.line("  return {detail::", field.enum_file, "_codes, ",
           static_cast<std::uint32_t>(field.enumerators.size()), ", ",
           field.field->values_are_open ? "true" : "false", "};");
  out.line("}");
  return out.text();
}

}  // namespace

void emit_fields(const Plan& plan, Files& files) {
  SourceText tags(plan, "Tags of " + comment_text(plan.dictionary.version().name()));
  SourceText enums(plan, "All enums of " + comment_text(plan.dictionary.version().name()));
  tags.include("version.hpp");
  tags.line("\n/// For encoders and views: `view.text(tag::text)`.\nnamespace tag {\n");
  for (const FieldPlan& field : plan.fields) {
    tags.line("inline constexpr std::uint32_t ", field.accessor, " = ", field.field->tag, ";");
    if (field.enum_kind != EnumKind::None) {
      const std::string file = "enums/" + field.enum_file + ".hpp";
      files.push_back({plan.folder + '/' + file, enum_text(plan, field)});
      enums.include(file);
    }
  }
  tags.line("\n}  // namespace tag");
  files.push_back({plan.folder + "/fields.hpp", tags.text()});
  files.push_back({plan.folder + "/enums.hpp", enums.text()});
}

}  // namespace affix::inline v0::codegen
