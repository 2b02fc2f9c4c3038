// SPDX-License-Identifier: MIT
// Writes the canonical form.

#include "affix/dictionary/canonical.hpp"

#include "dictionary/data_pairs.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

class CanonicalWriter {
 public:
  explicit CanonicalWriter(const Dictionary& dictionary) : dictionary_(dictionary) {}

  std::string write() {
    write_root();
    write_list(1, "header", dictionary_.header());
    write_list(1, "trailer", dictionary_.trailer());
    write_messages();
    write_components();
    write_fields();
    out_ += "</fix>\n";
    return std::move(out_);
  }

 private:
  void write_root() {
    const Version& version = dictionary_.version();
    out_ += "<fix";
    attribute("type", version.is_transport ? "FIXT" : "FIX");
    attribute("major", version.is_latest ? "Latest" : std::to_string(version.major));
    attribute("minor", std::to_string(version.is_latest ? 0 : version.minor));
    attribute("servicepack", std::to_string(version.is_latest ? 0 : version.service_pack));
    if (version.extension_pack != 0) {
      attribute("extensionpack", std::to_string(version.extension_pack));
    }
    out_ += ">\n";
  }

  void write_messages() {
    open_line(1, "messages");
    close_start();
    for (const Message& message : dictionary_.messages()) {
      open_line(2, "message");
      attribute("name", message.name);
      attribute("msgtype", message.type);
      attribute("msgcat", message.category == MessageCategory::Admin ? "admin" : "app");
      write_content(2, "message", message.members);
    }
    end_line(1, "messages");
  }

  void write_components() {
    if (dictionary_.components().empty()) {
      open_line(1, "components");
      out_ += "/>\n";
      return;
    }
    open_line(1, "components");
    close_start();
    for (const Component& component : dictionary_.components()) {
      open_line(2, "component");
      attribute("name", component.name);
      write_content(2, "component", component.members);
    }
    end_line(1, "components");
  }

  void write_fields() {
    const std::vector<std::uint32_t> found = find_length_tags(dictionary_.parts());
    bool pairs_are_found = true;
    for (std::size_t at = 0; at < found.size(); ++at) {
      pairs_are_found = pairs_are_found && found[at] == dictionary_.fields()[at].length_tag;
    }
    open_line(1, "fields");
    close_start();
    for (const Field& field : dictionary_.fields()) {
      open_line(2, "field");
      attribute("number", std::to_string(field.tag));
      attribute("name", field.name);
      attribute("type", field.own_type.empty() ? to_quickfix_text(field.type) : field.own_type);
      if (field.values_are_open) {
        attribute("allowOtherValues", "true");
      }
      if (field.union_type) {
        attribute("unionDataType", to_text(*field.union_type));
      }
      if (has_raw_bytes(field.type) && !pairs_are_found) {
        attribute("lengthId", std::to_string(field.length_tag));
      }
      write_values(field);
    }
    end_line(1, "fields");
  }

  void write_values(const Field& field) {
    if (field.values.empty()) {
      out_ += "/>\n";
      return;
    }
    close_start();
    for (const Value& value : field.values) {
      open_line(3, "value");
      attribute("enum", value.code);
      attribute("description", value.name);
      out_ += "/>\n";
    }
    end_line(2, "field");
  }

  void write_list(std::size_t depth, const char* element, std::span<const Member> members) {
    open_line(depth, element);
    write_content(depth, element, members);
  }

  // Recursive, as deep as groups nest.
  void write_content(std::size_t depth, const char* element, std::span<const Member> members) {
    if (members.empty()) {
      out_ += "/>\n";
      return;
    }
    close_start();
    for (const Member& member : members) {
      write_member(depth + 1, member);
    }
    end_line(depth, element);
  }

  // Recursive, as deep as groups nest.
  void write_member(std::size_t depth, const Member& member) {
    const char* element = member.kind == MemberKind::Field   ? "field"
                          : member.kind == MemberKind::Group ? "group"
                                                             : "component";
    open_line(depth, element);
    attribute("name", dictionary_.name(member));
    attribute("required", member.required ? "Y" : "N");
    if (member.kind == MemberKind::Group) {
      write_content(depth, element, dictionary_.group(member).members);
    } else {
      out_ += "/>\n";
    }
  }

  void open_line(std::size_t depth, const char* element) {
    out_.append(2 * depth, ' ');
    out_ += '<';
    out_ += element;
  }

  void close_start() { out_ += ">\n"; }

  void end_line(std::size_t depth, const char* element) {
    out_.append(2 * depth, ' ');
    out_ += "</";
    out_ += element;
    out_ += ">\n";
  }

  void attribute(const char* name, std::string_view value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    for (const char letter : value) {
      switch (letter) {
        case '&':
          out_ += "&amp;";
          break;
        case '<':
          out_ += "&lt;";
          break;
        case '>':
          out_ += "&gt;";
          break;
        case '"':
          out_ += "&quot;";
          break;
        default:
          out_ += letter;
      }
    }
    out_ += '"';
  }

  const Dictionary& dictionary_;
  std::string out_;
};

}  // namespace

std::string write_canonical(const Dictionary& dictionary) {
  return CanonicalWriter(dictionary).write();
}

}  // namespace affix::inline v0::dictionary
