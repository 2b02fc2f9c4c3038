// SPDX-License-Identifier: MIT
// Parses a QuickFIX settings file into its sections and settings, each with its line. Does not
// interpret the settings.
#pragma once

#include "affix/base/message_code.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::import_quickfix {

struct Setting {
  std::string name;
  std::string value;
  std::size_t line = 0;
};

/// [DEFAULT] or a [SESSION].
struct Section {
  std::size_t line = 0;
  std::vector<Setting> settings;

  /// Case-insensitive; null if missing.
  [[nodiscard]] const Setting* find(std::string_view name) const;
};

/// A message about a line.
struct LineText {
  std::size_t line = 0;
  std::string text;
  base::MessageCode code = {};
};

struct SettingsText {
  Section defaults;
  std::vector<Section> sessions;
  std::vector<LineText> problems;  ///< Faults that prevent parsing.
  std::vector<LineText> warnings;  ///< Lines that QuickFIX ignores silently.
};

inline constexpr std::size_t settings_bytes_max = std::size_t{16} << 20;

/// If a setting is given twice in a section the last one counts, as with QuickFIX. Problems and
/// warnings contain no value, as it may be a secret.
[[nodiscard]] SettingsText read_settings(std::string_view text);

}  // namespace affix::inline v0::tools::import_quickfix
