// SPDX-License-Identifier: MIT
// Every setting documented by QuickFIX, QuickFIX/J, QuickFIX/n and QuickFIX/Go, and its conversion.
// The importer's reports and docs/reference/import-quickfix.md are made from this table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::import_quickfix {

/// Conversion of a setting.
enum class Fate : std::uint8_t {
  Carried,  ///< Our keys have the same meaning.
  Differs,  ///< Our keys differ, which is reported.
  Left,     ///< We have no such key; the reason is reported unless the value equals our behaviour.
};

struct KnownSetting {
  std::string_view name;      ///< `<n>` is a number, `.<v>` a FIX version.
  std::string_view families;  ///< C++, J, n (for .NET), Go; separated by spaces.
  Fate fate = Fate::Left;
  std::string_view keys;      ///< Resulting keys; empty for Fate::Left.
  std::string_view note;      ///< The difference, or the reason.
  std::string_view harmless;  ///< Fate::Left: the value whose loss has no effect; empty: there is
                              ///< none.
};

/// In the order of the documentation. Static.
[[nodiscard]] std::span<const KnownSetting> known_settings() noexcept;

/// Case-insensitive; null for a setting that no QuickFIX documents.
[[nodiscard]] const KnownSetting* find_known(std::string_view name);

/// True if the value must never be printed.
[[nodiscard]] bool is_secret(std::string_view name);

/// The whole table as Markdown.
[[nodiscard]] std::string known_settings_text();

}  // namespace affix::inline v0::tools::import_quickfix
