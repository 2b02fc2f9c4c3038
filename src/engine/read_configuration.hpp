// SPDX-License-Identifier: MIT
// A configuration with the groups it was read from, for who wants to know where a value stands.
#pragma once

#include "affix/engine/configuration.hpp"

#include "engine/configuration_source.hpp"
#include "engine/group_kinds.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// A group as it was read, with "file:line" of itself and of each of its entries.
struct PlacedGroup {
  KnownGroup known;
  std::string place;
  std::vector<std::string> entry_places;
};

struct ReadConfiguration {
  Configuration configuration;
  std::vector<PlacedGroup> groups;  ///< In file order; defaults groups are in those that have them.
};

/// Whether the files that keys name must be there.
enum class FileCheck : std::uint8_t { Omit, Look };

/// `where` names the text in problems, and files that it includes are sought beside it.
[[nodiscard]] std::expected<ReadConfiguration, Problems> read_configuration(
    std::string_view text, const std::string& where, ConfigurationSource& source, FileCheck files);

/// The same, and what could be made of it when something is wrong: then a group with problems has
/// the standard values in place of the wrong ones.
[[nodiscard]] ReadConfiguration read_what_is_sound(std::string_view text, const std::string& where,
                                                   ConfigurationSource& source, FileCheck files,
                                                   Problems& problems);

/// A file of the system's, and looks for the files that it names.
[[nodiscard]] std::expected<ReadConfiguration, Problems> read_configuration_file(
    const std::string& path);

}  // namespace affix::inline v0::engine
