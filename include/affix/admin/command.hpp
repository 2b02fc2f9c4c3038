// SPDX-License-Identifier: MIT
// Describes the commands of the administration port in one table, used to check requests and to
// produce help, completion and docs/reference/admin.md.
#pragma once

#include "affix/admin/answer.hpp"
#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// Permissions of a connection.
enum class Role : std::uint8_t {
  None,     ///< May authenticate and quit.
  Read,     ///< May run read commands.
  Operate,  ///< May also change state.
};

/// "none", "read", "operate"; static storage.
[[nodiscard]] const char* to_text(Role role) noexcept;

/// Meaning of a command's argument.
enum class ArgumentKind : std::uint8_t {
  Session,        ///< A session group's name, optionally after its instance's, or the name of an
                  ///< instance with only one session.
  Instance,       ///< A client or server group's name.
  Scope,          ///< `engine`, an instance's or a session's name.
  Group,          ///< The name of any group of the configuration.
  FailoverGroup,  ///< The name of a failover group of this node; the command checks it.
  Node,           ///< The name of a node of that group; the command checks it.
  Command,        ///< Name of a command.
  Name,           ///< A new name, not yet in use.
  Number,         ///< A whole number, 0 or more.
  Choice,         ///< One of `choices`.
  Text,           ///< The rest of the line.
  Settings,       ///< The rest of the line: key=value, key=value.
  Secret,         ///< A token, which logs never contain.
};

struct ArgumentDescription {
  std::string_view name = {};
  ArgumentKind kind = ArgumentKind::Text;
  bool optional = false;
  std::string_view choices = {};  ///< For Choice: the words, separated by `|`.
};

/// Views live as long as the program.
struct CommandDescription {
  std::string_view section = {};
  std::string_view name = {};
  Role role = Role::Read;      ///< Operate if, and only if, `changes_state`.
  bool changes_state = false;  ///< Of the engine or its program; the audit trail records it.
  std::span<const ArgumentDescription> arguments = {};
  std::string_view summary = {};  ///< One line without its full stop.
  std::string_view detail = {};   ///< Sentences; may be empty.
};

/// All commands, by section. Allocates.
[[nodiscard]] std::vector<CommandDescription> commands();

/// Finds a command by name, case-insensitively; null: unknown.
[[nodiscard]] const CommandDescription* find_command(std::string_view name) noexcept;

/// "set_incoming_sequence_number <session> <number> [force]".
[[nodiscard]] std::string usage_of(const CommandDescription& command);

/// Names of an engine's groups, for checking the arguments of commands.
class GroupNames {
 public:
  [[nodiscard]] virtual bool is_instance(std::string_view name) const = 0;
  [[nodiscard]] virtual bool is_session(std::string_view name) const = 0;

  /// The instance of a session; empty for an unknown session.
  [[nodiscard]] virtual std::string_view instance_of(std::string_view session) const = 0;

  /// The only session of an instance; empty if it has none or several.
  [[nodiscard]] virtual std::string_view only_session_of(std::string_view instance) const = 0;

 protected:
  GroupNames() = default;
  GroupNames(const GroupNames&) = default;
  GroupNames& operator=(const GroupNames&) = default;
  ~GroupNames() = default;
};

/// Assigns a request's words to the command's arguments; a missing optional one is empty. Checks
/// that names exist. The error describes the fault, followed by the usage. NotFound: no group has
/// the name; InvalidArgument: a word is missing, of another form, or one too many.
[[nodiscard]] std::expected<std::vector<std::string>, base::Error> bind_arguments(
    const CommandDescription& command, std::span<const std::string> words,
    const GroupNames& groups);

/// Converts a bound Number. Without a sign and with at most 18 digits; otherwise 0, but
/// bind_arguments() has already refused other texts.
[[nodiscard]] std::uint64_t number_of(std::string_view word) noexcept;

/// Makes the tables of commands for docs/reference/admin.md, by section, in Markdown.
[[nodiscard]] std::string reference_text();

}  // namespace affix::inline v0::admin
