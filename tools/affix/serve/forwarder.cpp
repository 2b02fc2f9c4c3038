// SPDX-License-Identifier: MIT
// The body goes as it is; of the header only what belongs to the message and not to its session.
#include "serve/forwarder.hpp"

#include "affix/wire/header_tags.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::tools::serve {

namespace {

using engine::SendStatus;

/// Header fields that say something about the message itself, whatever session it is on.
constexpr std::array<std::uint32_t, 2> carried_tags{347, 1128};

struct RoutePair {
  std::uint32_t on_behalf_of;
  std::uint32_t deliver_to;
};

constexpr std::array route_pairs{RoutePair{115, 128}, RoutePair{116, 129}, RoutePair{144, 145}};

/// The encoded fields between header and trailer.
std::string_view body_of(const wire::MessageView& message) noexcept {
  const wire::FieldIndex& index = message.index();
  std::uint32_t first = 0;
  while (first < index.count && wire::is_header_tag(index.tags[first])) {
    ++first;
  }
  std::uint32_t end = index.count;
  while (end > first && wire::is_trailer_tag(index.tags[end - 1])) {
    --end;
  }
  if (first == 0 || first == end) {
    return {};
  }
  const std::size_t begin = index.ends[first - 1] + std::size_t{1};
  return message.bytes().substr(begin, index.ends[end - 1] + std::size_t{1} - begin);
}

bool went_out(SendStatus status) noexcept {
  return status == SendStatus::Sent || status == SendStatus::Queued;
}

/// on_output_room() follows.
bool must_wait(SendStatus status) noexcept {
  return status == SendStatus::Backlogged || status == SendStatus::Throttled ||
         status == SendStatus::Resetting;
}

}  // namespace

const char* to_text(Forwarder::Outcome outcome) noexcept {
  switch (outcome) {
    case Forwarder::Outcome::Sent:
      return "sent";
    case Forwarder::Outcome::Waiting:
      return "waiting";
    case Forwarder::Outcome::Refused:
      return "it is not logged on, is stopped, or cannot take this message";
    case Forwarder::Outcome::Full:
      return "too much is waiting for it";
  }
  return "";
}

void Forwarder::Piece::add(std::uint32_t tag, std::string_view value) noexcept {
  if (!value.empty() && header_count < header.size()) {
    header[header_count++] = {tag, value};
  }
}

Forwarder::Piece Forwarder::piece_of(engine::SessionHandle from, const wire::MessageView& message,
                                     const engine::Delivery& delivery, engine::SessionHandle to,
                                     Routing routing) {
  Piece piece{
      .type = message.value_at(2), .body = body_of(message), .header = {}, .header_count = 0};
  if (delivery.possible_resend || delivery.redelivered) {
    piece.add(97, "Y");
  }
  for (const std::uint32_t tag : carried_tags) {
    // A version of the message's own is a word of FIXT's.
    if (tag != 1128 || to.begin_string() == "FIXT.1.1") {
      piece.add(tag, message.value_or_null(tag));
    }
  }
  for (const RoutePair& pair : route_pairs) {
    if (routing == Routing::Answer) {
      piece.add(pair.deliver_to, message.value_or_null(pair.on_behalf_of));
      piece.add(pair.on_behalf_of, message.value_or_null(pair.deliver_to));
    } else {
      piece.add(pair.on_behalf_of, message.value_or_null(pair.on_behalf_of));
    }
  }
  if (routing == Routing::Onward && !message.has(115)) {
    piece.add(115, from.target_comp_id());
  }
  std::ranges::sort(std::span(piece.header).first(piece.header_count), {},
                    &session::ExtraHeaderField::tag);
  return piece;
}

Forwarder::Piece Forwarder::piece_of(const Copy& copy) {
  Piece piece{.type = copy.origin.type, .body = copy.body, .header = {}, .header_count = 0};
  for (const HeaderCopy& field : copy.header) {
    piece.add(field.tag, field.value);
  }
  return piece;
}

SendStatus Forwarder::send(const Piece& piece, engine::SessionHandle to) {
  wire::Encoder message = to.begin(piece.type, std::span(piece.header).first(piece.header_count));
  message.raw(piece.body);
  return to.commit(message).status;
}

Forwarder::Queue& Forwarder::queue_of(engine::SessionHandle to) {
  if (to.user() == nullptr) {
    auto queue = std::make_unique<Queue>();
    to.set_user(queue.get());
    const std::lock_guard lock(mutex_);
    queues_.emplace(queue.get(), std::move(queue));
  }
  return *static_cast<Queue*>(to.user());
}

Forwarder::Outcome Forwarder::forward(engine::SessionHandle from, const wire::MessageView& message,
                                      const engine::Delivery& delivery, engine::SessionHandle to,
                                      Routing routing) {
  const Piece piece = piece_of(from, message, delivery, to, routing);
  // Nothing overtakes what waits.
  if (to.user() == nullptr) {
    if (const SendStatus status = send(piece, to); went_out(status)) {
      return Outcome::Sent;
    } else if (!must_wait(status)) {
      return Outcome::Refused;
    }
  }
  Queue& queue = queue_of(to);
  Copy copy{.origin = {from, delivery.sequence, std::string(piece.type)},
            .body = std::string(piece.body),
            .header = {}};
  if (queue.bytes + copy.bytes() > bytes_max_) {
    return Outcome::Full;
  }
  for (const session::ExtraHeaderField& field : std::span(piece.header).first(piece.header_count)) {
    copy.header.push_back({field.tag, std::string(field.value)});
  }
  queue.bytes += copy.bytes();
  queue.copies.push_back(std::move(copy));
  return Outcome::Waiting;
}

std::vector<Forwarder::Lost> Forwarder::on_room(engine::SessionHandle to) {
  std::vector<Lost> lost;
  if (to.user() == nullptr) {
    return lost;
  }
  Queue& queue = *static_cast<Queue*>(to.user());
  while (!queue.copies.empty()) {
    const SendStatus status = send(piece_of(queue.copies.front()), to);
    if (must_wait(status)) {
      return lost;
    }
    queue.bytes -= queue.copies.front().bytes();
    if (!went_out(status)) {
      lost.push_back(std::move(queue.copies.front().origin));
    }
    queue.copies.pop_front();
  }
  drop(to);
  return lost;
}

std::vector<Forwarder::Lost> Forwarder::drop(engine::SessionHandle to) {
  std::vector<Lost> lost;
  if (to.user() == nullptr) {
    return lost;
  }
  for (Copy& copy : static_cast<Queue*>(to.user())->copies) {
    lost.push_back(std::move(copy.origin));
  }
  const std::lock_guard lock(mutex_);
  queues_.erase(to.user());
  to.set_user(nullptr);
  return lost;
}

}  // namespace affix::inline v0::tools::serve
