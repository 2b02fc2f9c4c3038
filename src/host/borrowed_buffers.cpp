// SPDX-License-Identifier: MIT
// The protocol's view of a session's memory, while it has buffers and before.
#include "host/borrowed_buffers.hpp"

#include <array>

namespace affix::inline v0::host {

session::SessionMemory BorrowedBuffers::memory_at_rest() noexcept {
  static std::array<char, session::logon_bytes_max> nowhere;
  session::SessionMemory memory{
      .held_bytes = {}, .held_messages = {}, .logon_received = nowhere, .logon_sent = nowhere};
  memory.throttle_times = throttle_times_;
  return memory;
}

session::SessionMemory BorrowedBuffers::memory(const wire::DataFields& data_fields) noexcept {
  session::SessionMemory memory = *buffers_->memory;
  memory.data_fields = &data_fields;
  memory.throttle_times = throttle_times_;
  return memory;
}

}  // namespace affix::inline v0::host
