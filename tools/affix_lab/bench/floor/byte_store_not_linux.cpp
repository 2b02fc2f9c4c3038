// SPDX-License-Identifier: MIT
// The pages of a file are prepared as Linux does it, or not at all.
#include "bench/floor/byte_store.hpp"

#include <cerrno>

namespace affix::inline v0::tools::bench {

std::expected<std::unique_ptr<ByteStore>, base::Error> ByteStore::make(
    const std::string& directory) {
  return std::unexpected(base::make_system_error("open", ENOTSUP, directory));
}

ByteStore::~ByteStore() = default;

bool ByteStore::append(std::string_view /*bytes*/) noexcept {
  return false;
}

bool ByteStore::prepare() noexcept {
  return false;
}

}  // namespace affix::inline v0::tools::bench
