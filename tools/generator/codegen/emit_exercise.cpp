// SPDX-License-Identifier: MIT
// exercise.hpp: for each layout a function that calls every setter in order and one that calls
// every accessor. Their `Script` argument supplies the values:
//   take(tag, required)          whether to write this field or group
//   make<T>(tag)                 a value; codes<E>(tag) several; data(tag, raw) bytes
//   time_precision()             for the time just made
//   entries(tag)                 how many entries; enter() and leave() around each
//   see(tag, Result)             result of an accessor; see_group(tag, Group) likewise
#include "affix/dictionary/field_type.hpp"

#include "codegen/emit.hpp"
#include "codegen/source_text.hpp"

#include <string>
#include <string_view>

namespace affix::inline v0::tools::codegen {

namespace {

std::string value_text(const FieldPlan& field) {
  const std::string tag = std::to_string(field.field->tag);
  switch (field.write) {
    case WriteForm::Codes:
      return "script.template codes<" + field.write_type + ">(" + tag + ")";
    case WriteForm::Data:
      return "script.data(" + tag + ", " +
             (field.field->type == dictionary::FieldType::Data ? "true" : "false") + ")";
    default:
      break;
  }
  if (field.read_type == "wire::MultipleValue") {
    return "script.template make<wire::MultipleValue>(" + tag + ")";
  }
  return "script.template make<" + field.write_type + ">(" + tag + ")";
}

class Exercise {
 public:
  Exercise(const Plan& plan, SourceText& out) : plan_(plan), out_(out) {}

  void write_function(const Layout& layout, std::string_view name, bool is_entry) {
    out_.line(
        "\ntemplate <typename Writer_, typename Script_>\nvoid write_", name,
        "([[maybe_unused]] Writer_& writer, [[maybe_unused]] Script_& script, [[maybe_unused]] "
        "bool required) {");
    bool first = is_entry;
    for (const Item& item : layout.items) {
      if (item.offered) {
        write_item(item, first ? "true" : item.required ? "required" : "false");
        first = false;
      }
    }
    out_.line("}");
  }

  void read_function(const Layout& layout, std::string_view name) {
    out_.line("\ntemplate <typename Reader_, typename Script_>\nvoid read_", name,
              "([[maybe_unused]] const Reader_& reader, [[maybe_unused]] Script_& script) {");
    for (const Item& item : layout.items) {
      if (item.offered) {
        read_item(item);
      }
    }
    out_.line("}");
  }

 private:
  void write_item(const Item& item, std::string_view required) {
    if (item.kind == ItemKind::Component) {
      out_.line("  write_component_", plan_.components[item.index].file, "(writer, script, ",
                required, ");");
      return;
    }
    out_.line("  if (script.take(", plan_.tag_of(item), ", ", required, ")) {");
    if (item.kind == ItemKind::Group) {
      const GroupPlan& group = plan_.groups[item.index];
      out_.line("    writer.", plan_.field_of(*group.counter).accessor, "(script.entries(",
                group.counter->tag, "), [&](auto& entry, std::size_t) {");
      out_.line("      script.enter();\n      write_group_", group.file, "(entry, script, true);");
      out_.line("      script.leave();\n    });");
    } else {
      const FieldPlan& field = plan_.fields[item.index];
      // Arguments of one call would be evaluated in any order.
      out_.line("    const auto value = ", value_text(field), ";");
      out_.line("    writer.", field.accessor,
                field.write == WriteForm::Time ? "(value, script.time_precision());" : "(value);");
    }
    out_.line("  }");
  }

  void read_item(const Item& item) {
    if (item.kind == ItemKind::Component) {
      out_.line("  read_component_", plan_.components[item.index].file, "(reader, script);");
    } else if (item.kind == ItemKind::Group) {
      const GroupPlan& group = plan_.groups[item.index];
      out_.line("  {\n    const auto group = reader.", plan_.field_of(*group.counter).accessor,
                "();\n    script.see_group(", group.counter->tag, ", group);");
      out_.line("    for (const auto& entry : group) {\n      read_group_", group.file,
                "(entry, script);\n    }\n  }");
    } else {
      const FieldPlan& field = plan_.fields[item.index];
      out_.line("  script.see(", field.field->tag, ", reader.", field.accessor, "());");
    }
  }

  const Plan& plan_;
  SourceText& out_;
};

/// Functions are called before they are declared: argument-dependent look-up finds them.
void emit_functions(const Plan& plan, SourceText& out) {
  Exercise exercise(plan, out);
  for (const ComponentPlan& component : plan.components) {
    if (!component.layout.items.empty()) {
      exercise.write_function(component.layout, "component_" + component.file, false);
      exercise.read_function(component.layout, "component_" + component.file);
    }
  }
  for (const GroupPlan& group : plan.groups) {
    exercise.write_function(group.layout, "group_" + group.file, true);
    exercise.read_function(group.layout, "group_" + group.file);
  }
  exercise.write_function(plan.header, "header", false);
  exercise.read_function(plan.header, "header");
  for (const MessagePlan& message : plan.messages) {
    exercise.write_function(message.layout, "message_" + message.file, false);
    exercise.read_function(message.layout, "message_" + message.file);
  }
}

}  // namespace

void emit_exercise(const Plan& plan, Files& files) {
  SourceText out(plan, "Goes through every field of every message, for tests");
  out.include_foreign("<cstddef>");
  out.include("header.hpp");
  for (const MessagePlan& message : plan.messages) {
    out.include(message.file + ".hpp");
  }
  emit_functions(plan, out);
  out.line(
      "\n/// Calls visitor.message<Reader, Writer>(write, read, ambiguous) for every message:");
  out.line("/// write(writer, script) and read(reader, script) go through its header and body;");
  out.line("/// `ambiguous` are tags of the body that stand in its groups too.");
  out.line("template <typename Visitor_>\nvoid for_each_message(Visitor_& visitor) {");
  for (const MessagePlan& message : plan.messages) {
    std::string tags;
    for (const Item& item : message.ambiguous) {
      tags += (tags.empty() ? "" : ", ") + std::to_string(plan.tag_of(item));
    }
    out.line("  visitor.template message<", message.name, ", ", message.name, "Writer>(");
    out.line("      [](auto& writer, auto& script) {\n        auto header = writer.header();");
    out.line("        write_header(header, script, true);");
    out.line("        write_message_", message.file, "(writer, script, true);\n      },");
    out.line(
        "      [](const auto& reader, auto& script) {\n"
        "        read_header(reader.header(), script);");
    out.line("        read_message_", message.file, "(reader, script);\n      },");
    out.line("      {", tags, "});");
  }
  out.line("}");
  files.push_back({plan.folder + "/exercise.hpp", out.text()});
}

}  // namespace affix::inline v0::tools::codegen
