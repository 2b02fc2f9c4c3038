// SPDX-License-Identifier: MIT
// Makes messages and checks them.
#include "keeper/protocol.hpp"

#include <algorithm>
#include <cstring>

namespace affix::inline v0::keeper {

namespace {

bool has_name(MessageKind kind) noexcept {
  return kind == MessageKind::Hello || kind == MessageKind::Hold || kind == MessageKind::Drop ||
         kind == MessageKind::Entry || kind == MessageKind::NotHeld;
}

}  // namespace

Message make_message(MessageKind kind, std::string_view name, std::uint8_t detail,
                     std::uint32_t number) noexcept {
  Message message{.kind = kind, .detail = detail, .number = number};
  message.name_size = static_cast<std::uint32_t>(std::min(name.size(), name_bytes_max));
  std::copy_n(name.data(), message.name_size, message.name_bytes.data());
  return message;
}

ReadMessage read_message(std::span<const std::byte> bytes) noexcept {
  ReadMessage read{.fault = MessageFault::Garbage};
  // Of another version, the rest may have another size.
  constexpr std::size_t beginning = offsetof(Message, kind);
  if (bytes.size() < beginning) {
    return read;
  }
  std::memcpy(&read.message, bytes.data(), std::min(bytes.size(), sizeof read.message));
  const Message& message = read.message;
  if (message.magic != message_magic) {
    return read;
  }
  if (message.version != protocol_version) {
    read.fault = MessageFault::Version;
    return read;
  }
  const bool is_kind = message.kind >= MessageKind::Hello && message.kind <= MessageKind::Here;
  if (bytes.size() == sizeof message && is_kind && message.name_size <= name_bytes_max &&
      (has_name(message.kind) ? is_name(message.name()) : message.name_size == 0)) {
    read.fault = MessageFault::None;
  }
  return read;
}

}  // namespace affix::inline v0::keeper
