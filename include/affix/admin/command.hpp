// SPDX-License-Identifier: MIT
// The commands of the administration port, described: one table from which requests are checked,
// and help, completion and docs/reference/admin.md are made.
#pragma once

#include "affix/admin/answer.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// What a connection may ask for.
enum class Role : std::uint8_t {
  None,     ///< To say who it is, and to leave.
  Read,     ///< To look.
  Operate,  ///< To change.
};

/// "none", "read", "operate"; static storage.
[[nodiscard]] const char* to_text(Role role) noexcept;

/// What a word of a command stands for.
enum class ArgumentKind : std::uint8_t {
  Session,   ///< A session group's name, or its instance's and then its own, or the name of an
             ///< instance that has one session.
  Instance,  ///< A client or server group's name.
  Scope,     ///< `engine`, an instance's or a session's name.
  Group,     ///< The name of any group of the configuration.
  Command,   ///< The name of a command.
  Name,      ///< A name that is not there yet.
  Number,    ///< A whole number from 0 on.
  Choice,    ///< One of `choices`.
  Text,      ///< The rest of the line.
  Settings,  ///< The rest of the line: key=value, key=value.
  Secret,    ///< A token, which no log repeats.
};

struct ArgumentDescription {
  std::string_view name;
  ArgumentKind kind = ArgumentKind::Text;
  bool optional = false;
  std::string_view choices = {};  ///< Choice: the words, `|` between.
};

/// Views live as long as the program.
struct CommandDescription {
  std::string_view section;
  std::string_view name;
  Role role = Role::Read;
  std::span<const ArgumentDescription> arguments;
  std::string_view summary;  ///< One line without its full stop.
  std::string_view detail;   ///< Sentences; empty: the summary says all.
};

/// Every command, section by section.
[[nodiscard]] std::span<const CommandDescription> commands() noexcept;

/// The one called so, whatever the case of its letters; null: none.
[[nodiscard]] const CommandDescription* find_command(std::string_view name) noexcept;

/// "set_incoming_sequence_number <session> <number> [force]".
[[nodiscard]] std::string usage_of(const CommandDescription& command);

/// Which groups an engine has, as far as the words of commands need it.
class GroupNames {
 public:
  [[nodiscard]] virtual bool is_instance(std::string_view name) const = 0;
  [[nodiscard]] virtual bool is_session(std::string_view name) const = 0;

  /// The instance that has it; empty for an unknown session.
  [[nodiscard]] virtual std::string_view instance_of(std::string_view session) const = 0;

  /// Its only session; empty when it has none or several.
  [[nodiscard]] virtual std::string_view only_session_of(std::string_view instance) const = 0;

 protected:
  GroupNames() = default;
  GroupNames(const GroupNames&) = default;
  GroupNames& operator=(const GroupNames&) = default;
  ~GroupNames() = default;
};

/// The words of a request, one for each argument of its command; an optional one that is not there
/// is empty. Names that must be there are: what is wrong is the error, with the usage behind it.
[[nodiscard]] std::expected<std::vector<std::string>, std::string> bind_arguments(
    const CommandDescription& command, std::span<const std::string> words,
    const GroupNames& groups);

/// A bound Number. No sign, no more than 18 digits: anything else is 0, which bind_arguments() has
/// refused already unless it was said.
[[nodiscard]] std::uint64_t number_of(std::string_view word) noexcept;

/// docs/reference/admin.md's tables of commands, section by section, in Markdown.
[[nodiscard]] std::string reference_text();

}  // namespace affix::inline v0::admin
