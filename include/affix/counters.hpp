// SPDX-License-Identifier: MIT
// Includes the whole counters layer.
#pragma once

#include "affix/counters/counter_reader.hpp"
#include "affix/counters/counters.hpp"
#include "affix/counters/failover_counters.hpp"
#include "affix/counters/latency_reader.hpp"
#include "affix/counters/latency_records.hpp"
#include "affix/session/standing.hpp"
