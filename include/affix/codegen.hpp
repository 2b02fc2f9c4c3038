// SPDX-License-Identifier: MIT
// Includes the whole code generator.
#pragma once

#include "affix/codegen/generate.hpp"        // IWYU pragma: export
#include "affix/codegen/generated_file.hpp"  // IWYU pragma: export
#include "affix/codegen/naming.hpp"          // IWYU pragma: export
#include "affix/codegen/output.hpp"          // IWYU pragma: export
