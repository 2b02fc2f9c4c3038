// SPDX-License-Identifier: MIT
// Lists each record's fields in order. Changing the order changes the file's format.
#include "exchange/recovery/command_record.hpp"

#include "exchange/recovery/record_fields.hpp"

#include <type_traits>

namespace affix::inline v0::tools::exchange {

namespace {

// Types of records; those of a snapshot are capitals.
constexpr char new_order = 'n';
constexpr char cancel_order = 'c';
constexpr char replace_order = 'r';
constexpr char status_request = 's';
constexpr char cancel_all = 'g';
constexpr char open_symbol = 'o';
constexpr char close_symbol = 'x';
constexpr char note_session = 'l';
constexpr char add_member = 'm';

template <typename Command>
constexpr char type_of = 0;
template <>
constexpr char type_of<MemberCommand<NewOrder>> = new_order;
template <>
constexpr char type_of<MemberCommand<CancelOrder>> = cancel_order;
template <>
constexpr char type_of<MemberCommand<ReplaceOrder>> = replace_order;
template <>
constexpr char type_of<MemberCommand<StatusRequest>> = status_request;
template <>
constexpr char type_of<CancelAll> = cancel_all;
template <>
constexpr char type_of<OpenSymbol> = open_symbol;
template <>
constexpr char type_of<CloseSymbol> = close_symbol;
template <>
constexpr char type_of<NoteSession> = note_session;
template <>
constexpr char type_of<AddMember> = add_member;

/// Visits those of these members that a command has, in this order.
template <typename Visit, typename Command>
void fields_of(Visit& visit, Command& command) {
  if constexpr (requires { command.owner; }) {
    visit(command.owner);
  }
  if constexpr (requires { command.cl_ord_id; }) {
    visit(command.cl_ord_id);
  }
  if constexpr (requires { command.orig_cl_ord_id; }) {
    visit(command.orig_cl_ord_id);
  }
  if constexpr (requires { command.order_id; }) {
    visit(command.order_id);
  }
  if constexpr (requires { command.symbol; }) {
    visit(command.symbol);
  }
  if constexpr (requires { command.side; }) {
    visit(command.side);
  }
  if constexpr (requires { command.quantity; }) {
    visit(command.type);
    if constexpr (requires { command.time_in_force.has_value(); }) {
      visit.or_standard(command.time_in_force, TimeInForce::Day);
    } else {
      visit(command.time_in_force);
    }
    visit.if_any(command.quantity);
    visit.if_any(command.price);
  }
  if constexpr (requires { command.reason; }) {
    visit(command.reason);
  }
  if constexpr (requires { command.logged_on; }) {
    visit(command.logged_on);
  }
  if constexpr (requires { command.identity; }) {
    visit(command.identity);
  }
}

template <typename Visit, typename Command>
  requires requires(Command& command) { command.key; }
void fields_of(Visit& visit, Command& command) {
  fields_of(visit, command.command);
  visit(command.key);
}

/// Reads the record if it is a `Command`.
template <typename Command>
bool read_as(const StoredCommand& record, std::optional<CommandRecord>& read) {
  if (record.type != type_of<Command>) {
    return false;
  }
  FieldsIn in(record.body);
  Command command;
  fields_of(in, command);
  if (in.done()) {
    read = command;
  }
  return true;
}

template <typename... Commands>
std::optional<CommandRecord> read_one_of(const StoredCommand& record,
                                         const std::variant<Commands...>* /*kinds*/) {
  std::optional<CommandRecord> read;
  static_cast<void>((read_as<Commands>(record, read) || ...));
  return read;
}

}  // namespace

StoredCommand write_command(const CommandRecord& command, std::int64_t utc_ns, std::string& bytes) {
  bytes.clear();
  FieldsOut out(bytes);
  const char type = std::visit(
      [&out](const auto& of) {
        fields_of(out, of);
        return type_of<std::remove_cvref_t<decltype(of)>>;
      },
      command);
  return {.type = type, .utc_ns = utc_ns, .body = bytes};
}

std::optional<CommandRecord> read_command(const StoredCommand& record) {
  return read_one_of(record, static_cast<const CommandRecord*>(nullptr));
}

std::optional<OwnerId> owner_of(const CommandRecord& command) {
  return std::visit(
      [](const auto& of) -> std::optional<OwnerId> {
        if constexpr (requires { of.command.owner; }) {
          return of.command.owner;
        } else if constexpr (requires { of.owner; }) {
          return of.owner;
        } else {
          return std::nullopt;
        }
      },
      command);
}

std::uint64_t key_of(const CommandRecord& command, std::uint64_t sequence,
                     std::string_view sending_time, std::string& bytes) {
  constexpr std::size_t whole_seconds_bytes = 17;  // YYYYMMDD-HH:MM:SS
  const char type = write_command(command, 0, bytes).type;
  ByteWriter out(bytes);
  out.put(type);
  out.put(sequence);
  out.put(sending_time.substr(0, whole_seconds_bytes));
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325U;  // FNV-1a.
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x0000'0100'0000'01B3U;
  }
  return hash;
}

}  // namespace affix::inline v0::tools::exchange
