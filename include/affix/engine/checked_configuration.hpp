// SPDX-License-Identifier: MIT
// A configuration that was looked into as far as that goes without starting anything: what the
// files that it names hold, and which keys contradict each other.
#pragma once

#include "affix/engine/configuration.hpp"

#include <expected>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// What load_checked_configuration() has found nothing wrong with.
struct CheckedConfiguration {
  Configuration configuration;  ///< As load_configuration() returns it, warnings included.
  /// What is odd about the files that it names, a sentence each; Engine::open() says the same when
  /// it reads them.
  std::vector<std::string> file_warnings;
};

/// What a program finds wrong beyond what the engine does. A problem's `where` is "[GROUP]" or
/// "[GROUP] key", which becomes the place in the file.
using FurtherCheck = Problems (*)(const Configuration& configuration);

/// As load_configuration() does, and reads every dictionary and TLS file that sessions and groups
/// name, each once, and asks the system for the network interfaces and the places of the journals.
/// All problems at once, of keys and of what the files hold; a group whose own keys are wrong is
/// not looked into further. `further` (may be null) is called when no key is wrong. Opens no port,
/// no journal and no log. Takes as long as the dictionaries do, some 50 ms for a large one.
[[nodiscard]] std::expected<CheckedConfiguration, Problems> load_checked_configuration(
    const std::string& path, FurtherCheck further = nullptr);

}  // namespace affix::inline v0::engine
