// SPDX-License-Identifier: MIT
// fields.hpp, known_tags.hpp, enums.hpp and enums/.
#include "codegen/emit.hpp"
#include "codegen/source_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::codegen {

namespace {

std::string value_text(EnumKind kind, const EnumeratorPlan& enumerator) {
  switch (kind) {
    case EnumKind::Character:
      return " = " + character_literal(enumerator.value->code[0]);
    case EnumKind::Number:
      // The lowest number cannot be written as a literal of its own type.
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
  // GCC before 13 warns that an enumerator hides a class of its name.
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

/// A bit for each tag where tags are dense, as FIX's own are; numbers for the tags of
/// venues.
std::string known_tags_text(const Plan& plan) {
  constexpr std::uint32_t dense_max = 4096;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> large;
  for (const FieldPlan& field : plan.fields) {  // By tag.
    const std::uint32_t tag = field.field->tag;
    if (tag >= dense_max) {
      large.push_back(tag);
      continue;
    }
    words.resize(tag / 64 + 1);
    words.back() |= std::uint64_t{1} << (tag % 64);
  }
  SourceText out(plan, "Which tags " + comment_text(plan.dictionary.version().name()) + " has");
  out.include("version.hpp");
  out.line("\nnamespace detail {\n");
  const auto emit_array = [&out](std::string_view head, const auto& numbers, auto spell) {
    out.line("inline constexpr ", head, "[] = {");
    for (const auto number : numbers) {
      out.line("    ", spell(number), ',');
    }
    out.line("};");
  };
  if (!words.empty()) {
    emit_array("std::uint64_t known_words", words, [](std::uint64_t word) {
      std::array<char, 16> digits;
      const auto end = std::to_chars(digits.begin(), digits.end(), word, 16).ptr;
      return "0x" + std::string(digits.begin(), end);
    });
  }
  if (!large.empty()) {
    emit_array("std::uint32_t known_large_tags", large,
               [](std::uint32_t tag) { return std::to_string(tag); });
  }
  out.line("\n/// Groups go on behind a field that is not among them.");
  out.line("inline constexpr wire::KnownTags known_tags{", words.empty() ? "{}" : "known_words",
           ", ", large.empty() ? "{}" : "known_large_tags", "};");
  out.line("\n}  // namespace detail");
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
  files.push_back({plan.folder + "/known_tags.hpp", known_tags_text(plan)});
  files.push_back({plan.folder + "/enums.hpp", enums.text()});
}

}  // namespace affix::inline v0::tools::codegen
