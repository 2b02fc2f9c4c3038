// SPDX-License-Identifier: MIT
// Adds a mapping to the handler's table, and removes it.
#include "affix/os/mapping_guard.hpp"

#include "os/mappings.hpp"

#include <utility>

namespace affix::inline v0::os {

MappingGuard::MappingGuard(const void* at, std::size_t bytes)
    : at_(static_cast<const char*>(at)), lost_(std::make_unique<std::atomic<bool>>(false)) {
  enter_mapping(at_, bytes, lost_.get());
}

MappingGuard::MappingGuard(MappingGuard&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), lost_(std::move(other.lost_)) {}

MappingGuard& MappingGuard::operator=(MappingGuard&& other) noexcept {
  std::swap(at_, other.at_);
  std::swap(lost_, other.lost_);
  return *this;
}

MappingGuard::~MappingGuard() {
  if (at_ != nullptr) {
    leave_mapping(at_);
  }
}

}  // namespace affix::inline v0::os
