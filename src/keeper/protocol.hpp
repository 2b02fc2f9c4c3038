// SPDX-License-Identifier: MIT
// The messages between an owner and affix-keep, each one packet of fixed size. Descriptors travel
// beside them. Both ends are processes of one machine and one user.
#pragma once

#include "affix/keeper/keeper.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace affix::inline v0::keeper {

enum class MessageKind : std::uint8_t {
  Hello = 1,    ///< To the keeper: name = instance, detail = flags. The first message.
  Hold = 2,     ///< To the keeper: name, with one descriptor.
  Drop = 3,     ///< To the keeper: name.
  Granted = 4,  ///< From the keeper: number = entries that follow.
  Entry = 5,    ///< From the keeper: name, with one descriptor.
  End = 6,      ///< From the keeper: no entry follows; the receiver is the owner. number =
                ///< microseconds since the end of the owner before; 0: unknown.
  Waiting = 7,  ///< From the keeper: number = the owner's pid; Granted follows when that has ended.
  NotHeld = 8,  ///< From the keeper: name; there is no room for it, or it is neither a TCP socket
                ///< nor a file.
  Refused = 9,  ///< From the keeper, which then closes: detail = RefusedFor, number = what it says.
  Offered = 10,  ///< From the keeper: the receiver is the next, if it says Here.
  Here = 11,     ///< To the keeper: the sender does not hang. Granted follows.
};

// Bits of a Hello's detail.
inline constexpr std::uint8_t hello_waits = 1;  ///< Wait for the end of another owner.
/// Close what is held: this process has all of it, and will hold it anew.
inline constexpr std::uint8_t hello_anew = 2;
/// With hello_waits: says Here to Offered. Keepers of an earlier version offer nothing.
inline constexpr std::uint8_t hello_answers = 4;
inline constexpr std::uint8_t hello_first = 8;  ///< With hello_waits: before those without this.

enum class RefusedFor : std::uint8_t {
  User = 1,     ///< Another user; number = the keeper's uid.
  Version = 2,  ///< number = the keeper's version.
  InUse = 3,    ///< number = the owner's pid.
  Full = 4,     ///< No place for a connection or instance; number = how many there are.
  Garbage = 5,  ///< Not a message, or not the expected one.
  Late = 6,     ///< It has not said Here in time; number = seconds.
};

inline constexpr std::uint32_t message_magic = 0x4B584641;  ///< "AFXK" on little-endian machines.
inline constexpr std::uint16_t protocol_version = 1;

/// In the byte order of the machine:
///
///     0       4         6      7        8        12         16              216
///     | magic | version | kind | detail | number | name_size | name, then 0 |
///
/// The first 12 bytes, and Refused for Version, stay as they are in every later version.
struct Message {
  std::uint32_t magic = message_magic;
  std::uint16_t version = protocol_version;
  MessageKind kind = MessageKind::Hello;
  std::uint8_t detail = 0;
  std::uint32_t number = 0;
  std::uint32_t name_size = 0;
  std::array<char, name_bytes_max> name_bytes{};

  [[nodiscard]] std::string_view name() const noexcept { return {name_bytes.data(), name_size}; }
};

static_assert(offsetof(Message, magic) == 0);
static_assert(offsetof(Message, version) == 4);
static_assert(offsetof(Message, kind) == 6);
static_assert(offsetof(Message, detail) == 7);
static_assert(offsetof(Message, number) == 8);
static_assert(offsetof(Message, name_size) == 12);
static_assert(offsetof(Message, name_bytes) == 16);
static_assert(sizeof(Message) == 216);
static_assert(std::is_trivially_copyable_v<Message>);

/// `name` fits, or is cut.
[[nodiscard]] Message make_message(MessageKind kind, std::string_view name = {},
                                   std::uint8_t detail = 0, std::uint32_t number = 0) noexcept;

enum class MessageFault : std::uint8_t {
  None,
  Version,  ///< Of another version.
  Garbage,  ///< No message at all.
};

struct ReadMessage {
  MessageFault fault = MessageFault::None;
  Message
      message{};  ///< Only without a fault: of a known kind, with a name exactly if it needs one.
};

/// Any bytes. Pure.
[[nodiscard]] ReadMessage read_message(std::span<const std::byte> bytes) noexcept;

}  // namespace affix::inline v0::keeper
