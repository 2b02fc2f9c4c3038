// SPDX-License-Identifier: MIT
// CRC-32C with the SSE4.2 instruction. A chain of it takes three cycles per eight bytes even on an
// idle CPU, so three thirds of the bytes run in parallel and are joined by a carry-less
// multiplication. The instruction is named as `crc32` too: a compiler that is told each feature of
// the CPU does not infer it from SSE4.2.
#include "base/crc32c_kernel.hpp"
#include "base/x86_features.hpp"

#include <cstring>

#if defined(__x86_64__) && !defined(AFFIX_NO_SIMD)

#include <array>
#include <immintrin.h>

namespace affix::inline v0::base::crc32c_kernels {

namespace {

// Maximum words of eight bytes in each of the three chains: the size of the table of shifts.
constexpr std::size_t chain_words_max = 128;

// Below this total number of words, joining costs more than it saves.
constexpr std::size_t joined_words_min = 9;

struct Shift {
  std::uint64_t one;  // Shifts a CRC over one chain.
  std::uint64_t two;  // Over two chains.
};

// The product of two reflected 32-bit polynomials, taken as 64 reflected bits, is theirs times x,
// and the instruction multiplies by x^32 more. So x^(bits - 33) moves a CRC over `bits` bits.
constexpr std::array<Shift, chain_words_max + 1> make_shifts() noexcept {
  std::array<std::uint32_t, 2 * chain_words_max + 1> powers{};
  std::uint32_t power = 0x80000000U;  // x^0, reflected.
  std::size_t exponent = 0;
  for (std::size_t words = 1; words < powers.size(); ++words) {
    for (; exponent < 64 * words - 33; ++exponent) {
      power = times_x(power);
    }
    powers[words] = power;
  }
  std::array<Shift, chain_words_max + 1> shifts{};
  for (std::size_t words = 1; words < shifts.size(); ++words) {
    shifts[words] = {powers[words], powers[2 * words]};
  }
  return shifts;
}

constexpr std::array<Shift, chain_words_max + 1> shifts = make_shifts();

template <typename Word, bool Copy>
__attribute__((target("sse4.2,crc32,pclmul"), always_inline)) inline Word take(
    char* to, const char* from, std::size_t at) noexcept {
  Word word;
  std::memcpy(&word, from + at, sizeof(word));
  if constexpr (Copy) {
    std::memcpy(to + at, &word, sizeof(word));
  }
  return word;
}

__attribute__((target("sse4.2,crc32,pclmul"), always_inline)) inline std::uint64_t multiply(
    std::uint64_t left, std::uint64_t right) noexcept {
  const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(left)),
                                               _mm_cvtsi64_si128(static_cast<long long>(right)), 0);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
}

// Three chains of `words` words each, from `at` on; the first continues `crc`.
template <bool Copy>
__attribute__((target("sse4.2,crc32,pclmul"), always_inline)) inline std::uint64_t join_three(
    char* to, const char* from, std::size_t at, std::size_t words, std::uint64_t crc) noexcept {
  const std::size_t chain_bytes = words * 8;
  const std::size_t last_at = at + chain_bytes - 8;
  std::uint64_t second = 0;
  std::uint64_t third = 0;
  const auto step =
      [&](std::size_t here) __attribute__((target("sse4.2,crc32,pclmul"), always_inline)) {
        crc = _mm_crc32_u64(crc, take<std::uint64_t, Copy>(to, from, here));
        second = _mm_crc32_u64(second, take<std::uint64_t, Copy>(to, from, here + chain_bytes));
        third = _mm_crc32_u64(third, take<std::uint64_t, Copy>(to, from, here + 2 * chain_bytes));
      };
  // Two per pass: the loop's own instructions would otherwise be a third of all.
  for (; at + 8 < last_at; at += 16) {
    step(at);
    step(at + 8);
  }
  if (at < last_at) {
    step(at);
  }
  crc = _mm_crc32_u64(crc, take<std::uint64_t, Copy>(to, from, last_at));
  second = _mm_crc32_u64(second, take<std::uint64_t, Copy>(to, from, last_at + chain_bytes));
  const std::uint64_t last = take<std::uint64_t, Copy>(to, from, last_at + 2 * chain_bytes);
  // The shifted CRCs are added to the third chain's last word: one instruction processes all.
  const Shift shift = shifts[words];
  return _mm_crc32_u64(third, last ^ multiply(crc, shift.two) ^ multiply(second, shift.one));
}

template <bool Copy>
__attribute__((target("sse4.2,crc32,pclmul"), always_inline)) inline std::uint32_t sum(
    char* to, std::string_view bytes, std::uint32_t before) noexcept {
  const char* const from = bytes.data();
  const std::size_t size = bytes.size();
  std::uint64_t crc = before;
  std::size_t at = 0;
  while (size - at >= 8 * joined_words_min) {
    std::size_t words = (size - at) / 24;
    words = words < chain_words_max ? words : chain_words_max;
    crc = join_three<Copy>(to, from, at, words, crc);
    at += 24 * words;
  }
  for (; size - at >= 8; at += 8) {
    crc = _mm_crc32_u64(crc, take<std::uint64_t, Copy>(to, from, at));
  }
  auto rest = static_cast<std::uint32_t>(crc);
  if ((size & 4U) != 0) {
    rest = _mm_crc32_u32(rest, take<std::uint32_t, Copy>(to, from, at));
    at += 4;
  }
  if ((size & 2U) != 0) {
    rest = _mm_crc32_u16(rest, take<std::uint16_t, Copy>(to, from, at));
    at += 2;
  }
  if ((size & 1U) != 0) {
    rest = _mm_crc32_u8(rest, take<std::uint8_t, Copy>(to, from, at));
  }
  return rest;
}

template <bool Copy>
__attribute__((target("sse4.2,crc32,pclmul"), always_inline)) inline std::uint32_t run(
    char* to, std::string_view head, std::string_view rest, std::uint32_t previous) noexcept {
  std::uint64_t crc = static_cast<std::uint32_t>(~previous);
  std::size_t at = 0;
  for (; head.size() - at >= 8; at += 8) {
    crc = _mm_crc32_u64(crc, take<std::uint64_t, Copy>(to, head.data(), at));
  }
  auto narrow = static_cast<std::uint32_t>(crc);
  for (; at < head.size(); ++at) {
    narrow = _mm_crc32_u8(narrow, take<std::uint8_t, Copy>(to, head.data(), at));
  }
  return ~sum<Copy>(Copy ? to + head.size() : nullptr, rest, narrow);
}

__attribute__((target("sse4.2,crc32,pclmul"))) std::uint32_t either(
    char* to, std::string_view head, std::string_view rest, std::uint32_t previous) noexcept {
  return to == nullptr ? run<false>(nullptr, head, rest, previous)
                       : run<true>(to, head, rest, previous);
}

}  // namespace

const Kernel sse42 = &either;

bool has_sse42() noexcept {
  return x86_features().pclmul;
}

}  // namespace affix::inline v0::base::crc32c_kernels

#endif
