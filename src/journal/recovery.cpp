// SPDX-License-Identifier: MIT
// Opens an existing journal: carries out the decisions of judge.cpp. If a step is the last one to
// run, another opening decides the same.
#include "journal/recovery.hpp"

#include "affix/base/time.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

namespace affix::inline v0::journal {

namespace {

bool holds_bytes(const std::string& path) {
  const std::expected<Segment*, base::Error> mapped = Segment::map(path, Segment::Access::ReadOnly);
  if (!mapped) {
    return false;
  }
  const SegmentHandle segment(*mapped);
  return used_end(segment->base(), 0, segment->size()) != 0;
}

class Opener {
 public:
  Opener(const SegmentFiles& files, Judgement judgement) noexcept
      : files_(files), found_(std::move(judgement)) {}

  std::expected<Recovery, base::Error> run();

 private:
  using Result = std::expected<void, base::Error>;

  Result keep_reserve();
  Result set_aside();
  Result cut(Candidate& last);
  Result restore_length(Candidate& last);
  void bring_mirrored(Candidate& last);
  void settle(Candidate& last);
  Result take_back_marks();
  Result lower_checkpoint(Candidate& last);

  const SegmentFiles& files_;
  Judgement found_;
  Recovery result_;
};

// The reserve may have been renewed in a segment that is about to be set aside. If the power fails
// again during that, the remaining files must have it.
Opener::Result Opener::keep_reserve() {
  const Candidate& last = found_.chain.back();
  std::optional<format::State> state = last.segment->state();
  if (found_.aside.empty() || !state || state->reserved_outgoing >= found_.reserved) {
    return {};
  }
  state->reserved_outgoing = found_.reserved;
  last.segment->set_state(*state);
  return last.segment->sync(0, format::records_offset, files_.path(last.number));
}

Opener::Result Opener::set_aside() {
  for (const std::uint32_t number : found_.aside) {
    const std::string path = files_.path(number);
    const int error_number = files_.disk().rename(path, path + ".cut");
    if (error_number != 0 && error_number != ENOENT) {  // One of the two may be missing.
      return std::unexpected(base::make_system_error("rename", error_number, path));
    }
  }
  for (const std::uint32_t number : found_.unbegun) {
    // A segment never begun is empty, unless the disk lost the page that shows its begin.
    const std::string path = files_.path(number);
    if (found_.power_lost && holds_bytes(path)) {
      if (const int error_number = files_.disk().rename(path, path + ".cut"); error_number != 0) {
        return std::unexpected(base::make_system_error("rename", error_number, path));
      }
    }
    files_.remove(number);
  }
  return {};
}

Opener::Result Opener::cut(Candidate& last) {
  const std::size_t end = found_.end.used_end;
  const bool cuts = found_.end.kind != EndKind::Clean && found_.end.kind != EndKind::Uncommitted;
  if (!cuts || end <= last.end) {
    return {};
  }
  const std::string side_path =
      files_.directory() + "/cut-" + std::to_string(last.number) + "-" + std::to_string(last.end) +
      "-" + std::to_string(files_.disk().now().utc_ns / base::ns_per_second) + ".bytes";
  const std::string_view bytes(last.segment->base() + last.end, end - last.end);
  if (Result kept = write_file(side_path, bytes, files_.disk()); !kept) {
    return kept;
  }
  // The end mark stays: without it the records would count as lost.
  const std::size_t kept =
      found_.end.kind == EndKind::Unfinished && last.segment->marked() ? format::end_mark_bytes : 0;
  std::memset(last.segment->base() + last.end + kept, 0, bytes.size() - kept);
  result_.report.cut_bytes = bytes.size();
  result_.report.cut_file = side_path;
  return {};
}

// The file was truncated, by hand or by a power loss; the writer needs its full length.
Opener::Result Opener::restore_length(Candidate& last) {
  if (!last.shorter_than_made()) {
    return {};
  }
  const std::string path = files_.path(last.number);
  const std::uint64_t bytes = last.segment->header().segment_bytes;
  int file = -1;
  if (const int error_number = files_.disk().open_file(path, O_RDWR, file); error_number != 0) {
    return std::unexpected(base::make_system_error("open", error_number, path));
  }
  const int error_number = files_.disk().allocate(file, path, bytes);
  close(file);
  if (error_number != 0) {
    return std::unexpected(base::make_system_error("posix_fallocate", error_number, path));
  }
  std::expected<Segment*, base::Error> mapped =
      Segment::map(path, Segment::Access::ReadWrite, files_.disk());
  if (!mapped) {
    return std::unexpected(mapped.error());
  }
  last.segment.reset(*mapped);
  return {};
}

// The first record's head last: until then all is in the mirror alone.
void Opener::bring_mirrored(Candidate& last) {
  const std::string& bytes = found_.mirrored;
  if (bytes.empty()) {
    return;
  }
  Segment& segment = *last.segment;
  char* const at = segment.base() + found_.mirrored_at;
  std::uint64_t head;
  std::memcpy(&head, bytes.data(), sizeof(head));
  std::memcpy(at + sizeof(head), bytes.data() + sizeof(head), bytes.size() - sizeof(head));
  segment.set_end_mark(last.end);
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(at), head, __ATOMIC_RELEASE);
}

// Clears marks that do not count: later vouching only covers new ones.
Opener::Result Opener::take_back_marks() {
  for (const Position position : found_.unbelieved) {
    const auto at = std::ranges::find(found_.chain, position.segment, &Candidate::number);
    if (at != found_.chain.end()) {
      *mark_of(at->segment->base(), position.offset) = 0;
    } else if (Result taken = files_.take_mark(position.segment, position.offset); !taken) {
      return taken;
    }
  }
  // The last segment is flushed as a whole later.
  for (std::size_t at = 0; !found_.unbelieved.empty() && at + 1 < found_.chain.size(); ++at) {
    const Candidate& earlier = found_.chain[at];
    if (Result synced =
            earlier.segment->sync(0, earlier.segment->size(), files_.path(earlier.number));
        !synced) {
      return synced;
    }
  }
  return lower_checkpoint(found_.chain.back());
}

// The last segment's header has the position of the first unprocessed record at the time when it
// was begun. With marks taken back that position is earlier, and an opening after a kill reads no
// other header. An earlier opening may have lost its power after it took back the marks and before
// this step, so the records decide. The header is on the disk before any state of this boot.
Opener::Result Opener::lower_checkpoint(Candidate& last) {
  format::Header header = last.segment->header();
  const Position oldest = found_.standing.oldest_unprocessed;
  const Position before = unpacked(header.unprocessed);
  if (!oldest.valid() || oldest.segment == last.number || (before.valid() && before <= oldest)) {
    return {};
  }
  header.unprocessed = packed(oldest);
  header.crc = header_crc(header);
  if (Result written = files_.write_header(header); !written) {
    return written;
  }
  return last.segment->sync(0, format::records_offset, files_.path(last.number));
}

// Brings the last segment into the state between two appends.
void Opener::settle(Candidate& last) {
  Segment& segment = *last.segment;
  if (found_.end.kind == EndKind::Uncommitted) {
    const std::uint32_t length = found_.end.length;
    const std::size_t begin = last.end - format::record_bytes(length - format::record_header_bytes);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(segment.base() + begin), length,
                     __ATOMIC_RELEASE);
  }
  segment.set_end_mark(last.end);
  segment.clear_left();
  if (!found_.power_lost) {
    return;
  }
  // The data read came from the disk, so it need not be checked after the next power loss.
  for (std::size_t at = 0; at + 1 < found_.chain.size(); ++at) {
    const Candidate& earlier = found_.chain[at];
    if (std::optional<format::State> state = earlier.segment->state()) {
      state->durable_offset = earlier.end;
      state->end_offset = static_cast<std::uint32_t>(earlier.end);
      earlier.segment->set_state(*state);
    }
  }
}

std::expected<Recovery, base::Error> Opener::run() {
  Recovered& report = result_.report;
  if (found_.chain.empty()) {
    if (Result removed = set_aside(); !removed) {
      return std::unexpected(removed.error());
    }
    report.created = true;
    return std::move(result_);
  }
  Candidate& last = found_.chain.back();
  if (Result done = keep_reserve(); !done) {
    return std::unexpected(done.error());
  }
  if (Result done = set_aside(); !done) {
    return std::unexpected(done.error());
  }
  if (Result done = cut(last); !done) {
    return std::unexpected(done.error());
  }
  if (Result done = restore_length(last); !done) {
    return std::unexpected(done.error());
  }
  bring_mirrored(last);
  if (Result done = take_back_marks(); !done) {
    return std::unexpected(done.error());
  }
  settle(last);
  const std::optional<format::State> state = last.segment->state();
  result_.durable_offset = state ? state->durable_offset : std::uint64_t{format::records_offset};
  if (found_.power_lost) {
    // The data read came from the disk; cuts must be there too before anything is
    // appended.
    if (Result synced = last.segment->sync(0, last.segment->size(), files_.path(last.number));
        !synced) {
      return std::unexpected(synced.error());
    }
    result_.durable_offset = last.end;
  }
  result_.standing = found_.standing;
  result_.reserved = found_.reserved;
  result_.numbers_lost = found_.numbers_lost;
  result_.clean_on_disk = is_closed_on_disk(found_.state);
  result_.end = last.end;
  result_.segment = std::move(last.segment);
  report.clean = found_.clean;
  report.other_boot = !found_.same_boot;
  report.next_outgoing = result_.standing.next_outgoing;
  report.next_expected = result_.standing.next_expected;
  report.last_utc_ns = result_.standing.last_utc_ns;
  report.records = result_.standing.records;
  report.unprocessed = result_.standing.unprocessed.total();
  return std::move(result_);
}

}  // namespace

std::expected<Recovery, base::Error> recover(const SegmentFiles& files, const Options& options,
                                             const BootId& boot) {
  JudgedJournal journal;
  journal.directory = files.directory();
  journal.disk = &files.disk();
  journal.boot = boot;
  journal.access = Segment::Access::ReadWrite;
  journal.identity = options.identity;
  journal.keeps_reserve = options.sequence_reserve != 0;
  journal.after_power_loss = options.after_power_loss;
  journal.role = options.role;
  std::expected<Judgement, base::Error> judgement = judge(journal);
  if (!judgement) {
    return std::unexpected(judgement.error());
  }
  return Opener(files, std::move(*judgement)).run();
}

}  // namespace affix::inline v0::journal
