// SPDX-License-Identifier: MIT
// Views of bytes. Immutable bytes are std::string_view everywhere; PaddedBytes guarantees readable
// bytes after its end. Nothing here owns memory.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace affix::inline v0::base {

/// Bytes followed by `padding` readable bytes, which are never interpreted. Receive buffers and
/// journal mappings have this layout, so that kernels need no special case for the tail.
struct PaddedBytes {
  static constexpr std::size_t padding = 64;

  const char* data = nullptr;
  std::size_t size = 0;

  constexpr PaddedBytes() = default;

  /// Requires `bytes.data() .. bytes.data() + bytes.size() + padding` to be readable.
  constexpr explicit PaddedBytes(std::string_view bytes) noexcept
      : data(bytes.data()), size(bytes.size()) {}

  [[nodiscard]] constexpr std::string_view view() const noexcept { return {data, size}; }
};

[[nodiscard]] constexpr std::size_t size_of(std::string_view bytes) noexcept {
  return bytes.size();
}

/// Total bytes of the pieces.
[[nodiscard]] constexpr std::size_t size_of(std::span<const std::string_view> pieces) noexcept {
  std::size_t total = 0;
  for (const std::string_view piece : pieces) {
    total += piece.size();
  }
  return total;
}

inline constexpr std::size_t cache_line = 64;

}  // namespace affix::inline v0::base
