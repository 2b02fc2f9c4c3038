// SPDX-License-Identifier: MIT
// A worker's account of its waits, as every program's JSON has it.
#pragma once

#include "affix/admin/counter_reader.hpp"

#include <nlohmann/json_fwd.hpp>

namespace affix::inline v0::tools {

/// An object with one for each cause, by its name: count, time, longest, recent. Nanoseconds.
[[nodiscard]] nlohmann::ordered_json waits_json(const admin::WorkerReading& worker);

}  // namespace affix::inline v0::tools
