// SPDX-License-Identifier: MIT
// A dictionary as in its file, before any check: references are names or tags, and every part knows
// its place. Both loaders make one; assemble.hpp checks it.
#pragma once

#include "affix/dictionary/model.hpp"

#include "dictionary/problems.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

// Views are of the parsed document or the loader's own strings, valid as long as the loader.

struct DraftMember {
  MemberKind kind = MemberKind::Field;
  bool required = false;
  std::uint32_t place = whole_file;
  std::uint32_t tag = 0;             ///< Of a field or of a group's counter; 0: see `name`.
  std::string_view name;             ///< Of a field, a group's counter or a component.
  std::vector<DraftMember> members;  ///< Of a group.
};

struct DraftList {
  std::uint32_t place = whole_file;
  std::vector<DraftMember> members;
};

struct DraftValue {
  std::uint32_t place = whole_file;
  std::string_view code;
  std::string_view name;
};

struct DraftField {
  std::uint32_t place = whole_file;
  std::uint32_t tag = 0;
  std::string_view name;
  FieldType type = FieldType::String;
  std::string_view own_type;
  bool values_are_open = false;
  std::optional<FieldType> union_type;
  std::optional<std::uint32_t> length_tag;  ///< The pair named by the file; nullopt: none.
  std::vector<DraftValue> values;
};

struct DraftComponent {
  std::uint32_t place = whole_file;
  std::string_view name;
  std::vector<DraftMember> members;
};

struct DraftMessage {
  std::uint32_t place = whole_file;
  std::string_view type;
  std::string_view name;
  MessageCategory category = MessageCategory::App;
  std::vector<DraftMember> members;
};

struct Draft {
  Version version;
  std::optional<DraftList> header;
  std::optional<DraftList> trailer;
  std::vector<DraftField> fields;
  std::vector<DraftComponent> components;
  std::vector<DraftMessage> messages;
};

/// True for the session's own messages, in files without categories.
[[nodiscard]] inline bool is_session_type(std::string_view type) noexcept {
  return type.size() == 1 && std::string_view("012345A").find(type[0]) != std::string_view::npos;
}

}  // namespace affix::inline v0::dictionary
