// SPDX-License-Identifier: MIT
// Includes the whole base layer.
#pragma once

#include "affix/base/assert.hpp"
#include "affix/base/bytes.hpp"
#include "affix/base/counter.hpp"
#include "affix/base/deadline_heap.hpp"
#include "affix/base/decimal.hpp"
#include "affix/base/decimal_arithmetic.hpp"
#include "affix/base/enum_set.hpp"
#include "affix/base/error.hpp"
#include "affix/base/fixed_vector.hpp"
#include "affix/base/integer.hpp"
#include "affix/base/latency_histogram.hpp"
#include "affix/base/time.hpp"
#include "affix/base/version.hpp"
