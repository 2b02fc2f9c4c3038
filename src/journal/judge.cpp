// SPDX-License-Identifier: MIT
// The rules of docs/internals/journal.md, in the order in which files are read.
#include "journal/judge.hpp"

#include "journal/segment_files.hpp"
#include "journal/summary.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace affix::inline v0::journal {

void Standing::apply(const Record& record) noexcept {
  ++records;
  last_utc_ns = record.utc_ns;
  switch (record.kind) {
    case Kind::Sent:
      next_outgoing = record.number_after;
      if (record.unsent != 0) {
        queued = {record.unsent, record.sequence};
      }
      break;
    case Kind::Received:
      next_expected = record.number_after;
      if (!record.processed && !record.message_omitted) {
        oldest_unprocessed = unprocessed.total() == 0 ? record.position : oldest_unprocessed;
        unprocessed.add(record.position.segment);
      }
      break;
    case Kind::Held:
      break;
    case Kind::Resent:
      queued = {record.unsent, record.unsent == 0 ? 0 : queued.last};
      break;
    case Kind::Event:
      queued = {record.unsent, record.unsent == 0 ? 0 : queued.last};
      if (is_barrier(record.event, next_outgoing, record.sequence)) {
        barrier = record.position;
      }
      next_outgoing = record.sequence;
      next_expected = record.number_after;
      if (const auto begun = epoch_of(record); begun && *begun > epoch) {
        epoch = *begun;
        epoch_at = record.position;
      }
      break;
  }
}

std::string JudgedJournal::path(std::uint32_t number) const {
  const auto other = instead.find(number);
  return other != instead.end() ? other->second : segment_path(directory, number);
}

namespace {

base::Error damaged(std::string message, std::string where, base::MessageCode code) {
  return {base::ErrorCode::Damaged, std::move(message), std::move(where), code};
}

std::string number_text(std::uint64_t number) {
  return std::to_string(number);
}

base::Error cut_short(const Segment& segment, std::string path) {
  return damaged("the segment's file was cut short, to " + number_text(segment.size()) +
                     " of its " + number_text(segment.header().segment_bytes) + " bytes",
                 std::move(path), "J211");
}

/// Bytes of a segment's pages brought in at once when all of its records are read.
constexpr std::size_t brought_at_once = std::size_t{1} << 20;

format::Mark mark_at(const char* base, std::size_t offset) noexcept {
  std::uint32_t length;
  std::memcpy(&length, base + offset, sizeof(length));
  return static_cast<format::Mark>(__atomic_load_n(base + offset + length, __ATOMIC_RELAXED));
}

bool is_on_disk(const format::State& state) noexcept {
  return state.end_offset != 0 && state.durable_offset == state.end_offset;
}

}  // namespace

bool was_never_begun(std::string_view bytes, std::uint32_t number) noexcept {
  constexpr std::size_t first = format::records_offset;
  std::uint32_t words[2] = {};
  const std::size_t there = std::min(sizeof(words), bytes.size() - first);
  std::memcpy(words, bytes.data() + first, there);
  const bool no_record =
      words[0] == 0 && (words[1] == 0 || words[1] == format::end_mark(number, first)) &&
      used_end(bytes.data(), first, bytes.size()) <= first + format::end_mark_bytes;
  // The first state is stored before the magic, later ones after it.
  const std::optional<format::State> state = newest_state(bytes.data());
  return no_record && (!state || state->generation == 1);
}

bool is_mirrored(const std::optional<format::State>& state, const BootId& boot) noexcept {
  return state && state->clean == 0 && (state->flags & format::state_flag_synced) != 0 &&
         std::memcmp(state->boot_id, boot.bytes, sizeof(boot.bytes)) == 0;
}

std::optional<MirrorReader> mirror_of(const std::string& directory,
                                      const std::optional<format::State>& state,
                                      const BootId& boot) {
  return is_mirrored(state, boot) ? MirrorReader::open(directory) : std::nullopt;
}

namespace {

class Judge {
 public:
  explicit Judge(const JudgedJournal& journal) noexcept : journal_(journal) {}

  std::expected<Judgement, base::Error> run();

 private:
  using Result = std::expected<void, base::Error>;

  void apply(Record record, format::Mark mark, std::size_t believed);

  Result find_numbers();
  Result find_newest();
  Result judge_absence();
  Result judge_state();
  Result judge_behind_newest();
  Result walk_back();
  Result judge_lost_states(const std::optional<format::State>& before);
  Result judge_before_newest();
  Result find_holes();
  Result read_earlier_unprocessed();
  Result read_earlier(std::uint32_t number, Position from);
  Result read_chain();
  void read_records(Candidate& candidate);
  void read_mirrored(const MirrorReader& mirror, Candidate& last);
  void judge_behind_records(Candidate& last);
  Result judge_end();
  Result judge_end_of_killed(const Candidate& last);
  Result judge_loss();
  [[nodiscard]] std::optional<std::size_t> whole_record_behind(
      const Candidate& last) const noexcept;

  [[nodiscard]] std::expected<Segment*, base::Error> map(std::uint32_t number) const {
    return Segment::map(journal_.path(number), journal_.access, *journal_.disk);
  }

  [[nodiscard]] bool is_there(std::uint32_t number) const {
    return std::binary_search(numbers_.begin(), numbers_.end(), number);
  }

  const JudgedJournal& journal_;
  std::vector<std::uint32_t> numbers_;  // Numbers of the existing segment files, ascending.
  std::string too_short_;               // A file too short for a header.
  std::optional<JournalSummary> summary_;
  bool has_summary_ = false;
  Judgement result_;
};

Judge::Result Judge::find_numbers() {
  std::expected<std::vector<std::uint32_t>, base::Error> numbers =
      list_segments(journal_.directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  numbers_ = std::move(*numbers);
  for (const auto& [number, path] : journal_.instead) {
    if (!is_there(number)) {
      numbers_.insert(std::upper_bound(numbers_.begin(), numbers_.end(), number), number);
    }
  }
  has_summary_ = has_summary(journal_.directory);
  summary_ = read_summary(journal_.directory);
  return {};
}

Judge::Result Judge::find_newest() {
  for (std::size_t left = numbers_.size(); left > 0; --left) {
    const std::uint32_t number = numbers_[left - 1];
    const std::string path = journal_.path(number);
    std::expected<Segment*, base::Error> mapped = map(number);
    if (!mapped && mapped.error().code == base::ErrorCode::Damaged) {
      too_short_ = path;
      result_.unbegun.push_back(number);
      continue;
    }
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    SegmentHandle segment(*mapped);
    if (!segment->begun()) {
      result_.unbegun.push_back(number);
      continue;
    }
    if (Result checked = segment->check_header(number, path); !checked) {
      return checked;
    }
    const format::Header& header = segment->header();
    const std::string_view identity(header.identity, header.identity_bytes);
    if (journal_.identity && identity != *journal_.identity) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "the journal belongs to session '" +
                                             std::string(identity) + "', not to '" +
                                             *journal_.identity + "'",
                                         journal_.directory, "J202"});
    }
    result_.chain.push_back({number, std::move(segment), 0});
    break;
  }
  return {};
}

// No segment is in use. The directory is a new journal's only if nothing shows earlier use.
Judge::Result Judge::judge_absence() {
  if (!too_short_.empty()) {
    return std::unexpected(damaged("the segment's file was cut short", too_short_, "J211"));
  }
  if (has_summary_) {
    return std::unexpected(damaged("the journal was in use, and no segment of it is left",
                                   journal_.directory, "J210"));
  }
  for (const std::uint32_t number : result_.unbegun) {
    const std::expected<Segment*, base::Error> mapped = map(number);
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    const SegmentHandle segment(*mapped);
    if (number != 1 || !was_never_begun({segment->base(), segment->size()}, number)) {
      return std::unexpected(
          damaged("the segment was in use, and its header is gone", journal_.path(number), "J209"));
    }
  }
  return {};
}

Judge::Result Judge::judge_state() {
  const Candidate& newest = result_.chain.front();
  const std::optional<format::State> state = newest.segment->state();
  if (state) {
    result_.state = *state;
  } else {
    // The slots are stored before the magic, so zeros mean that the disk kept one sector and lost
    // another.
    static constexpr char zeros[sizeof(format::State)] = {};
    for (const std::size_t offset : format::state_offset) {
      if (std::memcmp(newest.segment->base() + offset, zeros, sizeof(zeros)) != 0) {
        return std::unexpected(damaged("neither of the segment's states matches its checksum",
                                       journal_.path(newest.number), "J209"));
      }
    }
  }
  result_.same_boot =
      state && std::memcmp(state->boot_id, journal_.boot.bytes, sizeof(state->boot_id)) == 0;
  result_.clean = result_.same_boot ? result_.state.clean == 1 : is_closed_on_disk(result_.state);
  result_.power_lost = !result_.same_boot && !result_.clean;
  result_.reserved = result_.state.reserved_outgoing;
  if (summary_) {
    result_.reserved = std::max(result_.reserved, summary_->reserved_outgoing);
  }
  return {};
}

// Checks whether later segments were in use.
Judge::Result Judge::judge_behind_newest() {
  const Candidate& newest = result_.chain.front();
  const std::string path = journal_.path(newest.number);
  const bool marked = newest.segment->marked();
  if (result_.power_lost) {
    // The next one is on the disk, with its name, before a state says that all of this one is.
    if (marked && is_on_disk(result_.state) && result_.state.clean == 0) {
      return std::unexpected(
          damaged("the segment was left for the next one, which was on the disk "
                  "and is gone or holds nothing",
                  path, "J210"));
    }
    return {};
  }
  if (marked && newest.segment->left()) {
    return std::unexpected(damaged("the segment was left at byte " +
                                       number_text(*newest.segment->left()) +
                                       " for the next one, which is gone or holds nothing",
                                   path, "J210"));
  }
  const auto mirror = mirror_of(journal_.directory, result_.state, journal_.boot);
  if (mirror && mirror->has_begun(newest.number + 1)) {
    return std::unexpected(damaged("the segment was in use, and its header is gone",
                                   journal_.path(newest.number + 1), "J209"));
  }
  // After a segment that was closed, none is in use: a file there was prepared, and a power loss
  // restored its name, perhaps without its length.
  if (!too_short_.empty() && !result_.clean) {
    return std::unexpected(damaged("the segment's file was cut short", too_short_, "J211"));
  }
  for (const std::uint32_t number : result_.unbegun) {
    const std::expected<Segment*, base::Error> mapped = map(number);
    if (!mapped && mapped.error().code == base::ErrorCode::Damaged) {
      continue;  // Checked above.
    }
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    const SegmentHandle segment(*mapped);
    const bool prepared = number == newest.number + 1
                              ? was_never_begun({segment->base(), segment->size()}, number)
                              : used_end(segment->base(), 0, segment->size()) == 0;
    if (!prepared) {
      return std::unexpected(
          damaged("the segment was in use, and its header is gone", journal_.path(number), "J209"));
    }
  }
  return {};
}

// The newest segment's states are zeros. They are stored before it is begun, so the machine went
// down in between; unless that was in this boot, or the journal's opening had finished.
Judge::Result Judge::judge_lost_states(const std::optional<format::State>& before) {
  const Candidate& newest = result_.chain.front();
  const bool this_boot =
      before && std::memcmp(before->boot_id, journal_.boot.bytes, sizeof(before->boot_id)) == 0;
  if (newest.segment->marked() && (this_boot || (newest.number == 1 && has_summary_))) {
    return std::unexpected(
        damaged("the segment's states are gone", journal_.path(newest.number), "J209"));
  }
  if (before) {
    // The newest lost its states, so the disk has nothing that was appended to it later.
    result_.state.generation = before->generation;
    result_.state.flags = before->flags;
  }
  return {};
}

// After a power loss any page since the last known flush may be missing, so reading starts at the
// first segment that is not known to be completely on the disk.
Judge::Result Judge::walk_back() {
  const std::uint32_t newest = result_.chain.front().number;
  const bool states_lost = result_.state.generation == 0;
  bool states_judged = !states_lost;
  for (std::uint32_t number = newest - 1; number >= 1; --number) {
    std::expected<Segment*, base::Error> mapped = map(number);
    const bool missing = !mapped && mapped.error().code == base::ErrorCode::NotFound;
    if (missing && (!result_.power_lost || number < numbers_.front())) {
      break;
    }
    if (!mapped && !missing && mapped.error().code != base::ErrorCode::Damaged) {
      // The disk may have all of it, and what counts as lost is put aside with all after it.
      return std::unexpected(mapped.error());
    }
    // A missing one between others has lost its name: it counts as an empty one.
    SegmentHandle segment(mapped ? *mapped : nullptr);
    const bool begun = segment != nullptr && segment->begun();
    if (begun) {
      if (Result checked = segment->check_header(number, journal_.path(number)); !checked) {
        return checked;
      }
    }
    const std::optional<format::State> state = begun ? segment->state() : std::nullopt;
    if (state) {
      // The reserve is renewed in the segment current at that time; the newest may not have
      // it.
      result_.reserved = std::max(result_.reserved, state->reserved_outgoing);
      if (!states_judged) {
        states_judged = true;
        if (Result judged = judge_lost_states(state); !judged) {
          return judged;
        }
      }
    }
    if (!result_.power_lost) {
      return judge_before_newest();
    }
    if (state && is_on_disk(*state)) {
      break;
    }
    result_.chain.push_back({number, begun ? std::move(segment) : nullptr, 0});
  }
  if (!states_judged) {
    if (Result judged = judge_lost_states(std::nullopt); !judged) {
      return judged;
    }
  }
  std::reverse(result_.chain.begin(), result_.chain.end());
  return {};
}

// Checks that the newest segment begins where the one before it ended.
Judge::Result Judge::judge_before_newest() {
  const Candidate& newest = result_.chain.front();
  const std::string path = journal_.path(newest.number - 1);
  const std::expected<Segment*, base::Error> mapped = map(newest.number - 1);
  if (!mapped) {
    return std::unexpected(mapped.error());
  }
  const SegmentHandle before(*mapped);
  if (!before->begun()) {
    return std::unexpected(damaged("the segment was in use, and its header is gone", path, "J209"));
  }
  const format::Header& header = newest.segment->header();
  if (before->header().journal_id != header.journal_id) {
    return std::unexpected(
        damaged("the segment after this one is of another journal", path, "J212"));
  }
  const std::optional<std::uint32_t> left = before->marked() ? before->left() : std::nullopt;
  if (left && *left != header.previous_end) {
    return std::unexpected(damaged("the segment was left at byte " + number_text(*left) +
                                       ", and the next one goes on from byte " +
                                       number_text(header.previous_end),
                                   path, "J212"));
  }
  return {};
}

// The oldest segments are removed first, so the rest is contiguous. A power loss may restore names
// of removed segments: those before a hole do not belong to the journal any more.
Judge::Result Judge::find_holes() {
  const std::uint32_t first = result_.chain.front().number;
  if (result_.chain.back().segment != nullptr &&
      (result_.chain.back().segment->header().flags & format::flag_numbers_only) != 0) {
    return {};  // Segments before the newest add no information.
  }
  std::uint32_t number = first;
  while (number > 1 && is_there(number - 1)) {
    --number;
  }
  if (number <= numbers_.front()) {
    return {};
  }
  if (!result_.power_lost) {
    return std::unexpected(damaged("the segment is gone, and older ones are there",
                                   journal_.path(number - 1), "J210"));
  }
  for (const std::uint32_t older : numbers_) {
    if (older < number) {
      result_.aside.push_back(older);
    }
  }
  return {};
}

// Reads the received records of a segment before those read so far, from a position on.
Judge::Result Judge::read_earlier(std::uint32_t number, Position from) {
  const std::string path = journal_.path(number);
  std::expected<Segment*, base::Error> mapped = map(number);
  if (!mapped && mapped.error().code == base::ErrorCode::NotFound) {
    return {};  // Archived: the archiving process has handled its records.
  }
  if (!mapped) {
    return std::unexpected(mapped.error());
  }
  const SegmentHandle segment(*mapped);
  if (Result checked = segment->check_header(number, path); !checked) {
    return checked;
  }
  if (segment->size() < segment->header().segment_bytes) {
    return std::unexpected(cut_short(*segment, path));  // Handing its records over would fail.
  }
  const auto parsed_at = [&](std::size_t at) {
    return parse_record(segment->base(), segment->size(), number, at, Check::Crc);
  };
  std::size_t at = number == from.segment ? from.offset : format::records_offset;
  if (at < format::records_offset || at % format::alignment != 0) {
    return std::unexpected(
        damaged("the next segment's checkpoint points between records", path, "J209"));
  }
  if (parsed_at(at).found != Found::Record) {
    // A repair may have joined the records there into one, so the search begins at the start.
    at = format::records_offset;
  }
  for (;;) {
    const Parsed parsed = parsed_at(at);
    if (parsed.found == Found::Bad) {
      return std::unexpected(damaged("bad record at byte " + number_text(at), path, "J208"));
    }
    if (parsed.found == Found::End) {
      const std::optional<std::uint32_t> left = segment->marked() ? segment->left() : std::nullopt;
      if (left && *left != at) {
        return std::unexpected(damaged("records are gone from byte " + number_text(at) +
                                           " on, of those up to byte " + number_text(*left),
                                       path, "J208"));
      }
      return {};
    }
    if (parsed.record.kind == Kind::Received && parsed.record.position >= from) {
      apply(parsed.record, mark_at(segment->base(), at), SIZE_MAX);
    }
    at = parsed.next_offset;
  }
}

// Unprocessed records may be older than the first segment read; its checkpoint has their
// beginning, or a later one, where an opening has taken marks back.
Judge::Result Judge::read_earlier_unprocessed() {
  const Candidate& first = result_.chain.front();
  Position from;
  for (const Candidate& one : result_.chain) {
    if (one.segment == nullptr) {
      break;  // The rest is not the journal's any more.
    }
    const Position begin = unpacked(one.segment->header().unprocessed);
    if (begin.valid() && (!from.valid() || begin < from)) {
      from = begin;
    }
  }
  const Position begin{first.number, static_cast<std::uint32_t>(format::records_offset)};
  result_.standing.counted_from = from.valid() ? std::min(from, begin) : begin;
  const std::uint32_t oldest = std::max(from.segment, numbers_.front());
  for (std::uint32_t number = oldest; from.valid() && number < first.number; ++number) {
    if (Result read = read_earlier(number, from); !read) {
      return read;
    }
  }
  return {};
}

// After a power loss a mark counts only if everything sent before it is known to be on the disk: in
// its segment before `believed`.
void Judge::apply(Record record, format::Mark mark, std::size_t believed) {
  if (record.kind == Kind::Received && !record.message_omitted) {
    if (result_.power_lost && !outlives_power_loss(mark, record.position.offset, believed)) {
      record.processed = false;
      result_.unbelieved.push_back(record.position);
    } else if (mark == format::Mark::Late) {
      result_.standing.late.push_back(record.position);
    }
  }
  result_.standing.apply(record);
}

void Judge::read_records(Candidate& candidate) {
  candidate.end = format::records_offset;
  const std::optional<format::State> state = candidate.segment->state();
  const std::size_t believed = state ? state->durable_offset : std::size_t{format::records_offset};
  std::size_t brought = 0;
  for (;;) {
    if (candidate.end >= brought) {
      // In large pieces: a fault for every few pages would take longer than reading their contents.
      brought = std::min(candidate.end + brought_at_once, candidate.segment->size());
      static_cast<void>(candidate.segment->bring_in(candidate.end, brought));
    }
    const Parsed parsed = parse_record(candidate.segment->base(), candidate.segment->size(),
                                       candidate.number, candidate.end, Check::Crc);
    if (parsed.found != Found::Record) {
      return;
    }
    apply(parsed.record, mark_at(candidate.segment->base(), candidate.end), believed);
    candidate.end = parsed.next_offset;
  }
}

Judge::Result Judge::read_chain() {
  if (result_.chain.front().segment == nullptr) {
    return std::unexpected(damaged("the segment holds nothing, and none before it is left",
                                   journal_.path(result_.chain.front().number), "J209"));
  }
  if (Result earlier = read_earlier_unprocessed(); !earlier) {
    return earlier;
  }
  Standing& standing = result_.standing;
  const format::Header& checkpoint = result_.chain.front().segment->header();
  standing.next_outgoing = checkpoint.next_outgoing;
  standing.next_expected = checkpoint.next_expected;
  standing.barrier = unpacked(checkpoint.barrier);
  standing.queued = {checkpoint.unsent, checkpoint.last_queued};
  standing.epoch = checkpoint.epoch;
  standing.epoch_at = unpacked(checkpoint.epoch_record);
  standing.records = 0;
  for (std::size_t at = 0; at < result_.chain.size(); ++at) {
    Candidate& candidate = result_.chain[at];
    read_records(candidate);
    const bool last = at + 1 == result_.chain.size();
    const bool goes_on = !last && result_.chain[at + 1].segment != nullptr &&
                         result_.chain[at + 1].segment->header().previous_end == candidate.end;
    if (!last && !goes_on) {
      for (std::size_t behind = at + 1; behind < result_.chain.size(); ++behind) {
        result_.aside.push_back(result_.chain[behind].number);
      }
      result_.chain.resize(at + 1);
    }
    if (at + 1 == result_.chain.size()) {
      judge_behind_records(candidate);
    }
    const std::optional<format::State> state = candidate.segment->state();
    if (state && candidate.end < state->durable_offset) {
      return std::unexpected(damaged("bad record at byte " + number_text(candidate.end) +
                                         ", before byte " + number_text(state->durable_offset) +
                                         " up to which all was on the disk",
                                     journal_.path(candidate.number), "J208"));
    }
  }
  return judge_end();
}

// Reads records that the writer of a mirrored journal had appended and not flushed.
void Judge::read_mirrored(const MirrorReader& mirror, Candidate& last) {
  result_.mirrored_at = last.end;
  while (const std::optional<std::string> bytes = mirror.record(last.number, last.end)) {
    if (last.end + bytes->size() > last.segment->size()) {
      break;
    }
    std::uint32_t length = 0;
    std::memcpy(&length, bytes->data(), sizeof(length));
    apply(record_of(bytes->data(), length, last.number, last.end),
          static_cast<format::Mark>((*bytes)[length]), SIZE_MAX);
    result_.mirrored += *bytes;
    last.end += bytes->size();
  }
  const bool ends = mirror.ends_at(last.number, last.end);
  const std::size_t end = last.end;
  const bool in_file =
      parse_record(last.segment->base(), last.segment->size(), last.number, end, Check::Crc)
          .found == Found::Record;
  if (ends && !in_file) {
    result_.end.kind =
        result_.end.used_end <= end + format::end_mark_bytes ? EndKind::Clean : EndKind::Unfinished;
  }
}

void Judge::judge_behind_records(Candidate& last) {
  const Segment& segment = *last.segment;
  static_cast<void>(segment.bring_in(last.end, segment.size()));
  result_.end =
      judge_segment_end(segment.base(), segment.size(), last.number, last.end, segment.marked());
  if (const auto mirror = mirror_of(journal_.directory, segment.state(), journal_.boot)) {
    read_mirrored(*mirror, last);
  }
  if (result_.end.kind == EndKind::Uncommitted && result_.mirrored.empty()) {
    apply(record_of(segment.base() + last.end, result_.end.length, last.number, last.end),
          static_cast<format::Mark>(segment.base()[last.end + result_.end.length]), SIZE_MAX);
    last.end += format::record_bytes(result_.end.length - format::record_header_bytes);
  }
}

std::optional<std::size_t> Judge::whole_record_behind(const Candidate& last) const noexcept {
  for (std::size_t at = last.end + format::alignment; at < result_.end.used_end;
       at += format::alignment) {
    if (parse_record(last.segment->base(), last.segment->size(), last.number, at, Check::Crc)
            .found == Found::Record) {
      return at;
    }
  }
  return std::nullopt;
}

// A kill or a power loss explains only the states of an unfinished append.
Judge::Result Judge::judge_end_of_killed(const Candidate& last) {
  const std::string path = journal_.path(last.number);
  const std::string at = number_text(last.end);
  if (result_.clean && last.end != result_.state.end_offset) {
    return std::unexpected(damaged("closed with records up to byte " +
                                       number_text(result_.state.end_offset) +
                                       ", of which those from byte " + at + " on are bad",
                                   path, "J208"));
  }
  if (const std::optional<std::size_t> behind = whole_record_behind(last)) {
    return std::unexpected(damaged(
        "bad record at byte " + at + ", and good ones after it from byte " + number_text(*behind),
        path, "J208"));
  }
  if (last.shorter_than_made()) {
    return std::unexpected(cut_short(*last.segment, path));
  }
  switch (result_.end.kind) {
    case EndKind::Clean:
    case EndKind::Uncommitted:
      return {};
    case EndKind::Unfinished:
      if (!result_.clean) {
        return {};
      }
      return std::unexpected(
          damaged("bytes after byte " + at + ", where the journal was closed", path, "J208"));
    case EndKind::Unmarked:
      if (result_.clean && result_.end.used_end <= last.end) {
        return {};  // The state has its end.
      }
      return std::unexpected(
          damaged("records are gone from byte " + at + " on: no end of the records is marked there",
                  path, "J208"));
    case EndKind::Bad:
      break;
  }
  return std::unexpected(
      damaged("bad record at byte " + at + ", which no crash explains", path, "J208"));
}

Judge::Result Judge::judge_end() {
  const Candidate& last = result_.chain.back();
  if (!result_.power_lost) {
    if ((result_.state.flags & format::state_flag_numbers_lost) != 0) {
      result_.numbers_lost = true;  // An opening after a power loss was killed before this.
    }
    return judge_end_of_killed(last);
  }
  result_.numbers_lost = true;
  if ((result_.state.flags & format::state_flag_synced) != 0 && !last.shorter_than_made()) {
    // No peer has seen data that was not on the disk. A bad record is most likely one that was
    // being written; but treating it as seen and then damaged costs nothing.
    result_.numbers_lost = result_.end.kind == EndKind::Bad && result_.reserved != 0 &&
                           journal_.after_power_loss == AfterPowerLoss::SkipAhead;
  }
  if (result_.state.generation == 0 && last.number == 1 && last.end == format::records_offset &&
      journal_.keeps_reserve) {
    // A first segment whose state is not on the disk: opening flushes it before it returns, so it
    // was never used.
    result_.numbers_lost = false;
  }
  // A copy uses no number before it has all records, or skips to the reserve.
  const bool may_use_numbers = journal_.role == JournalRole::Writer;
  return result_.numbers_lost && may_use_numbers ? judge_loss() : Result{};
}

Judge::Result Judge::judge_loss() {
  const std::string what = "the machine went down while the journal was in use";
  if (journal_.after_power_loss == AfterPowerLoss::Refuse) {
    return std::unexpected(
        damaged(what + ", and after_power_loss is refuse: numbers the peer has seen may be missing",
                journal_.directory, "J205"));
  }
  if (result_.reserved == 0) {
    return std::unexpected(
        damaged(what + ", and it kept no reserve of outgoing numbers to go on from",
                journal_.directory, "J205"));
  }
  return {};
}

std::expected<Judgement, base::Error> Judge::run() {
  for (const auto step : {&Judge::find_numbers, &Judge::find_newest}) {
    if (Result done = (this->*step)(); !done) {
      return std::unexpected(done.error());
    }
  }
  if (result_.chain.empty()) {
    if (Result judged = judge_absence(); !judged) {
      return std::unexpected(judged.error());
    }
    return std::move(result_);
  }
  for (const auto step : {&Judge::judge_state, &Judge::judge_behind_newest, &Judge::walk_back,
                          &Judge::find_holes, &Judge::read_chain}) {
    if (Result done = (this->*step)(); !done) {
      return std::unexpected(done.error());
    }
  }
  return std::move(result_);
}

}  // namespace

std::expected<Judgement, base::Error> judge(const JudgedJournal& journal) {
  return Judge(journal).run();
}

}  // namespace affix::inline v0::journal
