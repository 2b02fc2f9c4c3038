// SPDX-License-Identifier: MIT
// Steps of opening a journal: recover an existing one, and make a segment ready for appends.
// open_all.cpp runs them in order.
#include "affix/journal/journal.hpp"

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
    : durability_(options.durability),
      keeps_messages_(options.max_segment_bytes != 0),
      after_store_(flushes() ? then_publishes : std::uint8_t{0}),
      marks_(in_memory() ? Marking::None
             : flushes() && keeps_messages_ && options.mark_trust == MarkTrust::Vouched
                 ? Marking::Vouched
                 : Marking::Final),
      reserve_(options.sequence_reserve, options.durability == Durability::Sync
                                             ? NumberReserve::Meanwhile::All
                                             : NumberReserve::Meanwhile::TheRest),
      home_(std::make_unique<Home>(mapped_, asked_)),
      options_(options) {
  if (!keeps_messages_) {
    options_.max_segment_bytes = options_.first_segment_bytes;
    home_->segment_flags |= format::flag_numbers_only;
  }
  home_->boot = boot;
  if (options.role == JournalRole::Copy) {
    halted_.store(halted_by_following, std::memory_order_relaxed);
  }
}

Journal::~Journal() {
  if (in_memory()) {
    return;
  }
  drop_read_ahead();
  let_go_of_retired();
  if (Segment* const unused = handover_.withdraw()) {
    unused->drop_reference();
  }
  mapped_.drop();
}

// Makes the first segment of a new journal.
std::expected<void, base::Error> Journal::begin_first(Opening& opening) {
  home_->journal_id = fresh_id();
  // With a reserve, a power loss must not leave a file that may or may not have been used.
  reserve_.begin_at(next_outgoing_);
  // The reserve is written together with the file's length: a separate flush would add half of the
  // cost of opening a new journal.
  const SegmentBegin begin = fresh_begin(1, disk().now().utc_ns);
  std::expected<UnnamedSegment, base::Error> first =
      UnnamedSegment::make(home_->files->path(1), options_.first_segment_bytes,
                           {.access = access(), .new_pages = new_pages()}, &begin, disk());
  if (!first) {
    return std::unexpected(first.error());
  }
  opening.first.emplace(std::move(*first));
  return {};
}

bool Journal::Opening::wants_first_on_disk() const noexcept {
  return first && (journal->options_.sequence_reserve != 0 || journal->flushes());
}

bool Journal::Opening::wants_name_on_disk() const noexcept {
  // If the disk still said that the journal is closed, a power loss would go unnoticed.
  return journal->options_.sequence_reserve != 0 || journal->flushes() || recovery.clean_on_disk;
}

// Continues in the last segment that was in use, with the numbers found by recovery.
std::expected<void, base::Error> Journal::go_on_from(Recovery& recovery) {
  const Standing& standing = recovery.standing;
  home_->journal_id = recovery.segment->header().journal_id;
  next_outgoing_ = standing.next_outgoing;
  next_expected_ = standing.next_expected;
  marks_.resume(standing.unprocessed, standing.oldest_unprocessed);
  barrier_ = standing.barrier;
  counted_from_ = standing.counted_from;
  queued_ = standing.queued;
  reign_.epoch = standing.epoch;
  reign_.at = standing.epoch_at;
  if (marks_.vouched()) {
    marks_.resume_late(standing.late);
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
  mapped_.begin_in(*recovery.segment.release());
  go_on_in(current_segment(), recovery.end);
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
  if (recovery.segment == nullptr && is_copy()) {
    return std::unexpected(no_copy_in(options_.directory));
  }
  return recovery.segment == nullptr ? begin_first(opening) : go_on_from(recovery);
}

std::expected<void, base::Error> Journal::make_usable(Opening& opening) {
  if (opening.first) {
    const std::expected<Segment*, base::Error> named = opening.first->name();
    if (!named) {
      return std::unexpected(named.error());
    }
    opening.first.reset();
    mapped_.begin_in(**named);
    go_on_in(current_segment(), format::records_offset);
  }
  handover_.enter(current_segment());
  if (std::expected<void, base::Error> mirrored = start_mirror(); !mirrored) {
    return mirrored;
  }

  if (is_copy()) {
    reserve_.resume_at(opening.recovery.reserved);
  } else {
    reserve_.begin_at(opening.recovery.numbers_lost
                          ? std::max(next_outgoing_, opening.recovery.reserved)
                          : next_outgoing_);
  }
  std::size_t durable_offset =
      std::max<std::size_t>(opening.recovery.durable_offset, format::records_offset);
  if (flushes()) {
    home_->flusher.emplace(*home_->files, progress_, marks_.vouched() ? &vouched_ : nullptr,
                           keeps_messages_);
    // New records are appended after earlier ones that may be only in the system's cache.
    if (std::expected<void, base::Error> synced =
            recovered_.created ? std::expected<void, base::Error>{} : sync_all();
        !synced) {
      return synced;
    }
    if (!marks_.vouched() || recovered_.other_boot || recovered_.created) {
      durable_offset = offset_;
    }
    home_->flusher->begin_in(current_segment(), offset_);
    progress_.begin_at(end());
    if (!home_->flusher->has_unsealed() || durable_offset > format::records_offset) {
      marks_.resume_settled({mapped_.number(), static_cast<std::uint32_t>(durable_offset)});
    }
    vouched_.begin_at(marks_.settled());
  }
  home_->numbers_lost = opening.recovery.numbers_lost;
  const format::State state = fresh_state(durable_offset);
  if (!recovered_.created) {
    current_segment().set_state(state);
    // To the file, too: the flush that follows may be one of the whole file system.
    if (std::expected<void, base::Error> stored = current_segment().store(
            0, format::records_offset, home_->files->path(mapped_.number()));
        !stored) {
      return stored;
    }
  }
  return {};
}

// Flushes header and states of the segment in use, unless it is new and has them on the disk, and
// its name.
std::expected<void, base::Error> Journal::bring_begin_and_name(const Opening& opening) {
  if (!opening.recovery.report.created) {
    if (std::expected<void, base::Error> synced =
            current_segment().sync(0, format::records_offset, home_->files->path(mapped_.number()));
        !synced) {
      return synced;
    }
  }
  return home_->files->sync_directory();
}

std::expected<void, base::Error> Journal::finish_opening(Opening& opening) {
  // Only after the first segment exists: from then on, a directory without segments is not that of
  // a new journal.
  const JournalSummary summary{options_.identity, home_->journal_id, reserve_.reserved(),
                               mapped_.number(), home_->segment_flags};
  if (std::expected<void, base::Error> written =
          home_->summary.open(home_->files->directory(), summary, recovered_.created, disk());
      !written && recovered_.created) {
    return written;
  }
  if (!keeps_messages_) {
    remove_earlier_numbers(*home_->files, mapped_.number());
  }
  home_->sizing.begin_at(offset_, disk().now().steady_ns);
  if (offset_ >= current_segment().size() / 2) {
    requests_.request(Work::Segment);
  }
  if (seals(mapped_.number())) {
    requests_.request(Work::Seal);
  }
  if (retains_part(options_)) {
    requests_.request(Work::Release);
  }
  if (opening.recovery.numbers_lost && !is_copy()) {
    const std::uint64_t from = std::max(next_outgoing_, opening.recovery.reserved);
    if (std::expected<void, base::Error> announced = announce_loss(from); !announced) {
      return announced;
    }
    home_->numbers_lost = false;
    if (std::optional<format::State> reported = current_segment().state()) {
      reported->flags &= ~format::state_flag_numbers_lost;
      current_segment().set_state(*reported);
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
  mirror_->begin_at(offset_);
  mirror_->put_end(mapped_.number(), offset_);
  soft_limit_ = std::min(soft_limit_, mirror_->limit());
  return {};
}

SegmentAccess Journal::access() const noexcept {
  return options_.durability == Durability::Sync ? Segment::Access::Written
                                                 : Segment::Access::ReadWrite;
}

// A flush write-protects the whole block that a written page belongs to.
NewPages Journal::new_pages() const noexcept {
  return flushes() ? NewPages::Faulted : options_.new_pages;
}

// Records the cause of the jump in the numbers for readers of the journal.
std::expected<void, base::Error> Journal::announce_loss(std::uint64_t next_outgoing) {
  const std::uint64_t lost_from = next_outgoing_;
  const std::string text = "records may be lost; outgoing number goes on from its reserve, " +
                           std::to_string(next_outgoing) + " instead of " +
                           std::to_string(lost_from) + " [J207]";
  const AppendResult result =
      append_event(EventType::NumbersSet, next_outgoing, next_expected_, disk().now().utc_ns, text);
  if (result != AppendResult::Appended) {
    return std::unexpected(base::Error{base::ErrorCode::NoSpace, to_text(result),
                                       options_.directory, code_of(result)});
  }
  recovered_.skipped_from = lost_from;
  recovered_.next_outgoing = next_outgoing;
  return {};
}

}  // namespace affix::inline v0::journal
