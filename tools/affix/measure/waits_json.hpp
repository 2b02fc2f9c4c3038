// SPDX-License-Identifier: MIT
// A worker's account of its waits, in the form of every program's JSON.
#pragma once

#include "affix/counters/counter_reader.hpp"

#include <nlohmann/json_fwd.hpp>

namespace affix::inline v0::tools {

/// An object with one member per cause, by its name: count, time, longest, recent. Nanoseconds.
[[nodiscard]] nlohmann::ordered_json waits_json(const counters::WorkerReading& worker);

}  // namespace affix::inline v0::tools
