// SPDX-License-Identifier: MIT
// Bounded working memory of a session, owned by the caller: held messages, and copies of Logons
// with masked secrets. Messages that do not fit into the hold are dropped and requested again.
#pragma once

#include "affix/session/hold.hpp"
#include "affix/wire/index.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace affix::inline v0::session {

/// A Logon larger than this is refused.
inline constexpr std::size_t logon_bytes_max = 4096;

/// Views; all memory must outlive the session.
struct SessionMemory {
  std::span<char> held_bytes;
  std::span<HeldMessage> held_messages;
  wire::FieldIndex* held_index =
      nullptr;  ///< Index of the released message; as large as that of received messages.
  const wire::DataFields* data_fields = &wire::DataFields::standard();
  std::span<char, logon_bytes_max> logon_received;
  std::span<char, logon_bytes_max> logon_sent;
  /// At least `throttle_limit` elements.
  std::span<std::int64_t> throttle_times = {};
};

/// SessionMemory in one object, with sizes known at compile time. Also for tests.
template <std::size_t HeldBytes = 64 * 1024, std::size_t HeldMessages = 256,
          std::uint32_t MaxFields = 1024>
struct SessionMemoryOf {
  // Members that every session uses come first, so that the pages of the others stay untouched.
  std::array<char, logon_bytes_max> logon_received;
  std::array<char, logon_bytes_max> logon_sent;
  wire::FieldIndexOf<MaxFields> held_index;
  std::array<HeldMessage, HeldMessages> held_messages;
  std::array<char, HeldBytes> held_bytes;

  [[nodiscard]] SessionMemory memory(
      const wire::DataFields& data_fields = wire::DataFields::standard()) noexcept {
    return {held_bytes, held_messages, &held_index, &data_fields, logon_received, logon_sent};
  }
};

}  // namespace affix::inline v0::session
