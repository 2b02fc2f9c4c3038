// SPDX-License-Identifier: MIT
// The index of one message: tag, value offset and value end of every field, as a structure of
// arrays, built by one pass of a kernel that also checks CheckSum and BodyLength. All layers above
// read fields through it.
#pragma once

#include "affix/base/bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

inline constexpr char soh = '\x01';

/// Defects of a whole message. Any but None makes it garbled in the sense of the FIX session layer
/// (test cases 2d, 2m, 2t, 3b, 3c, 3e); `FieldIndex::defect_at` is its offset.
enum class MessageDefect : std::uint8_t {
  None,
  Empty,            ///< No bytes.
  NotTerminated,    ///< The last byte is not SOH.
  HeaderOrder,      ///< The first three fields are not 8, 9, 35.
  BodyLengthValue,  ///< Tag 9 is not a number.
  BodyLength,       ///< Tag 9 is a number other than the body's length.
  CheckSumMissing,  ///< The last field is not 10.
  CheckSumFormat,   ///< Tag 10 is not three digits.
  CheckSum,         ///< Tag 10 differs from the sum of the bytes.
  TooManyFields,    ///< More fields than capacity; the first `capacity` are indexed.
};

/// Faults of one field. The session decides whether the message is then garbled or
/// rejected.
enum class FieldFault : std::uint8_t {
  None,
  MissingEquals,  ///< Text between two SOH without `=`. Its entry has tag 0 and the whole text as
                  ///< value.
  TagEmpty,       ///< `=` is the first byte. Tag 0 in the index, as for the three below.
  TagNotNumber,   ///< The tag has a byte that is not a digit (a leading `-` is TagNegative).
  TagNegative,    ///< `-` followed by digits.
  TagZero,        ///< A number, but 0.
  TagTooLarge,    ///< Above 2147483647, the maximum of FIX's int.
  DataLength,     ///< The data field after a length field does not end with SOH at that length;
                  ///< indexed as text.
};

[[nodiscard]] const char* to_text(MessageDefect defect) noexcept;
[[nodiscard]] const char* to_text(FieldFault fault) noexcept;

/// Positions of the first field for each class of tags, in messages with these first `marks_max`
/// marks (FieldIndex::marks). A class is all tags with the same low six bits. A tag found at its
/// place is therefore the first field with this tag. A class without a field has the position of
/// the first field, whose tag then differs.
struct TagPlaces {
  static constexpr std::uint32_t marks_max = 32;
  static constexpr std::uint32_t kinds = 64;

  alignas(base::cache_line) std::uint8_t places[kinds] = {};
  std::uint8_t marks[marks_max] = {};

  /// Computes the places for messages with these `marks_max` marks, in which zeros are no fields.
  void learn(const std::uint8_t* of_message) noexcept;
};

/// Tags that match no field, one per place.
struct NoTags {
  std::uint32_t tags[TagPlaces::marks_max];
};

consteval NoTags make_no_tags() noexcept {
  NoTags result{};
  for (std::uint32_t& tag : result.tags) {
    tag = 0xFFFF'FFFF;
  }
  return result;
}

inline constexpr NoTags no_tags_storage = make_no_tags();
inline constexpr const std::uint32_t* no_tags = no_tags_storage.tags;

/// Index of one message; the caller owns the arrays, see FieldIndexOf. Offsets count from the
/// message's first byte. Indexing writes only entries in use and clears nothing. Only indexing
/// changes it, so threads may read an index concurrently while none fills it.
struct FieldIndex {
  /// Kernels store whole vectors, so every array has this many entries after `capacity`.
  static constexpr std::uint32_t slack = 64;

  /// The same for `marks`, whose vectors are followed by zeros.
  static constexpr std::uint32_t mark_slack = 96;

  /// Marks that a lookup compares at once; at least this many zeros follow the last
  /// mark.
  static constexpr std::uint32_t mark_step = TagPlaces::marks_max;

  /// Number of message classes, by number of fields, whose places are stored: a session receives
  /// few classes, alternating.
  static constexpr std::uint32_t message_kinds = 8;

  /// One in this many messages with unexpected marks has its places learnt: classes that alternate
  /// are soon known, and a stream without repeating messages pays little.
  static constexpr std::uint32_t unknown_max = 32;

  std::uint32_t* tags = nullptr;    ///< The first is 0 if there are no fields.
  std::uint32_t* begins = nullptr;  ///< Offset of the value's first byte.
  std::uint32_t* ends = nullptr;    ///< Offset of the SOH after the value.
  /// The low byte of each tag, and at least `mark_step` zeros after the last: a lookup compares
  /// these before it reads a tag. `mark_slack` entries after `capacity`.
  std::uint8_t* marks = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t count = 0;

  MessageDefect defect = MessageDefect::None;
  FieldFault fault = FieldFault::None;  ///< Fault of the first faulty field in message order.
  std::uint32_t defect_at = 0;
  std::uint32_t fault_at = 0;     ///< Offset of that field's first byte.
  std::uint32_t fault_count = 0;  ///< Number of faulty fields.

  /// Tags to compare with at a place: `tags`, or `no_tags` if the places belong to other marks.
  /// Unexpected messages therefore cause no mispredicted branch, and a lookup need not wait for the
  /// comparison of the marks.
  const std::uint32_t* place_tags = no_tags;
  const std::uint32_t* compared_tags[2] = {no_tags, no_tags};  ///< Without places; with places.
  TagPlaces* places = all_places;                              ///< For this number of fields.
  TagPlaces all_places[message_kinds];

  /// Messages without places since the last learning. Starts so high that the first classes are
  /// learnt at once.
  std::uint32_t unknown = message_kinds * (unknown_max - 1);

  FieldIndex() = default;
  FieldIndex(const FieldIndex&) = delete;
  FieldIndex& operator=(const FieldIndex&) = delete;
  ~FieldIndex() = default;

  /// Removes all fields. Lowering `count` alone would leave old marks.
  void clear() noexcept {
    count = 0;
    tags[0] = 0;
    __builtin_memset(marks, 0, mark_step);
    choose_places();
  }

  /// Last step of indexing: selects the places for `count` fields with these marks.
  void choose_places() noexcept {
    places = &all_places[count % message_kinds];
    use_places(__builtin_memcmp(places->marks, marks, mark_step) == 0);
  }

  /// Uses the selected places if they belong to these marks, and learns them occasionally.
  [[gnu::always_inline]] void use_places(bool known) noexcept {
    // A load, because compilers would otherwise branch.
    place_tags = compared_tags[static_cast<std::size_t>(known)];
    unknown += static_cast<std::uint32_t>(!known);
    if (unknown >= unknown_max) [[unlikely]] {
      learn_places();
    }
  }

  /// Learns the places of these marks, unless they are known.
  void learn_places() noexcept;

  /// Sets `position` to a candidate for `tag`; true if it is the first field with that tag. If
  /// false, another search must decide.
  [[nodiscard, gnu::always_inline]] bool at_its_place(std::uint32_t tag,
                                                      std::uint32_t& position) const noexcept {
    position = places->places[tag % TagPlaces::kinds];
    return place_tags[position] == tag;
  }

  [[nodiscard]] bool whole() const noexcept { return defect == MessageDefect::None; }

  [[nodiscard]] bool clean() const noexcept {
    return defect == MessageDefect::None && fault == FieldFault::None;
  }

  /// Offset of a field's first byte (of its tag): after the SOH of the previous field.
  [[nodiscard]] std::uint32_t field_begin(std::uint32_t position) const noexcept {
    return position == 0 ? 0 : ends[position - 1] + 1;
  }
};

/// An index that contains its arrays: 13 bytes per field, for static, session or stack memory.
template <std::uint32_t MaxFields>
struct FieldIndexOf : FieldIndex {
  FieldIndexOf() noexcept {
    tags = tag_storage.data();
    compared_tags[1] = tags;
    begins = begin_storage.data();
    ends = end_storage.data();
    marks = mark_storage.data();
    clear();
    capacity = MaxFields;
  }

  FieldIndexOf(const FieldIndexOf&) = delete;
  FieldIndexOf& operator=(const FieldIndexOf&) = delete;

  alignas(base::cache_line) std::array<std::uint32_t, MaxFields + slack> tag_storage;
  alignas(base::cache_line) std::array<std::uint32_t, MaxFields + slack> begin_storage;
  alignas(base::cache_line) std::array<std::uint32_t, MaxFields + slack> end_storage;
  alignas(base::cache_line) std::array<std::uint8_t, MaxFields + mark_slack> mark_storage;
};

/// Pairs (length field, data field) whose data may contain SOH. Includes FIX's own pairs; a
/// dictionary adds its pairs at start-up. Shared and read-only once built; must not be changed
/// while in use.
class DataFields {
 public:
  static constexpr std::uint32_t pairs_max = 256;

  /// FIX's own pairs of all versions (90/91, 93/89, 95/96, 212/213, 348/349 and so on). Copies 4
  /// KiB.
  DataFields() noexcept : DataFields(standard()) {}

  /// Empty: every field is text.
  [[nodiscard]] static constexpr DataFields none() noexcept { return DataFields(Nothing{}); }

  /// The default set, built at compile time; static storage.
  [[nodiscard]] static const DataFields& standard() noexcept { return standard_; }

  /// False: full, or a tag is 0. Adding a length tag again replaces its data tag.
  constexpr bool add(std::uint32_t length_tag, std::uint32_t data_tag) noexcept {
    if (length_tag == 0 || data_tag == 0) {
      return false;
    }
    Pair& slot = slots_[slot_of(length_tag)];
    if (slot.length_tag == 0) {
      if (size_ == pairs_max) {
        return false;
      }
      ++size_;
    }
    slot = {length_tag, data_tag};
    if (length_tag < filter_end) {
      const std::uint32_t bit = filter_bit(length_tag);
      filter_[bit / 32] |= std::uint32_t{1} << (bit % 32);
    }
    return true;
  }

  /// The data field that must directly follow `length_tag`, or 0.
  [[nodiscard]] constexpr std::uint32_t data_tag_of(std::uint32_t length_tag) const noexcept {
    return slots_[slot_of(length_tag)].data_tag;
  }

  [[nodiscard]] constexpr std::uint32_t size() const noexcept { return size_; }

  /// 512 bits; bit `filter_bit(tag)` is set for each length tag of up to four digits. Kernels test
  /// it before they call data_tag_of(). They call it for every longer tag.
  [[nodiscard]] constexpr const std::uint32_t* filter() const noexcept { return filter_.data(); }

  /// First tag that the filter does not cover.
  static constexpr std::uint32_t filter_end = 10000;

  /// Factors for the halves of a four-digit tag, and a shift, available in vector units while they
  /// convert text to numbers. Found by a search: no common tag of orders, reports or market data
  /// shares a bit with one of FIX's length tags.
  static constexpr std::int16_t filter_hundreds = 22470;
  static constexpr std::int16_t filter_ones = 21827;
  static constexpr std::uint32_t filter_shift = 8;

  /// For a tag below filter_end.
  [[nodiscard]] static constexpr std::uint32_t filter_bit(std::uint32_t tag) noexcept {
    return (tag / 100 * filter_hundreds + tag % 100 * filter_ones) >> filter_shift & 511;
  }

  /// False only for tags that are certainly no length tags.
  [[nodiscard]] constexpr bool maybe_length(std::uint32_t tag) const noexcept {
    const std::uint32_t bit = tag < filter_end ? filter_bit(tag) : 0;
    return tag >= filter_end || (filter_[bit / 32] >> (bit % 32) & 1) != 0;
  }

 private:
  struct Pair {
    std::uint32_t length_tag = 0;
    std::uint32_t data_tag = 0;
  };

  struct Nothing {};

  constexpr explicit DataFields(Nothing /*unused*/) noexcept {}

  /// Open addressing from (tag mod slots): twice as many slots as pairs, so that a free slot ends
  /// every search.
  [[nodiscard]] constexpr std::uint32_t slot_of(std::uint32_t length_tag) const noexcept {
    std::uint32_t at = length_tag % slot_count;
    while (slots_[at].length_tag != length_tag && slots_[at].length_tag != 0) {
      at = (at + 1) % slot_count;
    }
    return at;
  }

  static constexpr std::uint32_t slot_count = 2 * pairs_max;

  static const DataFields standard_;

  alignas(base::cache_line) std::array<std::uint32_t, 16> filter_{};
  std::array<Pair, slot_count> slots_{};
  std::uint32_t size_ = 0;
};

/// Indexes the whole message `message` (from `8=` to the SOH after the checksum, as found by the
/// framer) into `index` and checks it. One pass, no allocation, reads no byte outside `message`.
/// All kernels give the same result. A message with a defect has its fields indexed as far as
/// possible. A data field is recognised if it directly follows its length field and ends with SOH
/// at that length.
void index_message(std::string_view message, FieldIndex& index,
                   const DataFields& data_fields = DataFields::standard()) noexcept;

/// Does the same; may read the padding.
void index_message(base::PaddedBytes message, FieldIndex& index,
                   const DataFields& data_fields = DataFields::standard()) noexcept;

/// True if `index` has exactly these tags in this order, each with a value: detects a message with
/// the same structure as an earlier one. `tags` has one entry per field and is readable up to a
/// multiple of sixteen. About 2 ns for up to 32 fields.
[[nodiscard]] bool has_tags_and_values(const FieldIndex& index, const std::uint32_t* tags) noexcept;

}  // namespace affix::inline v0::wire
