// SPDX-License-Identifier: MIT
// Contents of a dictionary: fields with their types and values, components, groups and messages.
// Plain owned values; a loader (load.hpp) makes them, then they are const, so any number of threads
// may read one. Validator, generator and log decoder all use this model.
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
  std::string name;  ///< Name for people and code: "BUY". Any text; the generator makes identifiers
                     ///< from it.

  bool operator==(const Value&) const = default;
};

struct Field {
  std::uint32_t tag = 0;  ///< 1 or more.
  std::string name;       ///< Not empty; any text without '<', SOH or control characters.
  FieldType type = FieldType::String;
  /// The file's spelling of a type unknown to FIX; `type` is then String. Usually empty.
  std::string own_type;
  /// Allowed values, ordered by length of code, then by code ("9" precedes "10"), without
  /// duplicates. Empty: any value of the type.
  std::vector<Value> values;
  /// Values outside the list are allowed as well.
  bool values_are_open = false;
  /// Type of unlisted values (Orchestra's unions: Reserved100Plus, Qty); only if open.
  std::optional<FieldType> union_type;
  /// For a Data or XmlData field: the tag of its length field; 0 if unknown.
  std::uint32_t length_tag = 0;
  /// For a length field: the tag of its Data field; 0 for every other field.
  std::uint32_t data_tag = 0;

  /// The value with this code, or null. Binary search.
  [[nodiscard]] const Value* find_value(std::string_view code) const noexcept;

  bool operator==(const Field&) const = default;
};

enum class MemberKind : std::uint8_t {
  Field,      ///< `index` is into fields().
  Group,      ///< `index` is into groups().
  Component,  ///< `index` is into components().
};

/// One line of a message, component, group, header or trailer. Keeps the file's order.
struct Member {
  MemberKind kind = MemberKind::Field;
  bool required = false;
  std::uint32_t index = 0;

  bool operator==(const Member&) const = default;
};

/// A repeating group at one place: two messages with NoPartyIDs have a group each.
struct Group {
  std::uint32_t counter =
      0;  ///< Index into fields() of the NumInGroup field, which names the group.
  std::vector<Member> members;  ///< Of one entry; at least one field. May include nested groups.

  bool operator==(const Group&) const = default;
};

/// A named list of members, substituted wherever it is used.
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
  std::vector<Member> members;  ///< The body, without header and trailer.

  bool operator==(const Message&) const = default;
};

/// FIX version of a dictionary.
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

  /// True for published versions: 4.0 to 5.0SP2, Latest, FIXT.1.1.
  [[nodiscard]] bool is_known() const noexcept;

  bool operator==(const Version&) const = default;
};

/// Parses "FIX.4.4", "FIX.5.0SP2", "FIXT.1.1", "FIX.Latest" or "FIX.5.0SP2_EP254"; nothing for
/// other texts.
[[nodiscard]] std::optional<Version> version_from_text(std::string_view text) noexcept;

/// Input for a dictionary. Fields, groups, components, messages and values may be in any order;
/// indices of members must be valid (Dictionary asserts it).
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

/// A whole dictionary. Two with the same contents are equal, whatever the order of their files:
/// fields are ordered by tag, messages by length of type and type, components by name, groups by a
/// walk over header, trailer, messages and components. A transport and an application dictionary
/// are two separate objects.
class Dictionary {
 public:
  Dictionary() = default;

  /// Sorts `parts`, gives each group one place and builds the look-ups. In 4.0 and 4.1,
  /// Char fields become String, because char then meant text of any length. Asserts
  /// conditions that a loader has checked: valid indices; no duplicate tag, type or
  /// component name; no component within itself; no group without a field; matching length
  /// and data tags.
  explicit Dictionary(Parts parts);

  [[nodiscard]] const Version& version() const noexcept { return parts_.version; }

  [[nodiscard]] std::span<const Member> header() const noexcept { return parts_.header; }

  [[nodiscard]] std::span<const Member> trailer() const noexcept { return parts_.trailer; }

  [[nodiscard]] std::span<const Field> fields() const noexcept { return parts_.fields; }

  [[nodiscard]] std::span<const Group> groups() const noexcept { return parts_.groups; }

  [[nodiscard]] std::span<const Component> components() const noexcept { return parts_.components; }

  [[nodiscard]] std::span<const Message> messages() const noexcept { return parts_.messages; }

  // Look-ups; null if not found. Binary searches. Pointers live as long as the dictionary.

  [[nodiscard]] const Field* find_field(std::uint32_t tag) const noexcept;
  [[nodiscard]] const Field* find_field(std::string_view name) const noexcept;
  [[nodiscard]] const Component* find_component(std::string_view name) const noexcept;
  [[nodiscard]] const Message* find_message(std::string_view name) const noexcept;
  [[nodiscard]] const Message* find_message_by_type(std::string_view type) const noexcept;

  /// "BUY" for (54, "1"); empty if tag or code is unknown. Lives as long as the dictionary.
  [[nodiscard]] std::string_view value_name(std::uint32_t tag,
                                            std::string_view code) const noexcept;

  // Targets of a member. Its kind must match.

  [[nodiscard]] const Field& field(const Member& member) const noexcept;
  [[nodiscard]] const Group& group(const Member& member) const noexcept;
  [[nodiscard]] const Component& component(const Member& member) const noexcept;

  /// Name of the field, of the group's counter, or of the component.
  [[nodiscard]] std::string_view name(const Member& member) const noexcept;

  /// Tag of the field, or of the group's counter; 0 for a component.
  [[nodiscard]] std::uint32_t tag(const Member& member) const noexcept;

  [[nodiscard]] const Field& counter(const Group& group) const noexcept {
    return parts_.fields[group.counter];
  }

  /// The first field of every entry: the first member, with components expanded; a nested group's
  /// counter if that comes first.
  [[nodiscard]] const Field& delimiter(const Group& group) const noexcept {
    return *first_field(group.members);
  }

  /// The first field of `members`, with components expanded; a group's counter if a group comes
  /// first; null if there are only empty components.
  [[nodiscard]] const Field* first_field(std::span<const Member> members) const noexcept;

  /// All parts, sorted: for copying, changing and making another dictionary.
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
