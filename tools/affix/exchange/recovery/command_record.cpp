// SPDX-License-Identifier: MIT
// Fields in order. A change of the order is a change of the file's format.
#include "exchange/recovery/command_record.hpp"

#include "exchange/recovery/bytes.hpp"

#include <utility>

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

void put(ByteWriter& out, const std::optional<base::Decimal>& value) {
  out.put(value.has_value());
  if (value) {
    out.put(value->mantissa);
    out.put(value->exponent);
  }
}

std::optional<base::Decimal> get_decimal(ByteReader& in) {
  if (!in.get<bool>()) {
    return std::nullopt;
  }
  const auto mantissa = in.get<std::int64_t>();
  return base::Decimal{mantissa, in.get<std::int32_t>()};
}

/// Fields that name an order and its member.
template <typename Command>
void put_target(ByteWriter& out, const Command& command) {
  out.put(command.owner);
  out.put(command.cl_ord_id);
  if constexpr (requires { command.orig_cl_ord_id; }) {
    out.put(command.orig_cl_ord_id);
  }
  if constexpr (requires { command.order_id; }) {
    out.put(command.order_id.has_value());
    out.put(command.order_id.value_or(0));
  }
  out.put(command.symbol);
  out.put(command.side);
}

template <typename Command>
Command get_target(ByteReader& in) {
  Command command;
  command.owner = in.get<OwnerId>();
  command.cl_ord_id = in.text();
  if constexpr (requires { command.orig_cl_ord_id; }) {
    command.orig_cl_ord_id = in.text();
  }
  if constexpr (requires { command.order_id; }) {
    const bool given = in.get<bool>();
    const auto order_id = in.get<OrderId>();
    command.order_id = given ? std::optional(order_id) : std::nullopt;
  }
  command.symbol = in.text();
  command.side = in.get<Side>();
  return command;
}

char put(ByteWriter& out, const NewOrder& command) {
  put_target(out, command);
  out.put(command.type);
  out.put(command.time_in_force);
  put(out, command.quantity);
  put(out, command.price);
  return new_order;
}

char put(ByteWriter& out, const CancelOrder& command) {
  put_target(out, command);
  return cancel_order;
}

char put(ByteWriter& out, const ReplaceOrder& command) {
  put_target(out, command);
  out.put(command.type);
  out.put(command.time_in_force.has_value());
  out.put(command.time_in_force.value_or(TimeInForce::Day));
  put(out, command.quantity);
  put(out, command.price);
  return replace_order;
}

char put(ByteWriter& out, const StatusRequest& command) {
  put_target(out, command);
  return status_request;
}

template <typename Command>
char put(ByteWriter& out, const MemberCommand<Command>& command) {
  const char type = put(out, command.command);
  out.put(command.key);
  return type;
}

char put(ByteWriter& out, const CancelAll& command) {
  out.put(command.owner);
  out.put(command.reason);
  return cancel_all;
}

char put(ByteWriter& out, const OpenSymbol& command) {
  out.put(command.symbol);
  return open_symbol;
}

char put(ByteWriter& out, const CloseSymbol& command) {
  out.put(command.symbol);
  return close_symbol;
}

char put(ByteWriter& out, const NoteSession& command) {
  out.put(command.owner);
  out.put(command.logged_on);
  return note_session;
}

char put(ByteWriter& out, const AddMember& command) {
  out.put(command.owner);
  out.put(command.identity);
  return add_member;
}

template <typename Command>
CommandRecord with_key(ByteReader& in, const Command& command) {
  return MemberCommand<Command>{command, in.get<std::uint64_t>()};
}

}  // namespace

StoredCommand write_command(const CommandRecord& command, std::int64_t utc_ns, std::string& bytes) {
  bytes.clear();
  ByteWriter out(bytes);
  const char type = std::visit([&out](const auto& of) { return put(out, of); }, command);
  return {.type = type, .utc_ns = utc_ns, .body = bytes};
}

std::optional<CommandRecord> read_command(const StoredCommand& record) {
  ByteReader in(record.body);
  CommandRecord command;
  switch (record.type) {
    case new_order: {
      auto order = get_target<NewOrder>(in);
      order.type = in.get<OrderType>();
      order.time_in_force = in.get<TimeInForce>();
      order.quantity = get_decimal(in);
      order.price = get_decimal(in);
      command = with_key(in, order);
      break;
    }
    case cancel_order:
      command = with_key(in, get_target<CancelOrder>(in));
      break;
    case replace_order: {
      auto replace = get_target<ReplaceOrder>(in);
      replace.type = in.get<OrderType>();
      const bool given = in.get<bool>();
      const auto life = in.get<TimeInForce>();
      replace.time_in_force = given ? std::optional(life) : std::nullopt;
      replace.quantity = get_decimal(in);
      replace.price = get_decimal(in);
      command = with_key(in, replace);
      break;
    }
    case status_request:
      command = with_key(in, get_target<StatusRequest>(in));
      break;
    case cancel_all: {
      const auto owner = in.get<OwnerId>();
      command = CancelAll{owner, in.get<Reason>()};
      break;
    }
    case open_symbol:
      command = OpenSymbol{in.text()};
      break;
    case close_symbol:
      command = CloseSymbol{in.text()};
      break;
    case note_session: {
      const auto owner = in.get<OwnerId>();
      command = NoteSession{owner, in.get<bool>()};
      break;
    }
    case add_member: {
      const auto owner = in.get<OwnerId>();
      command = AddMember{owner, in.text()};
      break;
    }
    default:
      return std::nullopt;
  }
  return in.done() ? std::optional(command) : std::nullopt;
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
