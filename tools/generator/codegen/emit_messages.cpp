// SPDX-License-Identifier: MIT
// header.hpp, and a header per message.
#include "codegen/emit.hpp"
#include "codegen/emit_layout.hpp"
#include "codegen/source_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::codegen {

namespace {

/// Header or trailer: a reader of the whole message, and a writer into it.
void emit_frame_part(std::string_view name, std::string_view file, const Layout& layout,
                     SourceText& out) {
  out.line("\n/// The ", file, "'s fields of a message. Views it.");
  out.line("class ", name, " : public messages::ViewReader, public detail::", name, "Fields_<",
           name, "> {\n public:");
  out.line("  explicit ", name,
           "(const wire::MessageView& view) noexcept : messages::ViewReader(view) {}\n};");
  out.line("\n/// Writes the fields of the ", file, " that the session does not write.");
  out.line("class ", name, "Writer : public messages::EntryWriter<", name,
           "Writer>,\n    public detail::", name, "Setters_<", name,
           "Writer, true, 0, 0> {\n public:");
  out.line("  explicit ", name,
           "Writer(wire::Encoder& encoder) noexcept\n      : messages::EntryWriter<", name,
           "Writer>(encoder) {}");
  emit_required_members(layout, file, out);
  out.line("};");
}

void emit_group_list(const Plan& plan, const MessagePlan& message, SourceText& out) {
  out.line("\ninline constexpr const wire::GroupDescription* message_", message.file,
           "_groups[] = {");
  for (const std::uint32_t group : message.groups) {
    out.line("    &group_", plan.groups[group].file, "_description,");
  }
  out.line("};");
}

std::string message_text(const Plan& plan, const MessagePlan& message) {
  const std::string title =
      comment_text(message.message->name) + " (35=" + comment_text(message.message->type) + ")";
  const std::string type = string_literal(message.message->type);
  SourceText out(plan, title);
  out.include("header.hpp");
  include_members(plan, message.layout, out);
  out.line("\nnamespace detail {");
  if (!message.ambiguous.empty()) {
    for (const std::uint32_t group : message.groups) {
      out.include("groups/" + plan.groups[group].file + ".hpp");
    }
    emit_group_list(plan, message, out);
  }
  emit_required_array(message.layout, "message_" + message.file, out);
  emit_accessors(plan, message.layout, message.name, message.ambiguous, out);
  emit_setters(plan, message.layout, message.name, out);
  out.line("\n}  // namespace detail");

  out.line("\n/// Reads ", title, ". Views the message.");
  out.line("class ", message.name, " : public messages::MessageReader<", message.name,
           ", Header, Trailer>,\n    public detail::", message.name, "Fields_<", message.name,
           "> {\n public:");
  out.line("  static constexpr std::string_view message_type = ", type, ";\n");
  out.line("  /// `view` is of a message of this type; from() finds that out.");
  out.line("  explicit ", message.name,
           "(const wire::MessageView& view) noexcept\n      : messages::MessageReader<",
           message.name, ", Header, Trailer>(view) {}");
  if (!message.ambiguous.empty()) {
    out.line("\n  /// The groups outside of which a field is the message's own.");
    out.line(
        "  [[nodiscard]] static constexpr std::span<const wire::GroupDescription* const> "
        "group_list() noexcept {");
    out.line("    return detail::message_", message.file, "_groups;\n  }");
  }
  out.line("};");

  out.line("\n/// Writes ", title, ", fields in this order.");
  out.line("class ", message.name, "Writer : public messages::MessageWriter<", message.name,
           "Writer, HeaderWriter, TrailerWriter>,\n    public detail::", message.name, "Setters_<",
           message.name, "Writer, true, 0, 0> {\n public:");
  out.line("  static constexpr std::string_view message_type = ", type, ";\n");
  out.line("  /// `begun` has begun a message of this type.");
  out.line("  explicit ", message.name,
           "Writer(const wire::Encoder& begun) noexcept\n      : messages::MessageWriter<",
           message.name, "Writer, HeaderWriter, TrailerWriter>(begun) {}");
  emit_required_members(message.layout, "message_" + message.file, out);
  out.line("};");
  return out.text();
}

}  // namespace

void emit_header(const Plan& plan, Files& files) {
  SourceText out(plan, "Header and trailer of every message");
  include_members(plan, plan.header, out);
  include_members(plan, plan.trailer, out);
  out.line("\nnamespace detail {");
  emit_accessors(plan, plan.header, "Header", {}, out);
  emit_setters(plan, plan.header, "Header", out);
  emit_accessors(plan, plan.trailer, "Trailer", {}, out);
  emit_setters(plan, plan.trailer, "Trailer", out);
  out.line("\n}  // namespace detail");
  emit_frame_part("Header", "header", plan.header, out);
  emit_frame_part("Trailer", "trailer", plan.trailer, out);
  files.push_back({plan.folder + "/header.hpp", out.text()});
}

void emit_messages(const Plan& plan, Files& files) {
  for (const MessagePlan& message : plan.messages) {
    files.push_back({plan.folder + '/' + message.file + ".hpp", message_text(plan, message)});
  }
}

}  // namespace affix::inline v0::tools::codegen
