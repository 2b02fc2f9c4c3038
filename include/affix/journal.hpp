// SPDX-License-Identifier: MIT
// Includes the whole journal layer.
#pragma once

#include "affix/journal/copying.hpp"
#include "affix/journal/disk.hpp"
#include "affix/journal/journal.hpp"
#include "affix/journal/options.hpp"
#include "affix/journal/page_costs.hpp"
#include "affix/journal/reader.hpp"
#include "affix/journal/record.hpp"
#include "affix/journal/repair.hpp"
#include "affix/journal/replay.hpp"
#include "affix/journal/segment_scan.hpp"
#include "affix/journal/tap.hpp"
#include "affix/journal/verify.hpp"
#include "affix/os/bus_error.hpp"
