// SPDX-License-Identifier: MIT
// The rare part of a writer: refusals.
#include "affix/messages/writer.hpp"

namespace affix::inline v0::messages::detail {

std::uint32_t first_missing(std::span<const Required> required, std::uint32_t place) noexcept {
  for (const Required& field : required) {
    if (field.place > place) {
      return field.tag;
    }
  }
  return 0;
}

}  // namespace affix::inline v0::messages::detail
