// SPDX-License-Identifier: MIT
// The courier's side of its queues.
#include "affix/engine/courier.hpp"

#include "engine/courier_queues.hpp"
#include "engine/worker.hpp"
#include "host/session_seat.hpp"

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

std::size_t ring_bytes_of(const CourierOptions& options) noexcept {
  // Two of the largest messages, and the gap left when a record does not fit before the end.
  return std::max(options.ring_bytes,
                  4 * base::ByteRing::room_of(options.message_bytes + message_extra));
}

}  // namespace

const char* to_text(HandOver result) noexcept {
  switch (result) {
    case HandOver::Queued:
      return "queued";
    case HandOver::Full:
      return "the worker's queue is full";
    case HandOver::TooLarge:
      return "larger than message_bytes";
    case HandOver::Invalid:
      return "invalid message";
  }
  return "unknown";
}

// --- Queues ---

CourierQueues::CourierQueues(const std::vector<Worker*>& workers, const CourierOptions& options)
    : options_(options), workers_(workers) {
  for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
    rings_.push_back(std::make_unique<base::ByteRing>(ring_bytes_of(options)));
  }
}

const wire::Encoder& CourierQueues::open(
    host::SessionHandle session, std::string_view type,
    std::span<const session::ExtraHeaderField> header) noexcept {
  encoder_ = wire::Encoder(std::span<char>());
  record_ = {};
  const std::size_t text_size = text_size_of(type, header);
  if (header.size() > courier_header_max || text_size > header_text_max) [[unlikely]] {
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

HandOver CourierQueues::close(wire::EncodeError error, std::size_t size,
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

HandOver CourierQueues::command(const CommandHead& head, std::string_view text) noexcept {
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

void CourierQueues::publish(std::size_t worker, const CommandHead& head, std::span<char> record,
                            std::size_t size) noexcept {
  std::memcpy(record.data(), &head, sizeof head);
  ring(worker).publish(size);
  workers_[worker]->waker().wake();
}

// --- The desk ---

std::optional<Courier> CourierDesk::open(const CourierOptions& options) {
  const std::lock_guard guard(mutex_);
  const auto same = std::find_if(free_.begin(), free_.end(), [&](const CourierQueues* queues) {
    return queues->options().ring_bytes == options.ring_bytes &&
           queues->options().message_bytes == options.message_bytes;
  });
  if (same != free_.end()) {
    CourierQueues& queues = **same;
    free_.erase(same);
    return Courier(*this, queues);
  }
  if (all_.size() == couriers_max) {
    return std::nullopt;
  }
  CourierQueues& queues = *all_.emplace_back(std::make_unique<CourierQueues>(workers_, options));
  for (std::size_t worker = 0; worker < workers_.size(); ++worker) {
    workers_[worker]->add_commands(queues.ring(worker));
  }
  return Courier(*this, queues);
}

void CourierDesk::give_back(CourierQueues& queues) noexcept {
  const std::lock_guard guard(mutex_);
  free_.push_back(&queues);
}

// --- Couriers ---

Courier::Courier(CourierDesk& desk, CourierQueues& queues) noexcept
    : desk_(&desk), queues_(&queues) {}

Courier::Courier(Courier&& other) noexcept
    : desk_(other.desk_), queues_(std::exchange(other.queues_, nullptr)) {}

Courier& Courier::operator=(Courier&& other) noexcept {
  std::swap(desk_, other.desk_);
  std::swap(queues_, other.queues_);
  return *this;
}

Courier::~Courier() {
  if (queues_ != nullptr) {
    desk_->give_back(*queues_);
  }
}

const wire::Encoder& Courier::open(host::SessionHandle session, std::string_view type,
                                   std::span<const session::ExtraHeaderField> header) noexcept {
  return queues_->open(session, type, header);
}

HandOver Courier::close(wire::EncodeError error, std::size_t size, std::uint64_t token) noexcept {
  return queues_->close(error, size, token);
}

namespace {

/// Sets the number of the Logon to answer: another one may wait by the time the worker reads this.
host::SessionHandle with_logon(host::SessionHandle session) noexcept {
  return session.logon() != 0
             ? session
             : session.for_logon(session.seat().logon.load(std::memory_order_relaxed));
}

}  // namespace

HandOver Courier::accept_logon(host::SessionHandle session) noexcept {
  return queues_->command({.session = with_logon(session), .kind = CommandHead::Kind::AcceptLogon},
                          {});
}

HandOver Courier::refuse_logon(host::SessionHandle session, std::string_view text) noexcept {
  return queues_->command({.session = with_logon(session), .kind = CommandHead::Kind::RefuseLogon},
                          text);
}

HandOver Courier::check_logon(host::SessionHandle session) noexcept {
  return queues_->command({.session = with_logon(session), .kind = CommandHead::Kind::CheckLogon},
                          {});
}

HandOver Courier::logout(host::SessionHandle session, std::string_view text) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Logout}, text);
}

HandOver Courier::connect(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Connect}, {});
}

HandOver Courier::reset(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Reset}, {});
}

HandOver Courier::test_peer(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::TestPeer}, {});
}

HandOver Courier::finish_message(host::SessionHandle session, host::Receipt receipt) noexcept {
  return queues_->command(
      {.session = session, .token = receipt.value(), .kind = CommandHead::Kind::FinishMessage}, {});
}

HandOver Courier::redeliver(host::SessionHandle session) noexcept {
  return queues_->command({.session = session, .kind = CommandHead::Kind::Redeliver}, {});
}

HandOver Courier::call(host::SessionHandle session,
                       void (*function)(host::SessionHandle session, void* context),
                       void* context) noexcept {
  return queues_->command({.session = session,
                           .function = function,
                           .context = context,
                           .kind = CommandHead::Kind::Call},
                          {});
}

}  // namespace affix::inline v0::engine
