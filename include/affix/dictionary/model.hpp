// SPDX-License-Identifier: MIT
// A whole dictionary: its parts, sorted, with look-ups. A loader (load.hpp) makes it, then it is
// const, so any number of threads may read one. Validator, generator and log decoder all use this
// model.
#pragma once

#include "affix/dictionary/field_type.hpp"
#include "affix/dictionary/parts.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace affix::inline v0::dictionary {

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
