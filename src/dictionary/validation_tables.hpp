// SPDX-License-Identifier: MIT
// Tables of a validator. A tag leads to a slot, a slot to the check of its values, and level and
// slot together to the field's place in that level: three loads, none of which waits for another
// field's.
#pragma once

#include "affix/dictionary/field_type.hpp"
#include "affix/dictionary/parts.hpp"
#include "affix/dictionary/rules.hpp"
#include "affix/wire/msg_type.hpp"
#include "affix/wire/view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace affix::inline v0::dictionary {

/// Ways to prove a value's form without a call. value_faults() checks values that fail the
/// proof.
enum class QuickCheck : std::uint8_t {
  NotEmpty,
  Character,  ///< One byte out of `characters`.
  Digits,     ///< One to eight digits.
  Decimal,    ///< One to eight digits and at most one point.
  Code,       ///< At most eight bytes, in the table of codes.
  Timestamp,  ///< A UTCTimestamp.
  Never,      ///< Calls value_faults().
};

/// Check of one field's values. Half a cache line.
struct FieldCheck {
  static constexpr std::uint32_t none = UINT32_MAX;

  FieldType type = FieldType::String;
  FieldType union_type = FieldType::String;  ///< For values that are not listed; see `has_union`.
  std::uint8_t code_shift = 0;  ///< 64 minus the binary logarithm of the code table's size.
  std::uint32_t tag = 0;
  std::array<std::uint64_t, 2> characters{};  ///< A bit for each listed code of one ASCII byte.
  std::uint32_t codes = none;    ///< Start of the field's table in `codes`; none: no list.
  std::uint16_t long_codes = 0;  ///< Index into `long_codes`; 0: none.
  bool has_union = false;
  bool is_counter = false;  ///< Counter of any group.

  [[nodiscard]] bool has_list() const noexcept { return codes != none; }

  [[nodiscard]] bool has_character(std::uint64_t byte) const noexcept {
    return byte < 128 && (characters[byte / 64] >> (byte % 64) & 1) != 0;
  }
};

static_assert(sizeof(FieldCheck) == 32);

/// Sections in the order in which a message has them.
enum class Section : std::uint8_t { Header, Body, Trailer };

/// A field's place in a level, in 16 bits; 0 = the level does not have the field. The section is
/// in the top bits, so that a shift alone extracts it, and its numbers ascend as sections do.
///
///     15..14    13      12        11        10..0
///     section   unused  counter   required  index in the level's members
namespace place {

inline constexpr std::uint32_t index_mask = 0x7FF;
inline constexpr std::uint32_t required_shift = 11;
inline constexpr std::uint32_t counter = 1U << 12;
inline constexpr std::uint32_t section_shift = 14;

[[nodiscard]] constexpr std::uint32_t index(std::uint32_t word) noexcept {
  return word & index_mask;
}

[[nodiscard]] constexpr std::uint32_t required(std::uint32_t word) noexcept {
  return word >> required_shift & 1;
}

/// 1, 2 and 3 for header, body and trailer.
[[nodiscard]] constexpr std::uint32_t section(std::uint32_t word) noexcept {
  return word >> section_shift;
}

[[nodiscard]] constexpr std::uint32_t section_number(Section section) noexcept {
  return static_cast<std::uint32_t>(section) + 1;
}

[[nodiscard]] constexpr std::uint32_t section_bits(Section section) noexcept {
  return section_number(section) << section_shift;
}

}  // namespace place

/// Direct result of a look-up by tag: the slot, and the check of its values, since most values need
/// nothing else. Without initialisers, as a pass has room for many and uses few; an unknown tag has
/// TagEntry().
struct TagEntry {
  std::uint16_t slot;  ///< 0: unknown.
  QuickCheck quick;
};

static_assert(std::is_trivially_default_constructible_v<TagEntry>);

/// A field of a level, for look-ups once its place is known.
struct LevelMember {
  std::uint32_t tag = 0;
  std::uint16_t child = 0;  ///< Of a counter: the level of its group's entries.
  bool required = false;
  Section section = Section::Body;
};

/// Fields of the same level: a whole message with header and trailer but without the contents of
/// its groups, or one entry of a group.
struct Level {
  std::uint32_t places = 0;      ///< Position of slot `first_slot` in `places`.
  std::uint32_t first_slot = 0;  ///< Slots outside [first_slot, first_slot + slot_count) are not
  std::uint32_t slot_count = 0;  ///< of this level.
  std::uint32_t members = 0;     ///< Their start in `members`, in the dictionary's order.
  std::uint32_t member_count = 0;
  std::uint32_t required_count = 0;
  std::uint32_t delimiter_slot = 0;  ///< Of the first field of each entry of the group.
  /// Indices of 8, 9, 35 and 10, which the indexer has checked. Only for messages.
  std::array<std::uint16_t, 4> frame{};
  std::uint32_t frame_required = 0;  ///< Number of them that are required.
  bool of_unknown_type = false;
};

/// A type of more than two characters, or of non-ASCII ones.
struct LongType {
  std::string text;
  std::uint16_t level = 0;
};

struct ValidationTables {
  Version version;

  /// For each tag below its size.
  std::vector<TagEntry> tags;
  /// For larger tags, ascending.
  std::vector<std::pair<std::uint32_t, TagEntry>> large_tags;
  /// By slot. Slot 0 stands for every unknown tag.
  std::vector<FieldCheck> fields;

  std::vector<Level> levels;  ///< 0: for messages of unknown type.
  std::vector<std::uint16_t> places;
  std::vector<LevelMember> members;

  /// Open addressing, 0 free; a code is its characters, the first lowest.
  std::vector<std::uint64_t> codes;
  /// Codes of more than eight characters, ascending in each list.
  std::vector<std::vector<std::string>> long_codes;

  /// Level of each type of one or two ASCII characters, by short_type(); 0: unknown.
  std::vector<std::uint16_t> short_types;
  std::vector<LongType> long_types;

  static constexpr std::size_t short_type_count = std::size_t{1} << 14;

  /// Index into `short_types`; only for types of one or two bytes below 128, and never 0.
  [[nodiscard]] static constexpr std::size_t short_type(std::uint64_t word) noexcept {
    return (word & 0x7F) | (word >> 8 & 0x7F) << 7;
  }

  [[nodiscard]] static constexpr bool is_short_type(std::uint64_t word) noexcept {
    return (word & ~std::uint64_t{0x7F7F}) == 0;
  }

  [[nodiscard]] TagEntry entry_of(std::uint32_t tag) const noexcept {
    return tag < tags.size() ? tags[tag] : entry_of_large(tag);
  }

  [[nodiscard]] std::uint32_t slot_of(std::uint32_t tag) const noexcept {
    return entry_of(tag).slot;
  }

  [[nodiscard]] [[gnu::noinline]] TagEntry entry_of_large(std::uint32_t tag) const noexcept;

  [[nodiscard]] bool is_counter(std::uint32_t slot) const noexcept {
    return fields[slot].is_counter;
  }

  /// The level of messages of this type; the one for unknown types if it has none.
  [[nodiscard]] const Level& level_of(std::string_view type) const noexcept {
    if (type.size() - 1 < 2) [[likely]] {
      const auto byte = [type](std::size_t at) {
        return std::uint64_t{static_cast<unsigned char>(type[at])};
      };
      const std::uint64_t word = byte(0) | (type.size() == 2 ? byte(1) << 8 : 0);
      // A second byte of zero would make a long type look short.
      if (is_short_type(word) && type.back() != '\0') [[likely]] {
        return levels[short_types[short_type(word)]];
      }
    }
    return level_of_long(type);
  }

  [[nodiscard]] [[gnu::noinline]] const Level& level_of_long(std::string_view type) const noexcept;

  [[nodiscard]] std::uint32_t place_of(const Level& level, std::uint32_t slot) const noexcept {
    const std::uint32_t offset = slot - level.first_slot;
    return offset < level.slot_count ? places[level.places + offset] : 0;
  }

  [[nodiscard]] const LevelMember& member(const Level& level, std::uint32_t word) const noexcept {
    return members[level.members + place::index(word)];
  }

  [[nodiscard]] static constexpr std::size_t code_hash(std::uint64_t code,
                                                       std::uint8_t shift) noexcept {
    // 2^64 divided by the golden ratio: spreads neighbouring codes.
    return static_cast<std::size_t>(code * 0x9E37'79B9'7F4A'7C15U >> shift);
  }
};

/// True if `codes`, the table of all lists, has `code`, which is not 0, in the list of `field`,
/// which has one.
[[nodiscard]] inline bool has_code(const std::uint64_t* codes, const FieldCheck& field,
                                   std::uint64_t code) noexcept {
  const std::uint64_t* const table = codes + field.codes;
  std::size_t at = ValidationTables::code_hash(code, field.code_shift);
  while (table[at] != code) [[unlikely]] {
    if (table[at] == 0) {
      return false;  // At most a quarter of a table is used.
    }
    at = (at + 1) & ((std::size_t{1} << (64 - field.code_shift)) - 1);
  }
  return true;
}

/// A value of one to eight bytes as a code, its first byte lowest.
[[nodiscard]] constexpr std::uint64_t code_of(std::string_view text) noexcept {
  return wire::MsgType(text).word();
}

/// Faults of one value, as Rules::bit of EmptyValue, ValueFormat and ValueNotListed. Decides in
/// every case, for values of any size.
[[nodiscard]] std::uint32_t value_faults(const ValidationTables& tables, const FieldCheck& field,
                                         std::string_view value, FaultOrder order) noexcept;

/// MsgType's text; empty when it is not in the standard's position.
[[nodiscard]] inline std::string_view type_of(const wire::MessageView& message) noexcept {
  return message.size() > 2 && message.tag_at(2) == 35 ? message.value_at(2) : std::string_view();
}

/// Rule for a tag that is not in the dictionary.
[[nodiscard]] constexpr Rule rule_of_unknown(std::uint32_t tag) noexcept {
  constexpr std::uint32_t user_defined_from = 5'000;
  return tag < user_defined_from ? Rule::UnknownTag : Rule::UserDefinedTag;
}

}  // namespace affix::inline v0::dictionary
