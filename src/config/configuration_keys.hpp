// SPDX-License-Identifier: MIT
// The tables of configuration keys, one row a key.
#pragma once

#include "affix/config/configuration.hpp"

#include "config/measured_number.hpp"

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
  Switches,         ///< Logs the session out, or lets it log on; no other key is read anew.
  WithOthers,       ///< By itself nothing: it stands for a set of other keys, which are compared.
};

/// Condition on the file that a text names. A configuration that is read from a file must meet it.
enum class FileNeed : std::uint8_t {
  None,              ///< The text names no file, or the file is checked where it is read.
  Readable,          ///< A readable file.
  ReadableOrSystem,  ///< The same, or the word SYSTEM.
  Regular,           ///< The same, but no pipe: it is read at the start and for later sessions.
  RegularList,       ///< A comma-separated list of them.
  SecretPlace,       ///< `file:PATH`; other places are checked when they are used.
  Directory,         ///< An existing directory.
  DirectoryToMake,   ///< A directory, or nothing yet.
  Creatable,         ///< A file that we write: it exists, or its directory does.
  Program,           ///< A regular file that this user may execute.
};

/// A feature that other keys switch on. While it is off, its keys have no effect, and the files
/// that they name are not checked: opening the engine ignores them as well.
enum class Feature : std::uint8_t {
  Always,              ///< No feature: the key counts in every configuration.
  Encryption,          ///< TLS of a client or server group (`tls`).
  StoredJournal,       ///< A journal on the disk (`durability`).
  AdministrationPort,  ///< The port for operators (`management_server_port`).
  Failover,            ///< This engine is a node of a cluster (`node`).
};

/// Access to a member whose type is an enumeration, by the place of its value's word in
/// ConfigurationKey::allowed.
template <typename Group>
struct ChoiceAccess {
  /// Place of the member's value; `words` for a value that has no word.
  std::size_t (*place)(const Group& group) noexcept;
  void (*choose)(Group& group, std::size_t place) noexcept;
  /// Gives the member a value without a word, as a program may by a cast; for tests.
  void (*spoil)(Group& group) noexcept;
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
      .spoil =
          [](Settings& group) noexcept {
            // Beyond the values of every enumeration here, which have less than ten.
            constexpr int no_value = 0x7f;
            using Value = std::remove_reference_t<decltype(group.*Member)>;
            group.*Member = static_cast<Value>(no_value);
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
  Measure measure = Measure::Count;
  FileNeed file = FileNeed::None;
  Feature feature = Feature::Always;

  /// Range of a number.
  [[nodiscard]] constexpr ConfigurationKey between(std::int64_t least, std::int64_t most) const {
    ConfigurationKey key = *this;
    key.minimum = least;
    key.maximum = most;
    return key;
  }

  /// Quantity that a number counts, which decides the units that a file may write.
  [[nodiscard]] constexpr ConfigurationKey in(Measure quantity) const {
    ConfigurationKey key = *this;
    key.measure = quantity;
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

  /// For a text that is the path of a file or directory.
  [[nodiscard]] constexpr ConfigurationKey names(FileNeed need) const {
    ConfigurationKey key = *this;
    key.file = need;
    return key;
  }

  [[nodiscard]] constexpr ConfigurationKey part_of(Feature whole) const {
    ConfigurationKey key = *this;
    key.feature = whole;
    return key;
  }
};

[[nodiscard]] std::span<const ConfigurationKey<EngineSettings>> engine_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ManagementSettings>> management_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<NodeSettings>> node_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<InstanceSettings>> instance_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<EncryptionSettings>> encryption_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ClientSettings>> client_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ServerSettings>> server_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<SessionSettings>> session_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<ApplicationSettings>> application_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<RouteSettings>> route_keys() noexcept;
[[nodiscard]] std::span<const ConfigurationKey<FailoverSettings>> failover_keys() noexcept;

/// A key of other engines' files that has no effect here. Any value except the one that means "off"
/// causes a warning that names the replacement, so that no setting is ignored silently.
struct AbsentKey {
  std::string_view name;
  std::string_view off_value;
  std::string_view instead;  ///< Text of the warning.
};

[[nodiscard]] std::span<const AbsentKey> absent_keys() noexcept;

}  // namespace affix::inline v0::config
