// SPDX-License-Identifier: MIT
// Includes the whole admin layer, and the readers of an engine's counters.
#pragma once

#include "affix/admin/answer.hpp"
#include "affix/admin/command.hpp"
#include "affix/admin/program.hpp"
#include "affix/admin/request.hpp"
#include "affix/admin/server.hpp"
#include "affix/admin/server_options.hpp"
#include "affix/admin/tokens.hpp"
#include "affix/counters/counter_reader.hpp"
#include "affix/counters/latency_reader.hpp"
