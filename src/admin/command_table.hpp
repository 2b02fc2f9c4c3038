// SPDX-License-Identifier: MIT
// A row of the table of commands: the description with the function that carries it out. Each
// commands_<subject>.cpp has the rows of its subject; command_table.cpp puts them together.
#pragma once

#include "affix/admin/command.hpp"

#include "admin/command_context.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::admin {

/// The words of a command, one for each argument, as bind_arguments() gives them.
using Words = std::vector<std::string>;

/// The port's thread calls it.
using CommandFunction = Outcome (*)(CommandContext& context, const Words& words);

struct CommandRow {
  CommandDescription description;
  CommandFunction function = nullptr;
};

/// Rows of one section of the help.
template <std::size_t Count>
[[nodiscard]] consteval std::array<CommandRow, Count> in_section(
    std::string_view section, std::array<CommandRow, Count> rows) {
  for (CommandRow& row : rows) {
    row.description.section = section;
  }
  return rows;
}

// The subjects, in the order of the help; each is in its commands_<subject>.cpp.

[[nodiscard]] std::span<const CommandRow> engine_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> session_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> control_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> change_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> number_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> message_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> latency_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> sending_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> failover_commands() noexcept;
[[nodiscard]] std::span<const CommandRow> connection_commands() noexcept;

/// Finds a command by name, case-insensitively; null: unknown.
[[nodiscard]] const CommandRow* find_row(std::string_view name) noexcept;

// Arguments that commands of several subjects have.

inline constexpr ArgumentDescription session_argument{.name = "session",
                                                      .kind = ArgumentKind::Session};
inline constexpr ArgumentDescription reason_argument{
    .name = "reason", .kind = ArgumentKind::Text, .optional = true};
inline constexpr std::array session_arguments{session_argument};
inline constexpr std::array reason_arguments{session_argument, reason_argument};

/// A count as an answer's number.
[[nodiscard]] constexpr std::int64_t whole(std::uint64_t number) noexcept {
  return static_cast<std::int64_t>(number);
}

}  // namespace affix::inline v0::admin
