// SPDX-License-Identifier: MIT
// A configuration with the groups of its file, for callers that need the place of a value.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/configuration_source.hpp"
#include "config/group_kinds.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// A group as read, with "file:line" of itself and of each entry.
struct PlacedGroup {
  KnownGroup known;
  std::string place;
  std::vector<std::string> entry_places;
};

struct ReadConfiguration {
  Configuration configuration;
  std::vector<PlacedGroup> groups;  ///< In file order, inherited entries included.
};

/// Selects whether the files that keys name must exist.
enum class FileCheck : std::uint8_t { Omit, Look };

/// `where` names the text in problems; the files that it includes are searched in its directory.
[[nodiscard]] std::expected<ReadConfiguration, Problems> read_configuration(
    std::string_view text, const std::string& where, ConfigurationSource& source, FileCheck files);

/// Does the same, but returns the usable part when there are problems: a group with problems has
/// defaults in place of its wrong values.
[[nodiscard]] ReadConfiguration read_what_is_sound(std::string_view text, const std::string& where,
                                                   ConfigurationSource& source, FileCheck files,
                                                   Problems& problems);

/// From a system file; checks that the files it names exist.
[[nodiscard]] std::expected<ReadConfiguration, Problems> read_configuration_file(
    const std::string& path);

}  // namespace affix::inline v0::config
