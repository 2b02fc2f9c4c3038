// SPDX-License-Identifier: MIT
// Interface of a kernel, and the kernels in this build. Private to the wire layer: each
// kernel_<isa>.cpp defines its table, dispatch.cpp selects one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#if !defined(AFFIX_NO_SIMD) && defined(__x86_64__)
#define AFFIX_KERNELS_X86 1
#endif
#if !defined(AFFIX_NO_SIMD) && defined(__aarch64__)
#define AFFIX_KERNELS_ARM 1
#endif

namespace affix::inline v0::wire {

struct FieldIndex;
struct SumAndSoh;
class DataFields;

/// Contract of wire::index_message, with the same arguments, so that a call goes straight
/// through.
using IndexFunction = void (*)(std::string_view message, FieldIndex& index,
                               const DataFields& data_fields) noexcept;

/// Contract of wire::sum_and_soh.
using SumFunction = SumAndSoh (*)(const char* bytes, std::size_t size) noexcept;

/// Contract of wire::has_tags_and_values.
using ComparisonFunction = bool (*)(const FieldIndex& index, const std::uint32_t* tags) noexcept;

struct KernelTable {
  IndexFunction index;
  SumFunction sum;
  ComparisonFunction has_tags_and_values;
};

void index_scalar(std::string_view message, FieldIndex& index,
                  const DataFields& data_fields) noexcept;

bool has_tags_and_values_scalar(const FieldIndex& index, const std::uint32_t* tags) noexcept;

extern const KernelTable scalar_kernel;
#ifdef AFFIX_KERNELS_X86
extern const KernelTable sse42_kernel;
extern const KernelTable avx2_kernel;
extern const KernelTable avx512_kernel;
#endif
#ifdef AFFIX_KERNELS_ARM
extern const KernelTable neon_kernel;
#endif

/// The kernel in use, one pointer per function so that a call loads nothing but its target. They
/// begin at functions that select the kernel first. Relaxed: two threads that resolve at once store
/// the same values, and code is always there.
extern std::atomic<IndexFunction> active_index;
extern std::atomic<SumFunction> active_sum;
extern std::atomic<ComparisonFunction> active_comparison;

}  // namespace affix::inline v0::wire
