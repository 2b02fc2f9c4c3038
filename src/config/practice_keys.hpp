// SPDX-License-Identifier: MIT
// Keys of counterparty practices.
#pragma once

#include "affix/session/practice.hpp"

#include "config/configuration_keys.hpp"

#include <span>

namespace affix::inline v0::config {

[[nodiscard]] std::span<const ConfigurationKey<session::Practice>> practice_keys() noexcept;

}  // namespace affix::inline v0::config
