// SPDX-License-Identifier: MIT
// fwd.hpp, dispatch.hpp, the umbrella, and version.hpp.
#include "affix/base/crc32c.hpp"
#include "affix/wire/msg_type.hpp"

#include "codegen/emit.hpp"
#include "codegen/source_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::codegen {

namespace {

std::string hex(std::uint64_t value) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), digits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

std::string forward_text(const Plan& plan) {
  SourceText out(plan, "Names of all messages, groups and enums");
  out.include_foreign("<cstdint>");
  out.line("\nclass Header;\nclass HeaderWriter;\nclass Trailer;\nclass TrailerWriter;");
  for (const MessagePlan& message : plan.messages) {
    out.line("class ", message.name, ";\nclass ", message.name, "Writer;");
  }
  for (const GroupPlan& group : plan.groups) {
    out.line("class ", group.name, ";\nclass ", group.name, "Writer;");
  }
  for (const FieldPlan& field : plan.fields) {
    if (field.enum_kind != EnumKind::None) {
      out.line("enum class ", field.enum_name, " : ", underlying_type(field.enum_kind), ";");
    }
  }
  return out.text();
}

std::string dispatch_text(const Plan& plan) {
  SourceText out(plan, "Messages to the functions that the application has for them");
  out.include_foreign("\"affix/messages/dispatch.hpp\"");
  out.include_foreign("\"affix/wire/view.hpp\"");
  out.include("fwd.hpp");
  out.line(
      "\n/// Calls `application.on_message(const NewOrderSingle&, extra...)`, or what else it has");
  out.line("/// for the message's type; a type it has nothing for goes to `on_message(const");
  out.line(
      "/// wire::MessageView&, extra...)` if there is one. False when nothing was called. Only");
  out.line("/// the types that the application handles are compiled, and their headers are to be");
  out.line("/// included before.");
  out.line("template <typename Application_, typename... Extra_>");
  out.line(
      "bool dispatch(const ::affix::wire::MessageView& view, Application_& application,\n"
      "              Extra_&&... extra) noexcept {");
  out.line("  namespace messages = ::affix::messages;");
  out.line("  const ::affix::wire::MsgType type = view.type();");
  std::vector<const MessagePlan*> longer;
  out.line("  if (type.packed()) {\n    switch (type.word()) {");
  for (const MessagePlan& message : plan.messages) {
    const wire::MsgType type(message.message->type);
    if (!type.packed()) {
      longer.push_back(&message);
      continue;
    }
    out.line("      case ", hex(type.word()), ":  // ", comment_text(message.message->type));
    out.line("        return messages::deliver<", message.name, ">(view, application, extra...);");
  }
  out.line("      default:\n        break;\n    }\n  }");
  for (const MessagePlan* message : longer) {
    out.line("  if (type == ::affix::wire::MsgType(", string_literal(message->message->type),
             ")) {");
    out.line("    return messages::deliver<", message->name,
             ">(view, application, extra...);\n  }");
  }
  out.line("  return messages::deliver_unknown(view, application, extra...);\n}");
  return out.text();
}

/// All other headers include this one, and it contains a sum of their texts: when one changes, all
/// users of any are recompiled, although build systems only know this one.
std::string version_text(const Plan& plan, const Files& files) {
  std::uint32_t sum = 0;
  for (const GeneratedFile& file : files) {
    sum = base::crc32c(file.path, sum);
    sum = base::crc32c(file.text, sum);
  }
  const dictionary::Version& version = plan.dictionary.version();
  SourceText out(plan, "The base of all headers of " + comment_text(version.name()) +
                           ". Sum of the others: " + hex(sum));
  out.include_foreign("\"affix/messages/reader.hpp\"");
  out.include_foreign("\"affix/messages/writer.hpp\"");
  out.include_foreign("<concepts>");
  out.include_foreign("<cstdint>");
  out.include_foreign("<initializer_list>");
  out.include_foreign("<span>");
  out.include_foreign("<string_view>");
  out.line("\nnamespace base = ::affix::base;\nnamespace messages = ::affix::messages;");
  out.line("namespace wire = ::affix::wire;\n");
  for (const std::string_view name :
       {"Amt", "Percentage", "Price", "PriceOffset", "Qty", "SeqNum", "add", "code_of", "from_code",
        "from_text", "multiply", "subtract", "to_text"}) {
    out.line("using messages::", name, ";");
  }
  out.line("\n/// BeginString (8) of these messages.");
  out.line("inline constexpr std::string_view begin_string = ", string_literal(plan.begin_string),
           ";");
  out.line("\n/// ApplVerID (1128, 1137); empty when there is none.");
  out.line("inline constexpr std::string_view appl_ver_id = ",
           string_literal(version.appl_ver_id()), ";");
  return out.text();
}

}  // namespace

void emit_dispatch(const Plan& plan, Files& files) {
  SourceText all(plan, "Every message of " + comment_text(plan.dictionary.version().name()));
  for (const std::string_view file :
       {"dispatch.hpp", "enums.hpp", "fields.hpp", "fwd.hpp", "header.hpp", "version.hpp"}) {
    all.include(file);
  }
  for (const MessagePlan& message : plan.messages) {
    all.include(message.file + ".hpp");
  }
  files.push_back({plan.folder + ".hpp", all.text()});
  files.push_back({plan.folder + "/fwd.hpp", forward_text(plan)});
  files.push_back({plan.folder + "/dispatch.hpp", dispatch_text(plan)});
}

void emit_version(const Plan& plan, Files& files) {
  files.push_back({plan.folder + "/version.hpp", version_text(plan, files)});
}

}  // namespace affix::inline v0::tools::codegen
