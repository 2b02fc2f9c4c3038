// SPDX-License-Identifier: MIT
// The index of one message: tag, value offset and value end of every field, as structure of arrays,
// made by one pass of one kernel together with the checksum and BodyLength checks. Everything above
// reads fields through it.
#pragma once

#include "affix/base/bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace affix::inline v0::wire {

inline constexpr char soh = '\x01';

/// What is wrong with a message as a whole. Any but None makes it garbled in the sense of the FIX
/// session layer (test cases 2d, 2m, 2t, 3b, 3c, 3e), and `FieldIndex::defect_at` says where.
enum class MessageDefect : std::uint8_t {
  None,
  Empty,            ///< No bytes.
  NotTerminated,    ///< The last byte is not SOH.
  HeaderOrder,      ///< The first three fields are not 8, 9, 35.
  BodyLengthValue,  ///< Tag 9 is not a number.
  BodyLength,       ///< Tag 9 is a number, but not the body's length.
  CheckSumMissing,  ///< The last field is not 10.
  CheckSumFormat,   ///< Tag 10 is not three digits.
  CheckSum,         ///< Tag 10 differs from the bytes' sum.
  TooManyFields,    ///< More fields than the index holds; the first `capacity` are indexed.
};

/// What is wrong with one field. Whether that makes the message garbled or rejected is the
/// session's to say.
enum class FieldFault : std::uint8_t {
  None,
  MissingEquals,  ///< A piece between two SOH without `=`. Its entry has tag 0 and the whole piece
                  ///< as value.
  TagEmpty,       ///< `=` comes first. Tag 0 in the index, as for the three below.
  TagNotNumber,   ///< A byte of the tag is not a digit (a leading `-` is TagNegative).
  TagNegative,    ///< `-` and digits.
  TagZero,        ///< A number, but 0.
  TagTooLarge,    ///< Above 2147483647, the largest value of FIX's int.
  DataLength,     ///< A length field whose data field does not end with SOH where the length says;
                  ///< indexed as text.
};

[[nodiscard]] const char* to_text(MessageDefect defect) noexcept;
[[nodiscard]] const char* to_text(FieldFault fault) noexcept;

/// Where the first field of each kind of tags is, a kind being the tags with the same low six bits,
/// in messages with certain first `marks_max` marks (FieldIndex::marks). So a tag that is found at
/// its place is the first with this tag. A kind without a field among them has the place of the
/// first field, which is right for the tag that is there.
struct TagPlaces {
  static constexpr std::uint32_t marks_max = 32;
  static constexpr std::uint32_t kinds = 64;

  alignas(base::cache_line) std::uint8_t places[kinds] = {};
  std::uint8_t marks[marks_max] = {};

  /// Makes the places of messages with these `marks_max` marks, of which zeros are of no field.
  void learn(const std::uint8_t* of_message) noexcept;
};

/// As many as there are places: tags that no field has.
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

/// Caller-owned index of one message; see FieldIndexOf for storage. Offsets count from the
/// message's first byte. Filling it touches only the entries in use: nothing is cleared per
/// message. Nothing but filling changes it, so threads may read one that none of them fills.
struct FieldIndex {
  /// Kernels store whole vectors, so every array has this many entries behind `capacity`.
  static constexpr std::uint32_t slack = 64;

  /// The same for `marks`, of which zeros follow the vectors.
  static constexpr std::uint32_t mark_slack = 96;

  /// Fields of which a lookup compares the marks at once, and least number of zeros behind the last
  /// mark.
  static constexpr std::uint32_t mark_step = TagPlaces::marks_max;

  /// Kinds of messages, by their number of fields, whose places are kept: what a session receives
  /// is of a few kinds that take turns.
  static constexpr std::uint32_t message_kinds = 8;

  /// Of as many messages of other marks than were expected one has its places learnt: what takes
  /// turns is known soon, and a stream in which no two messages are alike pays little for it.
  static constexpr std::uint32_t unknown_max = 32;

  std::uint32_t* tags = nullptr;    ///< The first is 0 when there are no fields.
  std::uint32_t* begins = nullptr;  ///< Offset of the value's first byte.
  std::uint32_t* ends = nullptr;    ///< Offset of the SOH behind the value.
  /// The low byte of each tag, and `mark_step` zeros or more behind the last: what a lookup
  /// compares before it looks at a tag. `mark_slack` entries behind `capacity`.
  std::uint8_t* marks = nullptr;
  std::uint32_t capacity = 0;
  std::uint32_t count = 0;

  MessageDefect defect = MessageDefect::None;
  FieldFault fault = FieldFault::None;  ///< Of the first faulty field in message order.
  std::uint32_t defect_at = 0;
  std::uint32_t fault_at = 0;     ///< Offset of the first faulty field's first byte.
  std::uint32_t fault_count = 0;  ///< Fields with a fault.

  /// What a tag is compared with at its place: `tags`, or `no_tags` where the places are those of
  /// other marks. So a kernel that meets other messages than it expected has no branch to take
  /// wrong, and what is looked up waits for the comparison of the marks only to be confirmed.
  const std::uint32_t* place_tags = no_tags;
  const std::uint32_t* compared_tags[2] = {no_tags, no_tags};  ///< Without and with places.
  TagPlaces* places = all_places;  ///< Of messages of this number of fields.
  TagPlaces all_places[message_kinds];

  /// Messages without places, since the last that places were learnt of. As many to begin with as
  /// let the first kinds be learnt at once.
  std::uint32_t unknown = message_kinds * (unknown_max - 1);

  FieldIndex() = default;
  FieldIndex(const FieldIndex&) = delete;
  FieldIndex& operator=(const FieldIndex&) = delete;
  ~FieldIndex() = default;

  /// No fields. To lower `count` alone would leave the marks of fields that are no more.
  void clear() noexcept {
    count = 0;
    tags[0] = 0;
    __builtin_memset(marks, 0, mark_step);
    choose_places();
  }

  /// What indexing ends with: chooses the places of a message of `count` fields with these marks.
  void choose_places() noexcept {
    places = &all_places[count % message_kinds];
    use_places(__builtin_memcmp(places->marks, marks, mark_step) == 0);
  }

  /// Uses the chosen places if they are those of these marks, and learns them now and then.
  [[gnu::always_inline]] void use_places(bool known) noexcept {
    // By a load: compilers take a branch otherwise.
    place_tags = compared_tags[static_cast<std::size_t>(known)];
    unknown += static_cast<std::uint32_t>(!known);
    if (unknown >= unknown_max) [[unlikely]] {
      learn_places();
    }
  }

  /// Learns the places of these marks, unless they are known.
  void learn_places() noexcept;

  /// Position of `tag` if it is the first field with it for certain, or that of another tag: for
  /// who compares.
  [[nodiscard, gnu::always_inline]] bool at_its_place(std::uint32_t tag,
                                                      std::uint32_t& position) const noexcept {
    position = places->places[tag % TagPlaces::kinds];
    return place_tags[position] == tag;
  }

  [[nodiscard]] bool whole() const noexcept { return defect == MessageDefect::None; }

  [[nodiscard]] bool clean() const noexcept {
    return defect == MessageDefect::None && fault == FieldFault::None;
  }

  /// Offset of a field's first byte (its tag text): behind the SOH of the field before it.
  [[nodiscard]] std::uint32_t field_begin(std::uint32_t position) const noexcept {
    return position == 0 ? 0 : ends[position - 1] + 1;
  }
};

/// An index with its arrays in place. 13 bytes a field; put it in static, session or stack memory.
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

/// The pairs (length field, data field) whose data may hold SOH. FIX's own pairs are there from the
/// start; a dictionary adds its own at start-up. Read-only and shared once built; not to be changed
/// while in use.
class DataFields {
 public:
  static constexpr std::uint32_t pairs_max = 256;

  /// FIX's own pairs of all versions (90/91, 93/89, 95/96, 212/213, 348/349 and so on). Copies 4
  /// KiB.
  DataFields() noexcept : DataFields(standard()) {}

  /// Empty: every field is text.
  [[nodiscard]] static constexpr DataFields none() noexcept { return DataFields(Nothing{}); }

  /// The default set, built at compile time, static storage.
  [[nodiscard]] static const DataFields& standard() noexcept { return standard_; }

  /// False when full, or when a tag is 0. Adding a length tag again replaces its data tag.
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

  /// The data field that must follow `length_tag` directly, or 0.
  [[nodiscard]] constexpr std::uint32_t data_tag_of(std::uint32_t length_tag) const noexcept {
    return slots_[slot_of(length_tag)].data_tag;
  }

  [[nodiscard]] constexpr std::uint32_t size() const noexcept { return size_; }

  /// 512 bits, bit `filter_bit(tag)` set for each length tag of up to four digits: what kernels
  /// test before they ask data_tag_of. They ask for every longer tag.
  [[nodiscard]] constexpr const std::uint32_t* filter() const noexcept { return filter_.data(); }

  /// The first tag that the filter does not know.
  static constexpr std::uint32_t filter_end = 10000;

  /// Factors of a four-digit tag's halves, and a shift, as vector units have them on the way from
  /// text to number. They were searched for: with them none of the tags that orders, reports and
  /// market data are made of shares a bit with one of FIX's length tags.
  static constexpr std::int16_t filter_hundreds = 22470;
  static constexpr std::int16_t filter_ones = 21827;
  static constexpr std::uint32_t filter_shift = 8;

  /// Of a tag below filter_end.
  [[nodiscard]] static constexpr std::uint32_t filter_bit(std::uint32_t tag) noexcept {
    return (tag / 100 * filter_hundreds + tag % 100 * filter_ones) >> filter_shift & 511;
  }

  /// False for every tag that is no length tag for certain.
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

  /// Open addressing from (tag mod slots): twice as many slots as pairs, so a free one ends every
  /// search.
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

/// Indexes the whole message `message` (from `8=` to the SOH behind the checksum, as the framer
/// finds it) into `index` and checks it. One pass, no allocation, no byte read outside `message`.
/// The result is the same with every kernel. A message with a defect still has its fields indexed
/// as far as they go. A data field is honoured when it directly follows its length field and ends
/// with SOH where that says.
void index_message(std::string_view message, FieldIndex& index,
                   const DataFields& data_fields = DataFields::standard()) noexcept;

/// The same; may read the padding.
void index_message(base::PaddedBytes message, FieldIndex& index,
                   const DataFields& data_fields = DataFields::standard()) noexcept;

/// Whether the fields of `index` are those of `tags`, in that order, and none is without a value:
/// what tells a message that is built as one before was. `tags` has an entry for each field of the
/// index and is readable to the next multiple of sixteen. About 2 ns for up to 32 fields.
[[nodiscard]] bool has_tags_and_values(const FieldIndex& index, const std::uint32_t* tags) noexcept;

}  // namespace affix::inline v0::wire
