// SPDX-License-Identifier: MIT
// Loads and stores eight or four bytes of a text as one number, the first byte lowest on every
// machine. One move each; the bytes must be readable or writable.
#pragma once

#include <bit>
#include <cstdint>

namespace affix::inline v0::base {

/// Loads a number from any address, in the machine's byte order.
template <typename Word>
[[nodiscard]] inline Word load(const char* from) noexcept {
  Word word;
  __builtin_memcpy(&word, from, sizeof(word));
  return word;
}

/// The inverse of load().
template <typename Word>
inline void store(char* to, Word word) noexcept {
  __builtin_memcpy(to, &word, sizeof(word));
}

/// Converts between the machine's order and lowest address lowest.
[[nodiscard]] constexpr std::uint64_t stream_order(std::uint64_t word) noexcept {
  if constexpr (std::endian::native == std::endian::big) {
    return __builtin_bswap64(word);
  } else {
    return word;
  }
}

/// Eight bytes at any address, the first lowest.
[[nodiscard]] inline std::uint64_t load_word(const char* from) noexcept {
  return stream_order(load<std::uint64_t>(from));
}

/// The inverse of load_word().
inline void store_word(char* to, std::uint64_t word) noexcept {
  store(to, stream_order(word));
}

/// Four bytes at any address, the first lowest.
[[nodiscard]] inline std::uint32_t load_half_word(const char* from) noexcept {
  const auto word = load<std::uint32_t>(from);
  return std::endian::native == std::endian::big ? __builtin_bswap32(word) : word;
}

/// The inverse of load_half_word().
inline void store_half_word(char* to, std::uint32_t word) noexcept {
  store(to, std::endian::native == std::endian::big ? __builtin_bswap32(word) : word);
}

}  // namespace affix::inline v0::base
