// SPDX-License-Identifier: MIT
// CRC-32C: selects a version, and has the portable one.
#include "affix/base/crc32c.hpp"

#include "base/crc32c_kernel.hpp"

#include <array>
#include <atomic>
#include <cstring>

namespace affix::inline v0::base {

namespace crc32c_kernels {

namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[n][b] is the CRC of byte b followed by n zero bytes, so that eight bytes take eight
// independent look-ups.
constexpr Tables make_tables() noexcept {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = times_x(crc);
    }
    tables[0][byte] = crc;
  }
  for (std::size_t zeros = 1; zeros < tables.size(); ++zeros) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[zeros - 1][byte];
      tables[zeros][byte] = (shorter >> 8) ^ tables[0][shorter & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables tables = make_tables();

constexpr std::uint32_t byte_of(const char* at) noexcept {
  return static_cast<unsigned char>(*at);
}

std::uint32_t sum(std::string_view bytes, std::uint32_t crc) noexcept {
  const char* from = bytes.data();
  std::size_t size = bytes.size();
  for (; size >= 8; size -= 8, from += 8) {
    crc = tables[7][(crc ^ byte_of(from)) & 0xFFU] ^
          tables[6][((crc >> 8) ^ byte_of(from + 1)) & 0xFFU] ^
          tables[5][((crc >> 16) ^ byte_of(from + 2)) & 0xFFU] ^
          tables[4][(crc >> 24) ^ byte_of(from + 3)] ^ tables[3][byte_of(from + 4)] ^
          tables[2][byte_of(from + 5)] ^ tables[1][byte_of(from + 6)] ^
          tables[0][byte_of(from + 7)];
  }
  for (; size != 0; --size, ++from) {
    crc = (crc >> 8) ^ tables[0][(crc ^ byte_of(from)) & 0xFFU];
  }
  return crc;
}

}  // namespace

std::uint32_t table(char* to, std::string_view head, std::string_view rest,
                    std::uint32_t previous) noexcept {
  std::uint32_t crc = ~previous;
  for (const std::string_view part : {head, rest}) {
    if (to != nullptr && !part.empty()) {
      std::memcpy(to, part.data(), part.size());
      to += part.size();
    }
    crc = sum(part, crc);
  }
  return ~crc;
}

// A build has only the versions of its own processors.
#if !defined(__x86_64__) || defined(AFFIX_NO_SIMD)
const Kernel sse42 = nullptr;
const Kernel avx512 = nullptr;

bool has_sse42() noexcept {
  return false;
}

bool has_avx512() noexcept {
  return false;
}
#endif
#if !defined(__aarch64__) || defined(AFFIX_NO_SIMD)
const Kernel armv8 = nullptr;

bool has_armv8() noexcept {
  return false;
}
#endif

}  // namespace crc32c_kernels

namespace {

std::uint32_t choose(char* to, std::string_view head, std::string_view rest,
                     std::uint32_t previous) noexcept;

// Relaxed is enough: two threads that select at once store the same value, and code needs no
// publishing.
constinit std::atomic<crc32c_kernels::Kernel> chosen{&choose};

crc32c_kernels::Kernel best() noexcept {
  if (crc32c_kernels::has_avx512()) {
    return crc32c_kernels::avx512;
  }
  if (crc32c_kernels::has_sse42()) {
    return crc32c_kernels::sse42;
  }
  if (crc32c_kernels::has_armv8()) {
    return crc32c_kernels::armv8;
  }
  return &crc32c_kernels::table;
}

std::uint32_t choose(char* to, std::string_view head, std::string_view rest,
                     std::uint32_t previous) noexcept {
  const crc32c_kernels::Kernel kernel = best();
  chosen.store(kernel, std::memory_order_relaxed);
  return kernel(to, head, rest, previous);
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t previous) noexcept {
  return chosen.load(std::memory_order_relaxed)(nullptr, {}, bytes, previous);
}

std::uint32_t crc32c_copy(char* to, std::string_view from, std::uint32_t previous) noexcept {
  return chosen.load(std::memory_order_relaxed)(to, {}, from, previous);
}

std::uint32_t crc32c_copy(char* to, std::string_view head, std::string_view rest,
                          std::uint32_t previous) noexcept {
  return chosen.load(std::memory_order_relaxed)(to, head, rest, previous);
}

const char* crc32c_kernel() noexcept {
  const crc32c_kernels::Kernel kernel = best();
  return kernel == crc32c_kernels::avx512   ? "avx512"
         : kernel == crc32c_kernels::sse42  ? "sse42"
         : kernel == &crc32c_kernels::table ? "table"
                                            : "armv8";
}

}  // namespace affix::inline v0::base
