// SPDX-License-Identifier: MIT
// Loads a configuration and checks everything that can be checked without starting an engine: the
// contents of the files that it names, and contradictory keys.
#pragma once

#include "affix/config/configuration.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// A configuration in which load_checked_configuration() found no problem.
struct CheckedConfiguration {
  config::Configuration configuration;  ///< As load_configuration() returns it, warnings included.
  /// Oddities of the files that it names, one sentence each; Engine::open() reports the same when
  /// it reads them.
  config::Problems file_warnings;
};

/// Problems that the calling program finds beyond the engine's own checks; the loader adds the
/// place of each finding's group and key in the file.
using FurtherCheck = std::vector<config::Finding> (*)(const config::Configuration& configuration);

/// Calls load_configuration(), then reads the dictionary and TLS files of sessions and groups, once
/// each, and queries the system for network interfaces, journal directories and the codec's kernel.
/// Returns all problems of keys and files at once; skips the files of a group with invalid keys.
/// Calls `further` (may be null) if no key is invalid. Opens no port, journal or log. Blocks on the
/// disk; the dictionaries dominate the time, about 50 ms for a large one.
[[nodiscard]] std::expected<CheckedConfiguration, config::Problems> load_checked_configuration(
    const std::string& path, FurtherCheck further = nullptr);

}  // namespace affix::inline v0::engine
