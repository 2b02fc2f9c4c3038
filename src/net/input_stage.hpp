// SPDX-License-Identifier: MIT
// The layout of the receive buffer that all connections of a reactor share.
#pragma once

#include <cstdint>

namespace affix::inline v0::net {

// Bytes before the place a read goes to. A tail of up to this size is put there, so that what
// follows it is read behind it and still into the shared, warm buffer. A longer tail stays in its
// own block and the read goes there: a peer that dribbles a large message must not have it copied
// for every byte.
//
//   stage                     stage + stage_head_room
//   |      unused     | tail  | bytes just read      | padding |
//                     ^ given to the handler from here
inline constexpr std::uint32_t stage_head_room = 4096;

}  // namespace affix::inline v0::net
