// SPDX-License-Identifier: MIT
// One pass over the tags of a received message: where its header fields are, and which came twice.

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

void read_sequence(const wire::MessageView& message, Header& header) noexcept {
  const std::uint32_t position = header.positions[static_cast<std::size_t>(HeaderField::MsgSeqNum)];
  if (position == wire::no_position) {
    return;
  }
  const auto value = wire::parse_integer<std::int64_t>(message.value_at(position));
  if (value && *value > 0) {
    header.sequence = static_cast<std::uint64_t>(*value);
  }
  header.sequence_zero = value && *value == 0;
}

void note_field(const std::uint32_t* tags, std::uint32_t at, Header& header) noexcept {
  const std::uint32_t number = tags[at];
  const HeaderField field = header_fields[number];
  std::uint32_t& position = header.positions[static_cast<std::size_t>(field)];
  if (position == wire::no_position) [[likely]] {
    position = at;
  } else if (field <= HeaderField::OrigSendingTime && header.repeated_tag == 0) {
    header.repeated_tag = number;
  }
}

/// Fields looked at in one step; the index may be read that far behind its last one.
constexpr std::uint32_t block_size = 16;
constexpr std::uint32_t all_of_block = 0xFFFF;
static_assert(block_size <= wire::FieldIndex::slack);

/// One bit for each field of a block.
struct Block {
  std::uint32_t header = 0;  ///< Its tag is in `header_fields`.
  std::uint32_t empty = 0;   ///< It has no value.
};

#if defined(__SSE2__)

/// Sixteen 32-bit lanes as bytes, larger values saturated to 255, which is no header tag.
__m128i packed_block(const std::uint32_t* lanes) noexcept {
  const auto load = [&](std::uint32_t at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes + at));
  };
  return _mm_packus_epi16(_mm_packs_epi32(load(0), load(4)), _mm_packs_epi32(load(8), load(12)));
}

/// Each header tag sixteen times, so that a comparison takes its operand from memory.
struct alignas(16) Pattern {
  std::array<std::uint8_t, block_size> bytes;
};

constexpr std::array<Pattern, header_tags.size()> make_patterns() noexcept {
  std::array<Pattern, header_tags.size()> patterns{};
  for (std::size_t at = 0; at < patterns.size(); ++at) {
    patterns[at].bytes.fill(static_cast<std::uint8_t>(header_tags[at]));
  }
  return patterns;
}

constexpr std::array<Pattern, header_tags.size()> patterns = make_patterns();

/// Bytes of all ones where `tags` is a header tag: one comparison for each, unrolled, without a
/// branch.
template <std::size_t... Number>
__m128i header_bytes(__m128i tags, std::index_sequence<Number...> /*unrolled*/) noexcept {
  __m128i found = _mm_setzero_si128();
  ((found = _mm_or_si128(
        found,
        _mm_cmpeq_epi8(tags, _mm_load_si128(reinterpret_cast<const __m128i*>(&patterns[Number]))))),
   ...);
  return found;
}

Block look_at(const wire::FieldIndex& index, std::uint32_t at) noexcept {
  const __m128i found =
      header_bytes(packed_block(index.tags + at), std::make_index_sequence<header_tags.size()>());
  const auto equal = [&](std::uint32_t lane) {
    return _mm_cmpeq_epi32(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(index.begins + at + lane)),
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(index.ends + at + lane)));
  };
  const __m128i empty =
      _mm_packs_epi16(_mm_packs_epi32(equal(0), equal(4)), _mm_packs_epi32(equal(8), equal(12)));
  return {static_cast<std::uint32_t>(_mm_movemask_epi8(found)),
          static_cast<std::uint32_t>(_mm_movemask_epi8(empty))};
}

#else

Block look_at(const wire::FieldIndex& index, std::uint32_t at) noexcept {
  Block block;
  for (std::uint32_t lane = 0; lane < block_size; ++lane) {
    const std::uint32_t number = index.tags[at + lane];
    const bool known = number < table_size && header_fields[number] != HeaderField::None;
    block.header |= static_cast<std::uint32_t>(known) << lane;
    block.empty |= static_cast<std::uint32_t>(index.begins[at + lane] == index.ends[at + lane])
                   << lane;
  }
  return block;
}

#endif

}  // namespace

Header scan_header(const wire::MessageView& message) noexcept {
  Header header;
  header.positions.fill(wire::no_position);
  const wire::FieldIndex& index = message.index();
  const std::uint32_t count = index.count;
  for (std::uint32_t at = 0; at < count; at += block_size) {
    const Block block = look_at(index, at);
    // Entries behind the last field are left over from older messages.
    const std::uint32_t valid =
        count - at >= block_size ? all_of_block : (std::uint32_t{1} << (count - at)) - 1;
    if ((block.empty & valid) != 0 && header.first_empty == wire::no_position) [[unlikely]] {
      header.first_empty = at + static_cast<std::uint32_t>(std::countr_zero(block.empty & valid));
    }
    for (std::uint32_t rest = block.header & valid; rest != 0; rest &= rest - 1) {
      note_field(index.tags, at + static_cast<std::uint32_t>(std::countr_zero(rest)), header);
    }
  }
  header.type = message.type();
  header.possible_duplicate = header.text(message, HeaderField::PossDupFlag) == "Y";
  header.possible_resend = header.text(message, HeaderField::PossResend) == "Y";
  read_sequence(message, header);
  return header;
}

}  // namespace affix::inline v0::session
