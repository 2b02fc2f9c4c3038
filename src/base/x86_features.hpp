// SPDX-License-Identifier: MIT
// The instruction sets of this x86-64 machine, asked of the processor: the runtime of Zig's
// compiler has no answer for __builtin_cpu_supports().
#pragma once

#if defined(__x86_64__)

#include <cpuid.h>

namespace affix::inline v0::base {

/// Sets that the kernels use together. Registers that the operating system does not save do not
/// count.
struct X86Features {
  bool sse42 = false;    // With POPCNT.
  bool pclmul = false;   // With SSE4.2.
  bool avx2 = false;     // With SSE4.2, BMI1 and BMI2.
  bool avx512 = false;   // F, BW, VL, VBMI and VBMI2, with AVX2.
  bool vpclmul = false;  // With AVX-512.
};

/// Executes a few serialising instructions: for start-up.
[[nodiscard]] inline X86Features x86_features() noexcept {
  X86Features found;
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) {
    return found;
  }
  const auto all = [](unsigned bits, unsigned wanted) { return (bits & wanted) == wanted; };
  found.sse42 = all(ecx, bit_SSE4_2 | bit_POPCNT);
  found.pclmul = found.sse42 && all(ecx, bit_PCLMUL);
  if (!all(ecx, bit_OSXSAVE | bit_AVX)) {
    return found;
  }
  unsigned saved = 0;
  unsigned saved_high = 0;
  asm volatile("xgetbv" : "=a"(saved), "=d"(saved_high) : "c"(0));
  constexpr unsigned xmm_and_ymm = 0x06;                  // Bits 1 and 2 of XCR0.
  constexpr unsigned masks_and_zmm = 0xe0 | xmm_and_ymm;  // Bits 5 to 7, too.
  if (!all(saved, xmm_and_ymm) || __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) {
    return found;
  }
  found.avx2 = found.sse42 && all(ebx, bit_AVX2 | bit_BMI | bit_BMI2);
  found.avx512 = found.avx2 && all(saved, masks_and_zmm) &&
                 all(ebx, static_cast<unsigned>(bit_AVX512F | bit_AVX512BW | bit_AVX512VL)) &&
                 all(ecx, bit_AVX512VBMI | bit_AVX512VBMI2);
  found.vpclmul = found.avx512 && all(ecx, bit_VPCLMULQDQ);
  return found;
}

}  // namespace affix::inline v0::base

#endif
