// SPDX-License-Identifier: MIT
// Staging of a stream and its connections. What a turn has staged leaves in one send per standby;
// between two sends there are only whole frames, so that control frames fit anywhere.
#include "replication/shipper_links.hpp"

#include "affix/base/assert.hpp"

#include "os/random.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace affix::inline v0::replication {

namespace {

constexpr std::int64_t silent_beats = 3;
/// Of one send, at most, since the reactor copies what the kernel does not take of it.
constexpr std::size_t send_blocks = 4;
constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

using LinkPhase = StandbyLink::Phase;

std::uint64_t fresh_stream() noexcept {
  std::uint64_t id = 0;
  // It only tells two streams of one epoch apart; 0 stands for none.
  if (!os::fill_randomly(&id, sizeof id) || id == 0) {
    id = 1;
  }
  return id;
}

bool is_connected(LinkPhase phase) noexcept {
  return phase != LinkPhase::Down && phase != LinkPhase::Dialing;
}

bool is_accepted(LinkPhase phase) noexcept {
  return phase >= LinkPhase::Waiting;
}

}  // namespace

Shipper::Links::Links(ShipperOptions options, net::Reactor& reactor, Dialer& dialer)
    : options_(std::move(options)),
      reactor_(reactor),
      dialer_(dialer),
      stream_(fresh_stream()),
      send_bytes_max_(reactor.options().tx_buffer_capacity),
      backlog_(options_.backlog_bytes) {
  for (const Node& node : options_.standbys) {
    links_.push_back({.node = node});
  }
  // A closing connection is one of its standby's former ones.
  closing_.reserve(4 * standbys_max);
}

Shipper::Links::~Links() {
  for (const Shipped& shipped : journals_) {
    if (shipped.journal != nullptr) {
      shipped.journal->set_tap(nullptr, 0);
    }
  }
  for (const StandbyLink& link : links_) {
    if (link.phase != LinkPhase::Down) {
      reactor_.close(link.connection);
    }
  }
  for (const net::ConnectionId connection : closing_) {
    reactor_.close(connection);
  }
}

// --- Journals ---

std::uint32_t Shipper::Links::add(journal::Journal& journal, std::string_view identity) {
  std::uint32_t id = 0;
  while (id < journals_.size() && journals_[id].journal != nullptr) {
    ++id;
  }
  if (id == journals_.size()) {
    journals_.emplace_back();
  }
  journals_[id] = {&journal, std::string(identity)};
  journal.set_tap(this, id);
  std::string frames;
  put_frames_of(frames, id);
  stream(frames);
  newest_reserve_ = backlog_.end();
  return id;
}

void Shipper::Links::remove(std::uint32_t id) noexcept {
  if (id >= journals_.size() || journals_[id].journal == nullptr) {
    return;
  }
  journals_[id].journal->set_tap(nullptr, 0);
  journals_[id] = {};
  write_gone(claim(gone_frame_bytes), id);
}

void Shipper::Links::put_frames_of(std::string& out, std::uint32_t id) const {
  const Shipped& shipped = journals_[id];
  const std::vector<journal::Position> unprocessed = shipped.journal->unprocessed_positions();
  put_journal(out, {.tap = id,
                    .at = shipped.journal->end(),
                    .reserve = shipped.journal->reserved_outgoing(),
                    .unprocessed = static_cast<std::uint32_t>(unprocessed.size()),
                    .identity = shipped.identity});
  for (std::size_t at = 0; at < unprocessed.size(); at += positions_per_frame) {
    put_unprocessed(out, id, unprocessed.data() + at,
                    std::min(positions_per_frame, unprocessed.size() - at));
  }
}

void Shipper::Links::stream(std::string_view frames) noexcept {
  while (!frames.empty()) {
    const std::size_t bytes = first_frame(frames).size;
    std::memcpy(claim(bytes), frames.data(), bytes);
    frames.remove_prefix(bytes);
  }
}

// --- The tap ---

void Shipper::Links::on_record(std::uint32_t tap_id, journal::Position at,
                               std::string_view record) noexcept {
  if (record.size() <= record_part_bytes_max) [[likely]] {
    write_record(claim(record_frame_header_bytes + record.size()), tap_id, at, record);
    return;
  }
  for (std::size_t offset = 0; offset < record.size(); offset += record_part_bytes_max) {
    const std::string_view part = record.substr(offset, record_part_bytes_max);
    write_record_part(claim(record_part_header_bytes + part.size()),
                      {.tap = tap_id,
                       .at = at,
                       .total = static_cast<std::uint32_t>(record.size()),
                       .offset = static_cast<std::uint32_t>(offset),
                       .bytes = part});
  }
}

void Shipper::Links::on_segment(std::uint32_t tap_id,
                                const journal::format::Header& header) noexcept {
  write_segment(claim(segment_frame_bytes), tap_id, header);
}

void Shipper::Links::on_mark(std::uint32_t tap_id, journal::Position at,
                             journal::format::Mark mark) noexcept {
  write_mark(claim(mark_frame_bytes), {tap_id, at, mark});
}

void Shipper::Links::on_reserve(std::uint32_t tap_id, std::uint64_t reserved_outgoing) noexcept {
  write_reserve(claim(reserve_frame_bytes), {tap_id, reserved_outgoing});
  newest_reserve_ = backlog_.end();
}

char* Shipper::Links::claim(std::size_t bytes) noexcept {
  if (!backlog_.has_room(bytes)) [[unlikely]] {
    make_room();
  }
  return backlog_.claim(bytes);
}

/// Sends before the turn's end what is about to be discarded; a standby whose connection does not
/// take it has lost the stream.
void Shipper::Links::make_room() noexcept {
  const Place kept = backlog_.discarded_next();
  for (StandbyLink& link : links_) {
    if (link.phase == LinkPhase::Live && !link.behind && link.sent < kept) {
      ship(link);
      link.behind = link.sent < kept;
      has_events_ = has_events_ || link.behind;
    }
  }
}

/// Drops the bytes that all standbys have, or that none can go on from.
void Shipper::Links::forget_stored() noexcept {
  Place needed = backlog_.end();
  for (const StandbyLink& link : links_) {
    if (link.phase == LinkPhase::Live || link.needs_from >= backlog_.begin()) {
      needed = std::min(needed, link.needs_from);
    }
  }
  backlog_.forget(needed);
}

// --- Turns ---

void Shipper::Links::end_turn(base::Now now) noexcept {
  now_ns_ = now.steady_ns;
  if (backlog_.end() == ended_place_ && !has_events_ && now.steady_ns < next_deadline_ns_ &&
      shared.gate.load(std::memory_order_acquire) == applied_) {
    return;
  }
  has_events_ = false;
  apply_gate();
  Masks masks{.covered = static_cast<StandbyMask>(shared.covered.load(std::memory_order_relaxed)) &
                         applied_gate_};
  next_deadline_ns_ = no_deadline;
  for (std::size_t index = 0; index < links_.size(); ++index) {
    StandbyLink& link = links_[index];
    const StandbyMask bit = StandbyMask{1} << index;
    serve(link, bit, now.steady_ns);
    watch_lag(link, index, now.steady_ns);
    note(link, bit, now.steady_ns, masks);
  }
  ended_place_ = backlog_.end();
  forget_stored();
  publish(masks);
}

// Acquire in end_turn() and here: what the control thread wrote before it set the gate is seen.
void Shipper::Links::apply_gate() noexcept {
  applied_ = shared.gate.load(std::memory_order_acquire);
  const auto wanted = static_cast<StandbyMask>(applied_);
  const StandbyMask added = wanted & ~applied_gate_;
  for (std::size_t index = 0; index < links_.size(); ++index) {
    if ((added >> index & 1) != 0) {
      links_[index].cover_place = backlog_.end();
    }
  }
  applied_gate_ = wanted;
  find_acked_by_gate();
}

void Shipper::Links::find_acked_by_gate() noexcept {
  acked_by_gate_ = std::numeric_limits<Place>::max();
  known_to_gate_ = acked_by_gate_;
  for (std::size_t index = 0; index < links_.size(); ++index) {
    if ((applied_gate_ >> index & 1) != 0) {
      // An acknowledgement counts only while the standby's promise of another epoch could be heard.
      const StandbyLink& link = links_[index];
      acked_by_gate_ = std::min(acked_by_gate_, link.phase == LinkPhase::Live ? link.acked : 0);
      known_to_gate_ = std::min(known_to_gate_, link.acked);
    }
  }
}

void Shipper::Links::serve(StandbyLink& link, StandbyMask bit, std::int64_t now_ns) noexcept {
  if (link.down_since_ns == 0 && link.phase != LinkPhase::Live) {
    link.down_since_ns = now_ns;
  }
  if (link.phase == LinkPhase::Down && !leaves_ && now_ns >= link.redial_ns) {
    dial(link, now_ns);
  }
  if (!is_connected(link.phase)) {
    return;
  }
  if (std::exchange(link.heard, false)) {
    link.heard_ns = now_ns;
  }
  if (link.broken || now_ns - link.heard_ns >= silent_beats * options_.beat_ns ||
      may_be_taken_for_dead(link, now_ns)) {
    drop(link);
    return;
  }
  if (link.behind) {
    part(link, Goodbye::Behind);
    return;
  }
  if (link.phase == LinkPhase::Waiting && (applied_gate_ & bit) == 0) {
    // Its acknowledgements of an earlier copy do not count for the present one.
    link.acked = 0;
    link.needs_from = StandbyLink::nothing;
    put_plain(link.control, FrameType::MayFetch);
    link.phase = LinkPhase::Fetching;
  }
  if (link.phase == LinkPhase::Fetching && std::exchange(link.wants, false)) {
    begin(link);
  }
  ship(link);
  if (!link.spoke && !link.parked && now_ns - link.spoke_ns >= options_.beat_ns) {
    put_plain(link.control, FrameType::Beat);
    ship(link);
  }
  if (std::exchange(link.spoke, false)) {
    link.spoke_ns = now_ns;
  }
}

void Shipper::Links::dial(StandbyLink& link, std::int64_t now_ns) noexcept {
  const auto dialed = dialer_.dial(link.node, now_ns + 2 * silent_beats * options_.beat_ns);
  if (!dialed) {
    link.redial_ns = now_ns + options_.redial_ns;
    return;
  }
  link.connection = *dialed;
  link.phase = LinkPhase::Dialing;
}

void Shipper::Links::begin(StandbyLink& link) noexcept {
  std::uint32_t count = 0;
  for (const Shipped& shipped : journals_) {
    count += shipped.journal != nullptr ? 1U : 0U;
  }
  put_begin(link.control, {backlog_.end(), count});
  for (std::uint32_t id = 0; id < journals_.size(); ++id) {
    if (journals_[id].journal != nullptr) {
      put_frames_of(link.control, id);
    }
  }
  link.sent = backlog_.end();
  link.needs_from = backlog_.end();
  link.join_place = backlog_.end();
  link.down_since_ns = 0;
  link.phase = LinkPhase::Live;
}

void Shipper::Links::ship(StandbyLink& link) noexcept {
  while (!link.parked && !link.broken) {
    std::array<std::string_view, 1 + send_blocks> pieces;
    std::size_t count = 0;
    std::size_t room = send_bytes_max_;
    const std::size_t control = whole_frames_within(link.control, room);
    if (control != 0) {
      pieces[count++] = std::string_view(link.control).substr(0, control);
      room -= control;
    }
    Place sent = link.sent;
    if (control == link.control.size() && link.phase == LinkPhase::Live && !link.behind) {
      while (sent < backlog_.end() && count < pieces.size()) {
        const std::string_view there = backlog_.from(sent);
        // A part of a block is searched for the end of a frame, so it is sent only if nothing else
        // is.
        const std::size_t bytes =
            count != 0 && there.size() > room ? 0 : whole_frames_within(there, room);
        if (bytes == 0) {
          break;
        }
        pieces[count++] = there.substr(0, bytes);
        sent += bytes;
        room -= bytes;
      }
    }
    if (count == 0) {
      return;
    }
    const net::SendResult result =
        reactor_.send(link.connection, std::span<const std::string_view>(pieces.data(), count));
    link.broken = result == net::SendResult::Overflow || result == net::SendResult::Closed;
    has_events_ = has_events_ || link.broken;
    if (!link.broken) {
      link.parked = result == net::SendResult::Parked;
      link.control.erase(0, control);
      link.sent = sent;
      link.spoke = true;
    }
    if (link.control.empty() && (link.phase != LinkPhase::Live || link.sent == backlog_.end())) {
      return;
    }
  }
}

void Shipper::Links::watch_lag(StandbyLink& link, std::size_t index, std::int64_t now_ns) noexcept {
  const Place end = backlog_.end();
  if (link.watched_since_ns == 0 || link.acked >= link.watched_place) {
    link.watched_place = end;
    link.watched_since_ns = link.acked < end ? now_ns : 0;
  }
  // Relaxed: figures for people.
  shared.lags[index].bytes.store(end - std::min(end, link.acked), std::memory_order_relaxed);
  shared.lags[index].ns.store(link.watched_since_ns == 0 ? 0 : now_ns - link.watched_since_ns,
                              std::memory_order_relaxed);
}

/// Adds the link's bits to `masks`, and its times to the next deadline.
void Shipper::Links::note(const StandbyLink& link, StandbyMask bit, std::int64_t now_ns,
                          Masks& masks) noexcept {
  const auto wait_until = [this](std::int64_t ns) {
    next_deadline_ns_ = std::min(next_deadline_ns_, ns);
  };
  const auto too_long_since = [&](std::int64_t since_ns) {
    if (since_ns == 0) {
      return false;
    }
    if (now_ns - since_ns >= options_.timeout_ns) {
      return true;
    }
    wait_until(since_ns + options_.timeout_ns);
    return false;
  };
  const bool slow = too_long_since(link.watched_since_ns);
  const bool away = link.phase != LinkPhase::Live && too_long_since(link.down_since_ns);
  if (slow || away || link.phase == LinkPhase::Waiting) {
    masks.late |= bit;
  } else if (link.phase == LinkPhase::Live && link.acked >= link.join_place) {
    masks.caught_up |= bit;
  }
  if ((applied_gate_ & bit) != 0 && link.phase == LinkPhase::Live &&
      link.acked >= link.join_place && link.acked >= link.cover_place) {
    masks.covered |= bit;
  }
  if (is_accepted(link.phase)) {
    masks.connected |= bit;
  }
  if (link.phase == LinkPhase::Down && !leaves_) {
    wait_until(link.redial_ns);
  } else if (is_connected(link.phase)) {
    wait_until(link.heard_ns + silent_beats * options_.beat_ns);
    if (!link.parked) {
      wait_until(link.spoke_ns + options_.beat_ns);
    }
  }
}

void Shipper::Links::publish(const Masks& masks) noexcept {
  bool changed = false;
  const auto store = [&](auto& mask, auto value) {
    // Release: whoever sees the bit sees what led to it.
    changed = mask.exchange(value, std::memory_order_release) != value || changed;
  };
  store(shared.caught_up, masks.caught_up);
  store(shared.covered, ControlShare::numbered(applied_ >> ControlShare::mask_bits, masks.covered));
  store(shared.late, masks.late);
  store(shared.connected, masks.connected);
  if (changed && options_.control != nullptr) {
    options_.control->wake();
  }
}

// --- Events ---

StandbyLink* Shipper::Links::find(net::ConnectionId connection) noexcept {
  const auto found = std::ranges::find_if(links_, [&](const StandbyLink& link) {
    return link.phase != LinkPhase::Down && link.connection == connection;
  });
  return found == links_.end() ? nullptr : &*found;
}

bool Shipper::Links::owns(net::ConnectionId connection) const noexcept {
  return const_cast<Links*>(this)->find(connection) != nullptr ||
         std::ranges::find(closing_, connection) != closing_.end();
}

bool Shipper::Links::has_connections() const noexcept {
  return !closing_.empty() || std::ranges::any_of(links_, [](const StandbyLink& link) {
    return link.phase != LinkPhase::Down;
  });
}

void Shipper::Links::on_connected(net::ConnectionId connection) noexcept {
  StandbyLink* const link = find(connection);
  if (link == nullptr) {
    return;
  }
  has_events_ = true;
  link->phase = LinkPhase::Greeting;
  link->heard = true;
  put_hello(link->control, {.purpose = Purpose::Live,
                            .worker = options_.worker,
                            .worker_count = options_.worker_count,
                            .epoch = options_.epoch,
                            .stream = stream_,
                            .cluster = options_.cluster,
                            .from = options_.node,
                            .to = link->node.name,
                            .group = options_.group});
  ship(*link);
}

void Shipper::Links::on_connect_failed(net::ConnectionId connection) noexcept {
  if (StandbyLink* const link = find(connection)) {
    set_down(*link);
  }
}

void Shipper::Links::on_closed(net::ConnectionId connection) noexcept {
  std::erase(closing_, connection);
  if (StandbyLink* const link = find(connection)) {
    set_down(*link);
  }
}

void Shipper::Links::on_drained(net::ConnectionId connection) noexcept {
  StandbyLink* const link = find(connection);
  if (link == nullptr) {
    return;
  }
  has_events_ = true;
  link->parked = false;
  ship(*link);
}

/// This process did not run, and the standby has heard nothing of it for so long that it may have
/// promised another epoch: its acknowledgements that wait here are of the time before.
bool Shipper::Links::may_be_taken_for_dead(const StandbyLink& link,
                                           std::int64_t now_ns) const noexcept {
  // Parked output leaves as the standby reads, while turns are taken.
  const std::int64_t spoke_ns = link.parked ? now_ns_ : link.spoke_ns;
  return link.phase == LinkPhase::Live && now_ns - spoke_ns >= silent_beats * options_.beat_ns;
}

std::size_t Shipper::Links::on_bytes(net::ConnectionId connection,
                                     std::string_view bytes) noexcept {
  StandbyLink* const link = find(connection);
  if (link == nullptr) {
    return bytes.size();
  }
  has_events_ = true;
  if (may_be_taken_for_dead(*link, reactor_.now_again().steady_ns)) {
    drop(*link);
    return bytes.size();
  }
  link->heard = true;
  std::size_t taken = 0;
  while (true) {
    const FrameView frame = first_frame(bytes.substr(taken));
    if (frame.state == FrameView::State::Short) {
      return taken;
    }
    if (frame.state == FrameView::State::Bad || !take(*link, frame)) {
      part(*link, Goodbye::Protocol);
      return bytes.size();
    }
    taken += frame.size;
    if (link->phase == LinkPhase::Down || link->connection != connection) {
      return bytes.size();
    }
  }
}

/// False: the standby breaks the protocol.
bool Shipper::Links::take(StandbyLink& link, const FrameView& frame) noexcept {
  switch (frame.type) {
    case FrameType::Accepted:
      return link.phase == LinkPhase::Greeting && take_accepted(link, frame.payload);
    case FrameType::Refused: {
      const auto refused = read_refused(frame.payload);
      if (!refused) {
        return false;
      }
      if (refused->reason == Refusal::HigherEpoch && refused->epoch > options_.epoch) {
        fence(refused->epoch);
      }
      drop(link);
      return true;
    }
    case FrameType::Want:
      link.wants = link.phase == LinkPhase::Fetching;
      return link.wants && frame.payload.empty();
    case FrameType::Stored:
      return link.phase == LinkPhase::Live && take_stored(link, frame.payload);
    case FrameType::Beat:
      return is_accepted(link.phase);
    case FrameType::Goodbye:
      drop(link);
      return true;
    default:
      return false;
  }
}

bool Shipper::Links::take_accepted(StandbyLink& link, std::string_view payload) noexcept {
  const auto accepted = read_accepted(payload);
  if (!accepted || accepted->epoch > options_.epoch) {
    return false;
  }
  const bool resumes = accepted->stream == stream_ && accepted->place % 8 == 0 &&
                       accepted->place >= backlog_.begin() && accepted->place <= backlog_.end();
  if (!resumes) {
    link.phase = LinkPhase::Waiting;
    return true;
  }
  put_place(link.control, FrameType::Resume, accepted->place);
  link.sent = accepted->place;
  link.needs_from = accepted->place;
  link.join_place = backlog_.end();
  link.down_since_ns = 0;
  link.phase = LinkPhase::Live;
  find_acked_by_gate();
  return true;
}

bool Shipper::Links::take_stored(StandbyLink& link, std::string_view payload) noexcept {
  const auto place = read_place(payload);
  if (!place || *place > link.sent) {
    return false;
  }
  if (*place > link.acked) {
    link.acked = *place;
    link.needs_from = *place;
    find_acked_by_gate();
  }
  return true;
}

// --- Ends ---

void Shipper::Links::fence(std::uint64_t epoch) noexcept {
  if (epoch <= shared.fenced_epoch.load(std::memory_order_relaxed)) {
    return;
  }
  stand_still();
  // Release: whoever sees the epoch sees that nothing is released any more.
  shared.fenced_epoch.store(epoch, std::memory_order_release);
  if (options_.control != nullptr) {
    options_.control->wake();
  }
}

void Shipper::Links::stand_still() noexcept {
  if (!stands_still_) {
    stopped_at_ = released();
    stands_still_ = true;
  }
}

void Shipper::Links::leave(std::int64_t now_ns) noexcept {
  now_ns_ = now_ns;
  stand_still();
  leaves_ = true;
  has_events_ = true;
  for (StandbyLink& link : links_) {
    if (link.phase != LinkPhase::Down) {
      part(link, Goodbye::Stopping);
    }
  }
}

/// Ends the connection without a word: the standby has ended it, or does not hear.
void Shipper::Links::drop(StandbyLink& link) noexcept {
  reactor_.close(link.connection);
  set_down(link);
}

void Shipper::Links::part(StandbyLink& link, Goodbye reason) noexcept {
  if (link.phase == LinkPhase::Down) {
    return;
  }
  if (link.phase == LinkPhase::Dialing) {
    drop(link);
    return;
  }
  std::string goodbye;
  put_goodbye(goodbye, reason);
  static_cast<void>(reactor_.send(link.connection, goodbye));
  if (closing_.size() < closing_.capacity() &&
      reactor_.close_after_flush(link.connection, now_ns_ + silent_beats * options_.beat_ns)) {
    closing_.push_back(link.connection);
  } else {
    reactor_.close(link.connection);
  }
  set_down(link);
}

void Shipper::Links::set_down(StandbyLink& link) noexcept {
  has_events_ = true;
  if (link.phase == LinkPhase::Live) {
    link.down_since_ns = now_ns_;
  }
  link.phase = LinkPhase::Down;
  find_acked_by_gate();
  link.connection = {};
  link.control.clear();
  link.parked = false;
  link.broken = false;
  link.behind = false;
  link.wants = false;
  link.heard = false;
  link.spoke = false;
  link.redial_ns = now_ns_ + options_.redial_ns;
}

}  // namespace affix::inline v0::replication
