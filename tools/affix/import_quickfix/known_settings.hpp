// SPDX-License-Identifier: MIT
// Every setting that QuickFIX, QuickFIX/J, QuickFIX/n and QuickFIX/Go document, and what becomes of
// it. The importer's reports and docs/reference/import-quickfix.md read from this one table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::import_quickfix {

/// What becomes of a setting.
enum class Fate : std::uint8_t {
  Carried,  ///< Our keys say the same.
  Differs,  ///< Our keys say something that differs in a way that is told.
  Left,     ///< Nothing of ours says it; the reason is told unless it is set to what we do anyway.
};

struct KnownSetting {
  std::string_view name;      ///< `<n>` is a number, `.<v>` a FIX version.
  std::string_view families;  ///< C++, J, n (for .NET), Go; blanks between.
  Fate fate = Fate::Left;
  std::string_view keys;      ///< What it becomes; empty for Fate::Left.
  std::string_view note;      ///< The difference, or the reason.
  std::string_view harmless;  ///< Fate::Left: the value that loses nothing; empty: there is none.
};

/// In the order of the documentation. Static.
[[nodiscard]] std::span<const KnownSetting> known_settings() noexcept;

/// Whatever the case of its letters; null for a setting that no QuickFIX has.
[[nodiscard]] const KnownSetting* find_known(std::string_view name);

/// Whether the value is never to be printed.
[[nodiscard]] bool is_secret(std::string_view name);

/// The whole table as Markdown.
[[nodiscard]] std::string known_settings_text();

}  // namespace affix::inline v0::tools::import_quickfix
