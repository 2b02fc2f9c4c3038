// SPDX-License-Identifier: MIT
// What a dictionary says: fields with their types and values, components, groups and messages.
// Plain owned values, made once by a loader (load.hpp) and const afterwards, so any number of
// threads may read one. Validator, generator and log decoder all read this model and no other.
#pragma once

#include "affix/dictionary/field_type.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

/// One allowed value of a field.
struct Value {
  std::string code;  ///< On the wire: "1".
  std::string
      name;  ///< For people and code: "BUY". Any text; the generator makes identifiers of it.

  bool operator==(const Value&) const = default;
};

struct Field {
  std::uint32_t tag = 0;  ///< 1 or more.
  std::string name;       ///< Not empty; any text without '<', SOH and control characters.
  FieldType type = FieldType::String;
  /// The file's spelling of a type that FIX does not have; `type` is String then. Mostly empty.
  std::string own_type;
  /// The allowed values, ordered by length of code, then by code (so that "9" precedes "10"), no
  /// code twice. Empty: any value of the type.
  std::vector<Value> values;
  /// Other values than the listed ones are allowed too.
  bool values_are_open = false;
  /// What the unlisted values look like (Orchestra's unions: Reserved100Plus, Qty); only when open.
  std::optional<FieldType> union_type;
  /// Of a Data or XmlData field: the tag of the field that says its length; 0 when none is known.
  std::uint32_t length_tag = 0;
  /// Of a length field: the tag of the Data field it measures; 0 for every other field.
  std::uint32_t data_tag = 0;

  /// The value of `code`, or null. Binary search.
  [[nodiscard]] const Value* find_value(std::string_view code) const noexcept;

  bool operator==(const Field&) const = default;
};

enum class MemberKind : std::uint8_t {
  Field,      ///< `index` is into fields().
  Group,      ///< `index` is into groups().
  Component,  ///< `index` is into components().
};

/// One line of a message, component, group, header or trailer. Order is the file's and meaningful.
struct Member {
  MemberKind kind = MemberKind::Field;
  bool required = false;
  std::uint32_t index = 0;

  bool operator==(const Member&) const = default;
};

/// A repeating group where it stands: two messages that both have NoPartyIDs have a group each.
struct Group {
  std::uint32_t counter =
      0;  ///< Index into fields() of the NumInGroup field; its name is the group's.
  std::vector<Member> members;  ///< Of one entry; at least one field. Nested groups are members.

  bool operator==(const Group&) const = default;
};

/// A named list of members that stands for itself wherever it is used.
struct Component {
  std::string name;
  std::vector<Member> members;

  bool operator==(const Component&) const = default;
};

enum class MessageCategory : std::uint8_t { Admin, App };

struct Message {
  std::string type;  ///< MsgType (35): "D", "AE", a venue's own of any length.
  std::string name;
  MessageCategory category = MessageCategory::App;
  std::vector<Member> members;  ///< The body; header and trailer are the dictionary's.

  bool operator==(const Message&) const = default;
};

/// Which FIX the dictionary speaks.
struct Version {
  bool is_transport = false;  ///< FIXT: header, trailer and session messages only.
  bool is_latest = false;     ///< FIX.Latest; major is 5, minor 0, service_pack 2 then.
  std::uint16_t major = 4;
  std::uint16_t minor = 0;
  std::uint16_t service_pack = 0;
  std::uint16_t extension_pack = 0;

  /// "FIX.4.4", "FIX.5.0SP2", "FIXT.1.1", "FIX.Latest"; "FIX.5.0SP2_EP269" with an extension pack.
  [[nodiscard]] std::string name() const;

  /// BeginString (8) of its messages: "FIX.4.4"; "FIXT.1.1" from 5.0 on.
  [[nodiscard]] std::string begin_string() const;

  /// ApplVerID (1128, 1137) as sent: "6" for 4.4, "9" for 5.0SP2, "10" for Latest; empty for a
  /// transport and for versions without one.
  [[nodiscard]] std::string_view appl_ver_id() const noexcept;

  /// FIX has published this version: 4.0 to 5.0SP2, Latest, FIXT.1.1.
  [[nodiscard]] bool is_known() const noexcept;

  bool operator==(const Version&) const = default;
};

/// The version that "FIX.4.4", "FIX.5.0SP2", "FIXT.1.1", "FIX.Latest" or "FIX.5.0SP2_EP254" names;
/// nothing for any other text.
[[nodiscard]] std::optional<Version> version_from_text(std::string_view text) noexcept;

/// What a dictionary is made from. Order of fields, groups, components, messages and values does
/// not matter; indices of members must fit (Dictionary asserts it).
struct Parts {
  Version version;
  std::vector<Member> header;
  std::vector<Member> trailer;
  std::vector<Field> fields;
  std::vector<Group> groups;
  std::vector<Component> components;
  std::vector<Message> messages;

  bool operator==(const Parts&) const = default;
};

/// A whole dictionary. Two that say the same are equal whatever the order of their files: fields
/// are held by tag, messages by length of type and type, components by name, groups in the order a
/// walk over header, trailer, messages and components meets them. A transport and an application
/// dictionary are two of these.
class Dictionary {
 public:
  Dictionary() = default;

  /// Puts `parts` in order, gives each group one place and builds the lookups. In 4.0 and 4.1 Char
  /// fields become String, since char meant text of any length there. Asserts what a
  /// loader has checked: indices in range, no tag, type or component name twice, no component
  /// within itself, no group without a field, length and data tags that name each
  /// other.
  explicit Dictionary(Parts parts);

  [[nodiscard]] const Version& version() const noexcept { return parts_.version; }

  [[nodiscard]] std::span<const Member> header() const noexcept { return parts_.header; }

  [[nodiscard]] std::span<const Member> trailer() const noexcept { return parts_.trailer; }

  [[nodiscard]] std::span<const Field> fields() const noexcept { return parts_.fields; }

  [[nodiscard]] std::span<const Group> groups() const noexcept { return parts_.groups; }

  [[nodiscard]] std::span<const Component> components() const noexcept { return parts_.components; }

  [[nodiscard]] std::span<const Message> messages() const noexcept { return parts_.messages; }

  // Lookups; null when there is none. Binary searches. Pointers live as long as the dictionary.

  [[nodiscard]] const Field* find_field(std::uint32_t tag) const noexcept;
  [[nodiscard]] const Field* find_field(std::string_view name) const noexcept;
  [[nodiscard]] const Component* find_component(std::string_view name) const noexcept;
  [[nodiscard]] const Message* find_message(std::string_view name) const noexcept;
  [[nodiscard]] const Message* find_message_by_type(std::string_view type) const noexcept;

  /// "BUY" for (54, "1"); empty when tag or code is unknown. Lives as long as the dictionary.
  [[nodiscard]] std::string_view value_name(std::uint32_t tag,
                                            std::string_view code) const noexcept;

  // What a member refers to. The kind must be right.

  [[nodiscard]] const Field& field(const Member& member) const noexcept;
  [[nodiscard]] const Group& group(const Member& member) const noexcept;
  [[nodiscard]] const Component& component(const Member& member) const noexcept;

  /// Field's name, group's counter's name, component's name.
  [[nodiscard]] std::string_view name(const Member& member) const noexcept;

  /// Field's tag, group's counter's tag; 0 for a component.
  [[nodiscard]] std::uint32_t tag(const Member& member) const noexcept;

  [[nodiscard]] const Field& counter(const Group& group) const noexcept {
    return parts_.fields[group.counter];
  }

  /// The field every entry begins with: the first of its members, looking into components; a nested
  /// group's counter when that comes first.
  [[nodiscard]] const Field& delimiter(const Group& group) const noexcept {
    return *first_field(group.members);
  }

  /// The first field of `members`, looking into components; a group's counter when a group comes
  /// first; null when there is nothing but empty components.
  [[nodiscard]] const Field* first_field(std::span<const Member> members) const noexcept;

  /// Everything in order: to copy, change and make another dictionary of.
  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

  friend bool operator==(const Dictionary& left, const Dictionary& right) noexcept {
    return left.parts_ == right.parts_;
  }

 private:
  Parts parts_;
  // Indices into fields and messages, ordered by name.
  std::vector<std::uint32_t> fields_by_name_;
  std::vector<std::uint32_t> messages_by_name_;
};

}  // namespace affix::inline v0::dictionary
