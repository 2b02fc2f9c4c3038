// SPDX-License-Identifier: MIT
// Selects the kernel on first use. The function pointers are the library's only mutable statics:
// constant initialised, so that nothing runs before main, and relaxed atomics, since two threads
// may resolve at once.
#include "affix/wire/checksum.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/kernel.hpp"

#include "base/x86_features.hpp"
#include "wire/kernels.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace affix::inline v0::wire {

namespace {

constexpr std::array<Kernel, 5> kernels_by_speed{Kernel::Avx512, Kernel::Avx2, Kernel::Neon,
                                                 Kernel::Sse42, Kernel::Scalar};

/// Null when this build does not have the kernel.
[[nodiscard]] const KernelTable* table_of(Kernel kernel) noexcept {
  switch (kernel) {
    case Kernel::Scalar:
      return &scalar_kernel;
#ifdef AFFIX_KERNELS_X86
    case Kernel::Sse42:
      return &sse42_kernel;
    case Kernel::Avx2:
      return &avx2_kernel;
    case Kernel::Avx512:
      return &avx512_kernel;
#endif
#ifdef AFFIX_KERNELS_ARM
    case Kernel::Neon:
      return &neon_kernel;
#endif
    default:
      return nullptr;
  }
}

[[nodiscard]] bool machine_has(Kernel kernel) noexcept {
#ifdef AFFIX_KERNELS_X86
  const base::X86Features features = base::x86_features();
  switch (kernel) {
    case Kernel::Sse42:
      return features.sse42;
    case Kernel::Avx2:
      return features.avx2;
    case Kernel::Avx512:
      return features.avx512;
    default:
      break;
  }
#endif
  return kernel == Kernel::Scalar || kernel == Kernel::Neon;
}

[[noreturn]] void refuse(const char* name, KernelError error) noexcept {
  std::fprintf(stderr, "affix: AFFIX_KERNEL=%s: %s [E109]\n", name, to_text(error));
  std::abort();
}

[[nodiscard]] Kernel choose() noexcept {
  if (const char* name = std::getenv("AFFIX_KERNEL"); name != nullptr && *name != '\0') {
    const auto kernel = kernel_of(name);
    if (!kernel) {
      refuse(name, kernel.error());
    }
    if (!kernel_available(*kernel)) {
      refuse(name, KernelError::Unavailable);
    }
    return *kernel;
  }
  for (const Kernel kernel : kernels_by_speed) {
    if (kernel_available(kernel)) {
      return kernel;
    }
  }
  return Kernel::Scalar;
}

void use(const KernelTable& table) noexcept {
  active_index.store(table.index, std::memory_order_relaxed);
  active_sum.store(table.sum, std::memory_order_relaxed);
  active_comparison.store(table.has_tags_and_values, std::memory_order_relaxed);
}

void resolve_index(std::string_view message, FieldIndex& index,
                   const DataFields& data_fields) noexcept {
  use(*table_of(choose()));
  active_index.load(std::memory_order_relaxed)(message, index, data_fields);
}

SumAndSoh resolve_sum(const char* bytes, std::size_t size) noexcept {
  use(*table_of(choose()));
  return active_sum.load(std::memory_order_relaxed)(bytes, size);
}

bool resolve_comparison(const FieldIndex& index, const std::uint32_t* tags) noexcept {
  use(*table_of(choose()));
  return active_comparison.load(std::memory_order_relaxed)(index, tags);
}

}  // namespace

constinit std::atomic<IndexFunction> active_index{&resolve_index};
constinit std::atomic<SumFunction> active_sum{&resolve_sum};
constinit std::atomic<ComparisonFunction> active_comparison{&resolve_comparison};

const char* to_text(Kernel kernel) noexcept {
  switch (kernel) {
    case Kernel::Scalar:
      return "scalar";
    case Kernel::Sse42:
      return "sse42";
    case Kernel::Avx2:
      return "avx2";
    case Kernel::Avx512:
      return "avx512";
    case Kernel::Neon:
      return "neon";
  }
  return "?";
}

const char* to_text(KernelError error) noexcept {
  switch (error) {
    case KernelError::UnknownName:
      return "no such kernel; there are scalar, sse42, avx2, avx512 and neon";
    case KernelError::Unavailable:
      return "this build or this machine cannot run that kernel";
  }
  return "?";
}

std::expected<Kernel, KernelError> kernel_of(std::string_view name) noexcept {
  for (const Kernel kernel : kernels_by_speed) {
    if (name == to_text(kernel)) {
      return kernel;
    }
  }
  return std::unexpected(KernelError::UnknownName);
}

bool kernel_available(Kernel kernel) noexcept {
  return table_of(kernel) != nullptr && machine_has(kernel);
}

Kernel active_kernel() noexcept {
  IndexFunction index = active_index.load(std::memory_order_relaxed);
  if (index == &resolve_index) {
    use(*table_of(choose()));
    index = active_index.load(std::memory_order_relaxed);
  }
  for (const Kernel kernel : kernels_by_speed) {
    if (const KernelTable* table = table_of(kernel); table != nullptr && table->index == index) {
      return kernel;
    }
  }
  return Kernel::Scalar;
}

std::expected<void, KernelError> force_kernel(Kernel kernel) noexcept {
  if (!kernel_available(kernel)) {
    return std::unexpected(KernelError::Unavailable);
  }
  use(*table_of(kernel));
  return {};
}

}  // namespace affix::inline v0::wire
