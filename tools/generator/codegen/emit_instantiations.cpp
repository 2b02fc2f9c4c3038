// SPDX-License-Identifier: MIT
// instantiations.hpp: every accessor and setter once, to check that all of them compile. The
// classes are templates, whose functions a compiler otherwise only checks when they are called.
#include "codegen/emit.hpp"
#include "codegen/source_text.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::codegen {

namespace {

class Instantiations {
 public:
  Instantiations(const Plan& plan, SourceText& out)
      : plan_(plan), out_(out), seen_(plan.components.size(), false) {}

  /// The layout classes of `stem` as `reader` and `writer` inherit them, and those of components
  /// not written yet.
  void write(const Layout& layout, std::string_view stem, const std::string& name) {
    write_pair(stem, name, "true, 0, 0");
    write_components(layout, name, true, 0, 0);
  }

 private:
  void write_pair(std::string_view stem, const std::string& name, std::string_view arguments) {
    out_.line("template class detail::", stem, "Fields_<", name, ">;");
    out_.line("template class detail::", stem, "Setters_<", name, "Writer, ", arguments, ">;");
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as components nest, which loaders bound.
  void write_components(const Layout& layout, const std::string& name, bool required,
                        std::uint32_t at, std::uint32_t after) {
    for (const Item& item : layout.items) {
      if (item.kind != ItemKind::Component) {
        continue;
      }
      const ComponentPlan& component = plan_.components[item.index];
      const bool inner_required = required && item.required;
      const std::uint32_t inner_at = at + item.place;
      const std::uint32_t inner_after = item.after != 0 && required ? at + item.after : after;
      if (!seen_[item.index]) {
        seen_[item.index] = true;
        write_pair(component.name, name,
                   std::string(inner_required ? "true, " : "false, ") + std::to_string(inner_at) +
                       ", " + std::to_string(inner_after));
      }
      write_components(component.layout, name, inner_required, inner_at, inner_after);
    }
  }

  const Plan& plan_;
  SourceText& out_;
  std::vector<bool> seen_;
};

}  // namespace

void emit_instantiations(const Plan& plan, Files& files) {
  SourceText out(plan, "Compiles everything, for tests; to be included in one source file");
  out.include("header.hpp");
  out.line();
  Instantiations all(plan, out);
  all.write(plan.header, "Header", "Header");
  all.write(plan.trailer, "Trailer", "Trailer");
  for (const GroupPlan& group : plan.groups) {
    out.include("groups/" + group.file + ".hpp");
    all.write(group.layout, group.name, group.name);
  }
  for (const MessagePlan& message : plan.messages) {
    out.include(message.file + ".hpp");
    all.write(message.layout, message.name, message.name);
  }
  files.push_back({plan.folder + "/instantiations.hpp", out.text()});
}

}  // namespace affix::inline v0::tools::codegen
