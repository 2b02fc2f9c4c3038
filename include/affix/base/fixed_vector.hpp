// SPDX-License-Identifier: MIT
// A vector of at most `Capacity` elements in place: never allocates, refuses excess elements.
#pragma once

#include "affix/base/assert.hpp"

#include <array>
#include <cstddef>
#include <type_traits>

namespace affix::inline v0::base {

/// Requires trivially copyable elements, so that the vector is a value too.
template <typename T, std::size_t Capacity>
  requires std::is_trivially_copyable_v<T>
class FixedVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  /// False: full, unchanged.
  [[nodiscard]] constexpr bool push_back(const T& value) noexcept {
    if (size_ == Capacity) {
      return false;
    }
    elements_[size_++] = value;
    return true;
  }

  constexpr void clear() noexcept { size_ = 0; }

  constexpr void pop_back() noexcept {
    AFFIX_DEBUG_ASSERT(size_ > 0);
    --size_;
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  [[nodiscard]] constexpr bool full() const noexcept { return size_ == Capacity; }

  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return Capacity; }

  [[nodiscard]] constexpr T& operator[](std::size_t index) noexcept {
    AFFIX_DEBUG_ASSERT(index < size_);
    return elements_[index];
  }

  [[nodiscard]] constexpr const T& operator[](std::size_t index) const noexcept {
    AFFIX_DEBUG_ASSERT(index < size_);
    return elements_[index];
  }

  [[nodiscard]] constexpr T& back() noexcept { return (*this)[size_ - 1]; }

  [[nodiscard]] constexpr const T& back() const noexcept { return (*this)[size_ - 1]; }

  [[nodiscard]] constexpr iterator begin() noexcept { return elements_.data(); }

  [[nodiscard]] constexpr iterator end() noexcept { return elements_.data() + size_; }

  [[nodiscard]] constexpr const_iterator begin() const noexcept { return elements_.data(); }

  [[nodiscard]] constexpr const_iterator end() const noexcept { return elements_.data() + size_; }

 private:
  std::array<T, Capacity> elements_{};
  std::size_t size_ = 0;
};

}  // namespace affix::inline v0::base
