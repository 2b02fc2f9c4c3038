// SPDX-License-Identifier: MIT
// Steps of opening a journal: recover an existing one, and make a segment ready for appends.
// open_all.cpp runs them in order.
#include "affix/journal/journal.hpp"

#include "journal/clock.hpp"
#include "journal/fresh_id.hpp"
#include "journal/home.hpp"
#include "journal/mirror.hpp"
#include "journal/opening.hpp"
#include "journal/recovery.hpp"
#include "journal/retention.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace affix::inline v0::journal {

namespace {

// Segments that hold only numbers add nothing to the checkpoint of the next segment. A killed
// writer leaves one or two of them.
void remove_earlier_numbers(const SegmentFiles& files, std::uint32_t current) {
  for (std::uint32_t number = current - 1; number >= 1; --number) {
    const std::expected<Segment*, base::Error> mapped =
        Segment::map(files.path(number), Segment::Access::ReadOnly);
    const SegmentHandle segment(mapped ? *mapped : nullptr);
    if (segment == nullptr || (segment->header().flags & format::flag_numbers_only) == 0) {
      return;
    }
    files.remove(number);
  }
}

}  // namespace

Journal::Journal(const Options& options, const BootId& boot)
    : keep_messages_(options.max_segment_bytes != 0),
      in_memory_(options.durability == Durability::Memory),
      flushes_(options.durability == Durability::Group || options.durability == Durability::Sync),
      keeps_marks_(!in_memory_),
      vouches_(flushes_ && keep_messages_ && options.mark_trust == MarkTrust::Vouched),
      home_(std::make_unique<Home>()),
      options_(options) {
  if (!keep_messages_) {
    options_.max_segment_bytes = options_.first_segment_bytes;
    home_->segment_flags |= format::flag_numbers_only;
  }
  home_->boot = boot;
}

Journal::~Journal() {
  if (in_memory_) {
    return;
  }
  drop_read_ahead();
  while (unflushed_ != nullptr) {
    std::exchange(unflushed_, unflushed_->next_retired)->drop_reference();
  }
  let_go_of_retired();
  for (Segment* segment = home_->flushed; segment != nullptr;) {
    Segment* const following = segment->following.load(std::memory_order_acquire);
    segment->drop_reference();
    segment = following;
  }
  for (Segment* const segment : {prepared_.load(std::memory_order_acquire), previous_, current_}) {
    if (segment != nullptr) {
      segment->drop_reference();
    }
  }
}

// Makes the first segment of a new journal.
std::expected<void, base::Error> Journal::begin_first(Opening& opening) {
  const std::uint64_t reserve = options_.sequence_reserve;
  home_->journal_id = fresh_id();
  // With a reserve, a power loss must not leave a file that may or may not have been used.
  reserved_.store(reserve == 0 ? 0 : next_outgoing_ + reserve, std::memory_order_relaxed);
  // The reserve is written together with the file's length: a separate flush would add half of the
  // cost of opening a new journal.
  const SegmentBegin begin = fresh_begin(1, utc_now_ns());
  std::expected<UnnamedSegment, base::Error> first =
      UnnamedSegment::make(home_->files->path(1), options_.first_segment_bytes,
                           {.access = access(), .flushed_often = flushes_}, &begin, disk());
  if (!first) {
    return std::unexpected(first.error());
  }
  opening.first.emplace(std::move(*first));
  return {};
}

bool Journal::Opening::wants_first_on_disk() const noexcept {
  return first && (journal->options_.sequence_reserve != 0 || journal->flushes_);
}

bool Journal::Opening::wants_name_on_disk() const noexcept {
  // If the disk still said that the journal is closed, a power loss would go unnoticed.
  return journal->options_.sequence_reserve != 0 || journal->flushes_ || recovery.clean_on_disk;
}

// Continues in the last segment that was in use, with the numbers found by recovery.
std::expected<void, base::Error> Journal::go_on_from(Recovery& recovery) {
  const Standing& standing = recovery.standing;
  home_->journal_id = recovery.segment->header().journal_id;
  next_outgoing_ = standing.next_outgoing;
  next_expected_ = standing.next_expected;
  unprocessed_count_ = standing.unprocessed;
  oldest_unprocessed_ = standing.oldest_unprocessed;
  barrier_ = standing.barrier;
  queued_ = standing.queued;
  if (vouches_ && !standing.late.empty()) {
    late_count_ = standing.late.size();
    late_set_ = late_count_;
    late_from_ = *std::ranges::min_element(standing.late);
    home_->left_late = standing.late;
  }
  if (access() == Segment::Access::Written) {
    const std::expected<Segment*, base::Error> written =
        Segment::map(home_->files->path(recovery.segment->number()), access(), disk());
    if (!written) {
      return std::unexpected(written.error());
    }
    recovery.segment.reset(*written);
  } else {
    recovery.segment->suppress_readahead();
    // Only the first pages; preparing all of a large segment would make opening slow.
    recovery.segment->lack_pages_from(recovery.end);
    recovery.segment->prepare_pages();
  }
  current_ = recovery.segment.release();
  go_on_in(*current_, recovery.end);
  return {};
}

std::expected<void, base::Error> Journal::find_or_begin(Opening& opening) {
  Recovery& recovery = opening.recovery;
  if (home_->files->made()) {
    recovery.report.created = true;
  } else {
    std::expected<Recovery, base::Error> found = recover(*home_->files, options_, home_->boot);
    if (!found) {
      return std::unexpected(found.error());
    }
    recovery = std::move(*found);
    // An earlier process may have cleaned it only in part.
    static_cast<void>(disk().remove(SpareFile::path_in(options_.directory)));
  }
  recovered_ = recovery.report;
  return recovery.segment == nullptr ? begin_first(opening) : go_on_from(recovery);
}

std::expected<void, base::Error> Journal::make_usable(Opening& opening) {
  if (opening.first) {
    const std::expected<Segment*, base::Error> named = opening.first->name();
    if (!named) {
      return std::unexpected(named.error());
    }
    opening.first.reset();
    current_ = *named;
    go_on_in(*current_, format::records_offset);
  }
  current_shared_.store(current_, std::memory_order_release);
  if (std::expected<void, base::Error> mirrored = start_mirror(); !mirrored) {
    return mirrored;
  }

  const std::uint64_t reserve = options_.sequence_reserve;
  const std::uint64_t reserved_before = opening.recovery.reserved;
  const std::uint64_t from =
      opening.recovery.numbers_lost ? std::max(next_outgoing_, reserved_before) : next_outgoing_;
  std::size_t durable_offset =
      std::max<std::size_t>(opening.recovery.durable_offset, format::records_offset);
  if (flushes_) {
    // New records are appended after earlier ones that may be only in the system's cache.
    if (std::expected<void, base::Error> synced =
            recovered_.created ? std::expected<void, base::Error>{} : sync_all();
        !synced) {
      return synced;
    }
    if (!vouches_ || recovered_.other_boot || recovered_.created) {
      durable_offset = offset_;
    }
    start_flushing();
    if (home_->unsealed == 0 || durable_offset > format::records_offset) {
      settled_ = {segment_number_, static_cast<std::uint32_t>(durable_offset)};
    }
    vouched_.store(packed(settled_), std::memory_order_relaxed);
    marked_ = true;
  }
  home_->numbers_lost = opening.recovery.numbers_lost;
  const format::State state = fresh_state(durable_offset, reserve == 0 ? 0 : from + reserve);
  if (!recovered_.created) {
    current_->set_state(state);
    // To the file, too: the flush that follows may be one of the whole file system.
    if (std::expected<void, base::Error> stored =
            current_->store(0, format::records_offset, home_->files->path(segment_number_));
        !stored) {
      return stored;
    }
  }
  reserved_.store(state.reserved_outgoing, std::memory_order_relaxed);
  if (reserve != 0) {
    reserve_extent_.store(reserve, std::memory_order_relaxed);
    reserve_at_.store(from + reserve - reserve / 2, std::memory_order_relaxed);
  }
  return {};
}

// Flushes header and states of the segment in use, unless it is new and has them on the disk, and
// its name.
std::expected<void, base::Error> Journal::bring_begin_and_name(const Opening& opening) {
  if (!opening.recovery.report.created) {
    if (std::expected<void, base::Error> synced =
            current_->sync(0, format::records_offset, home_->files->path(segment_number_));
        !synced) {
      return synced;
    }
  }
  return home_->files->sync_directory();
}

std::expected<void, base::Error> Journal::finish_opening(Opening& opening) {
  // Only after the first segment exists: from then on, a directory without segments is not that of
  // a new journal.
  const JournalSummary summary{options_.identity, home_->journal_id,
                               reserved_.load(std::memory_order_relaxed), segment_number_,
                               home_->segment_flags};
  if (std::expected<void, base::Error> written =
          home_->summary.open(home_->files->directory(), summary, recovered_.created, disk());
      !written && recovered_.created) {
    return written;
  }
  if (!keep_messages_) {
    remove_earlier_numbers(*home_->files, segment_number_);
  }
  home_->sized_ns = steady_now_ns();
  home_->sized_from = static_cast<std::int64_t>(offset_);
  if (offset_ >= current_->size() / 2) {
    wants_.fetch_or(wants_segment, std::memory_order_relaxed);
  }
  if (seals(segment_number_)) {
    wants_.fetch_or(wants_seal, std::memory_order_relaxed);
  }
  if (retains_part(options_)) {
    wants_.fetch_or(wants_release, std::memory_order_relaxed);
  }
  if (opening.recovery.numbers_lost) {
    const std::uint64_t from = std::max(next_outgoing_, opening.recovery.reserved);
    if (std::expected<void, base::Error> announced = announce_loss(from); !announced) {
      return announced;
    }
    home_->numbers_lost = false;
    if (std::optional<format::State> told = current_->state()) {
      told->flags &= ~format::state_flag_numbers_lost;
      current_->set_state(*told);
    }
  }
  return flush();
}

// Only after all records of an earlier mirror are in their segment.
std::expected<void, base::Error> Journal::start_mirror() {
  if (options_.durability != Durability::Sync) {
    if (!home_->files->made()) {
      static_cast<void>(disk().remove(mirror_path(options_.directory)));
    }
    return {};
  }
  std::expected<std::unique_ptr<Mirror>, base::Error> made =
      Mirror::create(options_.directory, disk());
  if (!made) {
    return std::unexpected(made.error());
  }
  mirror_ = std::move(*made);
  mirrored_from_ = offset_;
  mirror_->put_end(segment_number_, offset_);
  soft_limit_ = std::min(soft_limit_, mirrored_from_ + mirror_->bytes());
  return {};
}

void Journal::start_flushing() noexcept {
  current_->add_reference();
  home_->flushed = current_;
  home_->flushed_offset = offset_;
  home_->released_offset = offset_;
  end_shared_.store(packed(end()), std::memory_order_relaxed);
  durable_.store(packed(end()), std::memory_order_relaxed);
}

SegmentAccess Journal::access() const noexcept {
  return options_.durability == Durability::Sync ? Segment::Access::Written
                                                 : Segment::Access::ReadWrite;
}

// Records the cause of the jump in the numbers for readers of the journal.
std::expected<void, base::Error> Journal::announce_loss(std::uint64_t next_outgoing) {
  const std::uint64_t lost_from = next_outgoing_;
  const std::string text = "records may be lost; outgoing number goes on from its reserve, " +
                           std::to_string(next_outgoing) + " instead of " +
                           std::to_string(lost_from);
  const AppendResult result =
      append_event(EventType::NumbersSet, next_outgoing, next_expected_, utc_now_ns(), text);
  if (result != AppendResult::Appended) {
    return std::unexpected(base::Error{base::ErrorCode::NoSpace, to_text(result),
                                       options_.directory, code_of(result)});
  }
  recovered_.skipped_from = lost_from;
  recovered_.next_outgoing = next_outgoing;
  return {};
}

}  // namespace affix::inline v0::journal
