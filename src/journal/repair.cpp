// SPDX-License-Identifier: MIT
// Segments mended one after another in memory, then written. What stays at its place keeps its
// bytes: positions in other segments, checksums and the index go on being right.
#include "affix/journal/repair.hpp"

#include "affix/base/crc32c.hpp"
#include "affix/journal/segment_scan.hpp"

#include "journal/recovery.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/random.h>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

/// Reserve of a journal whose own cannot be read: the default of Options::sequence_reserve.
constexpr std::uint64_t reserve_default = 100'000;
constexpr std::size_t rebuilt_bytes_min = 8 * 1024;

std::string number_text(std::uint64_t number) {
  return std::to_string(number);
}

base::Error invalid(std::string message, const std::string& where) {
  return {base::ErrorCode::InvalidArgument, std::move(message), where};
}

/// The numbers that the first records behind a hole begin with.
struct Behind {
  std::optional<std::uint64_t> next_outgoing;
  std::optional<std::uint64_t> next_expected;
};

/// Where the segment's records do not say, the header of the one that follows does.
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
      break;  // What an event sets says nothing of the numbers before it.
    }
    if (record->kind == Kind::Sent && !behind.next_outgoing) {
      behind.next_outgoing = record->sequence;
    } else if (record->kind == Kind::Received && !behind.next_expected) {
      behind.next_expected = std::min(record->sequence, record->number_after);
    }
  }
  return behind;
}

/// One segment being mended, as a copy of its file.
struct Work {
  std::uint32_t number = 0;
  std::string path;
  std::string bytes;
  bool changed = false;
  RepairedSegment report;

  void lose(std::string text) {
    report.losses.push_back(std::move(text));
    changed = true;
  }
};

class Repairer {
 public:
  explicit Repairer(const RepairOptions& options)
      : options_(options), boot_(system_disk().boot_id()) {}

  std::expected<Repair, base::Error> run(const std::vector<std::uint32_t>& numbers);

 private:
  using Result = std::expected<void, base::Error>;

  Result mend(std::uint32_t number, bool newest, std::optional<std::uint32_t> following);
  Result mend_header(Work& work);
  void mend_length(Work& work, bool newest);
  Result mend_state(Work& work, bool newest);
  Result mend_records(Work& work, bool newest, std::optional<std::uint32_t> following);
  std::uint32_t mend_closed_end(Work& work, const SegmentScan& scan);
  static void forget_index_entries(Work& work, std::uint32_t from, std::uint32_t to);
  void fill(Work& work, std::uint32_t from, std::uint32_t to, const Behind& behind);
  Result mend_end(Work& work, std::uint32_t end, bool stopped_at_bad);
  void put_event(Work& work, std::uint32_t offset, std::uint32_t bytes, const Behind& numbers,
                 std::string text) const;
  void put_state(Work& work, format::State state) const;
  std::expected<std::uint64_t, base::Error> outgoing_to_go_on_from() const;
  Result write(Work& work);
  SegmentHeader header_of(std::uint32_t number);  // Its number is 0 when it cannot be read.
  void learn_identity(const std::vector<std::uint32_t>& numbers);

  const RepairOptions& options_;
  BootId boot_;
  Repair result_;
  Standing standing_;
  bool known_ = false;  // `standing_` and what follows are those of the segment before.
  std::uint32_t previous_end_ = 0;
  std::uint64_t journal_id_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint32_t flags_ = 0;
  std::string identity_;
  bool state_lost_ = false;
  bool truncated_ = false;  // The newest file was.
  std::vector<Work> changed_;
};

SegmentHeader Repairer::header_of(std::uint32_t number) {
  const std::string path = segment_path(options_.directory, number);
  const auto mapped = Segment::map(path, Segment::Access::ReadOnly);
  if (!mapped) {
    return {};
  }
  const SegmentHandle segment(*mapped);
  const auto scan = SegmentScan::open({segment->base(), segment->size()}, number, path);
  if (!scan) {
    return {};
  }
  SegmentHeader header = scan->header();
  identity_ = header.identity;
  flags_ = header.numbers_only ? format::flag_numbers_only : 0;
  journal_id_ = header.journal_id;
  header.identity = {};  // It would view what is unmapped here.
  return header;
}

// Any segment says whose journal it is.
void Repairer::learn_identity(const std::vector<std::uint32_t>& numbers) {
  for (const std::uint32_t number : numbers) {
    if (header_of(number).number != 0) {
      return;
    }
  }
}

// A record of exactly `bytes`, a multiple of 8: the text is filled up with spaces or cut to fit.
void Repairer::put_event(Work& work, std::uint32_t offset, std::uint32_t bytes,
                         const Behind& numbers, std::string text) const {
  char* const at = work.bytes.data() + offset;
  text.resize(bytes - format::record_header_bytes - 1, ' ');
  format::RecordHeader header{};
  header.length = static_cast<std::uint32_t>(format::record_header_bytes + text.size());
  header.kind = static_cast<std::uint8_t>(Kind::Event);
  header.event = static_cast<std::uint8_t>(EventType::NumbersSet);
  header.utc_ns = standing_.last_utc_ns != 0 ? standing_.last_utc_ns : options_.now_utc_ns;
  header.sequence = numbers.next_outgoing.value_or(standing_.next_outgoing);
  header.number_after = numbers.next_expected.value_or(standing_.next_expected);
  std::memset(at, 0, bytes);
  std::memcpy(at, &header, sizeof(header));
  std::memcpy(at + sizeof(header), text.data(), text.size());
  at[header.length] = 1;
  constexpr std::size_t covered = offsetof(format::RecordHeader, kind);
  header.crc = base::crc32c({at + covered, header.length - covered},
                            format::record_seed(work.number, offset));
  std::memcpy(at, &header, sizeof(header));
  work.changed = true;
}

void Repairer::put_state(Work& work, format::State state) const {
  const auto before = newest_state(work.bytes.data());
  state.generation = before ? before->generation + 1 : 1;
  state.flags = 0;  // What was lost may have been seen.
  state.crc = state_crc(state);
  std::memcpy(work.bytes.data() + format::state_offset[state.generation % 2], &state,
              sizeof(state));
  work.changed = true;
}

// A segment whose header is gone is given one that follows from the segment before it.
Repairer::Result Repairer::mend_header(Work& work) {
  const auto scan = SegmentScan::open(work.bytes, work.number, work.path);
  if (scan) {
    return {};
  }
  if (scan.error().code == base::ErrorCode::Unsupported && work.bytes.size() >= 16) {
    format::Header stored;
    std::memcpy(&stored, work.bytes.data(), sizeof(stored));
    const bool whole = stored.magic == format::magic && stored.crc == header_crc(stored);
    if (whole || stored.magic == __builtin_bswap64(format::magic)) {
      return std::unexpected(scan.error());  // Whole, and not for this build to touch.
    }
  }
  if (!known_ && work.number != 1) {
    return std::unexpected(base::Error{base::ErrorCode::Damaged,
                                       "its header is lost, and so is the segment before it: its "
                                       "numbers cannot be known",
                                       work.path});
  }
  if (identity_.empty() && options_.identity.empty()) {
    return std::unexpected(
        invalid("no segment says whose journal it is; name the session", work.path));
  }
  const std::size_t size = std::bit_ceil(std::max(work.bytes.size(), rebuilt_bytes_min));
  const std::size_t had = work.bytes.size();
  work.bytes.resize(size, '\0');
  format::Header header{};
  const std::string& identity = identity_.empty() ? options_.identity : identity_;
  header.byte_order = format::byte_order_mark;
  header.version = format::version;
  header.records_offset = format::records_offset;
  header.segment_bytes = size;
  header.segment_number = work.number;
  header.flags = flags_;
  header.created_utc_ns = standing_.last_utc_ns != 0 ? standing_.last_utc_ns : options_.now_utc_ns;
  header.next_outgoing = standing_.next_outgoing;
  header.next_expected = standing_.next_expected;
  header.barrier = packed(standing_.barrier);
  header.unprocessed = packed(standing_.oldest_unprocessed);
  header.previous_end = previous_end_;
  header.journal_id = journal_id_;
  if (header.journal_id == 0 && getrandom(&header.journal_id, sizeof(header.journal_id), 0) !=
                                    static_cast<ssize_t>(sizeof(header.journal_id))) {
    header.journal_id = static_cast<std::uint64_t>(options_.now_utc_ns);
  }
  header.identity_bytes =
      static_cast<std::uint32_t>(std::min(identity.size(), format::identity_bytes_max));
  std::memcpy(header.identity, identity.data(), header.identity_bytes);
  header.magic = format::magic;
  header.crc = header_crc(header);
  std::memcpy(work.bytes.data(), &header, sizeof(header));
  work.lose(had < format::records_offset
                ? "the file had " + number_text(had) + " bytes: all its records are lost"
                : "the header was bad (" + scan.error().message +
                      "); made anew from the segment before");
  return {};
}

void Repairer::mend_length(Work& work, bool newest) {
  format::Header header;
  std::memcpy(&header, work.bytes.data(), sizeof(header));
  if (work.bytes.size() < header.segment_bytes) {
    work.lose("the file had " + number_text(work.bytes.size()) + " of " +
              number_text(header.segment_bytes) + " bytes");
    work.bytes.resize(header.segment_bytes, '\0');
    truncated_ = newest;
  }
}

Repairer::Result Repairer::mend_state(Work& work, bool newest) {
  const auto state = newest_state(work.bytes.data());
  if (state) {
    reserved_ = std::max(reserved_, state->reserved_outgoing);
    return {};
  }
  if (newest) {
    work.lose("neither of the states was right: whether the last records are lost is unknown");
    state_lost_ = true;
  }
  return {};
}

void Repairer::fill(Work& work, std::uint32_t from, std::uint32_t to, const Behind& behind) {
  std::string text = "repaired: bytes " + number_text(from) + " to " + number_text(to) +
                     " of segment " + number_text(work.number) + " held no whole record";
  std::string lost;
  const auto tell = [&lost](const char* what, std::uint64_t before,
                            const std::optional<std::uint64_t>& after) {
    if (after && *after > before) {
      lost += std::string(lost.empty() ? "; " : ", ") + what + ' ' + number_text(before) + " to " +
              number_text(*after - 1) + " are lost";
    }
  };
  tell("sent messages", standing_.next_outgoing, behind.next_outgoing);
  tell("received messages", standing_.next_expected, behind.next_expected);
  text += lost;
  work.lose("bytes " + number_text(from) + " to " + number_text(to) + " held no whole record" +
            lost);
  put_event(work, from, to - from, behind, std::move(text));
  forget_index_entries(work, from, to);
}

std::expected<std::uint64_t, base::Error> Repairer::outgoing_to_go_on_from() const {
  if (options_.next_outgoing) {
    if (*options_.next_outgoing < standing_.next_outgoing) {
      return std::unexpected(invalid("outgoing number " + number_text(*options_.next_outgoing) +
                                         " would be used again: the records go up to " +
                                         number_text(standing_.next_outgoing - 1),
                                     options_.directory));
    }
    return *options_.next_outgoing;
  }
  if (reserved_ != 0) {
    return std::max(reserved_, standing_.next_outgoing);
  }
  if (state_lost_) {
    return standing_.next_outgoing + reserve_default;
  }
  return std::unexpected(invalid(
      "the last records are lost and no reserve of outgoing numbers was kept: say the outgoing "
      "number to go on from, at least " +
          number_text(standing_.next_outgoing),
      options_.directory));
}

// The newest segment's end. What opening can judge by itself is left to it.
Repairer::Result Repairer::mend_end(Work& work, std::uint32_t end, bool stopped_at_bad) {
  const auto state = newest_state(work.bytes.data());
  const bool before_durable = state && end < state->durable_offset;
  const bool not_as_closed = state && state->clean == 1 && end != state->end_offset;
  const bool same_boot =
      state && std::memcmp(state->boot_id, boot_.bytes, sizeof(boot_.bytes)) == 0;
  const bool clean = state && state->clean == 1 && (same_boot || state->durable_offset == end);
  // Opening goes on from the reserve by itself where there is one and nobody says otherwise.
  const bool undecided = (stopped_at_bad || (state && !same_boot && !clean)) &&
                         (reserved_ == 0 || options_.next_outgoing);
  const bool made_anew =
      state_lost_ || truncated_ || (!work.report.losses.empty() && end == format::records_offset);
  if (!before_durable && !not_as_closed && !undecided && !made_anew) {
    return {};
  }
  const auto next = outgoing_to_go_on_from();
  if (!next) {
    return std::unexpected(next.error());
  }
  std::string text = "repaired: what was behind byte " + number_text(end) + " is lost";
  if (*next != standing_.next_outgoing) {
    text += "; the outgoing number goes on from " + number_text(*next) + " instead of " +
            number_text(standing_.next_outgoing);
    result_.skipped_from = standing_.next_outgoing;
  }
  const std::size_t room = work.bytes.size() - end;
  if (room < format::record_bytes(0)) {
    return std::unexpected(base::Error{base::ErrorCode::NoSpace,
                                       "no room behind the last record to note what was lost",
                                       work.path});
  }
  work.lose("what was behind byte " + number_text(end) +
            " is lost; the outgoing number goes on from " + number_text(*next) +
            ", the expected number from " + number_text(standing_.next_expected));
  std::memset(work.bytes.data() + end, 0, room);
  forget_index_entries(work, end, UINT32_MAX);
  const auto size = static_cast<std::uint32_t>(
      std::min(format::record_bytes(text.size()), room / format::alignment * format::alignment));
  put_event(work, end, size, {*next, standing_.next_expected}, std::move(text));
  standing_.next_outgoing = *next;
  format::State mended{};
  std::memcpy(mended.boot_id, boot_.bytes, sizeof(mended.boot_id));
  mended.durable_offset = format::records_offset;
  mended.reserved_outgoing = std::max(reserved_, *next);
  put_state(work, mended);
  return {};
}

Repairer::Result Repairer::mend_records(Work& work, bool newest,
                                        std::optional<std::uint32_t> following) {
  auto scan = SegmentScan::open(work.bytes, work.number, work.path);
  if (!scan) {
    return std::unexpected(scan.error());
  }
  const SegmentHeader next = following ? header_of(*following) : SegmentHeader{};
  const SegmentHeader& header = scan->header();
  standing_.next_outgoing = header.next_outgoing;
  standing_.next_expected = header.next_expected;
  standing_.barrier = header.barrier;
  for (;;) {
    while (const auto record = scan->next()) {
      standing_.apply(*record);
    }
    const auto behind = scan->find_record_behind();
    if (!behind) {
      break;
    }
    const std::uint32_t from = scan->offset();
    if (*behind - from < format::record_bytes(0)) {
      return std::unexpected(base::Error{
          base::ErrorCode::Damaged,
          "between two records lie fewer bytes than one has, at " + number_text(from), work.path});
    }
    fill(work, from, *behind, look_behind(*scan, *behind, next));
    scan->seek(from);
  }
  std::uint32_t end = scan->offset();
  if (next.number != 0 && next.journal_id == header.journal_id &&
      next.previous_end >= end + format::record_bytes(0) &&
      next.previous_end <= work.bytes.size() && next.previous_end % format::alignment == 0) {
    fill(work, end, next.previous_end, {next.next_outgoing, next.next_expected});
    standing_.next_outgoing = next.next_outgoing;
    standing_.next_expected = next.next_expected;
    end = next.previous_end;
  } else if (next.number != 0 && next.previous_end != end) {
    result_.remaining.push_back(
        "segment " + number_text(*following) + " says that the one before it ends at byte " +
        number_text(next.previous_end) + ", where it ends at byte " + number_text(end));
  }
  if (!newest && end == scan->offset()) {
    end = mend_closed_end(work, *scan);
  }
  previous_end_ = end;
  return newest ? mend_end(work, end, scan->stop() == ScanStop::Bad) : Result{};
}

// The end of a segment that another one follows, whose header does not say where this one ended:
// its own state may.
std::uint32_t Repairer::mend_closed_end(Work& work, const SegmentScan& scan) {
  const std::uint32_t end = scan.offset();
  const auto state = scan.state();
  const std::uint64_t known =
      state ? std::max<std::uint64_t>(state->durable_offset, state->end_offset) : 0;
  if (known >= end + format::record_bytes(0) && known <= work.bytes.size() &&
      known % format::alignment == 0) {
    fill(work, end, static_cast<std::uint32_t>(known), {});
    return static_cast<std::uint32_t>(known);
  }
  if (const std::uint32_t used = scan.used_end(); used > end) {
    work.lose("bytes " + number_text(end) + " to " + number_text(used) +
              " held no whole record; which messages they were is unknown");
    std::memset(work.bytes.data() + end, 0, used - end);
  }
  return end;
}

// Entries that led to what is now an event would only cost a search.
void Repairer::forget_index_entries(Work& work, std::uint32_t from, std::uint32_t to) {
  format::SparseIndex index;
  char* const at = work.bytes.data() + format::index_offset;
  std::memcpy(&index, at, sizeof(index));
  format::IndexEntry* const begin = index.entries;
  format::IndexEntry* const end =
      begin + std::min<std::size_t>(index.count, format::SparseIndex::capacity);
  const auto* const kept = std::remove_if(begin, end, [from, to](const format::IndexEntry& entry) {
    return entry.offset >= from && entry.offset < to;
  });
  index.count = static_cast<std::uint32_t>(kept - begin);
  std::memcpy(at, &index, sizeof(index));
}

Repairer::Result Repairer::write(Work& work) {
  const std::string fresh = work.path + ".repaired";
  if (Result written = write_file(fresh, work.bytes); !written) {
    unlink(fresh.c_str());
    return written;
  }
  // The old file gets a second name before the new one takes its first: at every moment there is a
  // segment of that name.
  std::string kept = work.path + ".damaged";
  for (int again = 2; link(work.path.c_str(), kept.c_str()) != 0; ++again) {
    if (errno != EEXIST || again > 1'000) {
      return std::unexpected(base::make_system_error("link", errno, kept));
    }
    kept = work.path + ".damaged-" + std::to_string(again);
  }
  if (rename(fresh.c_str(), work.path.c_str()) != 0) {
    return std::unexpected(base::make_system_error("rename", errno, work.path));
  }
  work.report.kept_as = std::move(kept);
  return {};
}

Repairer::Result Repairer::mend(std::uint32_t number, bool newest,
                                std::optional<std::uint32_t> following) {
  Work work;
  work.number = number;
  work.path = segment_path(options_.directory, number);
  work.report.number = number;
  auto content = read_file(work.path);
  if (!content) {
    return std::unexpected(content.error());
  }
  work.bytes = std::move(*content);
  if (Result mended = mend_header(work); !mended) {
    return mended;
  }
  mend_length(work, newest);
  if (Result mended = mend_state(work, newest); !mended) {
    return mended;
  }
  if (Result mended = mend_records(work, newest, following); !mended) {
    return mended;
  }
  format::Header header;
  std::memcpy(&header, work.bytes.data(), sizeof(header));
  journal_id_ = header.journal_id;
  known_ = true;
  if (!work.changed) {
    return {};
  }
  changed_.push_back(std::move(work));
  return {};
}

std::expected<Repair, base::Error> Repairer::run(const std::vector<std::uint32_t>& numbers) {
  // Files behind the last one in use were prepared; opening removes them.
  std::size_t in_use = numbers.size();
  while (in_use > 1) {
    const auto content = read_file(segment_path(options_.directory, numbers[in_use - 1]));
    if (!content) {
      return std::unexpected(content.error());
    }
    const bool empty = std::all_of(content->begin(), content->end(), [](char c) { return c == 0; });
    if (content->empty() || !empty) {
      break;
    }
    --in_use;
  }
  learn_identity(numbers);
  for (std::size_t at = 0; at < in_use; ++at) {
    if (at > 0 && numbers[at] != numbers[at - 1] + 1) {
      result_.remaining.push_back("segments between " + number_text(numbers[at - 1]) + " and " +
                                  number_text(numbers[at]) + " are gone");
      known_ = false;
    }
    const bool newest = at + 1 == in_use;
    const bool contiguous = !newest && numbers[at + 1] == numbers[at] + 1;
    const Result mended =
        mend(numbers[at], newest, contiguous ? std::optional(numbers[at + 1]) : std::nullopt);
    if (!mended) {
      return std::unexpected(mended.error());
    }
  }
  // Nothing is written before everything is judged.
  for (Work& work : changed_) {
    if (options_.apply) {
      if (Result written = write(work); !written) {
        return std::unexpected(written.error());
      }
    }
    result_.segments.push_back(std::move(work.report));
  }
  result_.next_outgoing = standing_.next_outgoing;
  result_.next_expected = standing_.next_expected;
  return std::move(result_);
}

}  // namespace

std::expected<Repair, base::Error> repair(const RepairOptions& options) {
  const auto numbers = list_segments(options.directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  if (numbers->empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no journal segment", options.directory});
  }
  if (!options.apply) {
    return Repairer(options).run(*numbers);
  }
  const auto files = SegmentFiles::open(options.directory);
  if (!files) {
    return std::unexpected(files.error());
  }
  auto repaired = Repairer(options).run(*numbers);
  if (repaired && !repaired->segments.empty()) {
    if (auto synced = files->sync_directory(); !synced) {
      return std::unexpected(synced.error());
    }
  }
  return repaired;
}

}  // namespace affix::inline v0::journal
