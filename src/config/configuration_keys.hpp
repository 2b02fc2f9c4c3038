// SPDX-License-Identifier: MIT
// The tables of configuration keys, one row a key.
#pragma once

#include "affix/config/configuration.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace affix::inline v0::config {

/// Ranges that keys of several groups have.
inline constexpr std::int64_t int31_max = 2'147'483'647;
inline constexpr std::int64_t buffer_max = std::int64_t{1} << 30;

/// How a reload carries out a change of a key.
enum class KeyReload : std::uint8_t {
  Refused,          ///< Not while the engine runs.
  ByProgram,        ///< The program that runs the engine may; the engine has no part in it.
  RestartsSession,  ///< The session logs out and on again.
  InPlace,          ///< At once, or for the next connection; no connection ends.
};

/// Access to a member whose type is an enumeration, by the place of its value's word in
/// ConfigurationKey::allowed.
template <typename Group>
struct ChoiceAccess {
  /// Place of the member's value; `words` for a value that has no word.
  std::size_t (*place)(const Group& group) noexcept;
  void (*choose)(Group& group, std::size_t place) noexcept;
  std::size_t words;
};

namespace detail {

template <typename Member>
struct MemberOf;

template <typename Value, typename Class>
struct MemberOf<Value Class::*> {
  using Group = Class;
};

}  // namespace detail

/// Access to `Member`, whose `Values` are in the order of their words.
template <auto Member, auto... Values>
[[nodiscard]] constexpr auto choice_of() noexcept {
  using Settings = typename detail::MemberOf<decltype(Member)>::Group;
  return ChoiceAccess<Settings>{
      .place =
          [](const Settings& group) noexcept {
            constexpr std::array values{Values...};
            return static_cast<std::size_t>(std::ranges::find(values, group.*Member) -
                                            values.begin());
          },
      .choose =
          [](Settings& group, std::size_t place) noexcept {
            constexpr std::array values{Values...};
            group.*Member = values[place];
          },
      .words = sizeof...(Values)};
}

/// One key of a group type: everything that parsing, checks, `affix config`, the reference page and
/// completion need. A row names the key and its member, then its differences from a free text.
template <typename Group>
struct ConfigurationKey {
  using GroupType = Group;
  static constexpr KeyReload usual_reload = [] {
    if (std::is_base_of_v<Group, SessionSettings>) {
      return KeyReload::RestartsSession;
    }
    return std::is_base_of_v<Group, ApplicationSettings> || std::is_base_of_v<Group, RouteSettings>
               ? KeyReload::ByProgram
               : KeyReload::Refused;
  }();

  std::string_view name;
  std::variant<bool Group::*, std::int64_t Group::*, std::string Group::*, ChoiceAccess<Group>>
      member;
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  std::string_view allowed = {};  ///< The words of a choice, separated by `|`.
  std::string_view form = {};     ///< How to write a text that is not a choice; empty: any.
  std::string_view meaning = {};  ///< A sentence without its full stop, in Markdown.
  KeyReload reload = usual_reload;
  bool secret = false;  ///< Its value is never shown.

  /// Range of a number.
  [[nodiscard]] constexpr ConfigurationKey between(std::int64_t least, std::int64_t most) const {
    ConfigurationKey key = *this;
    key.minimum = least;
    key.maximum = most;
    return key;
  }

  [[nodiscard]] constexpr ConfigurationKey one_of(std::string_view words) const {
    ConfigurationKey key = *this;
    key.allowed = words;
    return key;
  }

  [[nodiscard]] constexpr ConfigurationKey written_as(std::string_view text) const {
    ConfigurationKey key = *this;
    key.form = text;
    return key;
  }

  [[nodiscard]] constexpr ConfigurationKey means(std::string_view text) const {
    ConfigurationKey key = *this;
    key.meaning = text;
    return key;
  }

  /// InPlace only for a key that is read where it is used, by the session or its worker, and of
  /// which nothing is made before.
  [[nodiscard]] constexpr ConfigurationKey reloads(KeyReload how) const {
    ConfigurationKey key = *this;
    key.reload = how;
    return key;
  }

  [[nodiscard]] constexpr ConfigurationKey kept_secret() const {
    ConfigurationKey key = *this;
    key.secret = true;
    return key;
  }
};

[[nodiscard]] std::span<const ConfigurationKey<EngineSettings>> engine_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ManagementSettings>> management_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<InstanceSettings>> instance_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<EncryptionSettings>> encryption_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ClientSettings>> client_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ServerSettings>> server_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<SessionSettings>> session_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ApplicationSettings>> application_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<RouteSettings>> route_keys() noexcept;

/// A key of other engines' files that has no effect here. Any value except the one that means "off"
/// causes a warning that names the replacement, so that no setting is ignored silently.
struct AbsentKey {
  std::string_view name;
  std::string_view off_value;
  std::string_view instead;  ///< Text of the warning.
};

[[nodiscard]] std::span<const AbsentKey> absent_keys() noexcept;

}  // namespace affix::inline v0::config
