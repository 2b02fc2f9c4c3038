// SPDX-License-Identifier: MIT
// Only Linux has one descriptor for the sockets of a reactor and a timer.
#include "net/loop_descriptor.hpp"

namespace affix::inline v0::net {

std::expected<LoopDescriptor, base::Error> LoopDescriptor::open(Reactor& /*reactor*/) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "a descriptor that a loop can wait for is there on Linux only",
                                     "descriptor", "E134"});
}

void LoopDescriptor::set_due(std::int64_t /*due_ns*/, std::int64_t /*now_ns*/) noexcept {}

}  // namespace affix::inline v0::net
