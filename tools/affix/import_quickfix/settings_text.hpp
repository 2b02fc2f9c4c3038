// SPDX-License-Identifier: MIT
// A QuickFIX settings file as it stands: its sections and their settings, each with its line.
// Knows the form only; what the settings mean is others' business.
#pragma once

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

  /// Whatever the case of its letters; null when it is not there.
  [[nodiscard]] const Setting* find(std::string_view name) const;
};

/// Something about a line.
struct LineText {
  std::size_t line = 0;
  std::string text;
};

struct SettingsText {
  Section defaults;
  std::vector<Section> sessions;
  std::vector<LineText> problems;  ///< What keeps the file from being understood.
  std::vector<LineText> warnings;  ///< What QuickFIX passes over in silence.
};

inline constexpr std::size_t settings_bytes_max = std::size_t{16} << 20;

/// Of a setting that is given twice in a section the last one counts, as with QuickFIX. No value is
/// in a problem or a warning, as it may be a secret.
[[nodiscard]] SettingsText read_settings(std::string_view text);

}  // namespace affix::inline v0::tools::import_quickfix
