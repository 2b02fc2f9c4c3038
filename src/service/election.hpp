// SPDX-License-Identifier: MIT
// Opens the store in which the nodes of a cluster elect primaries, as the configuration names it.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/failover_settings.hpp"
#include "affix/engine/failover_means.hpp"

#include <expected>

namespace affix::inline v0::service {

/// Nothing for a program that is no node, and for a store that the engine opens itself. Does not
/// wait for the store: one that cannot be reached answers later. Errors: a password or a file of
/// TLS that cannot be read.
[[nodiscard]] std::expected<engine::FailoverMeans, base::Error> failover_means_of(
    const config::NodeSettings& settings);

}  // namespace affix::inline v0::service
