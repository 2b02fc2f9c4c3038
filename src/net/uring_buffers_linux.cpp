// SPDX-License-Identifier: MIT
// Registers receive buffers, and returns them one by one.
#include "affix/base/bytes.hpp"

#include "net/uring_buffers.hpp"

#include <cerrno>
#include <sys/mman.h>

namespace affix::inline v0::net {

UringBuffers::~UringBuffers() {
  if (shared_ != nullptr) {
    static_cast<void>(::munmap(shared_, shared_bytes_));
  }
}

std::expected<void, base::Error> UringBuffers::open(io_uring& ring, std::uint32_t stock,
                                                    std::uint32_t count, std::uint32_t bytes,
                                                    os::Pages pages) {
  stride_ = head_room + std::size_t{bytes} + base::PaddedBytes::padding;
  bytes_ = bytes;
  stock_ = stock;
  if (auto opened = pool_.open(1, stride_ * count, "receive buffers", pages); !opened) {
    return opened;
  }
  first_ = pool_.lend();
  rests_.resize(count);
  shared_bytes_ = stock * sizeof(io_uring_buf);
  void* const shared =
      ::mmap(nullptr, shared_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    return std::unexpected(base::make_system_error("mmap", errno, "receive buffers"));
  }
  shared_ = static_cast<io_uring_buf_ring*>(shared);
  io_uring_buf_reg registration{};
  registration.ring_addr = reinterpret_cast<std::uintptr_t>(shared_);
  registration.ring_entries = stock;
  registration.bgid = group;
  if (const int result = ::io_uring_register_buf_ring(&ring, &registration, 0); result < 0) {
    return std::unexpected(
        base::make_system_error("io_uring_register_buf_ring", -result, "receive buffers"));
  }
  ::io_uring_buf_ring_init(shared_);
  for (std::uint32_t buffer = 0; buffer < stock; ++buffer) {
    add(static_cast<std::uint16_t>(buffer));
  }
  others_.reserve(count);
  for (std::uint32_t buffer = count; buffer > stock; --buffer) {
    others_.push_back(static_cast<std::uint16_t>(buffer - 1));
  }
  return {};
}

void UringBuffers::add(std::uint16_t buffer) noexcept {
  ::io_uring_buf_ring_add(shared_, bytes(buffer), bytes_, buffer, ::io_uring_buf_ring_mask(stock_),
                          0);
  ::io_uring_buf_ring_advance(shared_, 1);
  ++with_kernel_;
}

void UringBuffers::give_back(std::uint16_t buffer) noexcept {
  rests_[buffer] = Rest{};
  if (with_kernel_ == stock_) [[unlikely]] {
    others_.push_back(buffer);
    return;
  }
  add(buffer);
}

void UringBuffers::replace_one() noexcept {
  if (with_kernel_ != stock_ && !others_.empty()) {
    add(others_.back());
    others_.pop_back();
  }
}

}  // namespace affix::inline v0::net
