// SPDX-License-Identifier: MIT
// Reads numbers and contents without the codec under test.
#include "simulation/wire_message.hpp"

#include "affix/testing/message_text.hpp"

#include <algorithm>

namespace affix::simulation {

namespace {

constexpr char soh = '\x01';

struct Field {
  std::uint32_t tag = 0;
  std::string_view value;
};

/// Removes and returns the first field of `rest`.
Field take_field(std::string_view& rest) {
  Field field;
  std::size_t at = 0;
  while (at < rest.size() && rest[at] != '=') {
    field.tag = field.tag * 10 + static_cast<std::uint32_t>(rest[at] - '0');
    ++at;
  }
  const std::size_t end = std::min(rest.find(soh, at), rest.size());
  field.value = rest.substr(std::min(at + 1, end), end - std::min(at + 1, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0;
  for (const char digit : text) {
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return number;
}

/// Header fields that differ when a message is resent.
bool changes(std::uint32_t tag) {
  return tag == 9 || tag == 10 || tag == 43 || tag == 52 || tag == 97 || tag == 122 || tag == 369;
}

bool is_complete(std::string_view message) {
  const std::size_t trailer = message.find(
      "\x01"
      "10=");
  return trailer != std::string_view::npos && message.size() > trailer + 1 && message.back() == soh;
}

/// As BodyLength (9) says.
bool has_right_length(std::string_view message) {
  std::string_view rest = message;
  take_field(rest);
  const std::uint64_t wanted = number_of(take_field(rest).value);
  constexpr std::size_t trailer_bytes = 7;  // 10=nnn| in full.
  return rest.size() == wanted + trailer_bytes;
}

std::uint64_t mixed(std::uint64_t hash, std::string_view text) {
  for (const char each : text) {
    hash = (hash ^ static_cast<unsigned char>(each)) * 0x0000'0100'0000'01b3;
  }
  return hash;
}

}  // namespace

WireMessage read_wire_message(std::string_view bytes) {
  WireMessage message;
  message.content = 0xcbf2'9ce4'8422'2325;
  while (!bytes.empty()) {
    const Field field = take_field(bytes);
    switch (field.tag) {
      case 34:
        message.number = number_of(field.value);
        break;
      case 35:
        message.type = field.value;
        break;
      case 43:
        message.duplicate = field.value == "Y";
        break;
      case 56:
        message.peer = field.value;
        break;
      case 141:
        message.reset = field.value == "Y";
        break;
      default:
        break;
    }
    if (!changes(field.tag)) {
      message.content = mixed(message.content + field.tag, field.value);
    }
  }
  message.content |= 1;  // Never 0.
  return message;
}

bool WireMessage::is_admin() const noexcept {
  return type.size() == 1 && std::string_view("012456A").find(type) != std::string_view::npos;
}

void WireStreams::taken(std::uint64_t link, std::string_view bytes,
                        const std::function<void(const WireMessage&)>& each) {
  std::string& begun = begun_[link];
  begun += bytes;
  std::string_view rest = begun;
  while (!rest.empty()) {
    constexpr std::string_view start = "8=FIX";
    const std::string_view first = testing::first_message(rest);
    referee_.rule(start.starts_with(first.substr(0, start.size())), [&] {
      return name_ + ": a message begins within another, or without its beginning: " +
             std::string(rest.substr(0, 40));
    });
    if (!is_complete(first)) {
      break;
    }
    referee_.rule(has_right_length(first), [&] {
      return name_ + ": a part of a message is missing: " + std::string(first);
    });
    each(read_wire_message(first));
    rest.remove_prefix(first.size());
  }
  begun.erase(0, begun.size() - rest.size());
  if (begun.empty()) {
    begun_.erase(link);
  }
}

}  // namespace affix::simulation
