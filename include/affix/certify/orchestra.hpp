// SPDX-License-Identifier: MIT
// Makes scenarios of the workflow in a FIX Orchestra file: of each message and each answer to it
// that the file describes. docs/reference/certify.md describes which.
#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::certify {

/// States of the receiver, and names, for the scenarios of a file.
struct OrchestraOptions {
  /// Values of states that conditions write "$Market.Phase", by their names without the dollar
  /// sign. A state whose value is empty does not exist.
  std::map<std::string, std::string, std::less<>> states{};
  std::string dictionaries{};  ///< Directory of FIX44.xml and so on, for the names of fields.
  std::string file{};          ///< Name in problems, and in the first line.
};

/// The scenarios of a file.
struct OrchestraScenarios {
  std::string text{};                 ///< A file of scenarios.
  std::size_t count = 0;              ///< Of scenarios in it.
  std::vector<std::string> unmade{};  ///< Answers without a scenario: a line with the reason each.
};

/// Reads the XML within dictionary::LoadLimits. The error is a text of lines: problems of the file,
/// and conditions that cannot be read. A file without workflow gives no scenario.
[[nodiscard]] std::expected<OrchestraScenarios, std::string> scenarios_of_orchestra(
    std::string_view xml, const OrchestraOptions& options);

/// The same of the file of that name.
[[nodiscard]] std::expected<OrchestraScenarios, std::string> scenarios_of_orchestra_file(
    const std::string& path, const OrchestraOptions& options);

}  // namespace affix::inline v0::certify
