// SPDX-License-Identifier: MIT
// Keys of counterparty practices, and their meaning as session options.
#pragma once

#include "affix/config/practice_settings.hpp"
#include "affix/session/practice.hpp"

#include "config/configuration_keys.hpp"

#include <span>

namespace affix::inline v0::config {

[[nodiscard]] std::span<const ConfigurationKey<PracticeSettings>> practice_keys() noexcept;

[[nodiscard]] session::Practice practice_of(const PracticeSettings& settings) noexcept;

}  // namespace affix::inline v0::config
