// SPDX-License-Identifier: MIT
// `affix import-quickfix`: converts a QuickFIX settings file to a configuration file.
#pragma once

#include "program/options.hpp"

namespace affix::inline v0::tools::import_quickfix {

/// Exit codes: 0 written; 1 the settings file is invalid, or needs something that a configuration
/// cannot express, and nothing is written; 2 a file cannot be read or written.
void add_command(Command program);

}  // namespace affix::inline v0::tools::import_quickfix
