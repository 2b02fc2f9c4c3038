// SPDX-License-Identifier: MIT
// The memory a session works in, owned by the caller and bounded: held messages, and copies of
// Logons whose secrets are overwritten. What does not fit the hold is dropped and asked for again.
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

/// Views; everything outlives the session.
struct SessionMemory {
  std::span<char> held_bytes;
  std::span<HeldMessage> held_messages;
  wire::FieldIndex* held_index =
      nullptr;  ///< Index of the released message; as large as that of received ones.
  const wire::DataFields* data_fields = &wire::DataFields::standard();
  std::span<char, logon_bytes_max> logon_received;
  std::span<char, logon_bytes_max> logon_sent;
  /// As many as `throttle_limit` of the options, at least.
  std::span<std::int64_t> throttle_times = {};
};

/// SessionMemory in place: for tests, and for whoever knows sizes at compile time.
template <std::size_t HeldBytes = 64 * 1024, std::size_t HeldMessages = 256,
          std::uint32_t MaxFields = 1024>
struct SessionMemoryOf {
  // What every session uses comes first, so that the rest stays untouched pages until it is needed.
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
