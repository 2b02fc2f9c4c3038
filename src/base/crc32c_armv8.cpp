// SPDX-License-Identifier: MIT
// CRC-32C with the instruction of ARMv8's CRC extension.
#include "base/crc32c_kernel.hpp"

#include <cstring>

#if defined(__aarch64__) && !defined(AFFIX_NO_SIMD)

#include <sys/auxv.h>

namespace affix::inline v0::base::crc32c_kernels {

namespace {

// Assembly, so that no compiler flag and no header of the extension is needed.
inline std::uint32_t step8(std::uint32_t crc, std::uint64_t word) noexcept {
  asm(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
  return crc;
}

inline std::uint32_t step1(std::uint32_t crc, std::uint32_t byte) noexcept {
  asm(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"(byte));
  return crc;
}

std::uint32_t run(char* to, std::string_view head, std::string_view rest,
                  std::uint32_t previous) noexcept {
  std::uint32_t crc = ~previous;
  for (const std::string_view part : {head, rest}) {
    if (to != nullptr && !part.empty()) {
      std::memcpy(to, part.data(), part.size());
      to += part.size();
    }
    const char* from = part.data();
    std::size_t size = part.size();
    for (; size >= 8; size -= 8, from += 8) {
      std::uint64_t word;
      std::memcpy(&word, from, sizeof(word));
      crc = step8(crc, word);
    }
    for (; size != 0; --size, ++from) {
      crc = step1(crc, static_cast<unsigned char>(*from));
    }
  }
  return ~crc;
}

}  // namespace

const Kernel armv8 = &run;

bool has_armv8() noexcept {
  constexpr unsigned long hwcap_crc32 = 1UL << 7;
  return (getauxval(AT_HWCAP) & hwcap_crc32) != 0;
}

}  // namespace affix::inline v0::base::crc32c_kernels

#endif
