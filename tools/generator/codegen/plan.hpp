// SPDX-License-Identifier: MIT
// Decisions before text is written: identifiers, the C++ type of each field, and the layout of each
// message, component and group entry. Emitters only write them out.
#pragma once

#include "affix/dictionary/model.hpp"

#include "codegen/naming.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::codegen {

/// Kind of an enum's values.
enum class EnumKind : std::uint8_t {
  None,       ///< The field has no enum.
  Character,  ///< The code.
  Number,     ///< The code's number.
  Place,      ///< The position in the value list.
};

/// The enum's underlying type, which shows the kind to affix/messages/code.hpp.
[[nodiscard]] std::string_view underlying_type(EnumKind kind) noexcept;

struct EnumeratorPlan {
  std::string identifier;
  const dictionary::Value* value = nullptr;
};

/// How a setter accepts and writes its value.
enum class WriteForm : std::uint8_t {
  Value,  ///< put_field.
  Time,   ///< put_field with a precision.
  Codes,  ///< put_codes: several enumerators.
  Data,   ///< put_data: writes the length field too.
  None,   ///< No setter: a length field, written with its data field.
};

struct FieldPlan {
  const dictionary::Field* field = nullptr;
  std::string accessor;   ///< Function and tag constant.
  std::string enum_name;  ///< Empty without an enum.
  std::string enum_file;  ///< Without folder and ending.
  EnumKind enum_kind = EnumKind::None;
  std::vector<EnumeratorPlan> enumerators;
  std::string read_type;
  std::string write_type;
  std::string precision;  ///< Default of a time's precision argument.
  WriteForm write = WriteForm::Value;
};

enum class ItemKind : std::uint8_t { Field, Group, Component };

/// One member of a layout.
struct Item {
  ItemKind kind = ItemKind::Field;
  bool required = false;
  bool offered = true;      ///< Has a setter; only such items have places.
  std::uint32_t index = 0;  ///< Into the plan's fields, groups or components.
  std::uint32_t after = 0;  ///< Place of the last required field before it, 0 for none.
  /// From 1; of a component, the place before its first field.
  std::uint32_t place = 0;
};

struct RequiredPlace {
  std::uint32_t place = 0;
  std::uint32_t tag = 0;
};

struct Layout {
  std::vector<Item> items;
  std::uint32_t places = 0;         ///< Number of places, components' included.
  std::uint32_t last_required = 0;  ///< Place; 0 for none.
  std::vector<RequiredPlace> required;
};

struct ComponentPlan {
  const dictionary::Component* component = nullptr;
  std::string name;  ///< Stem of the two class names.
  std::string file;
  Layout layout;
};

struct GroupPlan {
  std::string name;
  std::string file;
  std::string shape;  ///< Equal for equivalent groups.
  const dictionary::Field* counter = nullptr;
  const dictionary::Field* delimiter = nullptr;
  Layout layout;
  std::vector<std::uint32_t> members;  ///< Tags of an entry's own fields, components' included.
  std::vector<std::uint32_t> nested;   ///< Plans of the groups within an entry, components' too.
};

struct MessagePlan {
  const dictionary::Message* message = nullptr;
  std::string name;
  std::string file;
  Layout layout;
  std::vector<std::uint32_t> groups;  ///< Plans of the groups of body, header and trailer.
  /// Fields and groups whose tag also occurs within one of the message's groups.
  std::vector<Item> ambiguous;
};

struct Plan {
  dictionary::Dictionary dictionary;
  std::string name_space;                  ///< "affix::fix44".
  std::string folder;                      ///< "affix/fix44".
  std::string begin_string;                ///< "FIX.4.4".
  std::vector<FieldPlan> fields;           ///< In the dictionary's order.
  std::vector<ComponentPlan> components;   ///< In the dictionary's order.
  std::vector<GroupPlan> groups;           ///< Each shape once, nested ones first.
  std::vector<std::uint32_t> group_plans;  ///< Of each of the dictionary's groups.
  std::vector<MessagePlan> messages;       ///< In the dictionary's order.
  Layout header;
  Layout trailer;

  [[nodiscard]] const FieldPlan& field_of(const dictionary::Field& field) const noexcept;

  /// Tag of a field, or of a group's counter.
  [[nodiscard]] std::uint32_t tag_of(const Item& item) const noexcept;
};

/// Plans of single fields, one per field of the dictionary, in its order. Names of enums are
/// claimed in `types`.
[[nodiscard]] std::vector<FieldPlan> plan_fields(const dictionary::Dictionary& dictionary,
                                                 NameScope& types);

/// `dictionary` is complete: the transport's parts have been merged.
[[nodiscard]] Plan make_plan(dictionary::Dictionary dictionary, std::string_view name_space);

}  // namespace affix::inline v0::tools::codegen
