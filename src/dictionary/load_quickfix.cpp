// SPDX-License-Identifier: MIT
// Reads QuickFIX's XML. Unknown attributes are notes and ignored; unknown elements are reported,
// since a misspelt one would lose its content.

#include "dictionary/load_quickfix.hpp"

#include "affix/base/text.hpp"

#include "dictionary/xml_tree.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

namespace {

bool is_yes(std::string_view text) {
  return base::is_same_word(text, "y") || base::is_same_word(text, "true");
}

bool is_no(std::string_view text) {
  return base::is_same_word(text, "n") || base::is_same_word(text, "false");
}

class QuickFixReader {
 public:
  explicit QuickFixReader(Problems& problems) : problems_(problems) {}

  Draft read(const pugi::xml_node& root) {
    read_version(root);
    for (const pugi::xml_node& section : root.children()) {
      const std::string_view name = section.name();
      if (name == "header") {
        read_list(section, "header", draft_.header);
      } else if (name == "trailer") {
        read_list(section, "trailer", draft_.trailer);
      } else if (name == "messages") {
        read_messages(section);
      } else if (name == "components") {
        read_components(section);
      } else if (name == "fields") {
        read_fields(section);
      } else {
        report_unknown(section, "fix");
      }
    }
    if (draft_.fields.empty()) {
      problems_.error(whole_file, {}, "no field is defined", "D107");
    }
    return std::move(draft_);
  }

 private:
  void report_unknown(const pugi::xml_node& node, std::string_view owner) {
    // Text between elements has no name; it is white space or a note.
    if (node.type() == pugi::node_element) {
      problems_.warn(place_of(node), owner,
                     "unknown element <" + shown(node.name()) + ">, passed over", "D112");
    }
  }

  // A version's number; a missing required one, or one that is not a number, is an error.
  std::uint16_t read_number(const pugi::xml_node& root, const char* attribute, bool is_needed) {
    const std::string_view text = text_of(root, attribute);
    if (text.empty() && !is_needed) {
      return 0;
    }
    const auto number = number_in(text);
    if (!number || *number > std::numeric_limits<std::uint16_t>::max()) {
      problems_.error(place_of(root), "fix",
                      text.empty()
                          ? std::string("attribute ") + attribute + " is missing"
                          : std::string(attribute) + " " + in_quotes(text) + " is not a number",
                      "D109");
      return 0;
    }
    return static_cast<std::uint16_t>(*number);
  }

  void read_version(const pugi::xml_node& root) {
    Version& version = draft_.version;
    const std::string_view type = text_of(root, "type");
    version.is_transport = type == "FIXT";
    if (!type.empty() && type != "FIX" && type != "FIXT") {
      problems_.warn(place_of(root), "fix", "type " + in_quotes(type) + " is read as FIX", "D108");
    }
    version.extension_pack = read_number(root, "extensionpack", false);
    if (base::is_same_word(text_of(root, "major"), "latest")) {
      version.is_latest = true;
      version.major = 5;
      version.minor = 0;
      version.service_pack = 2;
      return;
    }
    version.major = read_number(root, "major", true);
    version.minor = read_number(root, "minor", true);
    version.service_pack = read_number(root, "servicepack", false);
    if (!version.is_known() && !problems_.has_errors()) {
      // Venues write the version of their own specification there.
      problems_.warn(place_of(root), "fix",
                     "no version of FIX is called " + version.name() +
                         "; sessions of any version may use the file",
                     "D108");
    }
  }

  void read_list(const pugi::xml_node& section, std::string_view name,
                 std::optional<DraftList>& list) {
    if (list) {
      problems_.error(place_of(section), name,
                      "a second <" + std::string(name) + ">" + problems_.at_line(list->place),
                      "D111");
      return;
    }
    list = DraftList{place_of(section), read_members(section, name)};
  }

  // Recursive, as deep as elements nest, which is limited.
  std::vector<DraftMember> read_members(const pugi::xml_node& parent, std::string_view owner) {
    std::vector<DraftMember> members;
    for (const pugi::xml_node& node : parent.children()) {
      const std::string_view element = node.name();
      DraftMember member;
      if (element == "field") {
        member.kind = MemberKind::Field;
      } else if (element == "group") {
        member.kind = MemberKind::Group;
      } else if (element == "component") {
        member.kind = MemberKind::Component;
      } else {
        report_unknown(node, owner);
        continue;
      }
      member.place = place_of(node);
      member.name = text_of(node, "name");
      member.required = read_required(node, owner);
      if (member.kind == MemberKind::Group) {
        member.members = read_members(node, member.name);
      }
      if (has(node, "repeating")) {
        problems_.warn(member.place, owner,
                       in_quotes(member.name) +
                           " may repeat without a counter; only one is taken to be allowed",
                       "D119");
      }
      members.push_back(std::move(member));
    }
    return members;
  }

  bool read_required(const pugi::xml_node& node, std::string_view owner) {
    const std::string_view text = text_of(node, "required");
    if (is_yes(text) || is_no(text)) {
      return is_yes(text);
    }
    // Conditional ("C") and any other letter of a venue: not required in every message.
    problems_.warn(
        place_of(node), owner,
        (text.empty() ? "required is missing for " : "required=" + in_quotes(text) + " of ") +
            in_quotes(text_of(node, "name")) + ", read as N",
        "D115");
    return false;
  }

  void read_components(const pugi::xml_node& section) {
    for (const pugi::xml_node& node : section.children()) {
      if (std::string_view(node.name()) != "component") {
        report_unknown(node, "components");
        continue;
      }
      const std::string_view name = text_of(node, "name");
      draft_.components.push_back({place_of(node), name, read_members(node, name)});
    }
  }

  void read_messages(const pugi::xml_node& section) {
    for (const pugi::xml_node& node : section.children()) {
      if (std::string_view(node.name()) != "message") {
        report_unknown(node, "messages");
        continue;
      }
      DraftMessage message;
      message.place = place_of(node);
      message.type = text_of(node, "msgtype");
      message.name = text_of(node, "name");
      if (message.name.empty() && !message.type.empty()) {
        problems_.warn(message.place, message.type,
                       "a message has no name; its type is used as the name", "D114");
        message.name = message.type;
      }
      message.category = read_category(node, message);
      message.members = read_members(node, message.name);
      draft_.messages.push_back(std::move(message));
    }
  }

  MessageCategory read_category(const pugi::xml_node& node, const DraftMessage& message) {
    const std::string_view text = text_of(node, "msgcat");
    if (base::is_same_word(text, "admin") || base::is_same_word(text, "app")) {
      return base::is_same_word(text, "admin") ? MessageCategory::Admin : MessageCategory::App;
    }
    const bool is_session = is_session_type(message.type);
    problems_.warn(message.place, message.name,
                   (text.empty() ? "msgcat is missing" : "msgcat=" + in_quotes(text)) +
                       ", read as " + (is_session ? "admin" : "app"),
                   "D115");
    return is_session ? MessageCategory::Admin : MessageCategory::App;
  }

  void read_fields(const pugi::xml_node& section) {
    for (const pugi::xml_node& node : section.children()) {
      if (std::string_view(node.name()) != "field") {
        report_unknown(node, "fields");
        continue;
      }
      DraftField field;
      field.place = place_of(node);
      field.name = text_of(node, "name");
      const auto tag = read_tag(node, field);
      if (!tag) {
        continue;
      }
      field.tag = *tag;
      read_type(node, field);
      read_values(node, field);
      read_additions(node, field);
      draft_.fields.push_back(std::move(field));
    }
  }

  std::optional<std::uint32_t> read_tag(const pugi::xml_node& node, const DraftField& field) {
    const std::string_view text = text_of(node, "number");
    const auto tag = number_in(text);
    if (!tag) {
      problems_.error(field.place, field.name,
                      text.empty() ? std::string("a field without a number")
                                   : "number " + in_quotes(text) + " is not a tag",
                      "D109");
    }
    return tag;
  }

  void read_type(const pugi::xml_node& node, DraftField& field) {
    const std::string_view text = text_of(node, "type");
    if (const auto type = field_type_from_text(text)) {
      field.type = *type;
    } else if (text.empty()) {
      problems_.warn(field.place, field.name, "a field without a type, read as String", "D112");
    } else {
      field.own_type = text;
      problems_.warn(field.place, field.name,
                     "unknown type " + in_quotes(text) + ", read as String", "D112");
    }
  }

  void read_values(const pugi::xml_node& node, DraftField& field) {
    for (const pugi::xml_node& value : node.children()) {
      if (std::string_view(value.name()) != "value") {
        report_unknown(value, field.name);
        continue;
      }
      field.values.push_back(
          {place_of(value), text_of(value, "enum"), text_of(value, "description")});
    }
    field.values_are_open = is_yes(text_of(node, "allowOtherValues"));
  }

  // Reads the canonical form's additions to the dialect, in Orchestra's words.
  void read_additions(const pugi::xml_node& node, DraftField& field) {
    if (has(node, "unionDataType")) {
      const std::string_view text = text_of(node, "unionDataType");
      field.union_type = field_type_from_text(text);
      field.values_are_open = true;
      if (!field.union_type) {
        problems_.warn(field.place, field.name, "unknown unionDataType " + in_quotes(text), "D112");
      }
    }
    if (has(node, "lengthId")) {
      const std::string_view text = text_of(node, "lengthId");
      field.length_tag = number_in(text);
      if (!field.length_tag) {
        problems_.error(field.place, field.name, "lengthId " + in_quotes(text) + " is not a tag",
                        "D109");
      }
    }
  }

  Problems& problems_;
  Draft draft_;
};

}  // namespace

Draft read_quickfix(const pugi::xml_node& root, Problems& problems) {
  return QuickFixReader(problems).read(root);
}

}  // namespace affix::inline v0::dictionary
