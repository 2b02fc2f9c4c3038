// SPDX-License-Identifier: MIT
// Markdown pages for people who write code against the generated messages: what a message has, in
// the order of its writer, and under which names. No C++ is made here.
#include "codegen/emit.hpp"
#include "codegen/source_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::codegen {

namespace {

/// Codes that stand behind a field; a field with more has them on its enum's page alone.
constexpr std::size_t values_inline_max = 4;

/// What a table's cell may hold: no bar and no HTML.
std::string cell_text(std::string_view text) {
  std::string cell;
  for (const char c : comment_text(text)) {
    switch (c) {
      case '|':
        cell += "&#124;";
        break;
      case '<':
        cell += "&lt;";
        break;
      case '`':
      case '*':
      case '_':
      case '[':
        cell += '\\';
        cell += c;
        break;
      default:
        cell += c;
        break;
    }
  }
  return cell;
}

std::string code(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string type_text(const dictionary::Field& field) {
  return field.own_type.empty() ? std::string(dictionary::to_text(field.type)) : field.own_type;
}

/// The rows of a layout, members of components and group entries below theirs.
class Rows {
 public:
  explicit Rows(const Plan& plan) : plan_(plan) {}

  // Calls itself as deep as groups and components nest.
  void add(const Layout& layout, std::size_t depth) {
    for (const Item& item : layout.items) {
      switch (item.kind) {
        case ItemKind::Field:
          add_field(item, depth);
          break;
        case ItemKind::Group: {
          const GroupPlan& group = plan_.groups[item.index];
          const std::string& accessor = plan_.field_of(*group.counter).accessor;
          add_row(item, depth, std::to_string(group.counter->tag), group.counter->name, "group",
                  code(accessor), "entries are " + code(group.name));
          add(group.layout, depth + 1);
          break;
        }
        case ItemKind::Component: {
          const ComponentPlan& component = plan_.components[item.index];
          if (component.layout.items.empty()) {
            break;  // Nothing is left of it anywhere.
          }
          add_row(item, depth, "", component.component->name, "component", "", "");
          add(component.layout, depth + 1);
          break;
        }
      }
    }
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add_row(const Item& item, std::size_t depth, std::string_view tag, std::string_view name,
               const std::string& type, const std::string& function, const std::string& value) {
    text_ += "| ";
    text_ += tag;
    text_ += " | ";
    for (std::size_t level = 0; level < depth; ++level) {
      text_ += "&nbsp;&nbsp;";
    }
    text_ += cell_text(name) + (item.required ? " | required | " : " | | ") + type + " | " +
             function + " | " + value + " |\n";
  }

  void add_field(const Item& item, std::size_t depth) {
    const FieldPlan& plan = plan_.fields[item.index];
    const dictionary::Field& field = *plan.field;
    std::string value = code(plan.read_type);
    if (plan.enum_kind != EnumKind::None) {
      value = "[" + plan.enum_name + "](enums/" + plan.enum_file + ".md)";
      if (plan.enumerators.size() <= values_inline_max) {
        std::string_view before = ": ";
        for (const EnumeratorPlan& one : plan.enumerators) {
          value += std::string(std::exchange(before, ", ")) + cell_text(one.value->code) + " " +
                   code(one.identifier);
        }
      } else {
        value += ", " + std::to_string(plan.enumerators.size()) + " values";
      }
    }
    if (plan.write == WriteForm::None) {
      value += "; written by its data field";
    }
    add_row(item, depth, std::to_string(field.tag), field.name, cell_text(type_text(field)),
            code(plan.accessor), value);
  }

  const Plan& plan_;
  std::string text_;
};

std::string table_of(const Plan& plan, const Layout& layout) {
  Rows rows(plan);
  rows.add(layout, 0);
  return "\n| tag | name | | type | function | value |\n|---|---|---|---|---|---|\n" + rows.take();
}

constexpr std::string_view how_to_read =
    "Fields are in the order of the writer. What is within a component or a group's entry stands "
    "below it, further in; a\nrequired field there is required where its component or entry is "
    "there.\n";

std::string message_page(const Plan& plan, const MessagePlan& message) {
  const std::string whole = plan.name_space + "::" + message.name;
  return "# " + cell_text(message.message->name) + " (35=" + cell_text(message.message->type) +
         ")\n\nOf " + cell_text(plan.dictionary.version().name()) + ". Header " +
         code(plan.folder + "/" + message.file + ".hpp") + ", reader " + code(whole) + ", writer " +
         code(whole + "Writer") + ". " + std::string(how_to_read) + table_of(plan, message.layout) +
         "\n[Header and trailer](header.md), [all messages](README.md)\n";
}

std::string enum_page(const Plan& plan, const FieldPlan& field) {
  std::string text = "# " + cell_text(title_of(*field.field)) + "\n\n" +
                     code("enum class " + plan.name_space + "::" + field.enum_name) + ", header " +
                     code(plan.folder + "/enums/" + field.enum_file + ".hpp") + ". " +
                     (field.field->values_are_open ? "Other values are allowed too."
                                                   : "No other values are allowed.") +
                     "\n\n| code | name | enumerator |\n|---|---|---|\n";
  for (const EnumeratorPlan& one : field.enumerators) {
    text += "| " + cell_text(one.value->code) + " | " + cell_text(one.value->name) + " | " +
            code(one.identifier) + " |\n";
  }
  return text;
}

/// Enums that a layout's fields have, through components and groups.
// Calls itself as deep as they nest.
void add_enums(const Plan& plan, const Layout& layout, std::set<std::uint32_t>& fields) {
  for (const Item& item : layout.items) {
    switch (item.kind) {
      case ItemKind::Field:
        if (plan.fields[item.index].enum_kind != EnumKind::None) {
          fields.insert(item.index);
        }
        break;
      case ItemKind::Group:
        add_enums(plan, plan.groups[item.index].layout, fields);
        break;
      case ItemKind::Component:
        add_enums(plan, plan.components[item.index].layout, fields);
        break;
    }
  }
}

}  // namespace

void emit_pages(const Plan& plan, Files& files) {
  std::string index =
      "# Messages of " + cell_text(plan.dictionary.version().name()) +
      "\n\nMade by `affix generate --pages`.\n\n| type | message | |\n|---|---|---|\n";
  std::set<std::uint32_t> enums;
  add_enums(plan, plan.header, enums);
  add_enums(plan, plan.trailer, enums);
  for (const MessagePlan& message : plan.messages) {
    const bool is_admin = message.message->category == dictionary::MessageCategory::Admin;
    index += "| " + cell_text(message.message->type) + " | [" + cell_text(message.message->name) +
             "](" + message.file + ".md) | " + (is_admin ? "session" : "") + " |\n";
    add_enums(plan, message.layout, enums);
    files.push_back({message.file + ".md", message_page(plan, message)});
  }
  files.push_back({"header.md", "# Header and trailer\n\nOf every message, reader " +
                                    code(plan.name_space + "::Header") + " and " +
                                    code(plan.name_space + "::Trailer") +
                                    "; a session writes them. " + std::string(how_to_read) +
                                    "\n## Header\n" + table_of(plan, plan.header) +
                                    "\n## Trailer\n" + table_of(plan, plan.trailer)});
  for (const std::uint32_t field : enums) {
    files.push_back(
        {"enums/" + plan.fields[field].enum_file + ".md", enum_page(plan, plan.fields[field])});
  }
  files.push_back({"README.md", index + "\n[Header and trailer](header.md)\n"});
}

}  // namespace affix::inline v0::codegen
