// SPDX-License-Identifier: MIT
// The whole journal layer in one include.
#pragma once

#include "affix/journal/journal.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/reader.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/replay.hpp"
