// SPDX-License-Identifier: MIT
// The AVX-512 kernel: 64 bytes a step. Positions come from vpcompressb of the bytes' numbers, tag
// texts from a byte permutation over two blocks, and tags are converted sixteen at a time.
#include "affix/wire/checksum.hpp"
#include "affix/wire/index.hpp"

#include "wire/kernels.hpp"

#ifdef AFFIX_KERNELS_X86

#include "wire/kernel_edges.hpp"

#include <immintrin.h>

// GCC 12's own header reads a register that it leaves undefined on purpose, and GCC warns of it
// where it is inlined.
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#ifdef __clang__
#pragma clang attribute push(                                                                    \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt"))), \
    apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")
#endif

namespace affix::inline v0::wire {

namespace {

constexpr std::uint32_t block_size = 64;
constexpr std::uint32_t lanes = 16;

/// The range of positions that fit a byte; a little less, so that no size computed for an unused
/// lane wraps around to a usual one.
constexpr std::uint32_t chunk_size = 252;

/// Maximum number of positions before those of the last block.
constexpr std::size_t slide_size = 192;

/// Number of positions that fit a register, with the last byte always zero.
constexpr std::uint32_t chunk_fields = 62;

struct alignas(64) Bytes64 {
  std::uint8_t bytes[64];
};

struct alignas(64) Bytes256 {
  std::uint8_t bytes[256];
};

/// Every vector constant, 64 bytes each. Compilers make visible constants from immediates,
/// which costs two operations of the vector units each time; so these are hidden from
/// them.
struct Constants {
  Bytes64 numbers[4];   ///< 1 to 256.
  Bytes64 fourfold[4];  ///< Each of 16 lanes' byte number four times; for fields 0, 16, 32, 48.
  Bytes64 widen[4];     ///< Each of 16 lanes' byte number once, then three times 63.
  Bytes64 before;       ///< From a value to the four bytes before its `=`, modulo 256.
  Bytes64 lane_before;  ///< 63, 0, 1, 2, ...
  Bytes64 soh;
  Bytes64 equals;
  Bytes64 two;
  Bytes64 three;
  Bytes64 more_bits;  ///< For the size of a tag and its `=` (the low four bits): 8 for each digit
                      ///< but one.
  Bytes64 above_fifteen;  ///< 112: turns 16 and more into 128 and more, which a table look-up makes
                          ///< 0.
  Bytes64 last_byte;      ///< 255 in the highest of four bytes.
  Bytes64 zero_character;
  Bytes64 above_nine;      ///< 118: turns 10 and more into 128 and more.
  Bytes64 tens;            ///< 10, 1: two digits to a number.
  Bytes64 hundreds;        ///< 100, 1 in 16 bits: two of those to a number.
  Bytes64 filter_factors;  ///< DataFields' own, in 16 bits.
  Bytes64 top_bits;        ///< 32768 in 16 bits.
  Bytes64 low_bytes;       ///< 0, 4, 8, ...: the lowest bytes of 32 lanes in two registers.
  Bytes256 slide;  ///< 64 times 63, then 0 to 63: from byte 64 - n, a permutation that moves bytes
                   ///< up by n.
};

constexpr Constants make_constants() noexcept {
  Constants result{};
  for (std::uint32_t at = 0; at < 64; ++at) {
    for (std::uint32_t part = 0; part < 4; ++part) {
      result.numbers[part].bytes[at] = static_cast<std::uint8_t>(64 * part + at + 1);
      result.fourfold[part].bytes[at] = static_cast<std::uint8_t>(16 * part + at / 4);
      result.widen[part].bytes[at] =
          static_cast<std::uint8_t>(at % 4 == 0 ? 16 * part + at / 4 : 63);
    }
    result.before.bytes[at] = static_cast<std::uint8_t>(251 + at % 4);
    result.lane_before.bytes[at] = static_cast<std::uint8_t>((at + 63) % 64);
    result.soh.bytes[at] = soh;
    result.equals.bytes[at] = '=';
    result.two.bytes[at] = 2;
    result.three.bytes[at] = 3;
    result.more_bits.bytes[at] =
        at % 16 >= 2 && at % 16 <= 5 ? static_cast<std::uint8_t>(8 * (at % 16 - 2)) : 0;
    result.above_fifteen.bytes[at] = 112;
    result.last_byte.bytes[at] = at % 4 == 3 ? 255 : 0;
    result.zero_character.bytes[at] = '0';
    result.above_nine.bytes[at] = 118;
    result.tens.bytes[at] = at % 2 == 0 ? 10 : 1;
    result.hundreds.bytes[at] = at % 4 == 0 ? 100 : at % 4 == 2 ? 1 : 0;
    const std::int16_t filter_factor =
        at % 4 < 2 ? DataFields::filter_hundreds : DataFields::filter_ones;
    result.filter_factors.bytes[at] =
        static_cast<std::uint8_t>(at % 2 == 0 ? filter_factor & 0xff : filter_factor >> 8);
    result.top_bits.bytes[at] = at % 2 == 0 ? 0 : 128;
    result.low_bytes.bytes[at] = static_cast<std::uint8_t>(4 * at % 128);
    result.slide.bytes[at] = 63;
    result.slide.bytes[64 + at] = 63;
    result.slide.bytes[128 + at] = 63;
    result.slide.bytes[192 + at] = static_cast<std::uint8_t>(at);
  }
  return result;
}

constexpr Constants constants = make_constants();

[[gnu::always_inline]] inline const Constants& hidden_constants() noexcept {
  const Constants* result = &constants;
  asm("" : "+r"(result));
  return *result;
}

[[gnu::always_inline]] inline __m512i vector(const Bytes64& bytes) noexcept {
  return _mm512_load_si512(bytes.bytes);
}

/// Keeps a mask's bits in a general register: GCC would read the mask register again for every use,
/// which costs two cycles each time.
[[gnu::always_inline]] inline std::uint64_t general_register(std::uint64_t bits) noexcept {
  asm("" : "+r"(bits));
  return bits;
}

/// The numbers of a mask's bits, packed, and zeros after them. The instruction waits for its
/// target's old value even when it zeroes it, which ties each message to the one before; a fresh
/// zero there removes the dependency.
[[gnu::always_inline]] inline __m512i compress(__mmask64 mask, __m512i numbers) noexcept {
  __m512i target = _mm512_setzero_si512();
  asm("" : "+v"(target));
  return _mm512_mask_compress_epi8(target, mask, numbers);
}

/// Up to 252 bytes that begin at a field. Positions count from there, a byte each, so that
/// those of all fields stay in one register: the second half of the work needs nothing
/// from memory. No initialisers: an implicit constructor would be outside the target
/// region.
struct Chunk {
  __m512i blocks[4];
  __m512i begins;   ///< The byte after the first `=` of each field, then zeros.
  __m512i behinds;  ///< The byte after the SOH of each field, then zeros.
  __m512i sums;
  std::uint64_t pending;    ///< 1: a field waits for its `=`, from the next block's first byte on.
  std::uint64_t first_map;  ///< SOH of the first block.
  std::size_t
      equals_slide;  ///< slide_size less the number of `equals`: an offset into Constants::slide.
  std::size_t ends_slide;  ///< The same of `ends`.
};

template <std::uint32_t Block>
[[gnu::always_inline]] inline void scan_block(Chunk& chunk, const char* bytes, std::size_t size,
                                              const Constants& c) noexcept {
  constexpr std::size_t base = std::size_t{Block} * block_size;
  const __m512i block =
      size < base + block_size
          ? _mm512_maskz_loadu_epi8(
                _bzhi_u64(~std::uint64_t{0}, static_cast<std::uint32_t>(size - base)), bytes + base)
          : _mm512_loadu_si512(bytes + base);
  chunk.blocks[Block] = block;
  const __mmask64 end_mask = _mm512_cmpeq_epi8_mask(block, vector(c.soh));
  const std::uint64_t ends = general_register(_cvtmask64_u64(end_mask));
  const std::uint64_t no_equals =
      general_register(_cvtmask64_u64(_mm512_cmpneq_epi8_mask(block, vector(c.equals))));
  const __m512i sums = _mm512_sad_epu8(block, _mm512_setzero_si512());

  // A one added at each field's first byte is carried through the bytes that are no `=` and stops
  // in the field's first `=`, whose bit it sets; every other `=` keeps a sum bit of zero. A carry
  // out of the top continues in the next block.
  unsigned long long stopped = 0;
  const bool open = __builtin_add_overflow(
      static_cast<unsigned long long>(no_equals),
      static_cast<unsigned long long>((ends << 1) | chunk.pending), &stopped);
  chunk.pending = (ends >> 63) | static_cast<std::uint64_t>(open);
  const std::uint64_t first_equals = ~no_equals & stopped;

  const __m512i new_behinds = compress(end_mask, vector(c.numbers[Block]));
  const __m512i new_begins = compress(_cvtu64_mask64(first_equals), vector(c.numbers[Block]));
  if constexpr (Block == 0) {
    chunk.behinds = new_behinds;
    chunk.begins = new_begins;
    chunk.sums = sums;
    chunk.first_map = ends;
    chunk.ends_slide = slide_size;
    chunk.equals_slide = slide_size;
  } else {
    // Moved up after the existing ones.
    const __m512i up_ends = _mm512_loadu_si512(c.slide.bytes + chunk.ends_slide);
    const __m512i up_equals = _mm512_loadu_si512(c.slide.bytes + chunk.equals_slide);
    chunk.behinds = _mm512_or_si512(chunk.behinds, _mm512_permutexvar_epi8(up_ends, new_behinds));
    chunk.begins = _mm512_or_si512(chunk.begins, _mm512_permutexvar_epi8(up_equals, new_begins));
    chunk.sums = _mm512_add_epi64(chunk.sums, sums);
  }
  chunk.ends_slide -= static_cast<std::size_t>(__builtin_popcountll(ends));
  chunk.equals_slide -= static_cast<std::size_t>(__builtin_popcountll(first_equals));
}

[[gnu::always_inline]] inline void scan_chunk(Chunk& chunk, const char* bytes, std::size_t size,
                                              const Constants& c) noexcept {
  chunk.pending = 1;
  scan_block<0>(chunk, bytes, size, c);
  chunk.blocks[1] = chunk.blocks[0];
  chunk.blocks[2] = chunk.blocks[0];
  chunk.blocks[3] = chunk.blocks[0];
  if (size > block_size) {
    scan_block<1>(chunk, bytes, size, c);
    if (size > 2 * block_size) {
      scan_block<2>(chunk, bytes, size, c);
      if (size > 3 * block_size) {
        scan_block<3>(chunk, bytes, size, c);
      }
    }
  }
}

/// Number of whole fields; 0 when there are none or unusual ones. A
/// part of a field at the end has its `=` unless one is still
/// pending.
[[gnu::always_inline]] inline std::uint32_t fields_of(const Chunk& chunk) noexcept {
  const std::size_t parts = chunk.pending == 0 ? 1 : 0;
  const std::size_t count = slide_size - chunk.ends_slide;
  return chunk.equals_slide + parts == chunk.ends_slide && count <= chunk_fields
             ? static_cast<std::uint32_t>(count)
             : 0;
}

/// Checks that the groups of sixteen fields left open.
struct Verdict {
  __m512i bad;     ///< High bits: a byte of a tag is no digit.
  __m512i lowest;  ///< 0: a tag is.
};

/// Destination of a chunk's fields.
struct Target {
  std::uint32_t* tags;
  std::uint32_t* begins;
  std::uint32_t* ends;
  std::uint8_t* marks;
};

[[gnu::always_inline]] inline Target target_of(const FieldIndex& index,
                                               std::size_t position) noexcept {
  return {index.tags + position, index.begins + position, index.ends + position,
          index.marks + position};
}

/// Keeps a constant in its register: a load for each use would cost as much as the use.
[[gnu::always_inline]] inline __m512i held(const Bytes64& bytes) noexcept {
  __m512i result = vector(bytes);
  asm("" : "+v"(result));
  return result;
}

/// Values common to all groups of a chunk.
struct Groups {
  __m512i
      begins;  ///< Lanes without a field: 2, which reads the last digit of the chunk's first tag.
  __m512i more_bits;   ///< For each tag: 8 for each digit except the last, and 0 when it does not
                       ///< have 1 to 4.
  __m512i base;        ///< The chunk's position.
  __m512i end_offset;  ///< From the byte after a SOH to the SOH's position in the message.
  __m512i before;
  __m512i last_byte;
  __m512i zero_character;
  __m512i above_nine;
  __m256i tens;
  __m256i hundreds;
  __m256i filter_factors;
};

/// Eight tags by their digits.
struct Numbers {
  __m256i tags;
  __m256i products;  ///< With DataFields' factors.
};

/// In registers of 256 bits: 512-bit multiplications make some CPUs lower the core's clock, by a
/// seventeenth where measured, and a kernel is a small part of the core's work. Clang would join
/// two of them if it saw where they come from.
[[gnu::always_inline]] inline Numbers numbers_of(__m256i digits, const Groups& groups) noexcept {
  const __m256i pairs = _mm256_maddubs_epi16(digits, groups.tens);
  __m256i tags = _mm256_madd_epi16(pairs, groups.hundreds);
  __m256i products = _mm256_madd_epi16(pairs, groups.filter_factors);
  asm("" : "+v"(tags), "+v"(products));
  return {tags, products};
}

[[gnu::always_inline]] inline __m512i joined(__m256i low, __m256i high) noexcept {
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/// Results for sixteen fields that are not stored yet.
struct GroupResult {
  __m512i tags;
  __m512i filter_bits;
};

/// Stores sixteen fields except for their marks.
[[gnu::always_inline]] inline GroupResult store_group(const Chunk& chunk, const Groups& groups,
                                                      std::size_t group, Target target,
                                                      Verdict& verdict,
                                                      const Constants& c) noexcept {
  const std::size_t to = group * lanes;
  const __m512i texts = _mm512_add_epi8(
      _mm512_permutexvar_epi8(vector(c.fourfold[group]), groups.begins), groups.before);
  const __m512i low = _mm512_permutex2var_epi8(chunk.blocks[0], texts, chunk.blocks[1]);
  const __m512i high = _mm512_permutex2var_epi8(chunk.blocks[2], texts, chunk.blocks[3]);
  const __m512i text = _mm512_mask_blend_epi8(_mm512_movepi8_mask(texts), low, high);
  const __m512i widen = vector(c.widen[group]);
  // Keeps the tag's own bytes of the four: the highest, and by the arithmetic shift those below it.
  const __m512i own =
      _mm512_srav_epi32(groups.last_byte, _mm512_permutexvar_epi8(widen, groups.more_bits));
  const __m512i digits = _mm512_and_si512(_mm512_xor_si512(text, groups.zero_character), own);
  const Numbers first = numbers_of(_mm512_castsi512_si256(digits), groups);
  const Numbers second = numbers_of(_mm512_extracti64x4_epi64(digits, 1), groups);
  const __m512i tags = joined(first.tags, second.tags);
  verdict.bad = _mm512_or_si512(verdict.bad, _mm512_adds_epu8(digits, groups.above_nine));
  verdict.lowest = _mm512_min_epu32(verdict.lowest, tags);
  _mm512_storeu_si512(target.tags + to, tags);
  _mm512_storeu_si512(target.begins + to,
                      _mm512_add_epi32(_mm512_permutexvar_epi8(widen, chunk.begins), groups.base));
  _mm512_storeu_si512(
      target.ends + to,
      _mm512_add_epi32(_mm512_permutexvar_epi8(widen, chunk.behinds), groups.end_offset));
  return {tags,
          _mm512_srli_epi32(joined(first.products, second.products), DataFields::filter_shift)};
}

/// Lanes that need another look.
struct Unsettled {
  std::uint64_t any;      ///< Not 0: one of the following members is set.
  std::uint64_t unusual;  ///< Fields with tags of none or more than four digits, whose lanes are
                          ///< meaningless.
  __m512i bad;            ///< High bits: a byte of a tag is no digit.
  __m512i wrong;          ///< High bits: that, or a tag is 0; also the lane of a long tag may be.
  __m256i marks;          ///< Of the first fields, as stored.
};

/// True if a tag is faulty. With unusual fields, settle_unusual finds tags of 0.
[[gnu::always_inline]] inline bool is_wrong(const Unsettled& unsettled) noexcept {
  const __m512i wrong = unsettled.unusual == 0 ? unsettled.wrong : unsettled.bad;
  return _cvtmask64_u64(_mm512_movepi8_mask(wrong)) != 0;
}

[[gnu::always_inline]] inline __m256i load_marks(const std::uint8_t* marks) noexcept {
  static_assert(FieldIndex::mark_step == sizeof(__m256i));
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(marks));
}

/// Writes the fields of a chunk, for which there must be room.
[[gnu::always_inline]] inline Unsettled store_fields(const Chunk& chunk, std::uint32_t count,
                                                     std::uint32_t base, Target target,
                                                     const DataFields& data_fields,
                                                     const Constants& c) noexcept {
  // A field begins after the SOH before it; the first one's lane takes the last byte, which is 0.
  const __m512i field_begins = _mm512_permutexvar_epi8(vector(c.lane_before), chunk.behinds);
  Groups groups;
  groups.begins = _mm512_max_epu8(chunk.begins, vector(c.two));
  // The tag's and its `=`.
  const __m512i sizes = _mm512_sub_epi8(groups.begins, field_begins);
  groups.more_bits =
      _mm512_shuffle_epi8(vector(c.more_bits), _mm512_adds_epu8(sizes, vector(c.above_fifteen)));
  groups.base = _mm512_set1_epi32(static_cast<int>(base));
  groups.end_offset = _mm512_set1_epi32(static_cast<int>(base - 1));
  groups.before = held(c.before);
  groups.last_byte = held(c.last_byte);
  groups.zero_character = held(c.zero_character);
  groups.above_nine = held(c.above_nine);
  groups.tens = _mm512_castsi512_si256(held(c.tens));
  groups.hundreds = _mm512_castsi512_si256(held(c.hundreds));
  groups.filter_factors = _mm512_castsi512_si256(held(c.filter_factors));
  const __mmask64 unusual_mask =
      _mm512_cmpgt_epu8_mask(_mm512_sub_epi8(sizes, vector(c.two)), vector(c.three));
  // Rotated by one, so that a rotation by a bit's number moves that bit to the word's top.
  const __m512i straight_filter = _mm512_load_si512(data_fields.filter());
  const __m512i filter = _mm512_shrdi_epi16(straight_filter, straight_filter, 1);

  Verdict verdict{_mm512_setzero_si512(), vector(c.two)};
  __m512i hits = _mm512_setzero_si512();
  const __m512i low_bytes = held(c.low_bytes);
  std::uint64_t used = _bzhi_u64(~std::uint64_t{0}, count);
  std::size_t group = 0;
  __m512i marks;
  do {
    const GroupResult first = store_group(chunk, groups, group, target, verdict, c);
    const GroupResult second = store_group(chunk, groups, group + 1, target, verdict, c);
    // With the zeros that must follow.
    marks = _mm512_maskz_permutex2var_epi8(_cvtu64_mask64(used & 0xffff'ffff), first.tags,
                                           low_bytes, second.tags);
    _mm512_storeu_si512(target.marks + lanes * group, marks);
    used >>= 32;
    const __m512i bits = _mm512_packus_epi32(first.filter_bits, second.filter_bits);
    const __m512i words = _mm512_permutexvar_epi16(_mm512_srli_epi16(bits, 4), filter);
    hits = _mm512_or_si512(hits, _mm512_shrdv_epi16(words, words, bits));
    group += 2;
  } while (lanes * group < count);

  // A tag of 0, minus one, has all bits set.
  const __m512i wrong =
      _mm512_or_si512(verdict.bad, _mm512_add_epi32(verdict.lowest, _mm512_set1_epi32(-1)));
  // Or with the words' top bits.
  const __m512i any = _mm512_ternarylogic_epi32(wrong, hits, vector(c.top_bits), 0xf8);
  const std::uint64_t unusual = _bzhi_u64(_cvtmask64_u64(unusual_mask), count);
  __m256i first_marks = _mm512_castsi512_si256(marks);
  if (group > 2) [[unlikely]] {
    first_marks = load_marks(target.marks);
  }
  return {unusual | _cvtmask64_u64(_mm512_movepi8_mask(any)), unusual, verdict.bad, wrong,
          first_marks};
}

/// FieldIndex::choose_places in one compare. The marks are those stored, in a register: look-ups
/// wait for this.
[[gnu::always_inline]] inline void choose_places(FieldIndex& index, __m256i marks) noexcept {
  TagPlaces& places = index.all_places[index.count % FieldIndex::message_kinds];
  const __mmask32 others = _mm256_cmpneq_epi8_mask(marks, load_marks(places.marks));
  index.places = &places;
  index.use_places(_kortestz_mask32_u8(others, others) != 0);
}

/// Handles tags of five and more digits among `count` fields. False: a tag is faulty.
[[gnu::noinline]] bool settle_unusual(const char* bytes, FieldIndex& index, std::uint32_t position,
                                      std::uint32_t count, std::uint64_t unusual) noexcept {
  if (unusual == 0) {
    return true;
  }
  for (; unusual != 0; unusual &= unusual - 1) {
    const std::uint32_t at = position + static_cast<std::uint32_t>(_tzcnt_u64(unusual));
    const std::uint32_t begin = index.field_begin(at);
    index.tags[at] = edges::long_tag(bytes + begin, index.begins[at] - 1 - begin);
    index.marks[at] = static_cast<std::uint8_t>(index.tags[at]);
  }
  std::uint32_t lowest = index.tags[position];
  for (std::uint32_t at = position; at != position + count; ++at) {
    lowest = index.tags[at] < lowest ? index.tags[at] : lowest;
  }
  return lowest != 0;
}

/// Two accumulators: a single one would make each addition wait for the previous one.
SumAndSoh sum_avx512(const char* bytes, std::size_t size) noexcept {
  const __m512i zero = _mm512_setzero_si512();
  __m512i even = zero;
  __m512i odd = zero;
  std::uint64_t soh_count = 0;
  std::size_t at = 0;
  for (; size - at >= 2 * block_size; at += 2 * block_size) {
    const __m512i first = _mm512_loadu_si512(bytes + at);
    const __m512i second = _mm512_loadu_si512(bytes + at + block_size);
    even = _mm512_add_epi64(even, _mm512_sad_epu8(first, zero));
    odd = _mm512_add_epi64(odd, _mm512_sad_epu8(second, zero));
    soh_count += static_cast<std::uint64_t>(
        __builtin_popcountll(_mm512_cmpeq_epi8_mask(first, _mm512_set1_epi8(soh))));
    soh_count += static_cast<std::uint64_t>(
        __builtin_popcountll(_mm512_cmpeq_epi8_mask(second, _mm512_set1_epi8(soh))));
  }
  while (at < size) {
    const std::size_t left = size - at;
    const std::uint64_t mask = left >= block_size
                                   ? ~std::uint64_t{0}
                                   : _bzhi_u64(~std::uint64_t{0}, static_cast<std::uint32_t>(left));
    const __m512i rest = _mm512_maskz_loadu_epi8(mask, bytes + at);
    even = _mm512_add_epi64(even, _mm512_sad_epu8(rest, zero));
    soh_count += static_cast<std::uint64_t>(
        __builtin_popcountll(_mm512_cmpeq_epi8_mask(rest, _mm512_set1_epi8(soh))));
    at += left >= block_size ? block_size : left;
  }
  return {static_cast<std::uint32_t>(_mm512_reduce_add_epi64(_mm512_add_epi64(even, odd))),
          static_cast<std::uint32_t>(soh_count)};
}

/// A field longer than a chunk: its `=` is the chunk's only one, its end is searched for. False:
/// the scalar kernel must do it.
[[gnu::noinline]] bool store_long_field(const char* bytes, std::uint32_t size, const Chunk& chunk,
                                        std::uint32_t position, std::uint32_t base,
                                        FieldIndex& index) noexcept {
  if (chunk.equals_slide != slide_size - 1) {
    return false;
  }
  std::uint32_t at = base + chunk_size;
  std::uint64_t ends = 0;
  while (true) {
    const std::uint32_t left = size - at;
    const std::uint64_t mask = _bzhi_u64(~std::uint64_t{0}, left < block_size ? left : block_size);
    ends = _cvtmask64_u64(_mm512_cmpeq_epi8_mask(
        _mm512_maskz_loadu_epi8(_cvtu64_mask64(mask), bytes + at), _mm512_set1_epi8(soh)));
    if (ends != 0 || left <= block_size) {
      break;
    }
    at += block_size;
  }
  if (ends == 0) {
    return false;
  }
  const std::uint32_t begin =
      static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(chunk.begins))) & 0xff;
  const std::uint32_t equals = base + begin - 1;
  const std::uint32_t tag_size = equals - base;
  const std::uint32_t tag =
      equals < 4 ? 0 : edges::short_tag(edges::load<std::uint32_t>(bytes + equals - 4), tag_size);
  index.tags[position] = tag != 0 ? tag : edges::long_tag(bytes + base, tag_size);
  index.marks[position] = static_cast<std::uint8_t>(index.tags[position]);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(index.marks + position + 1),
                      _mm256_setzero_si256());
  index.begins[position] = equals + 1;
  index.ends[position] = at + static_cast<std::uint32_t>(_tzcnt_u64(ends));
  return index.tags[position] != 0;
}

template <bool ThreeDigits>
[[gnu::always_inline]] inline bool edges_good(std::string_view message, std::uint64_t first_map,
                                              std::uint32_t sum) noexcept {
  const auto first_end = static_cast<std::uint32_t>(_tzcnt_u64(first_map));
  return edges::check_edges<ThreeDigits>(message.data(), static_cast<std::uint32_t>(message.size()),
                                         first_end, sum, first_map);
}

/// A message larger than a chunk: chunk after chunk, each from the end of the last whole field of
/// the one before. False: the scalar kernel must do it.
[[gnu::noinline]] bool index_chunks(std::string_view message, FieldIndex& index,
                                    const DataFields& data_fields) noexcept {
  const char* const bytes = message.data();
  const auto size = static_cast<std::uint32_t>(message.size());
  const Constants& c = hidden_constants();
  Chunk chunk;
  std::uint64_t first_map = 0;
  std::uint32_t position = 0;
  bool maybe_lengths = false;
  for (std::uint32_t base = 0; base < size;) {
    const std::uint32_t left = size - base;
    scan_chunk(chunk, bytes + base, left < chunk_size ? left : chunk_size, c);
    const std::uint32_t count = fields_of(chunk);
    if (position + count > index.capacity || position == index.capacity) [[unlikely]] {
      return false;
    }
    first_map = base == 0 ? chunk.first_map : first_map;
    if (count != 0) [[likely]] {
      Unsettled unsettled =
          store_fields(chunk, count, base, target_of(index, position), data_fields, c);
      if (unsettled.any != 0) [[unlikely]] {
        if (is_wrong(unsettled) ||
            !settle_unusual(bytes, index, position, count, unsettled.unusual)) {
          return false;
        }
        maybe_lengths = true;
      }
      position += count;
    } else {
      if (chunk.ends_slide != slide_size || left <= chunk_size ||
          !store_long_field(bytes, size, chunk, position, base, index)) {
        return false;
      }
      maybe_lengths = true;
      ++position;
    }
    base = index.ends[position - 1] + 1;
  }
  if (!edges_good<false>(message, first_map, sum_avx512(bytes, size).sum) ||
      (maybe_lengths && !edges::data_reads_as_text(bytes, index, position, data_fields)))
      [[unlikely]] {
    return false;
  }
  edges::set_clean(index, position);
  choose_places(index, load_marks(index.marks));
  return true;
}

/// Handles long tags and possible length tags. `index.count` is set.
[[gnu::noinline]] void index_unsettled(std::string_view message, FieldIndex& index,
                                       const DataFields& data_fields,
                                       std::uint64_t unusual) noexcept {
  const std::uint32_t count = index.count;
  if (!settle_unusual(message.data(), index, 0, count, unusual) ||
      !edges::data_reads_as_text(message.data(), index, count, data_fields)) {
    index_scalar(message, index, data_fields);
    return;
  }
  edges::set_clean(index, count);
  choose_places(index, load_marks(index.marks));
}

/// A message of one chunk. Every branch off the usual path is a tail call, so that no registers are
/// saved for one.
template <bool ThreeDigits>
[[gnu::always_inline]] inline void index_chunk(std::string_view message, FieldIndex& index,
                                               const DataFields& data_fields) noexcept {
  const Constants& c = hidden_constants();
  Chunk chunk;
  scan_chunk(chunk, message.data(), message.size(), c);
  const std::uint32_t count = fields_of(chunk);
  const auto sum = static_cast<std::uint32_t>(_mm512_reduce_add_epi64(chunk.sums));
  if (count - 1 >= index.capacity || !edges_good<ThreeDigits>(message, chunk.first_map, sum))
      [[unlikely]] {
    index_scalar(message, index, data_fields);
    return;
  }
  Unsettled unsettled = store_fields(chunk, count, 0, target_of(index, 0), data_fields, c);
  if (unsettled.any != 0) [[unlikely]] {
    if (is_wrong(unsettled)) {
      index_scalar(message, index, data_fields);
      return;
    }
    index.count = count;
    index_unsettled(message, index, data_fields, unsettled.unusual);
    return;
  }
  edges::set_clean(index, count);
  choose_places(index, unsettled.marks);
}

/// Handles short messages and long ones.
[[gnu::noinline]] void index_other_size(std::string_view message, FieldIndex& index,
                                        const DataFields& data_fields) noexcept {
  if (message.size() < edges::size_min) {
    index_scalar(message, index, data_fields);
  } else if (message.size() <= chunk_size) {
    index_chunk<false>(message, index, data_fields);
  } else if (!index_chunks(message, index, data_fields)) {
    index_scalar(message, index, data_fields);
  }
}

void index_avx512(std::string_view message, FieldIndex& index,
                  const DataFields& data_fields) noexcept {
  if (message.size() - edges::three_digits_size_min > chunk_size - edges::three_digits_size_min)
      [[unlikely]] {
    index_other_size(message, index, data_fields);
    return;
  }
  index_chunk<true>(message, index, data_fields);
}

/// Among sixteen fields, those with another tag or no value. Tags beyond them need not be readable.
[[gnu::always_inline]] inline __mmask16 others(const FieldIndex& index, const std::uint32_t* tags,
                                               std::uint32_t at, __mmask16 fields) noexcept {
  const __mmask16 other = _mm512_mask_cmpneq_epi32_mask(
      fields, _mm512_loadu_si512(index.tags + at), _mm512_maskz_loadu_epi32(fields, tags + at));
  const __mmask16 empty = _mm512_mask_cmpeq_epi32_mask(
      fields, _mm512_loadu_si512(index.begins + at), _mm512_loadu_si512(index.ends + at));
  return _kor_mask16(other, empty);
}

bool has_tags_and_values_avx512(const FieldIndex& index, const std::uint32_t* tags) noexcept {
  const std::uint32_t count = index.count;
  const std::uint32_t rest = count % lanes;
  const std::uint32_t whole = count - rest;
  __mmask16 wrong = others(index, tags, whole, _cvtu32_mask16(_bzhi_u32(0xFFFF, rest)));
  for (std::uint32_t at = 0; at != whole; at += lanes) {
    wrong = _kor_mask16(wrong, others(index, tags, at, 0xFFFF));
  }
  return _kortestz_mask16_u8(wrong, wrong) != 0;
}

}  // namespace

constinit const KernelTable avx512_kernel{&index_avx512, &sum_avx512, &has_tags_and_values_avx512};

}  // namespace affix::inline v0::wire

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
