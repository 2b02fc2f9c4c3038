// SPDX-License-Identifier: MIT
// The code generator in one include.
#pragma once

#include "affix/codegen/generate.hpp"  // IWYU pragma: export
#include "affix/codegen/naming.hpp"    // IWYU pragma: export
#include "affix/codegen/output.hpp"    // IWYU pragma: export
