// SPDX-License-Identifier: MIT
// Finding where a replay begins, and walking from there.
#include "affix/journal/replay.hpp"

#include "affix/journal/journal.hpp"

#include "journal/home.hpp"

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

// The next outgoing number in the checkpoint of the segment at `path`; nothing when there is no
// such segment. Reads the header alone: mapping a file to look at one number would cost more.
std::optional<std::uint64_t> checkpoint_outgoing(const std::string& path) noexcept {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return std::nullopt;
  }
  format::Header header;
  const ssize_t size = pread(file, &header, sizeof(header), 0);
  close(file);
  if (size != static_cast<ssize_t>(sizeof(header)) || header.magic != format::magic) {
    return std::nullopt;
  }
  return header.next_outgoing;
}

// The last indexed record of `segment` numbered at most `sequence` and behind `barrier`, or where
// the search must begin without one. The index is a hint: what it points at is looked at before it
// is believed.
std::size_t start_in(Segment& segment, std::uint64_t sequence, Position barrier) noexcept {
  const std::uint32_t number = segment.number();
  const std::size_t begin = barrier.segment == number ? barrier.offset : format::records_offset;
  const format::SparseIndex& index = segment.index();
  const std::size_t count = std::min<std::size_t>(index.count, format::SparseIndex::capacity);
  const format::IndexEntry* const first = index.entries;
  const format::IndexEntry* at = std::upper_bound(
      first, first + count, sequence, [&](std::uint64_t wanted, const format::IndexEntry& entry) {
        return wanted < index.base_sequence + entry.sequence_delta;
      });
  while (at != first) {
    --at;
    if (at->offset < begin || at->offset % format::alignment != 0) {
      continue;
    }
    const Parsed parsed =
        parse_record(segment.base(), segment.records_limit(), number, at->offset, Check::Crc);
    if (parsed.found == Found::Record && parsed.record.kind == Kind::Sent &&
        parsed.record.sequence <= sequence) {
      return at->offset;
    }
  }
  return begin;
}

}  // namespace

Replay::Replay(Replay&& other) noexcept
    : journal_(other.journal_),
      segment_(std::exchange(other.segment_, nullptr)),
      at_(other.at_),
      end_(other.end_),
      from_(other.from_),
      to_(other.to_),
      wanted_(std::exchange(other.wanted_, Wanted::Nothing)),
      damaged_(other.damaged_) {}

Replay& Replay::operator=(Replay&& other) noexcept {
  if (this != &other) {
    leave();
    journal_ = other.journal_;
    segment_ = std::exchange(other.segment_, nullptr);
    at_ = other.at_;
    end_ = other.end_;
    from_ = other.from_;
    to_ = other.to_;
    wanted_ = std::exchange(other.wanted_, Wanted::Nothing);
    damaged_ = other.damaged_;
  }
  return *this;
}

Replay::~Replay() {
  leave();
}

void Replay::leave() noexcept {
  if (segment_ != nullptr) {
    segment_->drop_reference();
    segment_ = nullptr;
  }
}

// False at the end of what is there. Segments that are gone (archived, or overwritten in a ring)
// are passed over: their numbers have no stored message.
bool Replay::enter(std::uint32_t segment_number) noexcept {
  leave();
  for (; segment_number <= end_.segment; ++segment_number) {
    Segment* segment = journal_->mapped_segment(segment_number);
    if (segment != nullptr) {
      segment->add_reference();
    } else if (!journal_->in_memory_) {
      const std::string path = journal_->home_->files->path(segment_number);
      const std::expected<Segment*, base::Error> mapped =
          Segment::map(path, Segment::Access::ReadOnly);
      if (!mapped && mapped.error().code != base::ErrorCode::NotFound) {
        damaged_ = true;
        return false;
      }
      segment = mapped ? *mapped : nullptr;
      if (segment != nullptr &&
          (!segment->begun() || !segment->check_header(segment_number, path))) {
        segment->drop_reference();
        damaged_ = true;
        return false;
      }
    }
    if (segment != nullptr) {
      segment_ = segment;
      at_ = {segment_number, format::records_offset};
      return true;
    }
  }
  return false;
}

std::optional<Record> Replay::next() noexcept {
  while (wanted_ != Wanted::Nothing && at_ < end_) {
    // A ring's segment may have been taken for newer records since the last call.
    const bool overwritten = segment_ != nullptr && segment_->number() != at_.segment;
    if (segment_ == nullptr || overwritten) {
      const Position resume = at_;
      if (!enter(at_.segment)) {
        break;
      }
      if (at_.segment == resume.segment) {
        at_ = resume;
      }
      continue;
    }
    const Parsed parsed = parse_record(segment_->base(), segment_->records_limit(), at_.segment,
                                       at_.offset, Check::Crc);
    if (parsed.found == Found::Bad || segment_->lost()) {
      damaged_ = true;
      break;
    }
    if (parsed.found == Found::End) {
      if (!enter(at_.segment + 1)) {
        break;
      }
      continue;
    }
    at_.offset = static_cast<std::uint32_t>(parsed.next_offset);
    const Record& record = parsed.record;
    if (wanted_ == Wanted::Unprocessed) {
      if (record.kind == Kind::Received && !record.processed && !record.message_omitted) {
        return record;
      }
      continue;
    }
    if (record.kind != Kind::Sent || record.sequence < from_) {
      continue;
    }
    if (record.sequence > to_) {
      break;
    }
    if (!record.message_omitted) {
      return record;
    }
  }
  wanted_ = Wanted::Nothing;
  leave();
  return std::nullopt;
}

Replay Journal::replay(std::uint64_t from, std::uint64_t to) const {
  Replay replay;
  if (from > to || from >= next_outgoing_) {
    return replay;
  }
  replay.journal_ = this;
  replay.end_ = end();
  replay.from_ = from;
  replay.to_ = to;
  replay.wanted_ = Replay::Wanted::SentRange;

  // Checkpoints ascend from the barrier on, so the last one that is not beyond `from` is found by
  // halving. A segment that is gone counts as not beyond: those that are gone are the oldest.
  std::uint32_t low = std::max<std::uint32_t>(barrier_.segment, 1);
  std::uint32_t high = segment_number_;
  while (low < high) {
    const std::uint32_t middle = low + (high - low + 1) / 2;
    const Segment* const mapped = mapped_segment(middle);
    std::optional<std::uint64_t> outgoing;
    if (mapped != nullptr) {
      outgoing = mapped->header().next_outgoing;
    } else if (!in_memory_) {
      outgoing = checkpoint_outgoing(home_->files->path(middle));
    }
    if (outgoing && *outgoing > from) {
      high = middle - 1;
    } else {
      low = middle;
    }
  }
  if (replay.enter(low)) {
    replay.at_.offset = static_cast<std::uint32_t>(start_in(*replay.segment_, from, barrier_));
  } else {
    replay.wanted_ = Replay::Wanted::Nothing;
  }
  return replay;
}

Replay Journal::unprocessed() const {
  Replay replay;
  if (unprocessed_count_ == 0) {
    return replay;
  }
  replay.journal_ = this;
  replay.at_ = oldest_unprocessed_;
  replay.end_ = end();
  replay.wanted_ = Replay::Wanted::Unprocessed;
  return replay;
}

}  // namespace affix::inline v0::journal
