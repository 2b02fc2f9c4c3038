// SPDX-License-Identifier: MIT
// Option of every command for its configuration file: a positional argument, or --config.
#pragma once

#include "program/options.hpp"

#include <string>

namespace affix::inline v0::tools {

/// `path` outlives the parsing.
inline Option add_configuration_option(Command command, std::string& path,
                                       const std::string& description) {
  return command.add_option("configuration,--config", path, description).required();
}

}  // namespace affix::inline v0::tools
