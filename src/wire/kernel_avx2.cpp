// SPDX-License-Identifier: MIT
// The AVX2 kernel: 32 bytes an operation, bit maps of 64, tags from their texts eight at a time.
#include "affix/wire/checksum.hpp"
#include "affix/wire/index.hpp"

#include "wire/kernels.hpp"

#ifdef AFFIX_KERNELS_X86

#include "wire/kernel_blocks.hpp"
#include "wire/kernel_edges.hpp"

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif

namespace affix::inline v0::wire {

namespace {

/// No initialisers in structs of vectors: an implicit constructor would be outside the target
/// region.
struct Sums {
  __m256i low;
  __m256i high;
};

/// 64 when there is none. Explicit, because GCC clears the target before each.
[[gnu::always_inline]] inline std::size_t lowest_bit(std::uint64_t map) noexcept {
  std::size_t result;
  asm("tzcnt %1, %0" : "=r"(result) : "r"(map) : "cc");
  return result;
}

[[gnu::always_inline]] inline __m256i load(const void* from) noexcept {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

[[gnu::always_inline]] inline void store(void* to, __m256i value) noexcept {
  _mm256_storeu_si256(static_cast<__m256i*>(to), value);
}

[[gnu::always_inline]] inline Sums no_sums() noexcept {
  return {_mm256_setzero_si256(), _mm256_setzero_si256()};
}

[[gnu::always_inline]] inline std::uint32_t total(Sums sums) noexcept {
  const __m256i both = _mm256_add_epi64(sums.low, sums.high);
  const __m128i quarter =
      _mm_add_epi64(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si64(quarter)) +
         static_cast<std::uint32_t>(_mm_extract_epi64(quarter, 1));
}

[[gnu::always_inline]] inline std::uint64_t map_of(__m256i low, __m256i high,
                                                   __m256i wanted) noexcept {
  const auto low_map =
      static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)));
  const auto high_map =
      static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)));
  return low_map | std::uint64_t{high_map} << 32;
}

[[gnu::always_inline]] inline Maps maps_of(__m256i low, __m256i high) noexcept {
  return {map_of(low, high, _mm256_set1_epi8(soh)), map_of(low, high, _mm256_set1_epi8('='))};
}

[[gnu::always_inline]] inline void add(Sums& sums, __m256i low, __m256i high) noexcept {
  sums.low = _mm256_add_epi64(sums.low, _mm256_sad_epu8(low, _mm256_setzero_si256()));
  sums.high = _mm256_add_epi64(sums.high, _mm256_sad_epu8(high, _mm256_setzero_si256()));
}

[[gnu::always_inline]] inline Maps map_block(const char* bytes, Sums& sums) noexcept {
  const __m256i low = load(bytes);
  const __m256i high = load(bytes + 32);
  add(sums, low, high);
  return maps_of(low, high);
}

[[gnu::always_inline]] inline Maps map_last(const char* bytes, std::uint32_t done,
                                            Sums& sums) noexcept {
  const __m256i low = load(bytes);
  const __m256i high = load(bytes + 32);
  const std::uint8_t* mask = sliding_mask.bytes + 64 - done;
  add(sums, _mm256_and_si256(low, load(mask)), _mm256_and_si256(high, load(mask + 32)));
  return maps_of(low, high);
}

/// Converts tags that the eight-lane conversion left at 0.
[[gnu::noinline]] edges::Tags settle_lanes(const char* bytes, FieldIndex& index,
                                           const DataFields& data_fields, std::uint32_t from,
                                           std::uint32_t zeros) noexcept {
  edges::Tags result;
  for (; zeros != 0; zeros &= zeros - 1) {
    const std::uint32_t position = from + static_cast<std::uint32_t>(lowest_bit(zeros));
    const std::uint32_t begin = index.field_begin(position);
    const std::uint32_t tag = edges::long_tag(bytes + begin, index.begins[position] - 1 - begin);
    result.good = result.good && tag != 0;
    result.maybe_lengths |= data_fields.maybe_length(tag);
    index.tags[position] = tag;
  }
  return result;
}

[[gnu::always_inline]] inline std::uint32_t lane_mask(__m256i value) noexcept {
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(value)));
}

[[gnu::always_inline]] inline edges::Tags convert_tags(const char* bytes, FieldIndex& index,
                                                       std::uint32_t count,
                                                       const DataFields& data_fields) noexcept {
  constexpr std::uint32_t lanes = 8;
  const __m256i filter_factors =
      _mm256_set1_epi32(DataFields::filter_ones << 16 | DataFields::filter_hundreds);
  const __m256i filter_low = load(data_fields.filter());
  const __m256i filter_high = load(data_fields.filter() + 8);
  std::uint32_t all_hits = 0;
  for (std::uint32_t from = 0; from < count; from += lanes) {
    const std::uint32_t left = count - from;
    const std::uint32_t used = left >= lanes ? 0xff : (1U << left) - 1;
    const __m256i text = load(index.tags + from);
    const __m256i begins = load(index.begins + from);
    // The end of the field before each; -1 before the first.
    const __m256i ends =
        from == 0
            ? _mm256_blend_epi32(_mm256_permutevar8x32_epi32(
                                     load(index.ends), _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6)),
                                 _mm256_set1_epi32(-1), 1)
            : load(index.ends + from - 1);
    // Keeps the tag's own bytes of the four, as digits: shifts out 8 * (4 - size) low bits, where
    // size = begin - end - 2. A size of 0 or above 4 shifts everything out, and the tag reads 0.
    const __m256i shift = _mm256_add_epi32(_mm256_slli_epi32(_mm256_sub_epi32(ends, begins), 3),
                                           _mm256_set1_epi32(48));
    const __m256i own = _mm256_sllv_epi32(_mm256_set1_epi32(-1), shift);
    const __m256i digits = _mm256_and_si256(_mm256_xor_si256(text, _mm256_set1_epi8('0')), own);
    const __m256i no_digits = _mm256_subs_epu8(digits, _mm256_set1_epi8(9));
    const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
    const __m256i tags = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
    store(index.tags + from, tags);
    // A lane is 0 when its tag is, or a byte of it was no digit; the filter's bit of such a tag is
    // irrelevant.
    const __m256i zero = _mm256_setzero_si256();
    const __m256i right = _mm256_cmpeq_epi32(no_digits, zero);
    const std::uint32_t wrong = ~lane_mask(right) & used;
    const std::uint32_t zeros = lane_mask(_mm256_cmpeq_epi32(tags, zero)) & used;
    const __m256i bits =
        _mm256_srli_epi32(_mm256_madd_epi16(pairs, filter_factors), DataFields::filter_shift);
    const __m256i low_words = _mm256_permutevar8x32_epi32(filter_low, _mm256_srli_epi32(bits, 5));
    const __m256i high_words = _mm256_permutevar8x32_epi32(filter_high, _mm256_srli_epi32(bits, 5));
    const __m256i words = _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(low_words), _mm256_castsi256_ps(high_words),
                         _mm256_castsi256_ps(_mm256_slli_epi32(bits, 23))));
    // Shifts the bit to the lane's top, from which the mask is taken: by 31 less its number.
    const __m256i up = _mm256_andnot_si256(bits, _mm256_set1_epi32(31));
    const std::uint32_t hits = lane_mask(_mm256_sllv_epi32(words, up)) & used;
    all_hits |= hits;
    if ((wrong | zeros) != 0) [[unlikely]] {
      if (wrong != 0) {
        return {false, false};
      }
      const edges::Tags settled = settle_lanes(bytes, index, data_fields, from, zeros);
      if (!settled.good) {
        return settled;
      }
      all_hits |= settled.maybe_lengths ? 1 : 0;
    }
  }
  return {true, all_hits != 0};
}

/// The marks of all tags, 32 at a time, and zeros after them.
[[gnu::always_inline]] inline void mark_tags(const FieldIndex& index,
                                             std::uint32_t count) noexcept {
  constexpr std::uint32_t lanes = FieldIndex::mark_step;
  const __m256i low_byte = _mm256_set1_epi32(0xff);
  const auto low_bytes = [&](std::uint32_t at) {
    return _mm256_and_si256(load(index.tags + at), low_byte);
  };
  std::uint32_t at = 0;
  do {
    const __m256i words = _mm256_packus_epi32(low_bytes(at), low_bytes(at + 8));
    const __m256i more_words = _mm256_packus_epi32(low_bytes(at + 16), low_bytes(at + 24));
    // Packing joins the low halves of both and the high halves of both.
    const __m256i marks = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(words, more_words),
                                                      _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    const std::uint32_t left = count - at;
    const __m256i behind = load(sliding_mask.bytes + 64 - (left < lanes ? left : lanes));
    store(index.marks + at, _mm256_andnot_si256(behind, marks));
    at += lanes;
  } while (at < count);
  store(index.marks + at, _mm256_setzero_si256());
}

/// FieldIndex::choose_places in one compare.
[[gnu::always_inline]] inline void choose_places(FieldIndex& index) noexcept {
  static_assert(FieldIndex::mark_step == sizeof(__m256i));
  TagPlaces& places = index.all_places[index.count % FieldIndex::message_kinds];
  const __m256i others = _mm256_xor_si256(load(index.marks), load(places.marks));
  index.places = &places;
  index.use_places(_mm256_testz_si256(others, others) != 0);
}

#include "wire/kernel_maps.inl"

void index_avx2(std::string_view message, FieldIndex& index,
                const DataFields& data_fields) noexcept {
  index_by_maps_or_scalar(message, index, data_fields);
}

SumAndSoh sum_avx2(const char* bytes, std::size_t size) noexcept {
  Sums sums = no_sums();
  // SOH are counted as -1 in bytes, which can hold 255, and summed up before they overflow.
  constexpr std::size_t steps_max = 255;
  __m256i soh_sums = _mm256_setzero_si256();
  std::size_t at = 0;
  while (size - at >= 64) {
    __m256i counts = _mm256_setzero_si256();
    __m256i other_counts = _mm256_setzero_si256();
    for (std::size_t step = 0; step < steps_max && size - at >= 64; ++step, at += 64) {
      const __m256i low = load(bytes + at);
      const __m256i high = load(bytes + at + 32);
      add(sums, low, high);
      counts = _mm256_sub_epi8(counts, _mm256_cmpeq_epi8(low, _mm256_set1_epi8(soh)));
      other_counts = _mm256_sub_epi8(other_counts, _mm256_cmpeq_epi8(high, _mm256_set1_epi8(soh)));
    }
    soh_sums = _mm256_add_epi64(soh_sums, _mm256_sad_epu8(counts, _mm256_setzero_si256()));
    soh_sums = _mm256_add_epi64(soh_sums, _mm256_sad_epu8(other_counts, _mm256_setzero_si256()));
  }
  if (at < size && size >= 64) {
    // The last 64 bytes, without those processed already.
    const char* last = bytes + size - 64;
    const std::uint8_t* mask = sliding_mask.bytes + (size - at);
    const __m256i low = _mm256_and_si256(load(last), load(mask));
    const __m256i high = _mm256_and_si256(load(last + 32), load(mask + 32));
    add(sums, low, high);
    Maps maps = maps_of(low, high);
    const auto soh_count = static_cast<std::uint32_t>(__builtin_popcountll(maps.ends));
    return {total(sums), soh_count + total({soh_sums, _mm256_setzero_si256()})};
  }
  SumAndSoh result{total(sums), total({soh_sums, _mm256_setzero_si256()})};
  if (at < size) {
    SumAndSoh rest = scalar_kernel.sum(bytes + at, size - at);
    result.sum += rest.sum;
    result.soh_count += rest.soh_count;
  }
  return result;
}

bool has_tags_and_values_avx2(const FieldIndex& index, const std::uint32_t* tags) noexcept {
  constexpr std::uint32_t lanes = 8;
  std::uint32_t wrong = 0;
  for (std::uint32_t at = 0; at < index.count; at += lanes) {
    const __m256i same = _mm256_cmpeq_epi32(load(index.tags + at), load(tags + at));
    const __m256i empty = _mm256_cmpeq_epi32(load(index.begins + at), load(index.ends + at));
    const auto good = static_cast<std::uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_andnot_si256(empty, same))));
    const std::uint32_t left = index.count - at;
    wrong |= _bzhi_u32(~good & 0xFF, left < lanes ? left : lanes);
  }
  return wrong == 0;
}

}  // namespace

constinit const KernelTable avx2_kernel{&index_avx2, &sum_avx2, &has_tags_and_values_avx2};

}  // namespace affix::inline v0::wire

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
