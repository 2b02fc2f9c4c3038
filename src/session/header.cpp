// SPDX-License-Identifier: MIT
// One pass over the marks of a received message: where its header fields are, and which came twice;
// or one comparison, when a message with the same tags came before.

#include "session/header.hpp"

#include <bit>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "affix/wire/convert.hpp"

#include "session/tags.hpp"

namespace affix::inline v0::session {

namespace {

constexpr std::uint32_t table_size = 144;

/// In the order of HeaderField, which begins with None.
constexpr std::array<std::uint32_t, header_field_count - 1> header_tags{
    tag::begin_string,       tag::body_length,
    tag::check_sum,          tag::msg_seq_num,
    tag::msg_type,           tag::poss_dup_flag,
    tag::sender_comp_id,     tag::sending_time,
    tag::target_comp_id,     tag::poss_resend,
    tag::orig_sending_time,  tag::sender_sub_id,
    tag::target_sub_id,      tag::on_behalf_of_comp_id,
    tag::deliver_to_comp_id, tag::sender_location_id,
    tag::target_location_id};

/// Header field of each small tag: all that the session reads are below `table_size`.
constexpr std::array<HeaderField, table_size> make_fields() noexcept {
  std::array<HeaderField, table_size> fields{};
  for (std::size_t at = 0; at < header_tags.size(); ++at) {
    fields[header_tags[at]] = static_cast<HeaderField>(at + 1);
  }
  return fields;
}

constexpr std::array<HeaderField, table_size> header_fields = make_fields();

/// Header field of a tag, None for any other.
[[nodiscard]] HeaderField header_field_of(std::uint32_t number) noexcept {
  return number < table_size ? header_fields[number] : HeaderField::None;
}

void read_sequence(const wire::MessageView& message, Header& header) noexcept {
  const std::uint32_t position = header.positions[static_cast<std::size_t>(HeaderField::MsgSeqNum)];
  if (position == wire::no_position) {
    return;
  }
  const auto value = message.integer_at<std::int64_t>(position);
  if (value && *value > 0) {
    header.sequence = static_cast<std::uint64_t>(*value);
  }
  header.sequence_zero = value && *value == 0;
}

void note_field(std::uint32_t number, std::uint32_t at, Header& header) noexcept {
  const HeaderField field = header_field_of(number);
  std::uint32_t& position = header.positions[static_cast<std::size_t>(field)];
  if (position == wire::no_position) [[likely]] {
    position = at;
  } else if (field != HeaderField::None && field <= HeaderField::OrigSendingTime &&
             header.repeated_tag == 0) {
    header.repeated_tag = number;
  }
}

/// Fields looked at in one step: behind the last one there are that many marks of zero, which no
/// header tag has.
constexpr std::uint32_t step = wire::FieldIndex::mark_step;
/// How far the index may be read behind its last field, as it is by a whole look.
constexpr std::uint32_t numbers_per_look = 16;
static_assert(numbers_per_look <= wire::FieldIndex::slack);

#if defined(__SSE2__)

/// Each header tag's mark sixteen times, so that a comparison takes its operand from memory.
struct alignas(16) Pattern {
  std::array<std::uint8_t, 16> bytes;
};

/// Two neighbours that differ in the lowest bit only take one comparison.
constexpr std::array<std::uint8_t, 4> pair_marks{tag::body_length, tag::msg_type,
                                                 tag::target_sub_id, tag::target_location_id};
static_assert(tag::begin_string == (tag::body_length ^ 1U) &&
              tag::msg_seq_num == (tag::msg_type ^ 1U) &&
              tag::target_comp_id == (tag::target_sub_id ^ 1U) &&
              tag::sender_location_id == (tag::target_location_id ^ 1U));

constexpr std::array<std::uint8_t, 9> single_marks{
    tag::check_sum,     tag::poss_dup_flag,        tag::sender_comp_id,
    tag::sending_time,  tag::poss_resend,          tag::orig_sending_time,
    tag::sender_sub_id, tag::on_behalf_of_comp_id, tag::deliver_to_comp_id};
static_assert(2 * pair_marks.size() + single_marks.size() == header_tags.size());

template <std::size_t Count>
constexpr std::array<Pattern, Count> patterns_of(
    const std::array<std::uint8_t, Count>& marks) noexcept {
  std::array<Pattern, Count> patterns{};
  for (std::size_t at = 0; at < Count; ++at) {
    patterns[at].bytes.fill(marks[at]);
  }
  return patterns;
}

constexpr auto pair_patterns = patterns_of(pair_marks);
constexpr auto single_patterns = patterns_of(single_marks);

/// Bytes of all ones where one of `wanted` is: one comparison for each, unrolled, without a branch.
template <std::size_t Count, std::size_t... Number>
[[gnu::always_inline]] inline __m128i any_of(__m128i marks,
                                             const std::array<Pattern, Count>& wanted,
                                             std::index_sequence<Number...> /*unrolled*/) noexcept {
  __m128i found = _mm_setzero_si128();
  ((found = _mm_or_si128(
        found,
        _mm_cmpeq_epi8(marks, _mm_load_si128(reinterpret_cast<const __m128i*>(&wanted[Number]))))),
   ...);
  return found;
}

/// One bit for each of a step's fields whose mark is that of a header tag.
std::uint32_t header_marks(const std::uint8_t* marks) noexcept {
  const auto half = [marks](std::uint32_t at) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(marks + at));
    const __m128i even_too = _mm_or_si128(some, _mm_set1_epi8(1));
    const __m128i found = _mm_or_si128(
        any_of(some, single_patterns, std::make_index_sequence<single_marks.size()>()),
        any_of(even_too, pair_patterns, std::make_index_sequence<pair_marks.size()>()));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
  };
  return half(0) | half(16) << 16;
}

/// One bit for each of sixteen numbers that is the same in both.
std::uint32_t equal_numbers(const std::uint32_t* left, const std::uint32_t* right) noexcept {
  const auto equal = [&](std::uint32_t lane) {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(left + lane)),
                           _mm_loadu_si128(reinterpret_cast<const __m128i*>(right + lane)));
  };
  return static_cast<std::uint32_t>(_mm_movemask_epi8(
      _mm_packs_epi16(_mm_packs_epi32(equal(0), equal(4)), _mm_packs_epi32(equal(8), equal(12)))));
}

#else

std::uint32_t header_marks(const std::uint8_t* marks) noexcept {
  std::uint32_t found = 0;
  for (std::uint32_t at = 0; at < step; ++at) {
    found |= static_cast<std::uint32_t>(header_field_of(marks[at]) != HeaderField::None) << at;
  }
  return found;
}

std::uint32_t equal_numbers(const std::uint32_t* left, const std::uint32_t* right) noexcept {
  std::uint32_t equal = 0;
  for (std::uint32_t lane = 0; lane < numbers_per_look; ++lane) {
    equal |= static_cast<std::uint32_t>(left[lane] == right[lane]) << lane;
  }
  return equal;
}

#endif

/// The bits of equal_numbers that are of fields, `left` of them: entries behind the last one are
/// left over from older messages.
constexpr std::uint32_t valid_bits(std::uint32_t left) noexcept {
  return left >= numbers_per_look ? 0xFFFF : (std::uint32_t{1} << left) - 1;
}

/// Position of the first field without value, or no_position.
std::uint32_t first_empty_of(const wire::FieldIndex& index) noexcept {
  for (std::uint32_t at = 0; at < index.count; at += numbers_per_look) {
    const std::uint32_t empty =
        equal_numbers(index.begins + at, index.ends + at) & valid_bits(index.count - at);
    if (empty != 0) [[unlikely]] {
      return at + static_cast<std::uint32_t>(std::countr_zero(empty));
    }
  }
  return wire::no_position;
}

void find_positions(const wire::FieldIndex& index, Header& header) noexcept {
  header.positions.fill(wire::no_position);
  for (std::uint32_t at = 0; at < index.count; at += step) {
    for (std::uint32_t rest = header_marks(index.marks + at); rest != 0; rest &= rest - 1) {
      const std::uint32_t found = at + static_cast<std::uint32_t>(std::countr_zero(rest));
      note_field(index.tags[found], found, header);
    }
  }
}

}  // namespace

bool HeaderShapes::Shape::is_of(const wire::FieldIndex& index) const noexcept {
  static_assert(fields_max % numbers_per_look == 0);
  if (count_ != index.count) {
    return false;
  }
  std::uint32_t different = 0;
  for (std::uint32_t at = 0; at < count_; at += numbers_per_look) {
    different |= ~equal_numbers(tags_.data() + at, index.tags + at) & valid_bits(count_ - at);
  }
  return different == 0;
}

Header scan_header(const wire::MessageView& message, HeaderShapes& shapes) noexcept {
  Header header;
  const wire::FieldIndex& index = message.index();
  HeaderShapes::Shape& known = shapes.shape_for(index.count);
  if (known.is_of(index)) [[likely]] {
    header.positions = known.positions;
  } else {
    find_positions(index, header);
    if (header.repeated_tag == 0) {
      known.remember(index, header.positions);
    }
  }
  header.first_empty = first_empty_of(index);
  header.type = message.type();
  header.possible_duplicate = header.text(message, HeaderField::PossDupFlag) == "Y";
  header.possible_resend = header.text(message, HeaderField::PossResend) == "Y";
  read_sequence(message, header);
  return header;
}

}  // namespace affix::inline v0::session
