// SPDX-License-Identifier: MIT
// Commands about the connection itself, which the port carries out.
#include "admin/command_table.hpp"

namespace affix::inline v0::admin {

namespace {

Outcome auth(CommandContext& /*context*/, const Words& /*words*/) {
  return ConnectionStep::Authenticate;
}

Outcome whoami(CommandContext& /*context*/, const Words& /*words*/) {
  return ConnectionStep::ShowRole;
}

Outcome quit(CommandContext& /*context*/, const Words& /*words*/) {
  return ConnectionStep::Close;
}

constexpr std::array token_arguments{
    ArgumentDescription{.name = "token", .kind = ArgumentKind::Secret}};

constexpr auto connection_rows = in_section(
    "This connection",
    std::array{
        CommandRow{{.name = "auth",
                    .role = Role::None,
                    .arguments = token_arguments,
                    .summary = "Authenticate: the connection gets the role of the token"},
                   &auth},
        CommandRow{{.name = "whoami", .role = Role::None, .summary = "Show this connection's role"},
                   &whoami},
        CommandRow{{.name = "quit", .role = Role::None, .summary = "Close this connection"}, &quit},
    });

}  // namespace

std::span<const CommandRow> connection_commands() noexcept {
  return connection_rows;
}

}  // namespace affix::inline v0::admin
