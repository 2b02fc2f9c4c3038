// SPDX-License-Identifier: MIT
// Markdown pages for users of the generated messages: the fields of a message, in the order of its
// writer, with their names, and a sample. Makes no C++.
#include "codegen/emit.hpp"
#include "codegen/source_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::tools::codegen {

namespace {

/// Codes shown beside a field; a field with more only has them on its enum's page.
constexpr std::size_t values_inline_max = 4;

/// Text for a table's cell: without bars and HTML.
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

/// Rows of a layout, with members of components and group entries below theirs.
class Rows {
 public:
  explicit Rows(const Plan& plan) : plan_(plan) {}

  // Recursive, as deep as groups and components nest.
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
            break;  // No fields are left in it.
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
    "Fields are in the order of the writer. Members of a component or of a group's entry are "
    "indented below it; a\nrequired member is required if its component or entry is present.\n";

/// A value that the type allows.
std::string_view sample_value(dictionary::FieldType type) {
  using dictionary::FieldType;
  using dictionary::ValueClass;
  switch (type) {
    case FieldType::Qty:
      return "100";
    case FieldType::Country:
      return "FI";
    case FieldType::Currency:
      return "EUR";
    case FieldType::Exchange:
      return "XHEL";
    case FieldType::Language:
      return "en";
    case FieldType::Tenor:
      return "M3";
    case FieldType::Reserved100Plus:
      return "100";
    case FieldType::Reserved1000Plus:
      return "1000";
    case FieldType::Reserved4000Plus:
      return "4000";
    default:
      break;
  }
  switch (dictionary::value_class(type)) {
    case ValueClass::Integer:
    case ValueClass::Natural:
      return "1";
    case ValueClass::Decimal:
      return "10.75";
    case ValueClass::Char:
    case ValueClass::CharList:
    case ValueClass::TextList:
      return "A";
    case ValueClass::Boolean:
      return "Y";
    case ValueClass::MonthYear:
      return "202601";
    case ValueClass::UtcTimestamp:
      return "20260105-09:30:00";
    case ValueClass::UtcTime:
    case ValueClass::LocalTime:
      return "09:30:00";
    case ValueClass::Date:
      return "20260105";
    case ValueClass::TzTime:
      return "09:30Z";
    case ValueClass::TzTimestamp:
      return "20260105-09:30:00Z";
    case ValueClass::Text:
    case ValueClass::Bytes:
      return "text";
  }
  return "text";
}

/// The required fields of a layout with values, as `tag=value|`.
class Sample {
 public:
  explicit Sample(const Plan& plan) : plan_(plan) {}

  /// `whole` gives the first field as well, which begins a group's entry. Recursive, as deep as
  /// groups and components nest.
  void add(const Layout& layout, bool whole) {
    for (const Item& item : layout.items) {
      if (!item.required && !whole) {
        continue;
      }
      switch (item.kind) {
        case ItemKind::Field:
          add_field(plan_.fields[item.index]);
          break;
        case ItemKind::Group: {
          const GroupPlan& group = plan_.groups[item.index];
          put(group.counter->tag, "1");
          add(group.layout, true);
          break;
        }
        case ItemKind::Component:
          add(plan_.components[item.index].layout, whole);
          break;
      }
      whole = false;
    }
  }

  void put(std::uint32_t tag, std::string_view value) {
    text_ += std::to_string(tag) + "=" + std::string(value) + "|";
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void add_field(const FieldPlan& plan) {
    const dictionary::Field& field = *plan.field;
    if (field.data_tag != 0) {
      return;  // Its data field writes it.
    }
    const std::string_view value =
        plan.enumerators.empty() ? sample_value(field.type) : plan.enumerators.front().value->code;
    if (field.length_tag != 0) {
      put(field.length_tag, std::to_string(value.size()));
    }
    put(field.tag, value);
  }

  const Plan& plan_;
  std::string text_;
};

/// The message with its required fields, header and trailer; a bar stands for SOH.
std::string sample_of(const Plan& plan, const MessagePlan& message) {
  constexpr std::uint32_t checksum_modulus = 256;
  Sample sample(plan);
  sample.put(35, message.message->type);
  sample.put(49, "SENDER");
  sample.put(56, "TARGET");
  sample.put(34, "2");
  sample.put(52, "20260105-09:30:00");
  sample.add(message.layout, false);
  const std::string body = sample.take();
  std::string text = "8=" + plan.begin_string + "|9=" + std::to_string(body.size()) + "|" + body;
  std::uint32_t sum = 0;
  for (const char c : text) {
    sum += c == '|' ? 1U : static_cast<unsigned char>(c);
  }
  const std::string digits = std::to_string(sum % checksum_modulus);
  return text + "10=" + std::string(3 - digits.size(), '0') + digits + "|";
}

std::string message_page(const Plan& plan, const MessagePlan& message) {
  const std::string whole = plan.name_space + "::" + message.name;
  return "# " + cell_text(message.message->name) + " (35=" + cell_text(message.message->type) +
         ")\n\nOf " + cell_text(plan.dictionary.version().name()) + ". Header " +
         code(plan.folder + "/" + message.file + ".hpp") + ", reader " + code(whole) + ", writer " +
         code(whole + "Writer") + ". " + std::string(how_to_read) + table_of(plan, message.layout) +
         "\nA sample with the required fields; `|` stands for SOH:\n\n```text\n" +
         sample_of(plan, message) +
         "\n```\n\n[Header and trailer](header.md), [all messages](README.md)\n";
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
// Recursive, as deep as they nest.
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

}  // namespace affix::inline v0::tools::codegen
