// SPDX-License-Identifier: MIT
// Opening a journal that is there. First everything is read and judged, then the disk is changed.
#include "journal/recovery.hpp"

#include "affix/base/time.hpp"

#include "journal/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace affix::inline v0::journal {

void Standing::apply(const Record& record) noexcept {
  ++records;
  last_utc_ns = record.utc_ns;
  switch (record.kind) {
    case Kind::Sent:
      next_outgoing = record.number_after;
      break;
    case Kind::Received:
      next_expected = record.number_after;
      if (!record.processed && !record.message_omitted) {
        oldest_unprocessed = unprocessed == 0 ? record.position : oldest_unprocessed;
        ++unprocessed;
      }
      break;
    case Kind::Held:
    case Kind::Resent:
      break;
    case Kind::Event:
      if (is_barrier(record.event, next_outgoing, record.sequence)) {
        barrier = record.position;
      }
      next_outgoing = record.sequence;
      next_expected = record.number_after;
      break;
  }
}

namespace {

base::Error damaged(std::string message, std::string where) {
  return {base::ErrorCode::Damaged, std::move(message), std::move(where)};
}

/// Of a segment's pages, when all its records are read.
constexpr std::size_t brought_at_once = std::size_t{1} << 20;

bool holds_bytes(const std::string& path) {
  const std::expected<Segment*, base::Error> mapped = Segment::map(path, Segment::Access::ReadOnly);
  if (!mapped) {
    return false;
  }
  const SegmentHandle segment(*mapped);
  return used_end(segment->base(), 0, segment->size()) != 0;
}

// One segment of the journal's end, as found.
struct Candidate {
  std::uint32_t number = 0;
  SegmentHandle
      segment;  // Null when the file holds no begun segment: only a power loss explains that.
  std::size_t end = 0;
  std::size_t used_end = 0;  // Of the last one: behind it all is zero.
  bool stopped_at_bad = false;

  [[nodiscard]] bool shorter_than_made() const noexcept {
    return segment->size() < segment->header().segment_bytes;
  }
};

class Opener {
 public:
  Opener(const SegmentFiles& files, const Options& options, const BootId& boot) noexcept
      : files_(files), options_(options), boot_(boot) {}

  std::expected<Recovery, base::Error> run();

 private:
  using Result = std::expected<void, base::Error>;

  Result find_newest();
  Result judge_state();
  Result walk_back();
  Result read_earlier_unprocessed();
  Result read_chain();
  Result judge_end(const Candidate& last);
  Result judge_loss();
  Result keep_reserve();
  Result set_aside();
  Result cut(Candidate& last);
  Result restore_length(Candidate& last);
  [[nodiscard]] std::optional<std::size_t> whole_record_behind(
      const Candidate& last) const noexcept;

  const SegmentFiles& files_;
  const Options& options_;
  const BootId& boot_;

  std::uint32_t oldest_ = 0;            // Number of the lowest segment file.
  std::vector<std::uint32_t> unbegun_;  // Prepared and never used.
  std::string too_short_;               // A file that not even a header fits in.
  std::vector<Candidate> chain_;        // Descending while walking back, then ascending.
  std::vector<std::uint32_t> aside_;    // Segments behind a cut.
  format::State state_{};
  bool same_boot_ = false;
  bool power_lost_ = false;
  Recovery result_;
};

Opener::Result Opener::find_newest() {
  std::expected<std::vector<std::uint32_t>, base::Error> numbers =
      list_segments(files_.directory());
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  oldest_ = numbers->empty() ? 0 : numbers->front();
  for (; !numbers->empty(); numbers->pop_back()) {
    const std::uint32_t number = numbers->back();
    const std::string path = files_.path(number);
    std::expected<Segment*, base::Error> mapped =
        Segment::map(path, Segment::Access::ReadWrite, files_.disk());
    if (!mapped && mapped.error().code == base::ErrorCode::Damaged) {
      too_short_ = path;
      unbegun_.push_back(number);
      continue;
    }
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    SegmentHandle segment(*mapped);
    if (!segment->begun()) {
      unbegun_.push_back(number);
      continue;
    }
    if (Result checked = segment->check_header(number, path); !checked) {
      return checked;
    }
    const format::Header& header = segment->header();
    const std::string_view identity(header.identity, header.identity_bytes);
    if (identity != options_.identity) {
      return std::unexpected(base::Error{base::ErrorCode::InvalidArgument,
                                         "the journal belongs to session '" +
                                             std::string(identity) + "', not to '" +
                                             options_.identity + "'",
                                         files_.directory()});
    }
    chain_.push_back({number, std::move(segment), 0, 0, false});
    break;
  }
  return {};
}

Opener::Result Opener::judge_state() {
  const Candidate& newest = chain_.front();
  const std::optional<format::State> state = newest.segment->state();
  if (state) {
    state_ = *state;
  } else {
    // The slots are stored before the magic, so only a disk that kept one sector and lost another
    // explains zeros.
    static constexpr char zeros[sizeof(format::State)] = {};
    for (const std::size_t offset : format::state_offset) {
      if (std::memcmp(newest.segment->base() + offset, zeros, sizeof(zeros)) != 0) {
        return std::unexpected(damaged("neither of the segment's states matches its checksum",
                                       files_.path(newest.number)));
      }
    }
  }
  same_boot_ = state && std::memcmp(state_.boot_id, boot_.bytes, sizeof(boot_.bytes)) == 0;
  // A clean mark is proof across a restart of the machine only if the records were on the disk
  // before it.
  const bool clean =
      state_.clean == 1 && (same_boot_ || state_.durable_offset == state_.end_offset);
  power_lost_ = !same_boot_ && !clean;
  result_.report.clean = clean;
  result_.report.other_boot = !same_boot_;
  result_.reserved = state_.reserved_outgoing;
  // Behind a segment that was closed there is none in use: a file there was prepared, and a power
  // loss brought its name back.
  if (!too_short_.empty() && !power_lost_ && !clean) {
    return std::unexpected(damaged("the segment's file was cut short", too_short_));
  }
  return {};
}

// After a power loss any page since the last known flush may be missing, so reading starts at the
// first segment that is not known to be on the disk as a whole.
Opener::Result Opener::walk_back() {
  const std::uint32_t newest = chain_.front().number;
  for (std::uint32_t number = newest - 1; number >= 1; --number) {
    const bool only_for_reserve = !power_lost_;
    const std::string path = files_.path(number);
    std::expected<Segment*, base::Error> mapped =
        Segment::map(path, Segment::Access::ReadWrite, files_.disk());
    const bool missing = !mapped && mapped.error().code == base::ErrorCode::NotFound;
    if (missing && (!power_lost_ || number < oldest_)) {
      break;
    }
    // Missing between others, its name never reached the disk: it is like one that holds nothing.
    SegmentHandle segment(mapped ? *mapped : nullptr);
    const bool begun = segment != nullptr && segment->begun();
    if (begun) {
      if (Result checked = segment->check_header(number, path); !checked) {
        return checked;
      }
    }
    const std::optional<format::State> state = begun ? segment->state() : std::nullopt;
    if (state) {
      // The reserve is renewed in whichever segment is current then; the newest may not have got
      // it.
      result_.reserved = std::max(result_.reserved, state->reserved_outgoing);
      if (state_.generation == 0) {
        // The newest lost its states, so it was not yet gone on in where the disk counts.
        state_.generation = state->generation;
        state_.flags = state->flags;
      }
    }
    const bool on_disk =
        state && state->end_offset != 0 && state->durable_offset == state->end_offset;
    if (only_for_reserve || on_disk) {
      break;
    }
    chain_.push_back({number, begun ? std::move(segment) : nullptr, 0, 0, false});
  }
  std::reverse(chain_.begin(), chain_.end());
  return {};
}

// Unprocessed records may be older than the first segment read; its checkpoint says where they
// begin.
Opener::Result Opener::read_earlier_unprocessed() {
  const Candidate& first = chain_.front();
  const Position from = unpacked(first.segment->header().unprocessed);
  Standing& standing = result_.standing;
  for (std::uint32_t number = from.segment; from.valid() && number < first.number; ++number) {
    const std::string path = files_.path(number);
    std::expected<Segment*, base::Error> mapped = Segment::map(path, Segment::Access::ReadOnly);
    if (!mapped && mapped.error().code == base::ErrorCode::NotFound) {
      continue;  // Archived: whoever did so took care of what was in it.
    }
    if (!mapped) {
      return std::unexpected(mapped.error());
    }
    const SegmentHandle segment(*mapped);
    if (Result checked = segment->check_header(number, path); !checked) {
      return checked;
    }
    std::size_t at = number == from.segment ? from.offset : format::records_offset;
    if (at < format::records_offset || at % format::alignment != 0) {
      return std::unexpected(damaged("the next segment's checkpoint points between records", path));
    }
    for (;;) {
      const Parsed parsed = parse_record(segment->base(), segment->size(), number, at, Check::Crc);
      if (parsed.found == Found::Bad) {
        return std::unexpected(damaged("bad record at byte " + std::to_string(at), path));
      }
      if (parsed.found == Found::End) {
        break;
      }
      if (parsed.record.kind == Kind::Received) {
        standing.apply(parsed.record);
      }
      at = parsed.next_offset;
    }
  }
  return {};
}

Opener::Result Opener::read_chain() {
  if (chain_.front().segment == nullptr) {
    return std::unexpected(damaged("the segment holds nothing, and none before it is left",
                                   files_.path(chain_.front().number)));
  }
  if (Result earlier = read_earlier_unprocessed(); !earlier) {
    return earlier;
  }
  Standing& standing = result_.standing;
  const format::Header& checkpoint = chain_.front().segment->header();
  standing.next_outgoing = checkpoint.next_outgoing;
  standing.next_expected = checkpoint.next_expected;
  standing.barrier = unpacked(checkpoint.barrier);
  standing.records = 0;
  for (std::size_t at = 0; at < chain_.size(); ++at) {
    Candidate& candidate = chain_[at];
    candidate.end = format::records_offset;
    std::size_t brought = 0;
    for (;;) {
      if (candidate.end >= brought) {
        // In large pieces: a fault for every few pages takes longer than reading what is in them.
        brought = std::min(candidate.end + brought_at_once, candidate.segment->size());
        static_cast<void>(candidate.segment->bring_in(candidate.end, brought));
      }
      const Parsed parsed = parse_record(candidate.segment->base(), candidate.segment->size(),
                                         candidate.number, candidate.end, Check::Crc);
      if (parsed.found != Found::Record) {
        candidate.stopped_at_bad = parsed.found == Found::Bad;
        break;
      }
      standing.apply(parsed.record);
      candidate.end = parsed.next_offset;
    }
    const std::optional<format::State> state = candidate.segment->state();
    if (state && candidate.end < state->durable_offset) {
      return std::unexpected(damaged("bad record at byte " + std::to_string(candidate.end) +
                                         ", before byte " + std::to_string(state->durable_offset) +
                                         " up to which all was on the disk",
                                     files_.path(candidate.number)));
    }
    const bool last = at + 1 == chain_.size();
    const bool goes_on = !last && chain_[at + 1].segment != nullptr &&
                         chain_[at + 1].segment->header().previous_end == candidate.end;
    if (!last && !goes_on) {
      for (std::size_t behind = at + 1; behind < chain_.size(); ++behind) {
        aside_.push_back(chain_[behind].number);
      }
      chain_.resize(at + 1);
    }
  }
  Candidate& last = chain_.back();
  const std::size_t size = last.segment->size();
  static_cast<void>(last.segment->bring_in(last.end, size));
  last.used_end = used_end(last.segment->base(), last.end, size);
  return judge_end(last);
}

std::optional<std::size_t> Opener::whole_record_behind(const Candidate& last) const noexcept {
  const std::size_t end = last.used_end;
  for (std::size_t at = last.end + format::alignment; at < end; at += format::alignment) {
    if (parse_record(last.segment->base(), last.segment->size(), last.number, at, Check::Crc)
            .found == Found::Record) {
      return at;
    }
  }
  return std::nullopt;
}

Opener::Result Opener::judge_end(const Candidate& last) {
  const std::string path = files_.path(last.number);
  if (result_.report.clean && last.end != state_.end_offset) {
    return std::unexpected(
        damaged("closed with records up to byte " + std::to_string(state_.end_offset) +
                    ", of which those from byte " + std::to_string(last.end) + " on are bad",
                path));
  }
  if (!power_lost_) {
    // A killed process leaves its last record incomplete, never one before it.
    if (const std::optional<std::size_t> behind = whole_record_behind(last)) {
      return std::unexpected(damaged("bad record at byte " + std::to_string(last.end) +
                                         ", and good ones behind it from byte " +
                                         std::to_string(*behind),
                                     path));
    }
  }
  result_.numbers_lost = power_lost_ || last.stopped_at_bad || last.shorter_than_made();
  if ((state_.flags & format::state_flag_synced) != 0 && !last.shorter_than_made()) {
    // Whatever was not on the disk was seen by nobody. A bad record is most likely one that was
    // being written; but it costs nothing to treat it as one that was seen and then damaged.
    result_.numbers_lost = last.stopped_at_bad && result_.reserved != 0 &&
                           options_.after_power_loss == AfterPowerLoss::SkipAhead;
  }
  if (state_.generation == 0 && last.number == 1 && last.end == format::records_offset &&
      options_.sequence_reserve != 0) {
    // A first segment whose state is not on the disk: opening it brings that there before it
    // returns, so it was never used.
    result_.numbers_lost = false;
  }
  return result_.numbers_lost ? judge_loss() : Result{};
}

Opener::Result Opener::judge_loss() {
  const std::string what = power_lost_ ? "the machine went down while the journal was in use"
                                       : "the journal's last records are damaged";
  if (options_.after_power_loss == AfterPowerLoss::Refuse) {
    return std::unexpected(
        damaged(what + ", and after_power_loss is refuse: numbers the peer has seen may be missing",
                files_.directory()));
  }
  if (result_.reserved == 0) {
    return std::unexpected(damaged(
        what + ", and it kept no reserve of outgoing numbers to go on from", files_.directory()));
  }
  return {};
}

// The reserve may have been renewed in a segment that is about to be set aside. Should the power go
// once more in the middle of that, it has to be found in what stays.
Opener::Result Opener::keep_reserve() {
  const Candidate& last = chain_.back();
  std::optional<format::State> state = last.segment->state();
  if (aside_.empty() || !state || state->reserved_outgoing >= result_.reserved) {
    return {};
  }
  state->reserved_outgoing = result_.reserved;
  last.segment->set_state(*state);
  return last.segment->sync(0, format::records_offset, files_.path(last.number));
}

Opener::Result Opener::set_aside() {
  for (const std::uint32_t number : aside_) {
    const std::string path = files_.path(number);
    const int error_number = files_.disk().rename(path, path + ".cut");
    if (error_number != 0 && error_number != ENOENT) {  // One may be missing.
      return std::unexpected(base::make_system_error("rename", error_number, path));
    }
  }
  for (const std::uint32_t number : unbegun_) {
    // What was never begun holds nothing, unless the disk lost the page that says so.
    const std::string path = files_.path(number);
    if (power_lost_ && holds_bytes(path)) {
      if (const int error_number = files_.disk().rename(path, path + ".cut"); error_number != 0) {
        return std::unexpected(base::make_system_error("rename", error_number, path));
      }
    }
    files_.remove(number);
  }
  return {};
}

Opener::Result Opener::cut(Candidate& last) {
  const std::size_t end = last.used_end;
  if (end == last.end) {
    return {};
  }
  const std::string side_path = files_.directory() + "/cut-" + std::to_string(last.number) + "-" +
                                std::to_string(last.end) + "-" +
                                std::to_string(utc_now_ns() / base::ns_per_second) + ".bytes";
  const std::string_view bytes(last.segment->base() + last.end, end - last.end);
  if (Result kept = write_file(side_path, bytes, files_.disk()); !kept) {
    return kept;
  }
  std::memset(last.segment->base() + last.end, 0, bytes.size());
  result_.report.cut_bytes = bytes.size();
  result_.report.cut_file = side_path;
  return {};
}

// Somebody or a power loss cut the file itself; the writer needs all of it.
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

std::expected<Recovery, base::Error> Opener::run() {
  if (Result found = find_newest(); !found) {
    return std::unexpected(found.error());
  }
  if (chain_.empty()) {
    if (!too_short_.empty()) {
      return std::unexpected(damaged("the segment's file was cut short", too_short_));
    }
    if (Result removed = set_aside(); !removed) {
      return std::unexpected(removed.error());
    }
    result_.report.created = true;
    return std::move(result_);
  }
  for (const auto step : {&Opener::judge_state, &Opener::walk_back, &Opener::read_chain,
                          &Opener::keep_reserve, &Opener::set_aside}) {
    if (Result done = (this->*step)(); !done) {
      return std::unexpected(done.error());
    }
  }
  Candidate& last = chain_.back();
  if (Result done = cut(last); !done) {
    return std::unexpected(done.error());
  }
  if (Result done = restore_length(last); !done) {
    return std::unexpected(done.error());
  }
  const std::optional<format::State> state = last.segment->state();
  result_.durable_offset = state ? state->durable_offset : std::uint64_t{format::records_offset};
  if (power_lost_) {
    // What was read came from the disk; what was cut must be gone there too before it is built
    // upon.
    if (Result synced = last.segment->sync(0, last.segment->size(), files_.path(last.number));
        !synced) {
      return std::unexpected(synced.error());
    }
    result_.durable_offset = last.end;
  }
  result_.end = last.end;
  result_.segment = std::move(last.segment);
  Recovered& report = result_.report;
  report.next_outgoing = result_.standing.next_outgoing;
  report.next_expected = result_.standing.next_expected;
  report.last_utc_ns = result_.standing.last_utc_ns;
  report.records = result_.standing.records;
  report.unprocessed = result_.standing.unprocessed;
  return std::move(result_);
}

}  // namespace

std::expected<Recovery, base::Error> recover(const SegmentFiles& files, const Options& options,
                                             const BootId& boot) {
  return Opener(files, options, boot).run();
}

}  // namespace affix::inline v0::journal
