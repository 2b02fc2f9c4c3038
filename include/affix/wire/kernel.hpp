// SPDX-License-Identifier: MIT
// Which instruction set the codec's byte loops use. Chosen at first use from what the CPU and the
// operating system offer; results never depend on it.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace affix::inline v0::wire {

enum class Kernel : std::uint8_t {
  Scalar,  ///< Always there; the specification of all others.
  Sse42,   ///< x86-64 with SSE4.2 and POPCNT.
  Avx2,    ///< AVX2, BMI1 and BMI2.
  Avx512,  ///< AVX-512 F, BW, VL, VBMI and VBMI2; not chosen with less.
  Neon,    ///< AArch64.
};

enum class KernelError : std::uint8_t {
  UnknownName,  ///< No kernel is called so.
  Unavailable,  ///< This build, CPU or operating system cannot run it.
};

/// Its name as AFFIX_KERNEL spells it.
[[nodiscard]] const char* to_text(Kernel kernel) noexcept;
[[nodiscard]] const char* to_text(KernelError error) noexcept;

/// `scalar`, `sse42`, `avx2`, `avx512`, `neon`.
[[nodiscard]] std::expected<Kernel, KernelError> kernel_of(std::string_view name) noexcept;

/// This build has it and this machine can run it.
[[nodiscard]] bool kernel_available(Kernel kernel) noexcept;

/// The kernel in use. The first use of any of them chooses: the one that the environment variable
/// AFFIX_KERNEL names, else the best available. A name there that is unknown or unavailable is told
/// on standard error and aborts: a measurement or test of the wrong kernel would be worse than
/// none.
[[nodiscard]] Kernel active_kernel() noexcept;

/// Uses `kernel` from now on, in all threads (each call of the codec is whole in one kernel).
std::expected<void, KernelError> force_kernel(Kernel kernel) noexcept;

}  // namespace affix::inline v0::wire
