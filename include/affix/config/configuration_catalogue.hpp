// SPDX-License-Identifier: MIT
// Describes every configuration key with its groups, default, values and meaning, from the tables
// that the parser uses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::config {

/// The kind of a group in a configuration file.
enum class GroupKind : std::uint8_t {
  Engine,
  Client,
  Server,
  Session,
  Application,
  Route,
  Failover
};

/// "engine", "client": the words of the key `type`.
[[nodiscard]] std::string_view to_text(GroupKind kind) noexcept;

/// One key. Views live as long as the program.
struct KeyDescription {
  std::string_view section;          ///< Heading of the reference table that lists it.
  std::span<const GroupKind> kinds;  ///< Kinds of groups that have it.
  std::string_view name;
  std::string standard;      ///< Value when the file does not set it; empty for texts without one.
  std::string allowed;       ///< "true, false", "1 to 3600", "text", "file:PATH, env:NAME".
  std::string_view units;    ///< Units that its number may have; empty: none.
  std::string_view meaning;  ///< One sentence without its full stop; may contain Markdown.
  std::string_view reload;   ///< How a reload carries out a change of it: "in place, ...".
  bool secret = false;       ///< Its value is never shown.
};

/// Every key, table by table. Allocates.
[[nodiscard]] std::vector<KeyDescription> describe_keys();

/// True if the value of this key is never shown.
[[nodiscard]] bool is_secret_key(std::string_view key) noexcept;

/// The known key most similar to the misspelt `name`; empty if none is close.
[[nodiscard]] std::string_view nearest_key(std::string_view name);

/// Comma-separated affix keys that replace a key of an llfix file; empty if the key has no such
/// replacement.
[[nodiscard]] std::string_view keys_in_place_of(std::string_view foreign) noexcept;

}  // namespace affix::inline v0::config
