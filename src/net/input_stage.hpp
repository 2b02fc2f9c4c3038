// SPDX-License-Identifier: MIT
// Layout of the receive buffer that all connections of a reactor share.
#pragma once

#include <cstdint>

namespace affix::inline v0::net {

// Bytes before the place of a read. A tail of up to this size is copied there, so that the bytes
// that follow it are read after it and still into the shared, warm buffer. A longer tail stays in
// its own block and the read goes there: a large message that arrives in small pieces must not be
// copied for every piece.
//
//   stage                     stage + stage_head_room
//   |      unused     | tail  | bytes just read      | padding |
//                     ^ given to the handler from here
inline constexpr std::uint32_t stage_head_room = 4096;

}  // namespace affix::inline v0::net
