// SPDX-License-Identifier: MIT
// Includes the base of generated messages. Generated headers include what they need themselves.
#pragma once

#include "affix/messages/code.hpp"          // IWYU pragma: export
#include "affix/messages/dispatch.hpp"      // IWYU pragma: export
#include "affix/messages/reader.hpp"        // IWYU pragma: export
#include "affix/messages/strong_types.hpp"  // IWYU pragma: export
#include "affix/messages/writer.hpp"        // IWYU pragma: export
