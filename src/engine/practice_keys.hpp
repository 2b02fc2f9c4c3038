// SPDX-License-Identifier: MIT
// Keys of the practices of counterparties, and what their words mean to a session.
#pragma once

#include "affix/engine/practice_settings.hpp"
#include "affix/session/practice.hpp"

#include "engine/configuration_keys.hpp"

#include <span>

namespace affix::inline v0::engine {

[[nodiscard]] std::span<const ConfigurationKey<PracticeSettings>> practice_keys() noexcept;

[[nodiscard]] session::Practice practice_of(const PracticeSettings& settings) noexcept;

}  // namespace affix::inline v0::engine
