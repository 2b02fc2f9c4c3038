// SPDX-License-Identifier: MIT
// Everything of the engine layer, and what prints values.
#pragma once

#include "affix/engine/application.hpp"
#include "affix/engine/configuration.hpp"
#include "affix/engine/counters.hpp"
#include "affix/engine/engine.hpp"
#include "affix/engine/session_controls.hpp"
#include "affix/engine/session_handle.hpp"
#include "affix/engine/session_hours.hpp"
#include "affix/engine/session_standing.hpp"
#include "affix/wire/value_text.hpp"
