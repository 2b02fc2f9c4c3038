// SPDX-License-Identifier: MIT
// Everything that changes the exchange's state, as records of its command file: executed again in
// the same order, they give the same book and the same reports with the same ids.
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

/// A member's request. `key` distinguishes its message from all others of the session.
template <typename Command>
struct MemberCommand {
  Command command;
  std::uint64_t key = 0;
};

/// Cancels all open orders of a member.
struct CancelAll {
  OwnerId owner = 0;
  Reason reason = Reason::OwnerGone;
};

/// Opens a symbol for trading.
struct OpenSymbol {
  std::string_view symbol;
};

/// Closes a symbol and cancels its open orders.
struct CloseSymbol {
  std::string_view symbol;
};

/// A member's session has begun or ended.
struct NoteSession {
  OwnerId owner = 0;
  bool logged_on = false;
};

/// Assigns the next OwnerId to a member.
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

/// Nullopt for a record that is not a command or cannot be read. Views into the record.
[[nodiscard]] std::optional<CommandRecord> read_command(const StoredCommand& record);

/// The member whose command it is; nullopt if it is none's.
[[nodiscard]] std::optional<OwnerId> owner_of(const CommandRecord& command);

/// `key` of a request received as message `sequence`, first sent at `sending_time`: 122 of a
/// possible duplicate, otherwise 52. Ignores fractions of the second, as not every engine repeats
/// them. `bytes` is overwritten.
[[nodiscard]] std::uint64_t key_of(const CommandRecord& command, std::uint64_t sequence,
                                   std::string_view sending_time, std::string& bytes);

}  // namespace affix::inline v0::tools::exchange
