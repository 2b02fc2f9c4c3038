// SPDX-License-Identifier: MIT
// Only Linux counts a connection's bytes.
#include "affix/net/stream_position.hpp"

namespace affix::inline v0::net {

std::expected<StreamPosition, base::Error> stream_position(int /*descriptor*/, Opened /*opened*/) {
  return std::unexpected(base::Error{base::ErrorCode::Unsupported,
                                     "positions in a stream are known on Linux only",
                                     "stream_position", "P105"});
}

}  // namespace affix::inline v0::net
