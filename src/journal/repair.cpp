// SPDX-License-Identifier: MIT
// Repairs segments in memory one after another, checks them as opening will, then writes them. Data
// that stays in place keeps its bytes: positions in other segments, checksums and the index stay
// valid.
#include "affix/journal/repair.hpp"

#include "affix/journal/segment_scan.hpp"
#include "affix/journal/verify.hpp"
#include "affix/os/file_descriptor.hpp"

#include "journal/judge.hpp"
#include "journal/mended_segment.hpp"
#include "journal/mirror.hpp"
#include "journal/segment.hpp"
#include "journal/segment_end.hpp"
#include "journal/segment_files.hpp"
#include "journal/summary.hpp"
#include "os/nameless_file.hpp"
#include "os/random.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

namespace affix::inline v0::journal {

namespace {

/// Reserve of a journal whose own cannot be read: the default of Options::sequence_reserve.
constexpr std::uint64_t reserve_default = 100'000;
constexpr std::size_t rebuilt_bytes_min = 8 * 1024;

std::string number_text(std::uint64_t number) {
  return std::to_string(number);
}

base::Error invalid(std::string message, const std::string& where, base::MessageCode code) {
  return {base::ErrorCode::InvalidArgument, std::move(message), where, code};
}

/// Numbers of the first records after a hole.
struct Behind {
  std::optional<std::uint64_t> next_outgoing;
  std::optional<std::uint64_t> next_expected;
};

/// If the segment's records do not show them, the header of the next segment does.
Behind look_behind(SegmentScan scan, std::uint32_t from, const SegmentHeader& following) {
  Behind behind;
  scan.seek(from);
  while (!behind.next_outgoing || !behind.next_expected) {
    const auto record = scan.next();
    if (!record && following.number != 0 && following.previous_end == scan.offset()) {
      behind.next_outgoing = behind.next_outgoing.value_or(following.next_outgoing);
      behind.next_expected = behind.next_expected.value_or(following.next_expected);
    }
    if (!record || record->kind == Kind::Event) {
      break;  // Numbers set by an event do not show those before it.
    }
    if (record->kind == Kind::Sent && !behind.next_outgoing) {
      behind.next_outgoing = record->sequence;
    } else if (record->kind == Kind::Received && !behind.next_expected) {
      behind.next_expected = std::min(record->sequence, record->number_after);
    }
  }
  return behind;
}

/// An unnamed file that contains bytes, for callers that map paths.
class NamelessFile {
 public:
  explicit NamelessFile(std::string_view bytes) : file_(os::make_nameless_file("affix-repair")) {
    whole_ = file_.is_open() && system_disk().write(file_.number(), {}, bytes, 0) == 0;
  }

  [[nodiscard]] bool whole() const noexcept { return whole_; }

  [[nodiscard]] std::string path() const { return os::path_of_descriptor(file_.number()); }

 private:
  os::FileDescriptor file_;
  bool whole_ = false;
};

/// How a segment became the journal's last.
enum class Place : std::uint8_t { Earlier, Newest };

class Repairer {
 public:
  explicit Repairer(const RepairOptions& options)
      : options_(options), boot_(system_disk().boot_id()) {}

  std::expected<Repair, base::Error> run(const std::vector<std::uint32_t>& numbers);

 private:
  using Result = std::expected<void, base::Error>;

  Result find_last_in_use(const std::vector<std::uint32_t>& numbers);
  [[nodiscard]] bool was_left(const MendedSegment& work) const;
  void learn_whose(const std::vector<std::uint32_t>& numbers);
  Result mend_all();
  Result mend(std::uint32_t number, Place place);
  Result mend_header(MendedSegment& work);
  Result make_header(MendedSegment& work, const std::string& why);
  void mend_length(MendedSegment& work, Place place);
  void mend_state(MendedSegment& work, Place place);
  void apply(MendedSegment& work, const Record& record, std::uint64_t believed);
  void take_back_marks(MendedSegment& work) const;
  void lower_checkpoint(MendedSegment& work) const;
  [[nodiscard]] bool power_lost() const;
  Result mend_records(MendedSegment& work, Place place);
  std::uint32_t mend_closed_end(MendedSegment& work, const SegmentScan& scan);
  void mend_closed_state(MendedSegment& work, std::uint32_t end) const;
  void complete_uncommitted(MendedSegment& work, SegmentScan& scan);
  void fill(MendedSegment& work, std::uint32_t from, std::uint32_t to, const Behind& behind);
  [[nodiscard]] bool end_needs_mending(const MendedSegment& work, std::uint32_t end) const;
  Result mend_end(MendedSegment& work, std::uint32_t end);
  std::expected<std::uint64_t, base::Error> outgoing_to_go_on_from() const;
  std::expected<void, base::Error> try_opening() const;
  Result begin_anew();
  SegmentHeader header_of(std::uint32_t number) const;  // Its number is 0 when it is unusable.

  [[nodiscard]] std::int64_t utc_ns() const noexcept {
    return standing_.last_utc_ns != 0 ? standing_.last_utc_ns : options_.now_utc_ns;
  }

  [[nodiscard]] bool has_following(std::uint32_t number) const noexcept { return number < last_; }

  [[nodiscard]] bool is_of_this_boot(const format::State& state) const noexcept {
    return std::memcmp(state.boot_id, boot_.bytes, sizeof(boot_.bytes)) == 0;
  }

  const RepairOptions& options_;
  BootId boot_;
  Repair result_;
  std::uint32_t first_ = 1;  // Of the segments in use, as far as known.
  std::uint32_t last_ = 1;
  Standing standing_;
  bool known_ = false;  // `standing_` and the members below are those of the segment before.
  std::uint32_t previous_end_ = 0;
  std::optional<JournalSummary> summary_;
  std::uint64_t journal_id_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint32_t flags_ = 0;
  std::string identity_;
  bool outgoing_unknown_ = false;  // Lost sent messages may be missing in `standing_`.
  bool state_lost_ = false;
  bool truncated_ = false;   // The newest file was truncated.
  bool goes_on_ = false;     // The newest has no room for the events to add: another one follows.
  bool wiped_ = false;       // The newest is begun again, whatever it contains.
  bool takes_back_ = false;  // Clears marks that a power loss puts in doubt.
  bool doubts_ = false;      // Leaves such marks.
  std::vector<MendedSegment> changed_;
};

SegmentHeader Repairer::header_of(std::uint32_t number) const {
  const std::string path = segment_path(options_.directory, number);
  const auto mapped = Segment::map(path, Segment::Access::ReadOnly);
  if (!mapped) {
    return {};
  }
  const SegmentHandle segment(*mapped);
  const auto scan = SegmentScan::open({segment->base(), segment->size()}, number, path);
  if (!scan || (journal_id_ != 0 && scan->header().journal_id != journal_id_)) {
    return {};
  }
  SegmentHeader header = scan->header();
  header.identity = {};  // A view of memory that is unmapped here.
  return header;
}

// Derives the journal's identity from most of its segments, else from the summary.
void Repairer::learn_whose(const std::vector<std::uint32_t>& numbers) {
  std::map<std::uint64_t, std::size_t> votes;
  std::size_t most = 0;
  for (const std::uint32_t number : numbers) {
    const std::string path = segment_path(options_.directory, number);
    const auto mapped = Segment::map(path, Segment::Access::ReadOnly);
    const SegmentHandle segment(mapped ? *mapped : nullptr);
    if (segment == nullptr) {
      continue;
    }
    const auto scan = SegmentScan::open({segment->base(), segment->size()}, number, path);
    if (scan && ++votes[scan->header().journal_id] > most) {
      most = votes[scan->header().journal_id];
      journal_id_ = scan->header().journal_id;
      identity_ = scan->header().identity;
      flags_ = scan->header().numbers_only ? format::flag_numbers_only : 0;
    }
  }
  summary_ = read_summary(options_.directory);
  if (most == 0 && summary_) {
    journal_id_ = summary_->journal_id;
    identity_ = summary_->identity;
    flags_ = summary_->flags & format::flag_numbers_only;
  }
  if (summary_ && summary_->journal_id == journal_id_) {
    reserved_ = summary_->reserved_outgoing;
  }
}

// Files after the last one in use were prepared; opening removes them.
Repairer::Result Repairer::find_last_in_use(const std::vector<std::uint32_t>& numbers) {
  first_ = numbers.empty() ? 1 : numbers.front();
  last_ = first_;
  for (const std::uint32_t number : numbers) {
    MendedSegment work(number, segment_path(options_.directory, number));
    if (Result read = work.read(); !read) {
      return read;
    }
    if (work.bytes.size() < format::records_offset) {
      last_ = number;  // Truncated: a file is named only when it has its full length.
      continue;
    }
    if (!SegmentScan::begun(work.bytes)) {
      // As opening judges it: only the next segment may be one that a writer was about to begin.
      const bool prepared = number <= last_ + 1
                                ? was_never_begun(work.bytes, number)
                                : used_end(work.bytes.data(), 0, work.bytes.size()) == 0;
      last_ = prepared ? last_ : number;
      continue;
    }
    last_ = number;
    if (header_of(number).number != 0 && was_left(work)) {
      last_ = number + 1;
    }
  }
  return {};
}

// The segment says so, or the mirror of a killed writer has records of the next one.
bool Repairer::was_left(const MendedSegment& work) const {
  if (left_of(work.bytes.data(), work.number)) {
    return true;
  }
  const auto mirror = mirror_of(options_.directory, newest_state(work.bytes.data()), boot_);
  return mirror && mirror->has_begun(work.number + 1);
}

// Gives a segment without a header one derived from the segment before it.
Repairer::Result Repairer::mend_header(MendedSegment& work) {
  if (work.gone) {
    return make_header(work, "the file was gone: all its records are lost");
  }
  if (wiped_ && work.number == last_) {
    work.bytes.assign(work.bytes.size(), '\0');
    return make_header(work, "nothing of it could be used: all its records are lost");
  }
  const auto scan = SegmentScan::open(work.bytes, work.number, work.path);
  if (scan && scan->header().journal_id == journal_id_) {
    return {};
  }
  if (scan) {
    return make_header(work, "it was of another journal, that of session '" +
                                 std::string(scan->header().identity) + "'");
  }
  if (scan.error().code == base::ErrorCode::Unsupported && work.bytes.size() >= 16) {
    format::Header stored;
    std::memcpy(&stored, work.bytes.data(), sizeof(stored));
    const bool whole = stored.magic == format::magic && stored.crc == header_crc(stored);
    if (whole || stored.magic == __builtin_bswap64(format::magic)) {
      return std::unexpected(scan.error());  // Valid, but not for this build to change.
    }
  }
  return make_header(
      work,
      work.bytes.size() < format::records_offset
          ? "the file had " + number_text(work.bytes.size()) + " bytes: all its records are lost"
          : "the header was bad (" + scan.error().message + "); made anew from the segment before");
}

Repairer::Result Repairer::make_header(MendedSegment& work, const std::string& why) {
  if (identity_.empty() && options_.identity.empty()) {
    return std::unexpected(
        invalid("no segment names the journal's session: name it", work.path, "J217"));
  }
  const SegmentHeader following =
      has_following(work.number) ? header_of(work.number + 1) : SegmentHeader{};
  format::Header header{};
  const std::string& identity = identity_.empty() ? options_.identity : identity_;
  header.segment_bytes = std::bit_ceil(std::max<std::size_t>(
      {work.bytes.size(), rebuilt_bytes_min, std::size_t{following.previous_end}}));
  header.flags = flags_ | format::flag_marked;
  header.created_utc_ns = utc_ns();
  header.next_outgoing = standing_.next_outgoing;
  header.next_expected = standing_.next_expected;
  header.barrier = packed(standing_.barrier);
  header.unprocessed = packed(standing_.oldest_unprocessed);
  header.unsent = standing_.queued.unsent;
  header.last_queued = standing_.queued.last;
  header.epoch = standing_.epoch;
  header.epoch_record = packed(standing_.epoch_at);
  header.previous_end = previous_end_;
  if (journal_id_ == 0 && !os::fill_randomly(&journal_id_, sizeof(journal_id_))) {
    journal_id_ = static_cast<std::uint64_t>(options_.now_utc_ns);
  }
  header.journal_id = journal_id_;
  header.identity_bytes =
      static_cast<std::uint32_t>(std::min(identity.size(), format::identity_bytes_max));
  std::memcpy(header.identity, identity.data(), header.identity_bytes);
  work.put_header(header);
  if (!known_ && work.number != 1) {
    // No earlier segment has its numbers. Its own records do, or the next segment's header.
    const auto scan = SegmentScan::open(work.bytes, work.number, work.path);
    Behind own = look_behind(*scan, format::records_offset, following);
    if (following.number != 0) {
      own.next_outgoing = own.next_outgoing.value_or(following.next_outgoing);
      own.next_expected = own.next_expected.value_or(following.next_expected);
    }
    header.segment_bytes = work.bytes.size();
    header.next_outgoing = own.next_outgoing.value_or(1);
    header.next_expected = own.next_expected.value_or(1);
    work.put_header(header);
  }
  work.header_made = true;
  work.lose(why);
  return {};
}

void Repairer::mend_length(MendedSegment& work, Place place) {
  format::Header header;
  std::memcpy(&header, work.bytes.data(), sizeof(header));
  if (work.bytes.size() < header.segment_bytes) {
    work.lose("the file had " + number_text(work.bytes.size()) + " of " +
              number_text(header.segment_bytes) + " bytes");
    work.bytes.resize(header.segment_bytes, '\0');
    truncated_ = place == Place::Newest;
  }
}

void Repairer::mend_state(MendedSegment& work, Place place) {
  const auto state = newest_state(work.bytes.data());
  if (state) {
    reserved_ = std::max(reserved_, state->reserved_outgoing);
  } else if (place == Place::Newest) {
    work.lose("neither of the states was right: whether the last records are lost is unknown");
    state_lost_ = true;
  }
}

// Bytes of a segment before it are on the disk, with what was sent before the marks there.
std::uint64_t believed_in(const MendedSegment& work) {
  const auto state = newest_state(work.bytes.data());
  return state ? state->durable_offset : std::uint64_t{format::records_offset};
}

bool is_doubted(MendedSegment& work, const Record& record, std::uint64_t believed) {
  const char mark = *mark_of(work.bytes.data(), record.position.offset);
  return record.kind == Kind::Received && !record.message_omitted &&
         !outlives_power_loss(static_cast<format::Mark>(mark), record.position.offset, believed);
}

void Repairer::apply(MendedSegment& work, const Record& record, std::uint64_t believed) {
  standing_.apply(record);
  doubts_ = doubts_ || is_doubted(work, record, believed);
}

// Opening would clear these marks; but a repaired journal counts as closed, so opening will
// not.
void Repairer::take_back_marks(MendedSegment& work) const {
  auto scan = SegmentScan::open(work.bytes, work.number, work.path);
  if (!scan) {
    return;
  }
  const std::uint64_t believed = believed_in(work);
  std::uint64_t count = 0;
  const auto take_back = [&](const Record& record) {
    if (is_doubted(work, record, believed)) {
      *mark_of(work.bytes.data(), record.position.offset) = 0;
      ++count;
    }
  };
  for (;;) {
    while (const auto record = scan->next()) {
      take_back(*record);
    }
    const auto behind = scan->find_record_behind();
    if (!behind) {
      break;
    }
    scan->seek(*behind);
  }
  if (count != 0) {
    work.lose("whether " + number_text(count) +
                  " received messages were processed is lost: they are handed over again",
              "J218");
  }
}

// Its header may say that redelivery begins later, or does not happen.
void Repairer::lower_checkpoint(MendedSegment& work) const {
  format::Header header;
  std::memcpy(&header, work.bytes.data(), sizeof(header));
  const Position oldest = standing_.oldest_unprocessed;
  const Position before = unpacked(header.unprocessed);
  if (known_ && oldest.valid() && (!before.valid() || oldest < before)) {
    header.unprocessed = packed(oldest);
    work.put_header(header);
    work.lose("the header did not know of messages before it that are handed over again", "J218");
  }
}

// True if the machine went down since the journal was last written, or nothing shows that it did
// not; as opening decides.
bool Repairer::power_lost() const {
  for (std::uint32_t number = last_; number >= first_ && number != 0; --number) {
    MendedSegment work(number, segment_path(options_.directory, number));
    if (!work.read() || work.bytes.size() < format::records_offset ||
        !SegmentScan::begun(work.bytes)) {
      continue;
    }
    const auto state = newest_state(work.bytes.data());
    return !state || (!is_of_this_boot(*state) && !is_closed_on_disk(*state));
  }
  return true;
}

void Repairer::fill(MendedSegment& work, std::uint32_t from, std::uint32_t to,
                    const Behind& behind) {
  std::string text = "repaired: bytes " + number_text(from) + " to " + number_text(to) +
                     " of segment " + number_text(work.number) + " held no whole record";
  std::string lost;
  const auto report = [&lost](const char* what, std::uint64_t before,
                              const std::optional<std::uint64_t>& after) {
    if (after && *after > before) {
      lost += std::string(lost.empty() ? "; " : ", ") + what + ' ' + number_text(before) + " to " +
              number_text(*after - 1) + " are lost";
    }
  };
  report("sent messages", standing_.next_outgoing, behind.next_outgoing);
  report("received messages", standing_.next_expected, behind.next_expected);
  text += lost + " [J219]";
  work.lose("bytes " + number_text(from) + " to " + number_text(to) + " held no whole record" +
            lost);
  work.put_event(from, to - from, behind.next_outgoing.value_or(standing_.next_outgoing),
                 behind.next_expected.value_or(standing_.next_expected), standing_.queued.unsent,
                 utc_ns(), std::move(text));
  work.forget_index_entries(from, to);
  outgoing_unknown_ = outgoing_unknown_ || !behind.next_outgoing;
}

std::expected<std::uint64_t, base::Error> Repairer::outgoing_to_go_on_from() const {
  if (options_.next_outgoing) {
    if (*options_.next_outgoing < standing_.next_outgoing) {
      return std::unexpected(invalid("outgoing number " + number_text(*options_.next_outgoing) +
                                         " would be used again: the records go up to " +
                                         number_text(standing_.next_outgoing - 1),
                                     options_.directory, "J220"));
    }
    return *options_.next_outgoing;
  }
  if (reserved_ != 0) {
    // The reserve in an earlier segment may have been renewed in the lost one.
    const std::uint64_t more = state_lost_ && !summary_ ? reserve_default : 0;
    return std::max(reserved_, standing_.next_outgoing) + more;
  }
  if (state_lost_) {
    return standing_.next_outgoing + reserve_default;
  }
  return std::unexpected(invalid(
      "the last records are lost and no reserve of outgoing numbers was kept: say the outgoing "
      "number to go on from, at least " +
          number_text(standing_.next_outgoing),
      options_.directory, "J220"));
}

// The newest segment's last record may lack only its length.
void Repairer::complete_uncommitted(MendedSegment& work, SegmentScan& scan) {
  const bool marked = scan.header().marked;
  const SegmentEnd end =
      judge_segment_end(work.bytes.data(), work.bytes.size(), work.number, scan.offset(), marked);
  if (end.kind != EndKind::Uncommitted) {
    return;
  }
  work.lose("the length of the record at byte " + number_text(scan.offset()) +
            " was gone; its checksum says what it was, and nothing is lost");
  std::memcpy(work.bytes.data() + scan.offset(), &end.length, sizeof(end.length));
  scan.seek(scan.offset());
  if (const auto record = scan.next()) {
    apply(work, *record, believed_in(work));
  }
}

// True if opening would not accept the newest segment's end, or would need a reserve that does not
// exist.
bool Repairer::end_needs_mending(const MendedSegment& work, std::uint32_t end) const {
  const auto state = newest_state(work.bytes.data());
  const bool before_durable = state && end < state->durable_offset;
  const bool not_as_closed = state && state->clean == 1 && end != state->end_offset;
  const bool same_boot = state && is_of_this_boot(*state);
  const bool clean = state && state->clean == 1 && (same_boot || state->durable_offset == end);
  const bool power_lost = state && !same_boot && !clean;
  const auto scan = SegmentScan::open(work.bytes, work.number, work.path);
  const bool marked = scan && scan->header().marked;
  const SegmentEnd left =
      judge_segment_end(work.bytes.data(), work.bytes.size(), work.number, end, marked);
  // Opening brings records that a killed writer had not flushed.
  const auto mirror = mirror_of(options_.directory, state, boot_);
  const bool goes_on =
      mirror && (mirror->ends_at(work.number, end) || mirror->record(work.number, end));
  const bool unexplained =
      !goes_on && (left.kind == EndKind::Bad ||
                   (left.kind == EndKind::Unmarked && !(clean && left.used_end <= end)) ||
                   (left.kind == EndKind::Unfinished && clean));
  // After a power loss opening continues from the reserve by itself, if there is one and the
  // options set no number.
  const bool undecided = power_lost && (reserved_ == 0 || options_.next_outgoing);
  const bool made_anew =
      state_lost_ || truncated_ || (!work.report.losses.empty() && end == format::records_offset);
  return before_durable || not_as_closed || undecided || made_anew || outgoing_unknown_ ||
         (unexplained && !power_lost);
}

Repairer::Result Repairer::mend_end(MendedSegment& work, std::uint32_t end) {
  if (!end_needs_mending(work, end)) {
    return {};
  }
  const auto next = outgoing_to_go_on_from();
  if (!next) {
    return std::unexpected(next.error());
  }
  const std::size_t room = work.bytes.size() - end;
  work.end_at(end);
  work.forget_index_entries(end, UINT32_MAX);
  if (room < format::record_bytes(0) + format::end_mark_bytes) {
    work.lose("everything after byte " + number_text(end) + " is lost");
    goes_on_ = true;
    return {};
  }
  std::string text = "repaired: everything after byte " + number_text(end) + " is lost";
  if (outgoing_unknown_) {
    text = "repaired: sent messages may be lost whose numbers nothing says";
  }
  if (*next != standing_.next_outgoing) {
    text += "; the outgoing number goes on from " + number_text(*next) + " instead of " +
            number_text(standing_.next_outgoing);
    result_.skipped_from = standing_.next_outgoing;
  }
  text += " [J219]";
  work.lose((outgoing_unknown_ ? "sent messages may be lost whose numbers nothing says"
                               : "everything after byte " + number_text(end) + " is lost") +
            std::string("; the outgoing number goes on from ") + number_text(*next) +
            ", the expected number from " + number_text(standing_.next_expected));
  const std::size_t taken =
      std::min(format::record_bytes(text.size()),
               (room - format::end_mark_bytes) / format::alignment * format::alignment);
  work.put_event(end, static_cast<std::uint32_t>(taken), *next, standing_.next_expected,
                 standing_.queued.unsent, utc_ns(), std::move(text));
  const auto new_end = static_cast<std::uint32_t>(end + taken);
  work.end_at(new_end);
  work.clear_left();
  standing_.next_outgoing = *next;
  // All of it is on the disk before the file is named, so it counts as closed in any case; unless
  // some marks are not vouched for, which must stay in doubt.
  const auto before = newest_state(work.bytes.data());
  const bool vouched = !doubts_ || (before && is_closed_on_disk(*before));
  format::State mended{};
  std::memcpy(mended.boot_id, boot_.bytes, sizeof(mended.boot_id));
  mended.durable_offset =
      vouched ? new_end : std::min<std::uint64_t>(believed_in(work), new_end - 1);
  mended.end_offset = new_end;
  mended.clean = 1;
  mended.reserved_outgoing = std::max(reserved_, *next);
  work.put_state(mended);
  return {};
}

Repairer::Result Repairer::mend_records(MendedSegment& work, Place place) {
  auto scan = SegmentScan::open(work.bytes, work.number, work.path);
  if (!scan) {
    return std::unexpected(scan.error());
  }
  const SegmentHeader next =
      has_following(work.number) ? header_of(work.number + 1) : SegmentHeader{};
  const SegmentHeader& header = scan->header();
  standing_.next_outgoing = header.next_outgoing;
  standing_.next_expected = header.next_expected;
  standing_.barrier = header.barrier;
  standing_.queued = header.queued;
  standing_.epoch = header.epoch;
  standing_.epoch_at = header.epoch_at;
  const std::uint64_t believed = believed_in(work);
  // A header written by the writer shows the numbers before.
  outgoing_unknown_ = outgoing_unknown_ && work.header_made;
  for (;;) {
    while (const auto record = scan->next()) {
      apply(work, *record, believed);
      const bool has_number = record->kind == Kind::Sent || record->kind == Kind::Event;
      outgoing_unknown_ = outgoing_unknown_ && !has_number;
    }
    const auto behind = scan->find_record_behind();
    if (!behind) {
      break;
    }
    const std::uint32_t from = scan->offset();
    if (*behind - from < format::record_bytes(0)) {
      return std::unexpected(
          base::Error{base::ErrorCode::Damaged,
                      "between two records lie fewer bytes than one has, at " + number_text(from),
                      work.path, "J221"});
    }
    fill(work, from, *behind, look_behind(*scan, *behind, next));
    // The event itself records only what is known.
    scan->seek(from);
    if (const auto event = scan->next()) {
      standing_.apply(*event);
    }
  }
  if (place == Place::Newest) {
    complete_uncommitted(work, *scan);
  }
  std::uint32_t end = scan->offset();
  if (next.number != 0 && next.previous_end >= end + format::record_bytes(0) &&
      next.previous_end <= work.bytes.size() && next.previous_end % format::alignment == 0) {
    fill(work, end, next.previous_end, {next.next_outgoing, next.next_expected});
    standing_.next_outgoing = next.next_outgoing;
    standing_.next_expected = next.next_expected;
    end = next.previous_end;
    work.end_at(end);
  } else if (next.number != 0 && next.previous_end != end) {
    result_.remaining.push_back(
        "segment " + number_text(work.number + 1) + " says that the one before it ends at byte " +
        number_text(next.previous_end) + ", where it ends at byte " + number_text(end));
  } else if (place == Place::Earlier) {
    end = mend_closed_end(work, *scan);
  }
  previous_end_ = end;
  if (place == Place::Newest) {
    return mend_end(work, end);
  }
  mend_closed_state(work, end);
  return {};
}

// A state that refers to missing data, or to another segment, vouches for too much.
void Repairer::mend_closed_state(MendedSegment& work, std::uint32_t end) const {
  auto state = newest_state(work.bytes.data());
  if (state && end < state->durable_offset) {
    state->durable_offset = end;
    state->end_offset = end;
    work.put_state(*state);
  }
}

// End of a segment that another follows, if the next header does not give it: its own state may, or
// its recorded end.
std::uint32_t Repairer::mend_closed_end(MendedSegment& work, const SegmentScan& scan) {
  const std::uint32_t end = scan.offset();
  const auto state = newest_state(work.bytes.data());
  const std::uint64_t known = std::max<std::uint64_t>(
      state ? std::max<std::uint64_t>(state->durable_offset, state->end_offset) : 0,
      left_of(work.bytes.data(), work.number).value_or(0));
  if (known >= end + format::record_bytes(0) && known <= work.bytes.size() &&
      known % format::alignment == 0) {
    fill(work, end, static_cast<std::uint32_t>(known), {});
    work.end_at(static_cast<std::uint32_t>(known));
    return static_cast<std::uint32_t>(known);
  }
  const bool marked = scan.header().marked;
  const SegmentEnd behind =
      judge_segment_end(work.bytes.data(), work.bytes.size(), work.number, end, marked);
  if (behind.kind != EndKind::Clean && behind.used_end > end) {
    work.lose("bytes " + number_text(end) + " to " + number_text(behind.used_end) +
              " held no whole record; which messages they were is unknown");
    outgoing_unknown_ = true;
    work.end_at(end);
  } else if (work.changed) {
    work.end_at(end);
  }
  return end;
}

Repairer::Result Repairer::mend(std::uint32_t number, Place place) {
  MendedSegment work(number, segment_path(options_.directory, number));
  if (Result read = work.read(); !read) {
    return read;
  }
  if (Result mended = mend_header(work); !mended) {
    return mended;
  }
  mend_length(work, place);
  mend_state(work, place);
  if (takes_back_) {
    lower_checkpoint(work);
    take_back_marks(work);
  }
  if (Result mended = mend_records(work, place); !mended) {
    return mended;
  }
  known_ = true;
  if (work.changed) {
    changed_.push_back(std::move(work));
  }
  return {};
}

Repairer::Result Repairer::mend_all() {
  standing_ = {};
  known_ = false;
  previous_end_ = 0;
  state_lost_ = truncated_ = outgoing_unknown_ = doubts_ = false;
  result_ = {};
  changed_.clear();
  for (std::uint32_t number = first_; number <= last_; ++number) {
    if (Result mended = mend(number, number == last_ ? Place::Newest : Place::Earlier); !mended) {
      return mended;
    }
    if (std::exchange(goes_on_, false)) {
      ++last_;  // The next one begins with the events that had no room here.
    }
  }
  return {};
}

// Opens as usual: a repair that opening would refuse is none.
std::expected<void, base::Error> Repairer::try_opening() const {
  JudgedJournal journal;
  journal.directory = options_.directory;
  journal.disk = &system_disk();
  journal.boot = boot_;
  std::vector<NamelessFile> files;
  for (const MendedSegment& work : changed_) {
    files.emplace_back(work.bytes);
    if (!files.back().whole()) {
      return {};  // Without memory for it, opening will report the result.
    }
    journal.instead[work.number] = files.back().path();
  }
  auto judged = judge(journal);
  if (!judged) {
    return std::unexpected(std::move(judged.error()));
  }
  return {};
}

// The newest segment is unusable; the numbers are those known without it.
Repairer::Result Repairer::begin_anew() {
  wiped_ = true;
  return mend_all();
}

std::expected<Repair, base::Error> Repairer::run(const std::vector<std::uint32_t>& numbers) {
  learn_whose(numbers);
  if (Result found = find_last_in_use(numbers); !found) {
    return std::unexpected(found.error());
  }
  const std::uint32_t last = last_;
  if (Result mended = mend_all(); !mended) {
    return std::unexpected(mended.error());
  }
  bool opens_so = try_opening().has_value();
  // If nothing else is changed, opening clears them itself.
  if (!changed_.empty() && power_lost()) {
    takes_back_ = true;
    last_ = last;
    if (Result mended = mend_all(); !mended) {
      return std::unexpected(mended.error());
    }
    opens_so = try_opening().has_value();
  }
  if (!opens_so) {
    if (Result mended = begin_anew(); !mended) {
      return std::unexpected(mended.error());
    }
    if (auto opens = try_opening(); !opens) {
      return std::unexpected(std::move(opens.error()));
    }
  }
  // Writes nothing before everything is checked.
  for (MendedSegment& work : changed_) {
    if (options_.apply) {
      if (Result written = work.write(); !written) {
        return std::unexpected(written.error());
      }
    }
    result_.segments.push_back(std::move(work.report));
  }
  result_.next_outgoing = standing_.next_outgoing;
  result_.next_expected = standing_.next_expected;
  return std::move(result_);
}

// Faults that verifying still finds are not repaired.
void add_what_remains(Repair& repair, const RepairOptions& options) {
  if (!options.apply && !repair.segments.empty()) {
    return;
  }
  const auto verified = verify(options.directory);
  if (!verified) {
    repair.remaining.push_back(verified.error().text());
    return;
  }
  for (const Finding& finding : verified->findings) {
    if (finding.severity == Severity::Damage) {
      repair.remaining.push_back((finding.segment == 0
                                      ? std::string()
                                      : "segment " + number_text(finding.segment) + ": ") +
                                 finding.text + base::Error::suffix_of(finding.code));
    }
  }
}

}  // namespace

std::expected<Repair, base::Error> repair(const RepairOptions& options) {
  const auto numbers = list_segments(options.directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  if (numbers->empty() && !has_summary(options.directory)) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no journal segment", options.directory, "J216"});
  }
  std::optional<SegmentFiles> files;
  if (options.apply) {
    auto locked = SegmentFiles::open(options.directory);
    if (!locked) {
      return std::unexpected(locked.error());
    }
    files.emplace(std::move(*locked));
  }
  auto repaired = Repairer(options).run(*numbers);
  if (!repaired) {
    return repaired;
  }
  if (files && !repaired->segments.empty()) {
    if (auto synced = files->sync_directory(); !synced) {
      return std::unexpected(synced.error());
    }
  }
  add_what_remains(*repaired, options);
  return repaired;
}

}  // namespace affix::inline v0::journal
