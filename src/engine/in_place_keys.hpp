// SPDX-License-Identifier: MIT
// Which keys of a session hold from one message to the next when they change, without its
// connection noticing.
#pragma once

#include <span>
#include <string_view>

namespace affix::inline v0::engine {

/// Names of them.
[[nodiscard]] std::span<const std::string_view> in_place_keys() noexcept;

[[nodiscard]] bool applies_in_place(std::string_view key) noexcept;

}  // namespace affix::inline v0::engine
