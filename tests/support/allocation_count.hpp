// SPDX-License-Identifier: MIT
// Counts a program's allocations with `new`, in all threads. Replaces the program's operator new
// and delete, so exactly one source file of a program may include this; a second one does not link.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

// The thread sanitizer has its own operator new, and two cannot be linked.
#if defined(__SANITIZE_THREAD__)
#define AFFIX_TEST_COUNTS_NO_ALLOCATIONS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define AFFIX_TEST_COUNTS_NO_ALLOCATIONS
#endif
#endif

namespace affix::support {

#ifdef AFFIX_TEST_COUNTS_NO_ALLOCATIONS
inline constexpr bool allocations_are_counted = false;
#else
inline constexpr bool allocations_are_counted = true;
#endif

namespace detail {

inline std::atomic<std::uint64_t> allocations{0};

/// Never null: running out of memory here ends the program, which is good enough in a test.
[[maybe_unused]] inline void* counted(std::size_t size, std::size_t alignment) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, size) != 0) {
    std::abort();
  }
  return memory;
}

}  // namespace detail

/// Calls of operator new since the program began; stays 0 unless `allocations_are_counted`.
[[nodiscard]] inline std::uint64_t allocation_count() noexcept {
  return detail::allocations.load(std::memory_order_relaxed);
}

}  // namespace affix::support

#ifndef AFFIX_TEST_COUNTS_NO_ALLOCATIONS

// All forms, because the address sanitizer has its own of each and would find memory of one
// released by the other.

void* operator new(std::size_t size) {
  return affix::support::detail::counted(size, alignof(std::max_align_t));
}

void* operator new[](std::size_t size) {
  return affix::support::detail::counted(size, alignof(std::max_align_t));
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  return affix::support::detail::counted(size, static_cast<std::size_t>(alignment));
}

void* operator new[](std::size_t size, std::align_val_t alignment) {
  return affix::support::detail::counted(size, static_cast<std::size_t>(alignment));
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return affix::support::detail::counted(size, alignof(std::max_align_t));
}

void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return affix::support::detail::counted(size, alignof(std::max_align_t));
}

void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return affix::support::detail::counted(size, static_cast<std::size_t>(alignment));
}

void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return affix::support::detail::counted(size, static_cast<std::size_t>(alignment));
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete[](void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}

void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}

#endif
