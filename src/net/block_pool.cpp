// SPDX-License-Identifier: MIT
// One anonymous mapping, cut into blocks.
#include "net/block_pool.hpp"

#include "affix/base/assert.hpp"

#include "os/page_advice.hpp"

#include <cerrno>
#include <limits>

namespace affix::inline v0::net {

namespace {

// Below this size, a warm block is worth more than its memory.
constexpr std::size_t keep_bytes_max = 64 * 1024;

}  // namespace

BlockPool::~BlockPool() {
  if (base_ != nullptr) {
    os::unmap_pages(base_, total_bytes_);
  }
}

std::expected<void, base::Error> BlockPool::open(std::uint32_t count, std::size_t block_bytes,
                                                 const char* name, os::Pages pages) {
  AFFIX_ASSERT(base_ == nullptr && count > 0 && block_bytes > 0);
  pages_ = pages;
  stride_ = os::whole_pages(block_bytes);
  if (stride_ == 0 || stride_ > std::numeric_limits<std::size_t>::max() / count) {
    return std::unexpected(
        base::Error{base::ErrorCode::NoSpace, "more than the address space holds", name, "E116"});
  }
  total_bytes_ = os::whole_pages(stride_ * count, pages);
  if (total_bytes_ == 0) {
    return std::unexpected(
        base::Error{base::ErrorCode::NoSpace, "more than the address space holds", name, "E116"});
  }
  // Small ones unless configured: a huge page would make 2 MiB resident for a tail of a hundred
  // bytes.
  base_ = static_cast<char*>(os::map_pages(total_bytes_, pages));
  if (base_ == nullptr) {
    base::Error error = base::make_system_error("mmap", errno, name);
    error.code = base::ErrorCode::NoSpace;
    return std::unexpected(std::move(error));
  }
  free_.reserve(count);
  for (std::uint32_t index = count; index > 0; --index) {
    free_.push_back(index - 1);
  }
  return {};
}

char* BlockPool::lend() noexcept {
  AFFIX_ASSERT(!free_.empty());
  const std::uint32_t index = free_.back();
  free_.pop_back();
  return base_ + index * stride_;
}

void BlockPool::give_back(char* block, std::size_t touched_bytes) noexcept {
  const auto offset = static_cast<std::size_t>(block - base_);
  AFFIX_ASSERT(offset % stride_ == 0 && offset < total_bytes_ && free_.size() < free_.capacity());
  if (touched_bytes > keep_bytes_max && pages_ == os::Pages::Small) {
    os::empty_pages(block, stride_);
  }
  free_.push_back(static_cast<std::uint32_t>(offset / stride_));
}

}  // namespace affix::inline v0::net
