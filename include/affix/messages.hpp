// SPDX-License-Identifier: MIT
// What generated messages stand on, in one include. Generated headers include what they need.
#pragma once

#include "affix/messages/code.hpp"          // IWYU pragma: export
#include "affix/messages/dispatch.hpp"      // IWYU pragma: export
#include "affix/messages/reader.hpp"        // IWYU pragma: export
#include "affix/messages/strong_types.hpp"  // IWYU pragma: export
#include "affix/messages/writer.hpp"        // IWYU pragma: export
