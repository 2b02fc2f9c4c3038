// SPDX-License-Identifier: MIT
// Receive buffers that an io_uring chooses from, and the order of those that wait.
#pragma once

#include "affix/base/error.hpp"

#include "net/block_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <liburing.h>
#include <vector>

namespace affix::inline v0::net {

/// Buffers of one size, `stock` of them with the kernel unless too many are in use. Each has space
/// before it, for a tail of up to `head_room` bytes before the received ones, and padding after it.
/// One thread.
class UringBuffers {
 public:
  static constexpr std::uint32_t head_room = 4096;
  static constexpr std::uint16_t none = 0xffff;
  static constexpr int group = 0;

  /// Part of a buffer that is not delivered yet.
  struct Rest {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    std::uint16_t next = none;     ///< Next buffer of the same connection.
    std::int64_t received_ns = 0;  ///< Arrival time; 0: not reported.
  };

  UringBuffers() noexcept = default;
  UringBuffers(const UringBuffers&) = delete;
  UringBuffers& operator=(const UringBuffers&) = delete;
  ~UringBuffers();

  /// Reserves `count` buffers and gives the kernel `stock` of them, a power of two. The others use
  /// no memory before they are first needed. `ring` outlives this object; call once.
  [[nodiscard]] std::expected<void, base::Error> open(io_uring& ring, std::uint32_t stock,
                                                      std::uint32_t count, std::uint32_t bytes,
                                                      os::Pages pages);

  /// Start of the received bytes.
  [[nodiscard]] char* bytes(std::uint16_t buffer) noexcept {
    return first_ + stride_ * buffer + head_room;
  }

  [[nodiscard]] Rest& rest(std::uint16_t buffer) noexcept { return rests_[buffer]; }

  /// Records that the kernel has filled a buffer.
  void note_taken() noexcept { --with_kernel_; }

  /// The kernel has no buffer: a receive that begins now ends at once.
  [[nodiscard]] bool used_up() const noexcept { return with_kernel_ == 0; }

  /// Returns the buffer to the kernel, or to the others if that has its stock.
  void give_back(std::uint16_t buffer) noexcept;

  /// Gives the kernel another buffer, if there is one, in place of one that stays in use.
  void replace_one() noexcept;

 private:
  void add(std::uint16_t buffer) noexcept;

  BlockPool pool_;
  char* first_ = nullptr;
  std::size_t stride_ = 0;
  std::uint32_t bytes_ = 0;
  std::uint32_t stock_ = 0;
  std::uint32_t with_kernel_ = 0;
  std::vector<std::uint16_t> others_;    // Neither with the kernel nor in use; the last is warm.
  io_uring_buf_ring* shared_ = nullptr;  // Shared with the kernel.
  std::size_t shared_bytes_ = 0;
  std::vector<Rest> rests_;
};

}  // namespace affix::inline v0::net
