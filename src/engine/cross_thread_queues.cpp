// SPDX-License-Identifier: MIT
// Writes messages and commands into a cross-thread sender's queues.
#include "engine/cross_thread_queues.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace affix::inline v0::engine {

namespace {

static_assert(std::is_trivially_copyable_v<CommandHead> && sizeof(CommandHead) % 8 == 0);

/// Bytes in a claim in addition to a message's body: the head, 8 and 9, a type, and the encoder's
/// reserve.
constexpr std::size_t message_extra = sizeof(CommandHead) + 1024 + wire::Encoder::overhead;

/// Maximum bytes of a type and of header fields; with more a message is too large.
constexpr std::size_t header_text_max = 512;

std::size_t text_size_of(std::string_view type,
                         std::span<const session::ExtraHeaderField> header) noexcept {
  std::size_t size = type.size();
  for (const session::ExtraHeaderField& field : header) {
    size += 2 * sizeof(std::uint32_t) + field.value.size();
  }
  return size;
}

char* put_number(char* to, std::size_t number) noexcept {
  const auto value = static_cast<std::uint32_t>(number);
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

char* put_text(char* to, std::string_view text) noexcept {
  return to + text.copy(to, text.size());
}

std::size_t ring_bytes_of(const CrossThreadSenderOptions& options) noexcept {
  // Two of the largest messages, and the gap left when a record does not fit before the end.
  return std::max(options.ring_bytes,
                  4 * base::ByteRing::room_of(options.message_bytes + message_extra));
}

}  // namespace

CrossThreadQueues::CrossThreadQueues(std::vector<net::Waker*> wakers,
                                     const CrossThreadSenderOptions& options)
    : options_(options), wakers_(std::move(wakers)) {
  for (std::size_t worker = 0; worker < wakers_.size(); ++worker) {
    rings_.push_back(std::make_unique<base::ByteRing>(ring_bytes_of(options)));
  }
}

const wire::Encoder& CrossThreadQueues::begin_message(
    host::SessionHandle session, std::string_view type,
    std::span<const session::ExtraHeaderField> header) noexcept {
  encoder_ = wire::Encoder(std::span<char>());
  record_ = {};
  const std::size_t text_size = text_size_of(type, header);
  if (header.size() > cross_thread_header_max || text_size > header_text_max) [[unlikely]] {
    refusal_ = HandOver::TooLarge;
    return encoder_;
  }
  head_ = CommandHead{.session = session, .kind = CommandHead::Kind::Send};
  const std::span<char> room = ring(session.worker()).claim(options_.message_bytes + message_extra);
  if (room.data() == nullptr) {
    refusal_ = HandOver::Full;
    return encoder_;
  }
  record_ = room;
  head_.header_fields = static_cast<std::uint8_t>(header.size());
  head_.type_size = static_cast<std::uint16_t>(type.size());
  head_.text_size = static_cast<std::uint32_t>(text_size);
  char* to = put_text(room.data() + sizeof head_, type);
  for (const session::ExtraHeaderField& field : header) {
    to = put_number(to, field.tag);
    to = put_number(to, field.value.size());
    to = put_text(to, field.value);
  }
  // Only the body is needed, and an encoder writes body fields after 35 only.
  const auto before = static_cast<std::size_t>(to - room.data());
  encoder_ = wire::Encoder(room.subspan(before));
  encoder_.begin(session.begin_string(), type);
  head_.body_begin = static_cast<std::uint32_t>(before + encoder_.size());
  return encoder_;
}

HandOver CrossThreadQueues::commit_message(wire::EncodeError error, std::size_t size,
                                           std::uint64_t token) noexcept {
  const std::span<char> record = std::exchange(record_, {});
  if (record.data() == nullptr) {
    return refusal_;
  }
  const auto encoder_at = static_cast<std::size_t>(head_.body_begin) - encoder_.size();
  const std::size_t body_size = encoder_at + size - head_.body_begin;
  if (error == wire::EncodeError::Overflow || body_size > options_.message_bytes) {
    return HandOver::TooLarge;
  }
  if (error != wire::EncodeError::None) {
    return HandOver::Invalid;
  }
  head_.token = token;
  head_.body_size = static_cast<std::uint32_t>(body_size);
  publish(head_.session.worker(), head_, record, head_.body_begin + body_size);
  return HandOver::Queued;
}

HandOver CrossThreadQueues::command(const CommandHead& head, std::string_view text) noexcept {
  if (text.size() > options_.message_bytes) {
    return HandOver::TooLarge;
  }
  const std::size_t worker = head.session.worker();
  const std::span<char> record = ring(worker).claim(sizeof head + text.size());
  if (record.data() == nullptr) {
    return HandOver::Full;
  }
  CommandHead full = head;
  full.text_size = static_cast<std::uint32_t>(text.size());
  put_text(record.data() + sizeof head, text);
  publish(worker, full, record, record.size());
  return HandOver::Queued;
}

void CrossThreadQueues::publish(std::size_t worker, const CommandHead& head, std::span<char> record,
                                std::size_t size) noexcept {
  std::memcpy(record.data(), &head, sizeof head);
  ring(worker).publish(size);
  wakers_[worker]->wake();
}

}  // namespace affix::inline v0::engine
