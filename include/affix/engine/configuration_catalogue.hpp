// SPDX-License-Identifier: MIT
// What there is to configure: every key with its groups, default, values and meaning, from the
// tables that files are read by.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::engine {

/// What a group of a configuration file is.
enum class GroupKind : std::uint8_t { Engine, Client, Server, Session, Application, Route };

/// "engine", "client": the words of the key `type`.
[[nodiscard]] std::string_view to_text(GroupKind kind) noexcept;

/// One key. Views live as long as the program.
struct KeyDescription {
  std::string_view section;          ///< Heading of the table it stands in.
  std::span<const GroupKind> kinds;  ///< Groups that have it.
  std::string_view name;
  std::string standard;    ///< Its value when a file does not say it; empty for texts without one.
  std::string allowed;     ///< "true, false", "1 to 3600", "text", "file:PATH, env:NAME".
  std::string_view units;  ///< That its number may be given in; empty: none.
  std::string_view meaning;  ///< A sentence without its full stop, Markdown in it.
  bool secret = false;       ///< Its value is never shown.
};

/// Every key, table by table. Allocates.
[[nodiscard]] std::vector<KeyDescription> describe_keys();

/// Whether the value of this key is never shown.
[[nodiscard]] bool is_secret_key(std::string_view key) noexcept;

/// The key that `name` is most likely a slip of; empty when none is near.
[[nodiscard]] std::string_view nearest_key(std::string_view name);

/// The keys, commas between, that a key of llfix's files becomes; empty: it is none that becomes
/// others.
[[nodiscard]] std::string_view keys_in_place_of(std::string_view foreign) noexcept;

}  // namespace affix::inline v0::engine
