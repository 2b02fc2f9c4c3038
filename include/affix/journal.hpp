// SPDX-License-Identifier: MIT
// The whole journal layer in one include.
#pragma once

#include "affix/journal/bus_error.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/mapping_guard.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/reader.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/repair.hpp"
#include "affix/journal/replay.hpp"
#include "affix/journal/segment_scan.hpp"
#include "affix/journal/verify.hpp"
