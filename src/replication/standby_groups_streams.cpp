// SPDX-License-Identifier: MIT
// Streams of primaries: stores them in the copies in their order, and answers how far it is.
#include "replication/standby_groups.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::replication {

using journal::Followed;

namespace {

/// Longer than any group's number of journals; a bound for what a broken primary makes us allocate.
constexpr std::uint32_t taps_max = 1U << 20;

Goodbye goodbye_of(Followed result) noexcept {
  switch (result) {
    case Followed::Stored:
    case Followed::AlreadyThere:
    case Followed::WrongPlace:
      return Goodbye::Diverged;
    case Followed::Damaged:
      return Goodbye::Damaged;
    case Followed::NoSpace:
      return Goodbye::NoSpace;
    case Followed::Failed:
      break;
  }
  return Goodbye::Failed;
}

bool is_good(Followed result) noexcept {
  return result == Followed::Stored || result == Followed::AlreadyThere;
}

}  // namespace

Standby::Groups::Taken Standby::Groups::take_live(Connection& connection,
                                                  const FrameView& frame) noexcept {
  Stream& stream = *connection.stream;
  stream.heard_ns = now_ns_;
  if (frame.type < FrameType::Journal) {
    return take_control(connection, frame);
  }
  if (frame.type > FrameType::Pad) {
    return Taken::Violated;
  }
  const bool begins = frame.type == FrameType::Journal || frame.type == FrameType::Unprocessed;
  if (stream.phase != Phase::Live && !(stream.phase == Phase::Beginning && begins)) {
    return Taken::Violated;
  }
  if (stream.unfinished_tap && frame.type != FrameType::Unprocessed) {
    return Taken::Violated;
  }
  if (frame.type == FrameType::RecordPart) {
    return take_part(connection, frame);
  }
  if (stream.part_frames_bytes != 0 && frame.type != FrameType::Pad) {
    return Taken::Violated;
  }
  const bool counted = stream.phase == Phase::Live;
  const Taken taken = take_stream(connection, frame);
  if (counted && (taken == Taken::Done || taken == Taken::Paused)) {
    if (stream.part_frames_bytes != 0) {
      stream.part_frames_bytes += frame.size;
    } else {
      stream.place += frame.size;
    }
  }
  return taken;
}

Standby::Groups::Taken Standby::Groups::take_control(Connection& connection,
                                                     const FrameView& frame) noexcept {
  CopiedGroup& group = *connection.group;
  Stream& stream = *connection.stream;
  switch (frame.type) {
    case FrameType::Beat:
      return Taken::Done;
    case FrameType::Goodbye: {
      const auto reason = read_goodbye(frame.payload);
      if (!reason) {
        return Taken::Violated;
      }
      close(connection);
      set_down(group, stream);
      tell({.kind = NewsKind::Left,
            .group = group.name,
            .epoch = group.epoch,
            .why = to_text(*reason),
            .code = code_of(*reason)});
      return Taken::Closed;
    }
    case FrameType::Resume: {
      const auto place = read_place(frame.payload);
      if (stream.phase != Phase::Accepted || stream.id != stream.greeted_id ||
          place != stream.place) {
        return Taken::Violated;
      }
      stream.phase = Phase::Live;
      // Acknowledgements may have been lost with the connection before.
      stream.answered = UINT64_MAX;
      note_streams(group);
      return Taken::Done;
    }
    case FrameType::MayFetch:
      if (stream.phase != Phase::Accepted) {
        return Taken::Violated;
      }
      forget_stream(group, stream);
      stream.phase = Phase::Permitted;
      // The copies may hold another primary's records, or a part only: ask about all of them.
      for (const auto& copy : group.copies) {
        if (copy->stream == nullptr) {
          copy->doubt();
          copy->at_end = false;
          copy->retry_ns = 0;
        }
      }
      note_streams(group);
      return Taken::Done;
    case FrameType::Begin: {
      const auto begin = read_begin(frame.payload);
      if (stream.phase != Phase::Wanted || !begin || begin->journals > taps_max) {
        return Taken::Violated;
      }
      stream.place = begin->place;
      stream.answered = 0;
      stream.journals_left = begin->journals;
      stream.phase = Phase::Beginning;
      if (begin->journals == 0) {
        stream.phase = Phase::Joining;
        try_join(group, stream);
      }
      return Taken::Done;
    }
    default:
      return Taken::Violated;
  }
}

Standby::Groups::Taken Standby::Groups::take_stream(Connection& connection,
                                                    const FrameView& frame) noexcept {
  Stream& stream = *connection.stream;
  const auto tap_of = [&](std::uint32_t id) -> InboundTap* {
    return id < stream.taps.size() && stream.taps[id].used ? &stream.taps[id] : nullptr;
  };
  switch (frame.type) {
    case FrameType::Record: {
      const auto record = read_record(frame.payload);
      InboundTap* const tap = record ? tap_of(record->tap) : nullptr;
      if (tap == nullptr) {
        return Taken::Violated;
      }
      if (tap->copy == nullptr) {
        return Taken::Done;
      }
      touch(stream, *tap->copy);
      return apply(connection, *tap->copy,
                   tap->copy->journal()->follow_record(record->at, record->bytes));
    }
    case FrameType::Mark: {
      const auto mark = read_mark(frame.payload);
      InboundTap* const tap = mark ? tap_of(mark->tap) : nullptr;
      if (tap == nullptr) {
        return Taken::Violated;
      }
      return tap->copy == nullptr ? Taken::Done
                                  : apply(connection, *tap->copy,
                                          tap->copy->journal()->follow_mark(mark->at, mark->mark));
    }
    case FrameType::Reserve: {
      const auto reserve = read_reserve(frame.payload);
      InboundTap* const tap = reserve ? tap_of(reserve->tap) : nullptr;
      if (tap == nullptr) {
        return Taken::Violated;
      }
      if (tap->copy == nullptr) {
        return Taken::Done;
      }
      touch(stream, *tap->copy);
      return apply(connection, *tap->copy, tap->copy->journal()->follow_reserve(reserve->reserve));
    }
    case FrameType::Segment: {
      const auto segment = read_segment(frame.payload);
      InboundTap* const tap = segment ? tap_of(segment->tap) : nullptr;
      if (tap == nullptr) {
        return Taken::Violated;
      }
      if (tap->copy == nullptr) {
        return Taken::Done;
      }
      touch(stream, *tap->copy);
      return apply(connection, *tap->copy, tap->copy->journal()->follow_segment(segment->header));
    }
    case FrameType::Gone: {
      const auto id = read_gone(frame.payload);
      InboundTap* const tap = id ? tap_of(*id) : nullptr;
      if (tap == nullptr) {
        return Taken::Violated;
      }
      if (tap->copy != nullptr) {
        tap->copy->stream = nullptr;
      }
      *tap = {};
      return Taken::Done;
    }
    case FrameType::Journal:
      return take_journal(connection, frame.payload);
    case FrameType::Unprocessed:
      return take_unprocessed(connection, frame.payload);
    case FrameType::Pad:
      return Taken::Done;
    default:
      return Taken::Violated;
  }
}

// --- Journals of a stream ---

Standby::Groups::Taken Standby::Groups::take_journal(Connection& connection,
                                                     std::string_view payload) noexcept {
  CopiedGroup& group = *connection.group;
  Stream& stream = *connection.stream;
  const auto begin = read_journal(payload);
  if (!begin || begin->tap >= taps_max || begin->tap > stream.taps.size()) {
    return Taken::Violated;
  }
  if (begin->tap == stream.taps.size()) {
    stream.taps.emplace_back();
  }
  InboundTap& tap = stream.taps[begin->tap];
  if (tap.used) {
    return Taken::Violated;
  }
  tap = {.used = true,
         .copy = group.find(begin->identity),
         .at = begin->at,
         .reserve = begin->reserve,
         .unprocessed_expected = begin->unprocessed};
  if (tap.copy == nullptr) {
    tell_failed(group, "no session here has this journal: " + std::string(begin->identity), "R131");
  } else if (Stream* const former = std::exchange(tap.copy->stream, &stream)) {
    // The session has moved to another worker.
    former->taps[tap.copy->tap].copy = nullptr;
    std::erase(former->joining, tap.copy->tap);
  }
  if (tap.copy != nullptr) {
    tap.copy->tap = begin->tap;
    tap.copy->target = tap.at;
  }
  if (tap.unprocessed_expected != 0) {
    stream.unfinished_tap = begin->tap;
    return Taken::Done;
  }
  return begin_tap(connection, begin->tap);
}

Standby::Groups::Taken Standby::Groups::take_unprocessed(Connection& connection,
                                                         std::string_view payload) noexcept {
  Stream& stream = *connection.stream;
  const auto more = read_unprocessed(payload);
  if (!more || stream.unfinished_tap != more->tap || more->positions.empty()) {
    return Taken::Violated;
  }
  InboundTap& tap = stream.taps[more->tap];
  if (more->positions.size() > tap.unprocessed_expected - tap.unprocessed.size()) {
    return Taken::Violated;
  }
  tap.unprocessed.insert(tap.unprocessed.end(), more->positions.begin(), more->positions.end());
  if (tap.unprocessed.size() < tap.unprocessed_expected) {
    return Taken::Done;
  }
  stream.unfinished_tap.reset();
  return begin_tap(connection, more->tap);
}

/// The journal's frames are complete: the stream goes on when the copy is there.
Standby::Groups::Taken Standby::Groups::begin_tap(Connection& connection,
                                                  std::uint32_t id) noexcept {
  CopiedGroup& group = *connection.group;
  Stream& stream = *connection.stream;
  if (stream.taps[id].copy != nullptr) {
    stream.joining.push_back(id);
  }
  if (stream.phase == Phase::Beginning) {
    if (--stream.journals_left != 0) {
      return Taken::Done;
    }
    stream.phase = Phase::Joining;
  }
  const net::ConnectionId before = connection.id;
  try_join(group, stream);
  if (connection.id != before || connection.kind != Connection::Kind::Live) {
    return Taken::Closed;
  }
  if (stream.phase == Phase::Live && stream.joining.empty()) {
    return Taken::Done;
  }
  pause(connection);
  return Taken::Paused;
}

void Standby::Groups::pause(Connection& connection) noexcept {
  Stream& stream = *connection.stream;
  stream.paused = true;
  stream.paused_since_ns = now_ns_;
  reactor_.pause_reading(connection.id);
}

/// Goes on with the stream if all copies are where it begins for them.
void Standby::Groups::try_join(CopiedGroup& group, Stream& stream) noexcept {
  for (std::size_t at = 0; at < stream.joining.size();) {
    InboundTap& tap = stream.taps[stream.joining[at]];
    if (!join_copy(group, stream, tap)) {
      return;
    }
    if (tap.copy->target.valid()) {
      ++at;
    } else {
      stream.joining[at] = stream.joining.back();
      stream.joining.pop_back();
    }
  }
  if (!stream.joining.empty()) {
    return;
  }
  if (stream.phase == Phase::Joining) {
    stream.phase = Phase::Live;
    stream.id = stream.greeted_id;
    // Records from before the begin are acknowledged with it.
    stream.answered = 0;
    stream.dirty.clear();
    stream.flushing.clear();
    stream.flushing_place.reset();
    for (InboundTap& tap : stream.taps) {
      if (tap.copy != nullptr) {
        tap.copy->dirty = false;
        touch(stream, *tap.copy);
      }
    }
  }
  if (Connection* const connection = find(stream.connection)) {
    if (std::exchange(stream.paused, false)) {
      stream.heard_ns = now_ns_;
      reactor_.resume_reading(connection->id);
    }
    answer(*connection);
  }
  note_streams(group);
}

bool Standby::Groups::join_copy(CopiedGroup& group, Stream& stream, InboundTap& tap) noexcept {
  Copy& copy = *tap.copy;
  if (copy.state() != Copy::State::Open || copy.journal()->end() < tap.at) {
    return true;
  }
  if (!tap.unprocessed.empty() && !copy.keeps(tap.unprocessed.front())) {
    // As a former primary it had processed what the present one has not, and let go of it.
    copy.distrust();
    return true;
  }
  const bool there = copy.journal()->end() == tap.at &&
                     is_good(copy.journal()->follow_unprocessed(tap.unprocessed)) &&
                     is_good(copy.journal()->follow_reserve(tap.reserve));
  if (!there) {
    lose(group, stream, Goodbye::Diverged, &copy);
    return false;
  }
  copy.target = {};
  copy.keep();
  copy.cuts = 0;
  tap.unprocessed = {};
  return true;
}

// --- Stores ---

Standby::Groups::Taken Standby::Groups::take_part(Connection& connection,
                                                  const FrameView& frame) noexcept {
  Stream& stream = *connection.stream;
  const auto part = read_record_part(frame.payload);
  const bool continues =
      part && (stream.part_frames_bytes == 0
                   ? part->offset == 0
                   : part->tap == stream.part_of.tap && part->at == stream.part_of.at &&
                         part->total == stream.part_of.total && part->offset == stream.part.size());
  if (!continues || part->tap >= stream.taps.size() || !stream.taps[part->tap].used) {
    return Taken::Violated;
  }
  stream.part_of = *part;
  stream.part_of.bytes = {};
  stream.part_frames_bytes += frame.size;
  stream.part += part->bytes;
  if (stream.part.size() < part->total) {
    return Taken::Done;
  }
  Copy* const copy = stream.taps[part->tap].copy;
  if (copy != nullptr) {
    touch(stream, *copy);
    const Taken taken =
        apply(connection, *copy, copy->journal()->follow_record(part->at, stream.part));
    if (taken != Taken::Done) {
      return taken;
    }
  }
  stream.place += std::exchange(stream.part_frames_bytes, 0);
  stream.part = {};
  return Taken::Done;
}

Standby::Groups::Taken Standby::Groups::apply(Connection& connection, Copy& copy,
                                              Followed result) noexcept {
  if (is_good(result)) [[likely]] {
    return Taken::Done;
  }
  lose(*connection.group, *connection.stream, goodbye_of(result), &copy);
  return Taken::Closed;
}

void Standby::Groups::touch(Stream& stream, Copy& copy) {
  if (!std::exchange(copy.touched, true)) {
    touched_.push_back(&copy);
  }
  if (!std::exchange(copy.dirty, true)) {
    stream.dirty.push_back(&copy);
  }
}

/// Once per read: acknowledges everything that was in it.
void Standby::Groups::answer(Connection& connection) noexcept {
  if (connection.kind != Connection::Kind::Live) {
    return;
  }
  Stream& stream = *connection.stream;
  if (stream.phase != Phase::Live || !stream.joining.empty() || stream.place == stream.answered) {
    return;
  }
  if (connection.group->ack_when == AckWhen::Flushed) {
    answer_flushed(connection);
    return;
  }
  for (Copy* const copy : stream.dirty) {
    copy->dirty = false;
  }
  stream.dirty.clear();
  stream.answered = stream.place;
  stream.spoke_ns = now_ns_;
  scratch_.clear();
  put_place(scratch_, FrameType::Stored, stream.place);
  send(connection, scratch_);
}

void Standby::Groups::answer_flushed(Connection& connection) noexcept {
  Stream& stream = *connection.stream;
  while (stream.flushing_place || stream.place != stream.answered) {
    if (!stream.flushing_place) {
      stream.flushing_place = stream.place;
      for (Copy* const copy : stream.dirty) {
        copy->dirty = false;
        if (copy->journal() != nullptr) {
          stream.flushing.emplace_back(copy, copy->journal()->end());
        }
      }
      stream.dirty.clear();
    }
    std::erase_if(stream.flushing, [](const auto& one) {
      return one.first->journal() == nullptr || one.first->journal()->durable() >= one.second;
    });
    if (!stream.flushing.empty()) {
      return;
    }
    stream.answered = *stream.flushing_place;
    stream.flushing_place.reset();
    stream.spoke_ns = now_ns_;
    scratch_.clear();
    put_place(scratch_, FrameType::Stored, stream.answered);
    send(connection, scratch_);
  }
}

// --- Ends ---

/// Its copies follow nothing any more, and it cannot be resumed.
void Standby::Groups::forget_stream(CopiedGroup& group, Stream& stream) noexcept {
  for (const auto& copy : group.copies) {
    if (copy->stream == &stream) {
      copy->stream = nullptr;
      copy->target = {};
      copy->dirty = false;
    }
  }
  stream.id = 0;
  stream.place = 0;
  stream.taps.clear();
  stream.joining.clear();
  stream.dirty.clear();
  stream.flushing.clear();
  stream.flushing_place.reset();
}

void Standby::Groups::set_down(CopiedGroup& group, Stream& stream) noexcept {
  const bool joins = stream.phase == Phase::Beginning || stream.phase == Phase::Joining ||
                     !stream.joining.empty() || stream.unfinished_tap.has_value();
  if (stream.phase != Phase::Down) {
    group.seen_ns = now_ns_;
  }
  stream.phase = Phase::Down;
  stream.connection = {};
  stream.paused = false;
  stream.unfinished_tap.reset();
  stream.part = {};
  stream.part_frames_bytes = 0;
  group.connected_told = false;
  group.sync_told = false;
  if (joins) {
    forget_stream(group, stream);
  }
}

/// Ends a stream that cannot go on because of `copy`, or because its primary breaks the protocol.
void Standby::Groups::lose(CopiedGroup& group, Stream& stream, Goodbye reason,
                           Copy* copy) noexcept {
  if (Connection* const connection = find(stream.connection)) {
    say_goodbye(*connection, reason);
  }
  set_down(group, stream);
  forget_stream(group, stream);
  std::string why = to_text(reason);
  if (copy != nullptr) {
    why += ": " + copy->identity();
    if (reason == Goodbye::Failed) {
      copy->fail({base::ErrorCode::Io, to_text(reason), copy->identity(), code_of(reason)});
      copy->retry_ns = now_ns_ + options_.retry_ns;
      group.all_open = false;
    }
  }
  if (reason == Goodbye::NoSpace || reason == Goodbye::Failed) {
    group.refuse_until_ns = now_ns_ + options_.retry_ns;
  }
  tell_failed(group, std::move(why), code_of(reason), reason == Goodbye::NoSpace);
}

/// Tells what has become of a group with the state of its streams.
void Standby::Groups::note_streams(CopiedGroup& group) {
  const auto all = [&](Phase least) {
    return !group.streams.empty() && std::ranges::all_of(group.streams, [&](const auto& stream) {
      return stream->phase >= least;
    });
  };
  if (all(Phase::Accepted)) {
    group.gone_told = false;
    if (!std::exchange(group.connected_told, true)) {
      tell(group, NewsKind::Connected);
    }
  }
  if (group.has_joined()) {
    group.whole = true;
    group.out_told = false;
    if (!std::exchange(group.sync_told, true)) {
      tell(group, NewsKind::InSync);
    }
    return;
  }
  const bool behind = std::ranges::any_of(group.streams, [](const auto& stream) {
    return stream->phase >= Phase::Permitted &&
           (stream->phase != Phase::Live || !stream->joining.empty());
  });
  if (behind) {
    group.whole = false;
    group.sync_told = false;
    if (!std::exchange(group.out_told, true)) {
      tell(group, NewsKind::OutOfSync);
    }
  }
}

}  // namespace affix::inline v0::replication
