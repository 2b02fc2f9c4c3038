// SPDX-License-Identifier: MIT
// A copy makes the stores that another journal's writer made, in the same order, so that at any
// moment its files are those that a kill would have left there earlier. See copying.cpp for the
// work on its files before.
#include "affix/journal/journal.hpp"
#include "affix/journal/late_marks.hpp"

#include "journal/gate.hpp"
#include "journal/home.hpp"
#include "journal/judge.hpp"
#include "journal/mirror.hpp"
#include "journal/stall.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace affix::inline v0::journal {

namespace {

/// True if `bytes` are one record, valid at `at`, with a mark and padding as an append stores them.
bool is_record_of(Position at, std::string_view bytes) noexcept {
  if (!at.valid() || at.offset < format::records_offset || at.offset % format::alignment != 0 ||
      bytes.size() < format::record_bytes(0)) {
    return false;
  }
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  if (length < format::record_header_bytes ||
      format::record_bytes(length - format::record_header_bytes) != bytes.size()) {
    return false;
  }
  const bool padded =
      std::ranges::all_of(bytes.substr(length + 1), [](char one) { return one == 0; });
  const auto mark = static_cast<std::uint8_t>(bytes[length]);
  return padded && mark <= static_cast<std::uint8_t>(format::Mark::Late) &&
         is_whole_record(bytes, at.segment, at.offset);
}

/// The processed mark of the record at `offset`, which is valid.
format::Mark stored_mark(const char* base, std::size_t offset) noexcept {
  std::uint32_t length = 0;
  std::memcpy(&length, base + offset, sizeof(length));
  return static_cast<format::Mark>(__atomic_load_n(base + offset + length, __ATOMIC_RELAXED));
}

/// The fields of a header that a recovery may have changed: its checkpoint of unprocessed records,
/// and so its checksum.
bool are_equal(format::Header one, format::Header other) noexcept {
  one.unprocessed = other.unprocessed;
  one.crc = other.crc;
  return std::memcmp(&one, &other, sizeof(one)) == 0;
}

}  // namespace

std::optional<Followed> Journal::refusal_to_follow() const noexcept {
  if (halted_.load(std::memory_order_relaxed) != halted_by_following) {
    return Followed::Failed;
  }
  return std::nullopt;
}

// A segment that is mapped for something else, or else the last one that this was asked for: what
// comes again comes in the order of the records.
const Segment* Journal::segment_to_compare(std::uint32_t number) const {
  if (const Segment* const mapped = mapped_.find(number)) {
    return mapped;
  }
  SegmentHandle& compared = home_->compared;
  if (compared == nullptr || compared->number() != number) {
    const std::string path = home_->files->path(number);
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(path, Segment::Access::ReadOnly, disk());
    compared.reset(mapped ? *mapped : nullptr);
    if (compared != nullptr &&
        (!compared->begun() || !compared->check_header(number, path).has_value())) {
      compared.reset();
    }
  }
  return compared.get();
}

// With MarkTrust::Vouched whether a mark outlives a power loss depends on what this disk has: the
// answer to the message may be in a copy that is not flushed yet.
format::Mark Journal::own_mark(Position at, format::Mark mark) const noexcept {
  return mark == format::Mark::None || !marks_.vouched() ? mark : marks_.mark_for(at);
}

Followed Journal::follow_record(Position at, std::string_view record) noexcept {
  if (const std::optional<Followed> refusal = refusal_to_follow()) [[unlikely]] {
    return *refusal;
  }
  if (!is_record_of(at, record)) [[unlikely]] {
    return Followed::Damaged;
  }
  if (at == end()) [[likely]] {
    return store_followed(record);
  }
  return at < end() ? compare_with(at, record) : Followed::WrongPlace;
}

Followed Journal::compare_with(Position at, std::string_view record) noexcept {
  const Segment* const segment = segment_to_compare(at.segment);
  if (segment == nullptr) {
    return Followed::AlreadyThere;  // Not kept any more.
  }
  const std::size_t limit = at.segment == mapped_.number() ? std::size_t{offset_} : segment->size();
  if (at.offset > limit || record.size() > limit - at.offset) {
    return Followed::WrongPlace;
  }
  std::uint32_t length = 0;
  std::memcpy(&length, record.data(), sizeof(length));
  if (std::memcmp(segment->base() + at.offset, record.data(), length) != 0) {
    return Followed::WrongPlace;
  }
  const Record stored = record_of(record.data(), length, at.segment, at.offset);
  if (stored.kind == Kind::Received && !stored.message_omitted) {
    const Followed marked = follow_mark(at, static_cast<format::Mark>(record[length]));
    if (marked == Followed::Failed) {
      return marked;
    }
  }
  return Followed::AlreadyThere;
}

// The same stores as Journal::append(), in the same order.
Followed Journal::store_followed(std::string_view record) noexcept {
  const std::size_t size = record.size();
  if (offset_ + size + format::end_mark_bytes > current_segment().size()) {
    return Followed::WrongPlace;  // The other writer continued in another segment.
  }
  if (offset_ + size + format::end_mark_bytes > soft_limit_ &&
      make_room(size, 0) != AppendResult::Appended) {
    return Followed::Failed;
  }
  const std::size_t offset = offset_;
  const Position at = end();
  char* const to = base_ + offset;
  std::uint64_t head = 0;
  std::memcpy(&head, record.data(), sizeof(head));
  std::uint32_t length = 0;
  std::memcpy(&length, record.data(), sizeof(length));
  const auto given = static_cast<format::Mark>(record[length]);
  const format::Mark mark = given == format::Mark::Final ? given : own_mark(at, given);
  std::memcpy(to + sizeof(head), record.data() + sizeof(head), size - sizeof(head));
  to[length] = static_cast<char>(mark);
  const std::uint32_t end_mark =
      format::end_mark(mapped_.number(), static_cast<std::uint32_t>(offset + size));
  std::memcpy(to + size + offsetof(format::RecordHeader, crc), &end_mark, sizeof(end_mark));
  // Release: as in an append, a killed process leaves a complete record or none.
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(to), head, __ATOMIC_RELEASE);
  // The handler of a bus error runs on this thread, inside the stores above.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (current_segment().lost()) [[unlikely]] {
    halted_.fetch_or(halted_by_page, std::memory_order_relaxed);
    return Followed::Failed;
  }
  offset_ = offset + size;
  if (flushes()) {
    if (mirror_ != nullptr) {
      mirror_record(offset, size);
    }
    progress_.store_end(end());
  }
  apply_followed(record_of(to, length, at.segment, at.offset));
  return Followed::Stored;
}

// The numbers as Standing::apply() finds them after a kill.
void Journal::apply_followed(const Record& record) noexcept {
  recovered_.last_utc_ns = record.utc_ns;
  switch (record.kind) {
    case Kind::Sent:
      if (record.position.offset >= index_at_) {
        note_sent(record.sequence, record.position.offset);
      }
      next_outgoing_ = record.number_after;
      if (record.unsent != 0) {
        queued_ = {record.unsent, record.sequence};
      }
      break;
    case Kind::Received:
      next_expected_ = record.number_after;
      if (record.message_omitted) {
        break;
      }
      if (!record.processed) {
        marks_.add(record.position);
      } else if (marks_.vouched() &&
                 stored_mark(base_, record.position.offset) == format::Mark::Late) {
        note_late(record.position);
      }
      break;
    case Kind::Held:
      break;
    case Kind::Resent:
      queued_ = {record.unsent, record.unsent == 0 ? 0 : queued_.last};
      break;
    case Kind::Event:
      queued_ = {record.unsent, record.unsent == 0 ? 0 : queued_.last};
      if (is_barrier(record.event, next_outgoing_, record.sequence)) {
        barrier_ = record.position;
        begin_index_anew(record.sequence);
      }
      next_outgoing_ = record.sequence;
      next_expected_ = record.number_after;
      reign_.note(record, record.position);
      break;
  }
}

bool Journal::is_next_header(const format::Header& header) const noexcept {
  // An opening reads from there on.
  const Position unprocessed = unpacked(header.unprocessed);
  const bool has_place = !unprocessed.valid() || (unprocessed.offset >= format::records_offset &&
                                                  unprocessed.offset % format::alignment == 0);
  const bool numbers_only = (header.flags & format::flag_numbers_only) != 0;
  return header.magic == format::magic && header.byte_order == format::byte_order_mark &&
         header.version == format::version && header.crc == header_crc(header) &&
         header.records_offset == format::records_offset &&
         header.segment_bytes >= format::records_offset + format::record_bytes(0) &&
         header.segment_bytes <= segment_bytes_max && header.journal_id == home_->journal_id &&
         header.identity_bytes <= format::identity_bytes_max &&
         std::string_view(header.identity, header.identity_bytes) == options_.identity &&
         has_place && numbers_only == !keeps_messages_;
}

Followed Journal::follow_segment(const format::Header& header) noexcept {
  if (const std::optional<Followed> refusal = refusal_to_follow()) {
    return *refusal;
  }
  if (!is_next_header(header)) {
    return Followed::Damaged;
  }
  if (header.segment_number <= mapped_.number()) {
    const bool in_use = header.segment_number == mapped_.number();
    return in_use && !are_equal(header, current_segment().header()) ? Followed::WrongPlace
                                                                    : Followed::AlreadyThere;
  }
  if (header.segment_number != mapped_.number() + 1 || header.previous_end != offset_) {
    return Followed::WrongPlace;
  }
  Segment* const next = take_next_of(static_cast<std::size_t>(header.segment_bytes));
  if (next == nullptr) {
    return handover_.refusal() == AppendResult::NoSpace ? Followed::NoSpace : Followed::Failed;
  }
  const Position checkpoint = unpacked(header.unprocessed);
  // An opening looks at the marks from there on, of records too that were processed without one.
  if (checkpoint.valid() && checkpoint < counted_from_ && !count_from(checkpoint)) {
    return Followed::Failed;
  }
  if (!mark_before(checkpoint)) {
    return Followed::Failed;
  }
  home_->compared.reset();
  // The checkpoint is what an opening after a kill would take; the count of queued messages may
  // have changed without a record.
  next_outgoing_ = header.next_outgoing;
  next_expected_ = header.next_expected;
  barrier_ = unpacked(header.barrier);
  queued_ = {header.unsent, header.last_queued};
  reign_.epoch = header.epoch;
  reign_.at = unpacked(header.epoch_record);
  // Before anything is stored: the preparing thread must not fill it any more.
  next->take();
  next->begin({header, fresh_state(format::records_offset)});
  return enter_next(*next) ? Followed::Stored : Followed::Failed;
}

// History has a record as it was when it was read, perhaps unprocessed, and a later header as the
// writer began it: an opening takes its checkpoint, and looks at no mark before it. So these marks
// are stored first. In a stream they have come already. Invalid: no record was unprocessed.
bool Journal::mark_before(Position checkpoint) {
  const Position until = checkpoint.valid() ? checkpoint : end();
  if (!oldest_unprocessed().valid() || !(oldest_unprocessed() < until)) {
    return true;
  }
  std::vector<Position> processed;
  Replay replay = unprocessed(until);
  while (const std::optional<Record> record = replay.next()) {
    processed.push_back(record->position);
  }
  return std::ranges::all_of(
      processed, [this](Position at) { return store_mark(at, own_mark(at, format::Mark::Final)); });
}

// Exactly so long: where the next record does not fit, the other writer began another segment.
Segment* Journal::take_next_of(std::size_t bytes) noexcept {
  for (;;) {
    Segment* next = handover_.prepared();
    if (next != nullptr && next->size() == bytes) {
      return next;
    }
    const Stall stall(stalls_.watch);
    const Gate gate(handover_.making());
    next = handover_.prepared();
    if (next != nullptr) {
      if (next->size() == bytes) {
        continue;  // The other thread made it meanwhile.
      }
      give_up_next();
    }
    ++stalls_.count;
    if (!prepare_segment(bytes, nullptr)) {
      requests_.request(Work::Segment);
      return nullptr;
    }
    requests_.withdraw(Work::Segment);
  }
}

Followed Journal::follow_mark(Position at, format::Mark mark) noexcept {
  if (const std::optional<Followed> refusal = refusal_to_follow()) {
    return *refusal;
  }
  if (static_cast<std::uint8_t>(mark) > static_cast<std::uint8_t>(format::Mark::Late)) {
    return Followed::Damaged;
  }
  if (!is_received(at)) {
    return Followed::WrongPlace;
  }
  const Segment* segment = segment_to_compare(at.segment);
  if (segment == nullptr) {
    return Followed::AlreadyThere;
  }
  const Parsed parsed =
      parse_record(segment->base(), segment->size(), at.segment, at.offset, Check::Crc);
  if (parsed.found != Found::Record || parsed.record.kind != Kind::Received) {
    return Followed::WrongPlace;
  }
  if (parsed.record.message_omitted) {
    return Followed::AlreadyThere;
  }
  if (at < counted_from_) {
    if (mark != format::Mark::None) {
      return Followed::AlreadyThere;
    }
    if (!count_from(at)) {
      return Followed::Failed;
    }
    segment = segment_to_compare(at.segment);  // It has looked at others.
    if (segment == nullptr) {
      return Followed::Failed;
    }
  }
  const format::Mark stored = stored_mark(segment->base(), at.offset);
  if (mark == format::Mark::None && stored != mark) {
    return take_back_mark(at) ? Followed::Stored : Followed::Failed;
  }
  if (stored == format::Mark::None && mark != stored) {
    return store_mark(at, own_mark(at, mark)) ? Followed::Stored : Followed::Failed;
  }
  if (mark == format::Mark::Final && stored != mark && !marks_.vouched()) {
    confirm_stored(at);
  }
  return Followed::AlreadyThere;
}

// A power loss may take a mark, and not the later header whose checkpoint says that the record was
// processed. Before the checkpoint may be lowered to `position`, such marks are set again.
bool Journal::count_from(Position position) {
  for (std::uint32_t number = position.segment; number <= counted_from_.segment; ++number) {
    const Segment* const segment = segment_to_compare(number);
    std::size_t at = format::records_offset;
    while (segment != nullptr) {
      const Parsed parsed =
          parse_record(segment->base(), segment->size(), number, at, Check::FormOnly);
      if (parsed.found != Found::Record || !(parsed.record.position < counted_from_)) {
        break;
      }
      const Record& record = parsed.record;
      at = parsed.next_offset;
      if (record.kind != Kind::Received || record.processed || record.position < position) {
        continue;
      }
      if (Segment* const mapped = mapped_.find(number)) {
        char* const mark = mark_of(mapped->base(), record.position.offset);
        __atomic_store_n(mark, static_cast<char>(format::Mark::Final), __ATOMIC_RELAXED);
        if (mapped->is_written()) {
          bring_mark(*mapped, record.position, static_cast<std::size_t>(mark - mapped->base()));
        }
      } else if (home_->files->mark_processed(number, record.position.offset,
                                              format::Mark::Final) == MarkedInFile::Not) {
        return false;
      }
    }
  }
  counted_from_ = position;
  return true;
}

bool Journal::take_back_mark(Position position) noexcept {
  bool late = false;
  if (Segment* const segment = mapped_.find(position.segment)) {
    late = stored_mark(segment->base(), position.offset) == format::Mark::Late;
    char* const mark = mark_of(segment->base(), position.offset);
    __atomic_store_n(mark, 0, __ATOMIC_RELAXED);
    if (segment->is_written()) {
      bring_mark(*segment, position, static_cast<std::size_t>(mark - segment->base()));
    }
  } else {
    const Segment* const read = segment_to_compare(position.segment);
    late = read != nullptr && stored_mark(read->base(), position.offset) == format::Mark::Late;
    if (!home_->files->take_mark(position.segment, position.offset)) {
      return false;
    }
  }
  if (late && marks_.vouched()) {
    // Otherwise its confirmation would set it again.
    marks_.confirm_late(position);
    std::erase(home_->left_late, position);
    if (late_marks_ != nullptr) {
      for (const Position other : late_marks_->take_out(*this)) {
        if (other != position) {
          late_marks_->add(*this, other);
        }
      }
    }
  }
  marks_.take_back(position);
  return lower_checkpoint(position);
}

// An opening after a kill reads received records only from the checkpoint in the newest header on,
// where the record at `position` may have been processed.
bool Journal::lower_checkpoint(Position position) noexcept {
  Segment& segment = current_segment();
  format::Header header = segment.header();
  const Position before = unpacked(header.unprocessed);
  if (position.segment == mapped_.number() || (before.valid() && before <= position)) {
    return true;
  }
  header.unprocessed = packed(position);
  header.crc = header_crc(header);
  if (segment.is_written()) {
    // The flushing thread writes this memory to the file.
    std::memcpy(&segment.header(), &header, sizeof(header));
  }
  return home_->files->write_header(header).has_value() &&
         segment.sync(0, format::records_offset, home_->files->path(mapped_.number())).has_value();
}

Followed Journal::follow_unprocessed(std::span<const Position> unprocessed) {
  if (const std::optional<Followed> refusal = refusal_to_follow()) {
    return *refusal;
  }
  if (!std::ranges::is_sorted(unprocessed)) {
    return Followed::Damaged;
  }
  Position from = oldest_unprocessed();
  if (!unprocessed.empty()) {
    from = from.valid() ? std::min(from, unprocessed.front()) : unprocessed.front();
  }
  std::vector<std::pair<Position, format::Mark>> changes;
  auto wanted = unprocessed.begin();
  for (std::uint32_t number = from.segment; from.valid() && number <= mapped_.number(); ++number) {
    const Segment* const segment = segment_to_compare(number);
    if (segment == nullptr) {
      while (wanted != unprocessed.end() && wanted->segment <= number) {
        ++wanted;  // Not kept any more.
      }
      continue;
    }
    for (std::size_t at = format::records_offset;;) {
      const Parsed parsed =
          parse_record(segment->base(), segment->size(), number, at, Check::FormOnly);
      if (parsed.found != Found::Record || !(parsed.record.position < end())) {
        break;
      }
      at = parsed.next_offset;
      const Record& record = parsed.record;
      const bool is_wanted = wanted != unprocessed.end() && *wanted == record.position;
      if (record.kind != Kind::Received || record.message_omitted) {
        continue;
      }
      wanted += is_wanted ? 1 : 0;
      if (is_wanted == (record.processed || record.position < counted_from_)) {
        changes.emplace_back(record.position, is_wanted ? format::Mark::None : format::Mark::Final);
      }
    }
  }
  if (wanted != unprocessed.end()) {
    return Followed::WrongPlace;
  }
  for (const auto& [position, mark] : changes) {
    if (follow_mark(position, mark) != Followed::Stored) {
      return Followed::Failed;
    }
  }
  return changes.empty() ? Followed::AlreadyThere : Followed::Stored;
}

std::vector<Position> Journal::unprocessed_positions() const {
  std::vector<Position> positions;
  if (unprocessed_count() == 0) {
    return positions;
  }
  Replay replay = unprocessed();
  while (const std::optional<Record> record = replay.next()) {
    positions.push_back(record->position);
  }
  return positions;
}

Followed Journal::follow_reserve(std::uint64_t reserved_outgoing) noexcept {
  if (const std::optional<Followed> refusal = refusal_to_follow()) {
    return *refusal;
  }
  if (!reserve_.follow(reserved_outgoing)) {
    return Followed::AlreadyThere;
  }
  requests_.request(flushes() ? Work::FlushedReserve : Work::Reserve);
  return Followed::Stored;
}

std::expected<void, base::Error> Journal::lead() {
  if (!is_copy()) {
    return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                       "the journal is not a copy of another one",
                                       options_.directory, "J224"});
  }
  if (std::expected<void, base::Error> cleared = clear_loss(); !cleared) {
    return cleared;
  }
  home_->compared.reset();
  recovered_.next_outgoing = next_outgoing_;
  recovered_.next_expected = next_expected_;
  recovered_.unprocessed = unprocessed_count();
  reign_.skip_to = reserve_.known();
  reserve_.lead();
  halted_.fetch_and(~halted_by_following, std::memory_order_relaxed);
  return {};
}

std::expected<void, base::Error> Journal::skip_to_reserve() {
  const std::uint64_t reserved = std::exchange(reign_.skip_to, 0);
  if (reserved == 0) {
    return std::unexpected(base::Error{
        base::ErrorCode::Damaged, "the copy knows no reserve of outgoing numbers to go on from",
        options_.directory, "J224"});
  }
  if (reserved <= next_outgoing_) {
    return {};
  }
  std::expected<void, base::Error> announced = announce_loss(reserved);
  if (!announced) {
    reign_.skip_to = reserved;
  }
  return announced;
}

// An opening after a power loss left a note in the states that the numbers must skip. The copy has
// got the lost records again, or its caller makes the numbers skip.
std::expected<void, base::Error> Journal::clear_loss() {
  if (!std::exchange(home_->numbers_lost, false)) {
    return {};
  }
  const Gate gate(flushes() ? progress_.flushing() : handover_.preparing());
  Segment& segment = current_segment();
  std::optional<format::State> state = segment.state();
  if (!state) {
    return {};
  }
  state->flags &= ~format::state_flag_numbers_lost;
  segment.set_state(*state);
  return segment.store(0, format::records_offset, home_->files->path(segment.number()));
}

void Journal::follow() noexcept {
  set_tap(nullptr, 0);
  halted_.fetch_or(halted_by_following, std::memory_order_relaxed);
}

}  // namespace affix::inline v0::journal
