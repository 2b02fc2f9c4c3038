// SPDX-License-Identifier: MIT
// Shows where an engine's newest messages spent their time, from its latency file: for people, or
// as JSON.
#pragma once

#include "affix/counters/latency_reader.hpp"

#include <cstddef>
#include <string>

namespace affix::inline v0::tools::log {

/// A table of the parts of the path, and the `worst` messages with the longest path.
[[nodiscard]] std::string latency_text(const counters::LatencyReading& reading, std::size_t worst);

/// The same as one JSON object. All times in nanoseconds.
[[nodiscard]] std::string latency_json(const counters::LatencyReading& reading, std::size_t worst);

/// The parts and the worst message in one line; empty: nothing is recorded.
[[nodiscard]] std::string latency_line(const counters::LatencyReading& reading);

}  // namespace affix::inline v0::tools::log
