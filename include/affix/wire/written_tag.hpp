// SPDX-License-Identifier: MIT
// Reads the number before a field's `=`, even if FIX does not allow it: for naming a faulty field,
// whose number the index does not store.
#pragma once

#include "affix/wire/view.hpp"

#include <cstdint>
#include <optional>

namespace affix::inline v0::wire {

/// The tag of the field at `position` as written, also 0, negative or above tag_max.
/// Nothing if it is not a number of 64 bits, or there is no `=`. O(1) for a field without
/// fault.
[[nodiscard]] std::optional<std::int64_t> written_tag(const MessageView& message,
                                                      std::uint32_t position) noexcept;

}  // namespace affix::inline v0::wire
