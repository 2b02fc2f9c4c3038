// SPDX-License-Identifier: MIT
// The number that stands before a field's `=`, also where it is none that FIX has: for who must
// name a faulty field, of which the index keeps no number.
#pragma once

#include "affix/wire/view.hpp"

#include <cstdint>
#include <optional>

namespace affix::inline v0::wire {

/// The tag of the field at `position` as it is written: 0, negative and above tag_max too. Nothing
/// when no number stands there, or none that 64 bits hold, or there is no `=`. O(1) for a field
/// without fault.
[[nodiscard]] std::optional<std::int64_t> written_tag(const MessageView& message,
                                                      std::uint32_t position) noexcept;

}  // namespace affix::inline v0::wire
