// SPDX-License-Identifier: MIT
// How a serving process begins while another one serves the same configuration.
#pragma once

#include <cstdint>

namespace affix::inline v0::service {

/// The last two need key `keeper` with the socket of affix-keep.
enum class Start : std::uint8_t {
  Now,      ///< It refuses to start.
  StandBy,  ///< Waits until that one has ended, whatever its end, and goes on with its connections.
  TakeOver,  ///< The same, and asks it to hand over now.
};

}  // namespace affix::inline v0::service
