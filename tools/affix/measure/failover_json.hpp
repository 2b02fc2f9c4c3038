// SPDX-License-Identifier: MIT
// A failover group of a node, in the form of every program's JSON.
#pragma once

#include "affix/counters/counter_reader.hpp"

#include <nlohmann/json_fwd.hpp>

namespace affix::inline v0::tools {

/// An object with the group's names, each counter by its name, and its standbys in the same form.
[[nodiscard]] nlohmann::ordered_json failover_json(const counters::FailoverReading& group);

}  // namespace affix::inline v0::tools
