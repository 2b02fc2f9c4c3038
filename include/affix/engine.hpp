// SPDX-License-Identifier: MIT
// Includes what a program with an engine uses, and the functions that print field values.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/config/session_hours.hpp"
#include "affix/counters/counters.hpp"
#include "affix/engine/engine.hpp"
#include "affix/host/application.hpp"
#include "affix/host/session_controls.hpp"
#include "affix/host/session_handle.hpp"
#include "affix/session/standing.hpp"
#include "affix/wire/value_text.hpp"
