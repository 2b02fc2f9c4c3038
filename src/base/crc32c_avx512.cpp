// SPDX-License-Identifier: MIT
// CRC-32C by folding: 64 bytes a step, each a carry-less multiplication of the former state. A
// fifth of the instructions of three chains of the CRC instruction, which leaves the CPU capacity
// for other work.
#include "base/crc32c_kernel.hpp"
#include "base/x86_features.hpp"

#include <cstring>

#if defined(__x86_64__) && !defined(AFFIX_NO_SIMD)

// GCC's own headers pass a register with arbitrary content, and GCC warns of it.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#define AFFIX_FOLDING \
  "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,vpclmulqdq,avx2,sse4.2,crc32,pclmul"

namespace affix::inline v0::base::crc32c_kernels {

namespace {

constexpr std::size_t block_bytes = 64;

/// x^exponent modulo the polynomial, reflected, as a factor for 64 reflected bits: their product is
/// that of the polynomials times x, which the shift by one corrects.
constexpr long long factor(unsigned exponent) noexcept {
  std::uint32_t power = 0x80000000U;  // x^0, reflected.
  for (unsigned at = 0; at < exponent; ++at) {
    power = times_x(power);
  }
  return static_cast<long long>(std::uint64_t{power} << 1);
}

/// Factors that move the two halves of sixteen bytes over `bits` bits: for the first half 64 more,
/// minus the 32 bits of the product.
constexpr long long first_half(unsigned bits) noexcept {
  return factor(bits + 32);
}

constexpr long long second_half(unsigned bits) noexcept {
  return factor(bits - 32);
}

constexpr long long block_first = first_half(512);
constexpr long long block_second = second_half(512);
constexpr long long lane_factors[8] = {first_half(384),
                                       second_half(384),
                                       first_half(256),
                                       second_half(256),
                                       first_half(128),
                                       second_half(128),
                                       0,
                                       0};

__attribute__((target(AFFIX_FOLDING), always_inline)) inline __m512i moved(
    __m512i block, __m512i factors) noexcept {
  return _mm512_xor_si512(_mm512_clmulepi64_epi128(block, factors, 0x00),
                          _mm512_clmulepi64_epi128(block, factors, 0x11));
}

/// The CRC register after four lanes of sixteen bytes.
__attribute__((target(AFFIX_FOLDING), always_inline)) inline std::uint32_t reduced(
    __m512i block) noexcept {
  const __m512i lanes =
      _mm512_xor_si512(moved(block, _mm512_loadu_si512(lane_factors)),
                       _mm512_maskz_mov_epi64(0xC0, block));  // The last lane is unchanged.
  const __m256i halves =
      _mm256_xor_si256(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1));
  const __m128i rest =
      _mm_xor_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
  const std::uint64_t crc = _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(rest)));
  return static_cast<std::uint32_t>(
      _mm_crc32_u64(crc, static_cast<std::uint64_t>(_mm_extract_epi64(rest, 1))));
}

/// Needs at least one block of bytes; `crc` is the register before them.
template <bool Copy>
__attribute__((target(AFFIX_FOLDING), always_inline)) inline std::uint32_t folded(
    char* to, const char* from, std::size_t size, std::uint32_t crc) noexcept {
  // The first block has the remainder after all whole blocks, with zeros before it, which do not
  // change a register of zero. Any other register is equivalent to other first four bytes.
  const std::size_t first = (size - 1) % block_bytes + 1;
  const __m512i head = _mm512_loadu_si512(from);
  if constexpr (Copy) {
    _mm512_storeu_si512(to, head);
  }
  const __m512i factors = _mm512_broadcast_i32x4(_mm_set_epi64x(block_second, block_first));
  __m512i block = _mm512_maskz_expand_epi8(
      ~__mmask64{0} << (block_bytes - first),
      _mm512_xor_si512(head, _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(crc)))));
  // Bytes of the four that do not fit into the first block belong to the second.
  const std::uint32_t behind = first < sizeof(crc) ? crc >> (8 * first) : 0;
  __m512i added = _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(behind)));
  for (std::size_t at = first; at != size; at += block_bytes) {
    const __m512i next = _mm512_loadu_si512(from + at);
    if constexpr (Copy) {
      _mm512_storeu_si512(to + at, next);
    }
    block = _mm512_xor_si512(_mm512_xor_si512(moved(block, factors), next), added);
    added = _mm512_setzero_si512();
  }
  return reduced(block);
}

template <bool Copy>
__attribute__((target(AFFIX_FOLDING), always_inline)) inline std::uint32_t run(
    char* to, std::string_view head, std::string_view rest, std::uint32_t previous) noexcept {
  std::uint64_t crc = static_cast<std::uint32_t>(~previous);
  std::size_t at = 0;
  for (; head.size() - at >= 8; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, head.data() + at, sizeof(word));
    if constexpr (Copy) {
      std::memcpy(to + at, &word, sizeof(word));
    }
    crc = _mm_crc32_u64(crc, word);
  }
  auto narrow = static_cast<std::uint32_t>(crc);
  for (; at < head.size(); ++at) {
    if constexpr (Copy) {
      to[at] = head[at];
    }
    narrow = _mm_crc32_u8(narrow, static_cast<unsigned char>(head[at]));
  }
  return ~folded<Copy>(Copy ? to + head.size() : nullptr, rest.data(), rest.size(), narrow);
}

__attribute__((target(AFFIX_FOLDING))) std::uint32_t either(char* to, std::string_view head,
                                                            std::string_view rest,
                                                            std::uint32_t previous) noexcept {
  if (rest.size() < block_bytes) {
    return sse42(to, head, rest, previous);
  }
  return to == nullptr ? run<false>(nullptr, head, rest, previous)
                       : run<true>(to, head, rest, previous);
}

}  // namespace

const Kernel avx512 = &either;

bool has_avx512() noexcept {
  const X86Features features = x86_features();
  return features.pclmul && features.vpclmul;
}

}  // namespace affix::inline v0::base::crc32c_kernels

#endif
