// SPDX-License-Identifier: MIT
// Contents of a dictionary: fields with their types and values, components, groups and messages.
// Plain owned values.
#pragma once

#include "affix/dictionary/field_type.hpp"

#include <cstdint>
#include <optional>
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
  bool is_transport = false;         ///< FIXT: header, trailer and session messages only.
  bool is_latest = false;            ///< FIX.Latest; major is 5, minor 0, service_pack 2 then.
  std::uint16_t major = 4;           ///< 5 in FIX.5.0SP2.
  std::uint16_t minor = 0;           ///< 4 in FIX.4.4.
  std::uint16_t service_pack = 0;    ///< 2 in FIX.5.0SP2.
  std::uint16_t extension_pack = 0;  ///< 0: none.

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
  std::vector<Member> header;         ///< Of every message, in the order of the dictionary.
  std::vector<Member> trailer;        ///< The same at the end.
  std::vector<Field> fields;          ///< Any order; a tag once.
  std::vector<Group> groups;          ///< Named by members by index.
  std::vector<Component> components;  ///< The same.
  std::vector<Message> messages;      ///< A type once.

  bool operator==(const Parts&) const = default;
};

}  // namespace affix::inline v0::dictionary
