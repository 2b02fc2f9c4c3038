// SPDX-License-Identifier: MIT
// Everything that changes what the exchange knows, as a record of its command file: carried out
// again in the same order, it gives the same book and the same reports with the same ids.
#pragma once

#include "exchange/book/commands.hpp"
#include "exchange/book/reason.hpp"
#include "exchange/recovery/command_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace affix::inline v0::tools::exchange {

/// A member's request. `key` tells the message that brought it from every other of its session.
template <typename Command>
struct MemberCommand {
  Command command;
  std::uint64_t key = 0;
};

/// All open orders of a member are cancelled.
struct CancelAll {
  OwnerId owner = 0;
  Reason reason = Reason::OwnerGone;
};

/// A symbol is traded from now on.
struct OpenSymbol {
  std::string_view symbol;
};

/// It no longer is, and its open orders are cancelled.
struct CloseSymbol {
  std::string_view symbol;
};

/// A member's session has begun or ended.
struct NoteSession {
  OwnerId owner = 0;
  bool logged_on = false;
};

/// Whose OwnerId this is from now on.
struct AddMember {
  OwnerId owner = 0;
  std::string_view identity;
};

using CommandRecord = std::variant<MemberCommand<NewOrder>, MemberCommand<CancelOrder>,
                                   MemberCommand<ReplaceOrder>, MemberCommand<StatusRequest>,
                                   CancelAll, OpenSymbol, CloseSymbol, NoteSession, AddMember>;

/// The record of a command. Its body views `bytes`, which is overwritten.
[[nodiscard]] StoredCommand write_command(const CommandRecord& command, std::int64_t utc_ns,
                                          std::string& bytes);

/// Nothing of a record that is no command or cannot be read. Views into the record.
[[nodiscard]] std::optional<CommandRecord> read_command(const StoredCommand& record);

/// Whose command it is; nothing when no member's.
[[nodiscard]] std::optional<OwnerId> owner_of(const CommandRecord& command);

/// `key` of a request that came as message `sequence`, sent first at `sending_time`: 122 of a
/// possible duplicate, else 52. Fractions of the second do not count, as not every engine repeats
/// them. `bytes` is overwritten.
[[nodiscard]] std::uint64_t key_of(const CommandRecord& command, std::uint64_t sequence,
                                   std::string_view sending_time, std::string& bytes);

}  // namespace affix::inline v0::tools::exchange
