// SPDX-License-Identifier: MIT
// Appends records: allocates nothing, and makes no system call unless the next segment is missing.
#include "affix/journal/journal.hpp"

#include "affix/base/assert.hpp"
#include "affix/base/crc32c.hpp"

#include "journal/gate.hpp"
#include "journal/home.hpp"
#include "journal/judge.hpp"
#include "journal/mirror.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace affix::inline v0::journal {

namespace {

constexpr std::size_t crc_begin = offsetof(format::RecordHeader, kind);

constexpr std::size_t crc_head_bytes = format::record_header_bytes - crc_begin;

constexpr std::size_t cache_line_bytes = 64;

constexpr std::size_t prefetched_bytes = 4 * cache_line_bytes;

std::size_t size_of(std::string_view message) noexcept {
  return message.size();
}

std::size_t size_of(std::span<const std::string_view> pieces) noexcept {
  std::size_t bytes = 0;
  for (const std::string_view piece : pieces) {
    bytes += piece.size();
  }
  return bytes;
}

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

/// Reports a stall of the writer for as long as it lives.
class Stall {
 public:
  explicit Stall(StallWatch* watch) noexcept : watch_(watch) {
    if (watch_ != nullptr) {
      watch_->on_stall_begin();
    }
  }

  Stall(const Stall&) = delete;
  Stall& operator=(const Stall&) = delete;

  ~Stall() {
    if (watch_ != nullptr) {
      watch_->on_stall_end();
    }
  }

 private:
  StallWatch* const watch_;
};

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

template <typename Message>
[[gnu::always_inline]] inline Appended Journal::append(Kind kind, EventType event, bool processed,
                                                       const Numbers& numbers,
                                                       const Message& message) noexcept {
  // Relaxed: a halt by another thread need not affect the current append.
  if (halted_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    return Appended(halt_reason());
  }
  const bool omitted = !keep_messages_ && kind != Kind::Event;
  const std::size_t message_bytes = omitted ? 0 : size_of(message);
  const std::size_t record_bytes = format::record_bytes(message_bytes);
  if (offset_ + record_bytes + format::end_mark_bytes > soft_limit_) [[unlikely]] {
    const AppendResult room = make_room(record_bytes, numbers.utc_ns);
    if (room != AppendResult::Appended) {
      return Appended(room);
    }
    // The preparing thread may fill bytes after the limit with zeros.
    AFFIX_ASSERT(in_memory_ || offset_ + record_bytes + format::end_mark_bytes <= soft_limit_);
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
  if (in_memory_) {
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
        format::record_seed(segment_number_, static_cast<std::uint32_t>(offset));
    crc = omitted ? base::crc32c_copy(at + crc_begin, head, seed)
                  : copy_summing(at + crc_begin, head, message, seed);
    // Position of the next record's CRC. The end mark of the previous record stays here until the
    // commit, so a killed process leaves one or the other; zeros are damage.
    const std::uint32_t mark =
        format::end_mark(segment_number_, static_cast<std::uint32_t>(offset + record_bytes));
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
  if (current_->lost()) [[unlikely]] {
    halted_.fetch_or(halted_by_page, std::memory_order_relaxed);
    return Appended(AppendResult::Failed);
  }
  offset_ = offset + record_bytes;
  // The next record is probably as long as this one. Fetches its cache lines, and at page
  // boundaries the page-table entry, while the caller continues.
  for (std::size_t ahead = 0; ahead < prefetched_bytes; ahead += cache_line_bytes) {
    __builtin_prefetch(at + record_bytes + ahead, 1);
  }
  if (flushes_) {
    if (mirror_ != nullptr) {
      mirror_record(offset, record_bytes);
    }
    // Release: all records before it are stored.
    end_shared_.store(packed({segment_number_, static_cast<std::uint32_t>(offset_)}),
                      std::memory_order_release);
  }
  return Appended(Position{segment_number_, static_cast<std::uint32_t>(offset)});
}

template <typename Message>
[[gnu::always_inline]] inline AppendResult Journal::append_numbered(
    const Numbers& numbers, const Message& message) noexcept {
  if (numbers.sequence < next_outgoing_ || numbers.number_after <= numbers.sequence) [[unlikely]] {
    return halted_.load(std::memory_order_relaxed) != 0 ? halt_reason() : AppendResult::OutOfOrder;
  }
  // Relaxed: the value only triggers a check.
  if (numbers.number_after >= reserve_at_.load(std::memory_order_relaxed)) [[unlikely]] {
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
  const bool processed = delivery == Delivery::SessionOnly || in_memory_ || !keep_messages_;
  const Appended appended = append(Kind::Received, EventType::None, processed,
                                   {sequence, expected_after, utc_ns}, message);
  if (appended.result() == AppendResult::Appended) [[likely]] {
    next_expected_ = expected_after;
    if (!processed) {
      marked_ = true;
      if (unprocessed_count_++ == 0) {
        oldest_unprocessed_ = appended.position();
      }
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
  if (type == EventType::Remark) {
    next_outgoing = next_outgoing_;
    next_expected = next_expected_;
  }
  if (next_outgoing >= reserve_at_.load(std::memory_order_relaxed) && !reserve(next_outgoing)) {
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
    // Numbers after the barrier may be lower than those in the index, which must ascend.
    format::SparseIndex& index = current_->index();
    index.count = 0;
    index.base_sequence = next_outgoing;
    index_at_ = 0;
  }
  next_outgoing_ = next_outgoing;
  next_expected_ = next_expected;
  return AppendResult::Appended;
}

void Journal::note_sent(std::uint64_t sequence, std::size_t offset) noexcept {
  format::SparseIndex& index = current_->index();
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
  return (halted & halted_by_close) != 0 ? AppendResult::Closed : AppendResult::Failed;
}

Disk& Journal::disk() const noexcept {
  return options_.disk != nullptr ? *options_.disk : system_disk();
}

Segment* Journal::mapped_segment(std::uint32_t number) const noexcept {
  if (number == 0) {
    return nullptr;
  }
  if (in_memory_) {
    Segment* const segment = home_->ring->segment(number);
    return segment->begun() && segment->number() == number ? segment : nullptr;
  }
  if (number == segment_number_) {
    return current_;
  }
  if (previous_ != nullptr && previous_->number() == number) {
    return previous_;
  }
  Segment* segment = unflushed_;
  while (segment != nullptr && segment->number() != number) {
    segment = segment->next_retired;
  }
  return segment;
}

bool Journal::is_received(Position position) const noexcept {
  if (!position.valid() || position.offset < format::records_offset ||
      position.offset % format::alignment != 0 || !(position < end())) {
    return false;
  }
  const Segment* const segment = mapped_segment(position.segment);
  if (segment == nullptr) {
    return true;
  }
  const Parsed parsed =
      parse_record(segment->base(), segment->size(), position.segment, position.offset, Check::Crc);
  return parsed.found == Found::Record && parsed.record.kind == Kind::Received;
}

bool Journal::set_mark(Position position) noexcept {
  AFFIX_ASSERT(position.segment <= segment_number_ && position.offset >= format::records_offset);
  const format::Mark value = !vouches_             ? format::Mark::Final
                             : position < settled_ ? format::Mark::Late
                                                   : format::Mark::Ordered;
  Segment* const segment = mapped_segment(position.segment);
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
  if (value == format::Mark::Late) [[unlikely]] {
    note_late(position);
  }
  if (unprocessed_count_ == 0) {
    return true;
  }
  if (--unprocessed_count_ == 0) {
    oldest_unprocessed_ = {};
  } else if (position == oldest_unprocessed_) {
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
    if (position.segment == segment_number_ && mark_offset >= mirrored_from_) {
      mirror_->put_mark(mark_offset, mark);
    } else {
      segment.store_byte(mark_offset, mark, home_->files->path(position.segment));
    }
    std::uint64_t before = marked_from_.load(std::memory_order_relaxed);
    // Sequentially consistent, as are the load below and flush()'s accesses to both: either flush()
    // sees this position before it gives the mark's memory back, or this thread sees that the
    // record is durable.
    while (packed(position) < before &&
           !marked_from_.compare_exchange_weak(before, packed(position), std::memory_order_seq_cst,
                                               std::memory_order_relaxed)) {
    }
    if (!(packed(position) < durable_.load(std::memory_order_seq_cst))) {
      return;
    }
  }
  segment.store_byte(mark_offset, mark, home_->files->path(position.segment));
}

// Marks come nearly in the order of the records, so the next unmarked one is close. A position that
// is too early only makes a later opening read more.
void Journal::advance_unprocessed() noexcept {
  for (;;) {
    Segment* const segment = mapped_segment(oldest_unprocessed_.segment);
    if (segment == nullptr) {
      return;
    }
    const Parsed parsed =
        parse_record(segment->base(), segment->size(), oldest_unprocessed_.segment,
                     oldest_unprocessed_.offset, Check::FormOnly);
    if (parsed.found == Found::Record) {
      if (parsed.record.kind == Kind::Received && !parsed.record.processed) {
        return;
      }
      oldest_unprocessed_.offset = static_cast<std::uint32_t>(parsed.next_offset);
      continue;
    }
    if (oldest_unprocessed_.segment == segment_number_) {
      return;
    }
    oldest_unprocessed_ = {oldest_unprocessed_.segment + 1, format::records_offset};
  }
}

AppendResult Journal::make_room(std::size_t record_bytes, std::int64_t utc_ns) noexcept {
  if (offset_ + record_bytes + format::end_mark_bytes > current_->size()) {
    const AppendResult rolled = roll(record_bytes, utc_ns);
    if (rolled != AppendResult::Appended || in_memory_) {
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
  std::size_t limit = current_->size();
  if (in_memory_) {
    limit = home_->ring->look_ahead({segment_number_, static_cast<std::uint32_t>(end)});
    if (home_->ring->wants_pages()) {
      // Release: a thread that sees the flag sees which pages are wanted.
      wants_.fetch_or(wants_pages, std::memory_order_release);
    }
    return limit;
  }
  if (end > half_of(*current_)) {
    wants_.fetch_or(wants_segment, std::memory_order_release);
  } else {
    limit = half_of(*current_);
  }
  if (current_->lacks_pages()) {
    if (current_->present_end() < end) {
      const Stall stall(stall_watch_);
      current_->prepare_pages_now(end);
    }
    limit = std::min(limit, limit_of_pages(*current_, end));
    if (current_->lacks_wanted_pages()) {
      // Release: a thread that sees the flag sees which pages are wanted.
      wants_.fetch_or(wants_pages, std::memory_order_release);
    }
  }
  // A record longer than the mirror goes directly to the file.
  return mirror_ == nullptr ? limit
                            : std::max(end, std::min(limit, mirrored_from_ + mirror_->bytes()));
}

// Before an append: drops flushed records from the mirror; writes records to the file for which the
// mirror has no room.
bool Journal::keep_within_mirror(std::size_t record_bytes) noexcept {
  const Position flushed = durable();
  if (flushed.segment == segment_number_) {
    mirrored_from_ = std::max<std::size_t>(mirrored_from_, flushed.offset);
  }
  if (offset_ + record_bytes + format::end_mark_bytes <= mirrored_from_ + mirror_->bytes()) {
    return true;
  }
  const Stall stall(stall_watch_);
  if (!current_->store(mirrored_from_, offset_, home_->files->path(segment_number_))) {
    return false;
  }
  mirrored_from_ = offset_;
  return true;
}

void Journal::mirror_record(std::size_t offset, std::size_t record_bytes) noexcept {
  if (record_bytes + format::end_mark_bytes <= mirror_->bytes()) {
    mirror_->put(base_ + offset, record_bytes, segment_number_, offset);
    return;
  }
  const Stall stall(stall_watch_);
  // If this fails, the flush that follows fails as well and reports it.
  mirror_->put_end(segment_number_, offset + record_bytes);
  static_cast<void>(
      current_->store(offset, offset + record_bytes, home_->files->path(segment_number_)));
  mirrored_from_ = offset + record_bytes;
  soft_limit_ = std::min(soft_limit_, mirrored_from_ + mirror_->bytes());
}

// From here on the mirror holds records of the next segment. The end mark, then the header of that
// segment are in its file before any of its records.
bool Journal::store_before_roll(Segment& next) noexcept {
  const Stall stall(stall_watch_);
  const std::string path = home_->files->path(next.number());
  constexpr std::size_t first = format::records_offset;
  if (!current_->store(mirrored_from_, offset_, home_->files->path(segment_number_)) ||
      !next.store(first, first + format::end_mark_bytes, path) || !next.store(0, first, path)) {
    return false;
  }
  mirrored_from_ = first;
  return true;
}

AppendResult Journal::roll(std::size_t record_bytes, std::int64_t utc_ns) noexcept {
  const std::size_t largest = in_memory_ ? current_->size() : options_.max_segment_bytes;
  if (format::records_offset + record_bytes + format::end_mark_bytes > largest) {
    return AppendResult::TooLarge;
  }
  if (in_memory_) {
    current_->set_records_limit(offset_);
    Segment* const next = home_->ring->next(segment_number_ + 1);
    ring_refused_ = home_->ring->has_refused();
    next->set_records_limit(next->size());
    begin_segment(*next, segment_number_ + 1, utc_ns);
    current_ = next;
    go_on_in(*next, format::records_offset);
    return AppendResult::Appended;
  }
  Segment* const next = take_next(record_bytes);
  if (next == nullptr) {
    return blocked_.load(std::memory_order_relaxed);
  }
  begin_segment(*next, segment_number_ + 1, utc_ns);
  if (mirror_ != nullptr && !store_before_roll(*next)) {
    return AppendResult::Failed;  // The next append begins the segment again.
  }
  if (!next->is_written()) {
    // With Access::Written, flush() does this once the next segment's header is in the file.
    current_->set_left(static_cast<std::uint32_t>(offset_));
  }
  if (previous_ != nullptr) {
    leave_previous();
  }
  if (flushes_) {
    next->add_reference();  // For the flushing thread, which moves from segment to segment.
    current_->sealed_end = offset_;
    current_->following.store(next, std::memory_order_release);
  }
  previous_ = current_;
  current_ = next;
  current_shared_.store(next, std::memory_order_release);
  // Release: a thread that sees null also sees the new current segment.
  prepared_.store(nullptr, std::memory_order_release);
  go_on_in(*next, format::records_offset);
  return AppendResult::Appended;
}

// Keeps a segment mapped until it is flushed: a replay would read records from the file that are
// not there yet.
void Journal::leave_previous() noexcept {
  Segment* left = std::exchange(unflushed_, nullptr);
  previous_->next_retired = left;
  left = previous_;
  const std::uint32_t flushed_before = previous_->is_written() ? durable().segment : UINT32_MAX;
  Segment** end = &unflushed_;
  while (left != nullptr) {
    Segment* const segment = left;
    left = segment->next_retired;
    if (segment->number() < flushed_before) {
      retire(*segment);
    } else {
      segment->next_retired = nullptr;
      *end = segment;
      end = &segment->next_retired;
    }
  }
}

std::uint64_t Journal::take_from_ring() noexcept {
  ring_refused_ = false;
  return home_->ring->take_refusals();
}

// The helper thread unmaps segments. It may be several segments late, hence a list.
void Journal::retire(Segment& segment) noexcept {
  segment.next_retired = retired_.load(std::memory_order_relaxed);
  while (!retired_.compare_exchange_weak(segment.next_retired, &segment, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
  wants_.fetch_or(seals(segment_number_) ? wants_release | wants_seal : wants_release,
                  std::memory_order_release);
}

Segment* Journal::take_next(std::size_t record_bytes) noexcept {
  const std::size_t needed = format::records_offset + record_bytes + format::end_mark_bytes;
  for (;;) {
    // Acquires what the preparing thread wrote. The pointer stays until the segment is the current
    // one: a thread that saw neither would make a file with the same number and replace the one in
    // use.
    Segment* next = prepared_.load(std::memory_order_acquire);
    if (next != nullptr && needed <= next->size()) [[likely]] {
      return next;
    }
    if (next == nullptr && blocked_.load(std::memory_order_relaxed) != AppendResult::Appended) {
      return nullptr;  // A full disk must not slow down the worker at every append.
    }
    const Stall stall(stall_watch_);
    std::optional<Gate> nobody_prepares;
    if (next != nullptr) {
      nobody_prepares.emplace(preparing_);  // Made for shorter messages; its file is replaced.
    }
    const Gate gate(making_);
    next = prepared_.load(std::memory_order_acquire);
    if (next != nullptr) {
      if (!nobody_prepares || needed <= next->size()) {
        continue;  // The other thread made it meanwhile.
      }
      prepared_.store(nullptr, std::memory_order_relaxed);
      next->drop_reference();
    }
    ++stalls_;
    if (!prepare_segment(record_bytes, nullptr)) {
      wants_.fetch_or(wants_segment, std::memory_order_release);
      return nullptr;
    }
    wants_.fetch_and(~wants_segment, std::memory_order_relaxed);
  }
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
  header.unprocessed = packed(checkpoint_of_unprocessed());
  header.previous_end = number == 1 ? 0 : static_cast<std::uint32_t>(offset_);
  return {header, fresh_state(format::records_offset, reserved_.load(std::memory_order_relaxed))};
}

format::State Journal::fresh_state(std::size_t durable_offset,
                                   std::uint64_t reserved_outgoing) const noexcept {
  format::State state{};
  std::memcpy(state.boot_id, home_->boot.bytes, sizeof(state.boot_id));
  state.durable_offset = durable_offset;
  state.reserved_outgoing = reserved_outgoing;
  state.flags = (options_.durability == Durability::Sync ? format::state_flag_synced : 0) |
                (home_->numbers_lost ? format::state_flag_numbers_lost : 0);
  return state;
}

void Journal::go_on_in(Segment& segment, std::size_t end) noexcept {
  base_ = segment.base();
  offset_ = end;
  segment_number_ = segment.number();
  // The first append to a ring's segment determines which pages to request.
  soft_limit_ = in_memory_ ? end : std::max(half_of(segment), end);
  if (segment.lacks_pages()) {
    soft_limit_ = std::min(soft_limit_, limit_of_pages(segment, end));
    wants_.fetch_or(wants_pages, std::memory_order_release);
  }
  if (mirror_ != nullptr) {
    soft_limit_ = std::min(soft_limit_, mirrored_from_ + mirror_->bytes());
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
