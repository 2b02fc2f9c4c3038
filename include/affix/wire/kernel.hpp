// SPDX-License-Identifier: MIT
// Selects the instruction set for the codec's byte loops. Chosen at first use from the features of
// the CPU and the operating system; results never depend on it.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace affix::inline v0::wire {

enum class Kernel : std::uint8_t {
  Scalar,  ///< Always available; the reference for all others.
  Sse42,   ///< x86-64 with SSE4.2 and POPCNT.
  Avx2,    ///< AVX2, BMI1 and BMI2.
  Avx512,  ///< AVX-512 F, BW, VL, VBMI and VBMI2; all are required.
  Neon,    ///< AArch64.
};

enum class KernelError : std::uint8_t {
  UnknownName,  ///< No kernel has this name.
  Unavailable,  ///< This build, CPU or operating system cannot run it.
};

/// Returns its name as used in AFFIX_KERNEL.
[[nodiscard]] const char* to_text(Kernel kernel) noexcept;
[[nodiscard]] const char* to_text(KernelError error) noexcept;

/// Parses `scalar`, `sse42`, `avx2`, `avx512`, `neon`.
[[nodiscard]] std::expected<Kernel, KernelError> kernel_of(std::string_view name) noexcept;

/// True if this build has it and this machine can run it.
[[nodiscard]] bool kernel_available(Kernel kernel) noexcept;

/// The active kernel. Its first use selects it: the one named by the environment variable
/// AFFIX_KERNEL, else the best available. If that name is unknown or unavailable, prints an
/// error to standard error and aborts, because measuring or testing the wrong kernel would
/// mislead.
[[nodiscard]] Kernel active_kernel() noexcept;

/// Uses `kernel` from now on, in all threads (each call of the codec uses one kernel).
std::expected<void, KernelError> force_kernel(Kernel kernel) noexcept;

}  // namespace affix::inline v0::wire
