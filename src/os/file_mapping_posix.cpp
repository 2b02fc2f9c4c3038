// SPDX-License-Identifier: MIT
// Adds a mapping to the handler's table, and removes it.
#include "affix/os/file_mapping.hpp"

#include "os/mappings.hpp"
#include "os/page_advice.hpp"

#include <sys/mman.h>

namespace affix::inline v0::os {

FileMapping::FileMapping(void* at, std::size_t bytes) {
  if (at != MAP_FAILED) {
    at_ = static_cast<std::byte*>(at);
    bytes_ = bytes;
    lost_ = std::make_unique<std::atomic<bool>>(false);
    enter_mapping(reinterpret_cast<const char*>(at_), bytes, lost_.get());
  }
}

FileMapping FileMapping::of_reader(int file, std::size_t bytes) {
  return {::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0), bytes};
}

FileMapping& FileMapping::operator=(FileMapping&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(bytes_, other.bytes_);
  std::swap(lost_, other.lost_);
  return *this;
}

FileMapping::~FileMapping() {
  if (at_ != nullptr) {
    // Before another file can be mapped at that address.
    leave_mapping(reinterpret_cast<const char*>(at_));
    // It may begin within a page, the rest of which was mapped for it.
    const std::size_t before = reinterpret_cast<std::uintptr_t>(at_) % page_bytes();
    static_cast<void>(::munmap(at_ - before, before + bytes_));
  }
}

}  // namespace affix::inline v0::os
