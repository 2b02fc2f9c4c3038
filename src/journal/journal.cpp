// SPDX-License-Identifier: MIT
// Appends records: allocates nothing, and makes no system call unless the next segment is missing.
#include "affix/journal/journal.hpp"

#include "affix/base/assert.hpp"
#include "affix/base/bytes.hpp"
#include "affix/base/crc32c.hpp"
#include "affix/journal/tap.hpp"

#include "journal/gate.hpp"
#include "journal/home.hpp"
#include "journal/judge.hpp"
#include "journal/mirror.hpp"
#include "journal/stall.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace affix::inline v0::journal {

namespace {

constexpr std::size_t crc_begin = offsetof(format::RecordHeader, kind);

constexpr std::size_t crc_head_bytes = format::record_header_bytes - crc_begin;

constexpr std::size_t cache_line_bytes = 64;

constexpr std::size_t prefetched_bytes = 4 * cache_line_bytes;

std::uint32_t copy_summing(char* to, std::string_view head, std::string_view message,
                           std::uint32_t seed) noexcept {
  return base::crc32c_copy(to, head, message, seed);
}

std::uint32_t copy_summing(char* to, std::string_view head,
                           std::span<const std::string_view> pieces, std::uint32_t seed) noexcept {
  std::uint32_t crc = base::crc32c_copy(to, head, seed);
  to += head.size();
  for (const std::string_view piece : pieces) {
    crc = base::crc32c_copy(to, piece, crc);
    to += piece.size();
  }
  return crc;
}

void copy_all(char* to, std::string_view message) noexcept {
  message.copy(to, message.size());
}

void copy_all(char* to, std::span<const std::string_view> pieces) noexcept {
  for (const std::string_view piece : pieces) {
    copy_all(to, piece);
    to += piece.size();
  }
}

/// Everything between the CRC and the time.
std::uint64_t kinds_word(Kind kind, EventType event, std::uint16_t flags,
                         std::uint32_t unsent) noexcept {
  static_assert(offsetof(format::RecordHeader, utc_ns) - crc_begin == sizeof(std::uint64_t));
  const auto kind_byte = static_cast<std::uint8_t>(kind);
  const auto event_byte = static_cast<std::uint8_t>(event);
  return std::endian::native == std::endian::little
             ? std::uint64_t{unsent} << 32 | std::uint64_t{flags} << 16 |
                   std::uint64_t{event_byte} << 8 | kind_byte
             : std::uint64_t{kind_byte} << 56 | std::uint64_t{event_byte} << 48 |
                   std::uint64_t{flags} << 32 | unsent;
}

/// A record's first eight bytes.
std::uint64_t commit_word(std::uint32_t length, std::uint32_t crc) noexcept {
  static_assert(offsetof(format::RecordHeader, crc) == sizeof(std::uint32_t));
  return std::endian::native == std::endian::little ? std::uint64_t{crc} << 32 | length
                                                    : std::uint64_t{length} << 32 | crc;
}

std::size_t half_of(const Segment& segment) noexcept {
  return segment.size() / 2;
}

// Offset up to which the writer, now at `end`, may store before it requests pages again: half of
// the pages prepared ahead are then used.
std::size_t limit_of_pages(Segment& segment, std::size_t end) noexcept {
  segment.want_pages_ahead_of(end);
  return std::min(segment.present_end(), end + segment.present_ahead() / 2);
}

}  // namespace

/// Numbers and time in a record's header.
struct Journal::Numbers {
  std::uint64_t sequence;
  std::uint64_t number_after;
  std::int64_t utc_ns;
  std::uint32_t unsent = 0;
};

template <typename Message>
[[gnu::always_inline]] inline Appended Journal::append(Kind kind, EventType event, bool processed,
                                                       const Numbers& numbers,
                                                       const Message& message) noexcept {
  // Relaxed: a halt by another thread need not affect the current append.
  if (halted_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    return Appended(halt_reason());
  }
  const bool omitted = !keeps_messages_ && kind != Kind::Event;
  const std::size_t message_bytes = omitted ? 0 : base::size_of(message);
  const std::size_t record_bytes = format::record_bytes(message_bytes);
  if (offset_ + record_bytes + format::end_mark_bytes > soft_limit_) [[unlikely]] {
    const AppendResult room = make_room(record_bytes, numbers.utc_ns);
    if (room != AppendResult::Appended) {
      return Appended(room);
    }
    // The preparing thread may fill bytes after the limit with zeros.
    AFFIX_ASSERT(in_memory() || offset_ + record_bytes + format::end_mark_bytes <= soft_limit_);
  }

  const std::size_t offset = offset_;
  char* const at = base_ + offset;
  const auto length = static_cast<std::uint32_t>(format::record_header_bytes + message_bytes);
  // Stored in 8-byte words, as the checksum loads them: a load of bytes just stored in smaller
  // pieces waits until those have reached the cache.
  const auto store_head = [&](char* to) {
    const std::uint64_t kinds = kinds_word(
        kind, event, omitted ? format::record_message_omitted : std::uint16_t{0}, numbers.unsent);
    std::memcpy(to, &kinds, sizeof(kinds));
    std::memcpy(to + 8, &numbers.utc_ns, sizeof(numbers.utc_ns));
    std::memcpy(to + 16, &numbers.sequence, sizeof(numbers.sequence));
    std::memcpy(to + 24, &numbers.number_after, sizeof(numbers.number_after));
  };
  std::uint32_t crc = 0;
  if (in_memory()) {
    // Segments in memory need no CRC: it protects against bytes written by another process or
    // before a restart.
    store_head(at + crc_begin);
    if (!omitted) {
      copy_all(at + format::record_header_bytes, message);
    }
  } else {
    char head_bytes[crc_head_bytes];
    store_head(head_bytes);
    const std::string_view head(head_bytes, crc_head_bytes);
    const std::uint32_t seed =
        format::record_seed(mapped_.number(), static_cast<std::uint32_t>(offset));
    crc = omitted ? base::crc32c_copy(at + crc_begin, head, seed)
                  : copy_summing(at + crc_begin, head, message, seed);
    // Position of the next record's CRC. The end mark of the previous record stays here until the
    // commit, so a killed process leaves one or the other; zeros are damage.
    const std::uint32_t mark =
        format::end_mark(mapped_.number(), static_cast<std::uint32_t>(offset + record_bytes));
    std::memcpy(at + record_bytes + offsetof(format::RecordHeader, crc), &mark, sizeof(mark));
  }
  at[length] = static_cast<char>(processed | omitted);
  // Commits: length and CRC in one store. Release: a thread or process that sees the length also
  // sees the bytes that it covers. A killed process leaves a complete record or none, since its
  // stores reach the page cache in this order.
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(at), commit_word(length, crc),
                   __ATOMIC_RELEASE);

  // The handler of a bus error runs on this thread, inside the stores above.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (current_segment().lost()) [[unlikely]] {
    halted_.fetch_or(halted_by_page, std::memory_order_relaxed);
    return Appended(AppendResult::Failed);
  }
  offset_ = offset + record_bytes;
  // The next record is probably as long as this one. Fetches its cache lines, and at page
  // boundaries the page-table entry, while the caller continues.
  for (std::size_t ahead = 0; ahead < prefetched_bytes; ahead += cache_line_bytes) {
    __builtin_prefetch(at + record_bytes + ahead, 1);
  }
  if (after_store_ != 0) {
    if (flushes()) {
      if (mirror_ != nullptr) {
        mirror_record(offset, record_bytes);
      }
      progress_.store_end(end());
    }
    if ((after_store_ & then_tells) != 0) {
      tell_of_record(offset, record_bytes);
    }
  }
  return Appended(Position{mapped_.number(), static_cast<std::uint32_t>(offset)});
}

template <typename Message>
[[gnu::always_inline]] inline AppendResult Journal::append_numbered(
    const Numbers& numbers, const Message& message) noexcept {
  if (numbers.sequence < next_outgoing_ || numbers.number_after <= numbers.sequence) [[unlikely]] {
    return halted_.load(std::memory_order_relaxed) != 0 ? halt_reason() : AppendResult::OutOfOrder;
  }
  if (reserve_.is_reached_by(numbers.number_after)) [[unlikely]] {
    if (!reserve(numbers.number_after)) {
      return AppendResult::NoReserve;
    }
  }
  const Appended appended = append(Kind::Sent, EventType::None, false, numbers, message);
  if (appended.result() == AppendResult::Appended) [[likely]] {
    const std::uint32_t offset = appended.position().offset;
    if (offset >= index_at_) [[unlikely]] {
      note_sent(numbers.sequence, offset);
    }
    next_outgoing_ = numbers.number_after;
  }
  return appended.result();
}

void Journal::rehearse(std::string_view message) const noexcept {
  if (halted_.load(std::memory_order_relaxed) != 0) {
    return;
  }
  const std::size_t room = soft_limit_ > offset_ ? soft_limit_ - offset_ : 0;
  const std::size_t bytes = std::min(room, format::record_bytes(message.size()));
  for (std::size_t ahead = 0; ahead < bytes; ahead += cache_line_bytes) {
    __builtin_prefetch(base_ + offset_ + ahead, 1);
  }
  // Computed only to warm the code path; the barrier keeps the compiler from removing it.
  std::uint32_t sum = base::crc32c(message);
  asm volatile("" : "+r"(sum));
}

AppendResult Journal::append_sent(std::uint64_t sequence, std::int64_t utc_ns,
                                  std::string_view message) noexcept {
  return append_numbered({sequence, sequence + 1, utc_ns}, message);
}

AppendResult Journal::append_sent(std::uint64_t sequence, std::uint64_t next_outgoing,
                                  std::int64_t utc_ns, std::string_view message) noexcept {
  return append_numbered({sequence, next_outgoing, utc_ns}, message);
}

AppendResult Journal::append_sent(std::uint64_t sequence, std::uint64_t next_outgoing,
                                  std::int64_t utc_ns,
                                  std::span<const std::string_view> pieces) noexcept {
  return append_numbered({sequence, next_outgoing, utc_ns}, pieces);
}

AppendResult Journal::append_queued(std::uint64_t sequence, std::int64_t utc_ns,
                                    std::string_view message) noexcept {
  const std::uint32_t unsent = queued_.unsent == UINT32_MAX ? UINT32_MAX : queued_.unsent + 1;
  const AppendResult result = append_numbered({sequence, sequence + 1, utc_ns, unsent}, message);
  if (result == AppendResult::Appended) {
    queued_ = {unsent, sequence};
  }
  return result;
}

Appended Journal::append_received(std::uint64_t sequence, std::uint64_t expected_after,
                                  std::int64_t utc_ns, std::string_view message,
                                  Delivery delivery) noexcept {
  const bool processed = delivery == Delivery::SessionOnly || in_memory() || !keeps_messages_;
  const Appended appended = append(Kind::Received, EventType::None, processed,
                                   {sequence, expected_after, utc_ns}, message);
  if (appended.result() == AppendResult::Appended) [[likely]] {
    next_expected_ = expected_after;
    if (!processed) {
      marks_.add(appended.position());
    }
  }
  return appended;
}

AppendResult Journal::append_held(std::uint64_t sequence, std::int64_t utc_ns,
                                  std::string_view message) noexcept {
  return append(Kind::Held, EventType::None, false, {sequence, next_expected_, utc_ns}, message)
      .result();
}

AppendResult Journal::append_resent(std::uint64_t from, std::uint64_t to, std::int64_t utc_ns,
                                    std::string_view text) noexcept {
  return append(Kind::Resent, EventType::None, false, {from, to, utc_ns, queued_.unsent}, text)
      .result();
}

AppendResult Journal::append_event(EventType type, std::uint64_t next_outgoing,
                                   std::uint64_t next_expected, std::int64_t utc_ns,
                                   std::string_view text) noexcept {
  if (type == EventType::Remark || type == EventType::Epoch) {
    next_outgoing = next_outgoing_;
    next_expected = next_expected_;
  }
  if (reserve_.is_reached_by(next_outgoing) && !reserve(next_outgoing)) {
    return AppendResult::NoReserve;
  }
  const bool barrier = is_barrier(type, next_outgoing_, next_outgoing);
  const QueuedMessages queued = barrier ? QueuedMessages{} : queued_;
  const Appended appended =
      append(Kind::Event, type, false, {next_outgoing, next_expected, utc_ns, queued.unsent}, text);
  if (appended.result() != AppendResult::Appended) {
    return appended.result();
  }
  queued_ = queued;
  if (barrier) {
    barrier_ = appended.position();
    begin_index_anew(next_outgoing);
  }
  if (type == EventType::Epoch) {
    Record record;
    record.kind = Kind::Event;
    record.event = type;
    record.bytes = text;
    reign_.note(record, appended.position());
  }
  next_outgoing_ = next_outgoing;
  next_expected_ = next_expected;
  return AppendResult::Appended;
}

AppendResult Journal::append_epoch(std::uint64_t epoch, std::int64_t utc_ns,
                                   std::string_view node) noexcept {
  if (halted_.load(std::memory_order_relaxed) != 0) {
    return halt_reason();
  }
  if (epoch <= reign_.epoch) {
    return AppendResult::OutOfOrder;
  }
  const std::string text = "epoch " + std::to_string(epoch) + ", node " + std::string(node);
  return append_event(EventType::Epoch, 0, 0, utc_ns, text);
}

// Numbers after a barrier may be lower than those in the index, which must ascend.
void Journal::begin_index_anew(std::uint64_t next_outgoing) noexcept {
  format::SparseIndex& index = current_segment().index();
  index.count = 0;
  index.base_sequence = next_outgoing;
  index_at_ = 0;
}

void Journal::note_sent(std::uint64_t sequence, std::size_t offset) noexcept {
  format::SparseIndex& index = current_segment().index();
  const std::uint64_t delta = sequence - index.base_sequence;
  index_at_ = offset + index.stride;
  if (index.count >= format::SparseIndex::capacity || delta > UINT32_MAX) {
    return;
  }
  index.entries[index.count] = {static_cast<std::uint32_t>(delta),
                                static_cast<std::uint32_t>(offset)};
  ++index.count;
}

AppendResult Journal::halt_reason() const noexcept {
  const std::uint32_t halted = halted_.load(std::memory_order_relaxed);
  if ((halted & halted_by_close) != 0) {
    return AppendResult::Closed;
  }
  return (halted & halted_by_following) != 0 ? AppendResult::Following : AppendResult::Failed;
}

Disk& Journal::disk() const noexcept {
  return options_.disk != nullptr ? *options_.disk : system_disk();
}

bool Journal::is_received(Position position) const noexcept {
  if (!position.valid() || position.offset < format::records_offset ||
      position.offset % format::alignment != 0 || !(position < end())) {
    return false;
  }
  const Segment* const segment = mapped_.find(position.segment);
  if (segment == nullptr) {
    return true;
  }
  const Parsed parsed =
      parse_record(segment->base(), segment->size(), position.segment, position.offset, Check::Crc);
  return parsed.found == Found::Record && parsed.record.kind == Kind::Received;
}

bool Journal::set_mark(Position position) noexcept {
  // Of a copy the other journal's application marks the records.
  return !is_copy() && store_mark(position, marks_.mark_for(position));
}

bool Journal::store_mark(Position position, format::Mark value) noexcept {
  AFFIX_ASSERT(position.segment <= mapped_.number() && position.offset >= format::records_offset);
  Segment* const segment = mapped_.find(position.segment);
  if (segment != nullptr) [[likely]] {
    AFFIX_ASSERT(position.offset < segment->size());
    char* const mark = mark_of(segment->base(), position.offset);
    if (*mark != 0) {
      return true;
    }
    // One byte, stored after the application has processed the message. No other store depends on
    // it.
    __atomic_store_n(mark, static_cast<char>(value), __ATOMIC_RELAXED);
    if (segment->is_written()) {
      bring_mark(*segment, position, static_cast<std::size_t>(mark - segment->base()));
    }
  } else if (const MarkedInFile marked =
                 home_->files->mark_processed(position.segment, position.offset, value);
             marked != MarkedInFile::Now) {
    return marked == MarkedInFile::Before;
  }
  if (value == format::Mark::Late && marks_.vouched()) [[unlikely]] {
    note_late(position);
  }
  if (tap_.tap != nullptr) {
    tap_.tap->on_mark(tap_.id, position, value);
  }
  if (marks_.remove(position)) {
    advance_unprocessed();
  }
  return true;
}

// If the record is already in the file, its mark must be written there. Otherwise it goes with the
// record, unless the record is being written now: then the next flush starts at this record.
void Journal::bring_mark(Segment& segment, Position position, std::size_t mark_offset) noexcept {
  const char mark = segment.base()[mark_offset];
  if (!(position < durable())) {
    // So that the mark survives a kill: the record is in the mirror or in the file.
    if (position.segment == mapped_.number() && mark_offset >= mirror_->from()) {
      mirror_->put_mark(mark_offset, mark);
    } else {
      segment.store_byte(mark_offset, mark, home_->files->path(position.segment));
    }
    if (!progress_.is_past_mark(position)) {
      return;
    }
  }
  segment.store_byte(mark_offset, mark, home_->files->path(position.segment));
}

// Marks come nearly in the order of the records, so the next unmarked one is close. A position that
// is too early only makes a later opening read more.
void Journal::advance_unprocessed() noexcept {
  Position oldest = marks_.oldest_bound();
  for (;;) {
    Segment* const segment = mapped_.find(oldest.segment);
    if (segment == nullptr) {
      break;
    }
    const Parsed parsed = parse_record(segment->base(), segment->size(), oldest.segment,
                                       oldest.offset, Check::FormOnly);
    if (parsed.found == Found::Record) {
      if (parsed.record.kind == Kind::Received && !parsed.record.processed) {
        break;
      }
      oldest.offset = static_cast<std::uint32_t>(parsed.next_offset);
      continue;
    }
    if (oldest.segment == mapped_.number()) {
      break;
    }
    oldest = {oldest.segment + 1, format::records_offset};
  }
  marks_.move_oldest_to(oldest);
}

AppendResult Journal::make_room(std::size_t record_bytes, std::int64_t utc_ns) noexcept {
  if (offset_ + record_bytes + format::end_mark_bytes > current_segment().size()) {
    const AppendResult rolled = roll(record_bytes, utc_ns);
    if (rolled != AppendResult::Appended || in_memory()) {
      return rolled;
    }
  } else if (mirror_ != nullptr && !keep_within_mirror(record_bytes)) {
    return AppendResult::Failed;
  }
  soft_limit_ = limit_for(record_bytes);
  return AppendResult::Appended;
}

// Offset up to which appends may store before they call make_room().
std::size_t Journal::limit_for(std::size_t record_bytes) noexcept {
  const std::size_t end = offset_ + record_bytes + format::end_mark_bytes;
  std::size_t limit = current_segment().size();
  if (in_memory()) {
    limit = home_->ring->look_ahead({mapped_.number(), static_cast<std::uint32_t>(end)});
    if (home_->ring->wants_pages()) {
      requests_.request(Work::Pages);
    }
    return limit;
  }
  if (end > half_of(current_segment())) {
    requests_.request(Work::Segment);
  } else {
    limit = half_of(current_segment());
  }
  if (current_segment().lacks_pages()) {
    if (current_segment().present_end() < end) {
      const Stall stall(stalls_.watch);
      current_segment().prepare_pages_now(end);
    }
    limit = std::min(limit, limit_of_pages(current_segment(), end));
    if (current_segment().lacks_wanted_pages()) {
      requests_.request(Work::Pages);
    }
  }
  // A record longer than the mirror goes directly to the file.
  return mirror_ == nullptr ? limit : std::max(end, std::min(limit, mirror_->limit()));
}

// Before an append: drops flushed records from the mirror; writes records to the file for which the
// mirror has no room.
bool Journal::keep_within_mirror(std::size_t record_bytes) noexcept {
  const Position flushed = durable();
  if (flushed.segment == mapped_.number()) {
    mirror_->begin_at(std::max<std::size_t>(mirror_->from(), flushed.offset));
  }
  if (offset_ + record_bytes + format::end_mark_bytes <= mirror_->limit()) {
    return true;
  }
  const Stall stall(stalls_.watch);
  if (!current_segment().store(mirror_->from(), offset_, home_->files->path(mapped_.number()))) {
    return false;
  }
  mirror_->begin_at(offset_);
  return true;
}

void Journal::mirror_record(std::size_t offset, std::size_t record_bytes) noexcept {
  if (record_bytes + format::end_mark_bytes <= mirror_->bytes()) {
    mirror_->put(base_ + offset, record_bytes, mapped_.number(), offset);
    return;
  }
  const Stall stall(stalls_.watch);
  // If this fails, the flush that follows fails as well and reports it.
  mirror_->put_end(mapped_.number(), offset + record_bytes);
  static_cast<void>(
      current_segment().store(offset, offset + record_bytes, home_->files->path(mapped_.number())));
  mirror_->begin_at(offset + record_bytes);
  soft_limit_ = std::min(soft_limit_, mirror_->limit());
}

// From here on the mirror holds records of the next segment. The end mark, then the header of that
// segment are in its file before any of its records.
bool Journal::store_before_roll(Segment& next) noexcept {
  const Stall stall(stalls_.watch);
  const std::string path = home_->files->path(next.number());
  constexpr std::size_t first = format::records_offset;
  if (!current_segment().store(mirror_->from(), offset_, home_->files->path(mapped_.number())) ||
      !next.store(first, first + format::end_mark_bytes, path) || !next.store(0, first, path)) {
    return false;
  }
  mirror_->begin_at(first);
  return true;
}

AppendResult Journal::roll(std::size_t record_bytes, std::int64_t utc_ns) noexcept {
  const std::size_t largest = in_memory() ? current_segment().size() : options_.max_segment_bytes;
  if (format::records_offset + record_bytes + format::end_mark_bytes > largest) {
    return AppendResult::TooLarge;
  }
  if (in_memory()) {
    current_segment().set_records_limit(offset_);
    Segment* const next = home_->ring->next(mapped_.number() + 1);
    ring_refused_ = home_->ring->has_refused();
    next->set_records_limit(next->size());
    begin_segment(*next, mapped_.number() + 1, utc_ns);
    mapped_.begin_in(*next);
    go_on_in(*next, format::records_offset);
    return AppendResult::Appended;
  }
  Segment* const next = take_next(record_bytes);
  if (next == nullptr) {
    return handover_.refusal();
  }
  begin_segment(*next, mapped_.number() + 1, utc_ns);
  // After a failure the next append begins the segment again.
  return enter_next(*next) ? AppendResult::Appended : AppendResult::Failed;
}

// `next` is begun. False: it could not be written, and nothing has changed.
bool Journal::enter_next(Segment& next) noexcept {
  if (mirror_ != nullptr && !store_before_roll(next)) {
    return false;
  }
  if (!next.is_written()) {
    // With Access::Written, flush() does this once the next segment's header is in the file.
    current_segment().set_left(static_cast<std::uint32_t>(offset_));
  }
  // Written segments stay mapped until they are flushed.
  Segment* left = mapped_.take_earlier(durable().segment);
  while (left != nullptr) {
    Segment* const segment = left;
    left = segment->next_retired;
    retire(*segment);
  }
  if (flushes()) {
    next.add_reference();  // For the flushing thread, which moves from segment to segment.
    current_segment().sealed_end = offset_;
    current_segment().following.store(&next, std::memory_order_release);
  }
  mapped_.roll_to(next);
  handover_.enter(next);
  go_on_in(next, format::records_offset);
  if (tap_.tap != nullptr) {
    tap_.tap->on_segment(tap_.id, next.header());
  }
  return true;
}

std::uint64_t Journal::take_from_ring() noexcept {
  ring_refused_ = false;
  return home_->ring->take_refusals();
}

// The preparing thread unmaps segments.
void Journal::retire(Segment& segment) noexcept {
  handover_.retire(segment);
  requests_.request(Work::Release);
  if (seals(mapped_.number())) {
    requests_.request(Work::Seal);
  }
}

Segment* Journal::take_next(std::size_t record_bytes) noexcept {
  const std::size_t needed = format::records_offset + record_bytes + format::end_mark_bytes;
  for (;;) {
    Segment* next = handover_.prepared();
    if (next != nullptr && needed <= next->size()) [[likely]] {
      return next;
    }
    if (next == nullptr && handover_.refusal() != AppendResult::Appended) {
      return nullptr;  // A full disk must not slow down the worker at every append.
    }
    const Stall stall(stalls_.watch);
    const Gate gate(handover_.making());
    next = handover_.prepared();
    if (next != nullptr) {
      if (needed <= next->size()) {
        continue;  // The other thread made it meanwhile.
      }
      give_up_next();
    }
    ++stalls_.count;
    if (!prepare_segment(next_segment_bytes(record_bytes), nullptr)) {
      requests_.request(Work::Segment);
      return nullptr;
    }
    requests_.withdraw(Work::Segment);
  }
}

// The next segment was made for shorter messages: another file takes its name. The preparing thread
// may be at its pages, so that thread releases it; the writer waits for the piece that it may be
// filling, by the file's name, and not for its other work.
void Journal::give_up_next() noexcept {
  Segment& unused = *handover_.withdraw();
  unused.take();
  unused.prepare_pages_now(0);
  handover_.retire(unused);
  requests_.request(Work::Release);
}

void Journal::begin_segment(Segment& segment, std::uint32_t number, std::int64_t utc_ns) noexcept {
  // Before anything is stored: the preparing thread must not fill it any more.
  segment.take();
  segment.begin(fresh_begin(number, utc_ns));
}

SegmentBegin Journal::fresh_begin(std::uint32_t number, std::int64_t utc_ns) const noexcept {
  format::Header header{};
  header.flags = home_->segment_flags;
  header.journal_id = home_->journal_id;
  header.identity_bytes = static_cast<std::uint32_t>(options_.identity.size());
  std::memcpy(header.identity, options_.identity.data(), options_.identity.size());
  header.segment_number = number;
  header.created_utc_ns = utc_ns;
  header.next_outgoing = next_outgoing_;
  header.next_expected = next_expected_;
  header.barrier = packed(barrier_);
  header.unsent = queued_.unsent;
  header.last_queued = queued_.last;
  header.epoch = reign_.epoch;
  header.epoch_record = packed(reign_.at);
  header.unprocessed = packed(marks_.checkpoint());
  header.previous_end = number == 1 ? 0 : static_cast<std::uint32_t>(offset_);
  return {header, fresh_state(format::records_offset)};
}

format::State Journal::fresh_state(std::size_t durable_offset) const noexcept {
  format::State state{};
  std::memcpy(state.boot_id, home_->boot.bytes, sizeof(state.boot_id));
  state.durable_offset = durable_offset;
  state.reserved_outgoing = reserve_.reserved();
  state.flags = (options_.durability == Durability::Sync ? format::state_flag_synced : 0) |
                (home_->numbers_lost ? format::state_flag_numbers_lost : 0);
  return state;
}

void Journal::go_on_in(Segment& segment, std::size_t end) noexcept {
  base_ = segment.base();
  offset_ = end;
  // The first append to a ring's segment determines which pages to request.
  soft_limit_ = in_memory() ? end : std::max(half_of(segment), end);
  if (segment.lacks_pages()) {
    soft_limit_ = std::min(soft_limit_, limit_of_pages(segment, end));
    requests_.request(Work::Pages);
  }
  if (mirror_ != nullptr) {
    soft_limit_ = std::min(soft_limit_, mirror_->limit());
  }
  const format::SparseIndex& index = segment.index();
  index_at_ =
      index.count == 0
          ? 0
          : index.entries[std::min<std::size_t>(index.count, format::SparseIndex::capacity) - 1]
                    .offset +
                index.stride;
}

}  // namespace affix::inline v0::journal
