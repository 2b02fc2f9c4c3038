// SPDX-License-Identifier: MIT
// One pass over all segments in order, with the expected numbers of each.
#include "affix/journal/verify.hpp"

#include "affix/journal/segment_scan.hpp"

#include "journal/judge.hpp"
#include "journal/segment.hpp"
#include "journal/segment_end.hpp"
#include "journal/segment_files.hpp"
#include "journal/summary.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace affix::inline v0::journal {

bool Verification::damaged() const noexcept {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::Damage; });
}

namespace {

std::string number_text(std::uint64_t number) {
  return std::to_string(number);
}

/// Maximum number of attempts while a live writer changes the files.
constexpr int judged_times = 3;

}  // namespace

class Verifier {
 public:
  explicit Verifier(std::string directory) { result_.directory = std::move(directory); }

  std::expected<Verification, base::Error> run();

  void look_at_bytes(std::uint32_t number, std::string_view bytes, std::uint64_t file_bytes,
                     bool newest);
  void look_at_nothing(std::uint32_t number, std::string why);
  [[nodiscard]] Verification finish();

 private:
  using Result = std::expected<void, base::Error>;

  Result look_at(std::uint32_t number, bool newest);
  void judge_opening();
  void note_number(std::uint32_t number);
  void compare_with_before(const SegmentHeader& header);
  void begin_anew(const SegmentHeader& header);
  void walk(SegmentScan& scan, SegmentSummary& summary, bool newest);
  void count(const Record& record, SegmentSummary& summary);
  void judge_end(const SegmentScan& scan, bool newest);
  void judge_state(const SegmentScan& scan, std::uint64_t file_bytes, bool newest);
  void check_index(const SegmentScan& scan);

  void add(Severity severity, std::uint32_t offset, std::string text, base::MessageCode code) {
    result_.findings.push_back({severity, segment_, offset, std::move(text), code});
  }

  Verification result_;
  Standing standing_;
  std::uint32_t segment_ = 0;
  bool known_ = false;    // The segment before this one was read, so its numbers are known.
  bool skipped_ = false;  // Records are missing here: numbers may jump once.
  std::uint32_t previous_ = 0;
  std::uint32_t previous_end_ = 0;
  std::uint64_t journal_id_ = 0;
  bool mirrored_ = false;  // Unflushed records are in the mirror.
  std::string refusal_;    // Reason why opening would refuse; empty: it would not.
};

void Verifier::compare_with_before(const SegmentHeader& header) {
  if (result_.identity.empty()) {
    result_.identity = header.identity;
  } else if (result_.identity != header.identity) {
    add(Severity::Damage, 0,
        "belongs to session '" + std::string(header.identity) + "', the first one to '" +
            result_.identity + "'",
        "J202");
  }
  if (!known_) {
    return;
  }
  if (header.journal_id != journal_id_) {
    add(Severity::Damage, 0, "is of another journal than the segment before it", "J212");
  }
  if (header.previous_end != previous_end_) {
    add(Severity::Damage, 0,
        "says that the segment before it ends at byte " + number_text(header.previous_end) +
            ", where it ends at byte " + number_text(previous_end_),
        "J212");
  } else if (!skipped_ && (header.next_outgoing != standing_.next_outgoing ||
                           header.next_expected != standing_.next_expected)) {
    add(Severity::Damage, 0,
        "begins with the numbers " + number_text(header.next_outgoing) + "/" +
            number_text(header.next_expected) + " where the records before it give " +
            number_text(standing_.next_outgoing) + "/" + number_text(standing_.next_expected),
        "J212");
  }
}

void Verifier::begin_anew(const SegmentHeader& header) {
  standing_.next_outgoing = header.next_outgoing;
  standing_.next_expected = header.next_expected;
  standing_.queued = header.queued;
  journal_id_ = header.journal_id;
  skipped_ = false;
  known_ = true;
}

void Verifier::count(const Record& record, SegmentSummary& summary) {
  std::uint64_t* const of_kind[] = {&summary.sent, &summary.received, &summary.held,
                                    &summary.resent, &summary.events};
  ++*of_kind[static_cast<std::size_t>(record.kind) - 1];
  if (summary.records() == 1) {
    summary.first_utc_ns = record.utc_ns;
  }
  summary.last_utc_ns = record.utc_ns;
  if (record.kind == Kind::Sent && record.sequence < standing_.next_outgoing && !skipped_) {
    add(Severity::Damage, record.position.offset,
        "sent message " + number_text(record.sequence) + " uses a number again; the next is " +
            number_text(standing_.next_outgoing),
        "J213");
  }
  if (record.kind == Kind::Received && record.number_after < standing_.next_expected && !skipped_) {
    add(Severity::Damage, record.position.offset,
        "received message " + number_text(record.sequence) + " lowers the expected number from " +
            number_text(standing_.next_expected) + " to " + number_text(record.number_after),
        "J213");
  }
  if (record.kind == Kind::Sent || record.kind == Kind::Event) {
    skipped_ = false;
  }
  standing_.apply(record);
}

void Verifier::walk(SegmentScan& scan, SegmentSummary& summary, bool newest) {
  for (;;) {
    while (const auto record = scan.next()) {
      count(*record, summary);
    }
    const auto behind = scan.find_record_behind();
    if (!behind) {
      break;
    }
    if (newest && scan.stop() == ScanStop::End) {
      // A live writer may have appended since: one more look decides.
      if (const auto record = scan.next()) {
        count(*record, summary);
        continue;
      }
    }
    add(Severity::Damage, scan.offset(),
        "no whole record from here to byte " + number_text(*behind) + ", and good ones after it",
        "J208");
    skipped_ = true;
    scan.seek(*behind);
  }
  summary.end = scan.offset();
}

void Verifier::judge_end(const SegmentScan& scan, bool newest) {
  const SegmentEnd end =
      judge_segment_end(scan.bytes().data(), scan.bytes().size(), scan.header().number,
                        scan.offset(), scan.header().marked);
  const std::string left =
      number_text(end.used_end - std::min<std::size_t>(end.used_end, scan.offset()));
  switch (end.kind) {
    case EndKind::Clean:
      return;
    case EndKind::Unfinished:
      add(newest ? Severity::Note : Severity::Damage, scan.offset(),
          left + " bytes after the last record" +
              (newest ? ", of an append that was not finished" : ""),
          "J214");
      return;
    case EndKind::Uncommitted:
      add(newest ? Severity::Note : Severity::Damage, scan.offset(),
          std::string("the length of the last record is gone") +
              (newest ? "; opening restores it from the checksum" : ""),
          "J214");
      return;
    case EndKind::Unmarked:
      if (!newest && end.used_end <= scan.offset()) {
        return;  // The next segment has this one's end.
      }
      break;
    case EndKind::Bad:
      break;
  }
  if (newest && refusal_.empty() && mirrored_) {
    return;  // It continues in the mirror.
  }
  const bool cut_by_opening = newest && refusal_.empty();
  add(cut_by_opening ? Severity::Note : Severity::Damage, scan.offset(),
      (end.kind == EndKind::Bad ? "the last record is bad, " + left + " bytes"
                                : std::string("no end of the records is marked here")) +
          (cut_by_opening ? "; opening deals with it" : ""),
      cut_by_opening ? base::MessageCode("J214") : base::MessageCode("J208"));
  skipped_ = true;
}

void Verifier::judge_state(const SegmentScan& scan, std::uint64_t file_bytes, bool newest) {
  const auto state = scan.state();
  if (!state) {
    add(newest ? Severity::Damage : Severity::Note, format::state_offset[0],
        "neither of the segment's states matches its checksum", "J209");
    return;
  }
  if (scan.offset() < state->durable_offset) {
    add(Severity::Damage, scan.offset(),
        "records end before byte " + number_text(state->durable_offset) +
            " up to which all was on the disk",
        "J208");
  } else if (newest && state->clean && scan.offset() != state->end_offset) {
    add(Severity::Damage, scan.offset(),
        "closed with records up to byte " + number_text(state->end_offset), "J208");
  }
  if (file_bytes < scan.header().segment_bytes) {
    add(Severity::Damage, 0,
        "the file has " + number_text(file_bytes) + " of " +
            number_text(scan.header().segment_bytes) + " bytes",
        "J211");
  }
}

void Verifier::check_index(const SegmentScan& scan) {
  format::SparseIndex index;
  std::memcpy(&index, scan.bytes().data() + format::index_offset, sizeof(index));
  const std::uint32_t entries = std::min<std::uint32_t>(index.count, format::SparseIndex::capacity);
  bool right = index.count <= format::SparseIndex::capacity;
  for (std::uint32_t at = 0; at < entries; ++at) {
    const format::IndexEntry& entry = index.entries[at];
    const bool inside = entry.offset >= format::records_offset &&
                        entry.offset % format::alignment == 0 && entry.offset < scan.offset();
    const Parsed parsed = inside ? parse_record(scan.bytes().data(), scan.bytes().size(),
                                                scan.header().number, entry.offset, Check::Crc)
                                 : Parsed{};
    right = right && parsed.found == Found::Record && parsed.record.kind == Kind::Sent &&
            parsed.record.sequence == index.base_sequence + entry.sequence_delta;
  }
  if (!right) {
    add(Severity::Note, format::index_offset,
        "the sparse index does not fit the records; resends search without it", "J215");
  }
}

void Verifier::note_number(std::uint32_t number) {
  segment_ = number;
  if (previous_ != 0 && number != previous_ + 1) {
    add(Severity::Damage, 0,
        "segments between " + number_text(previous_) + " and this one are gone", "J212");
    known_ = false;
  }
  previous_ = number;
}

void Verifier::look_at_nothing(std::uint32_t number, std::string why) {
  note_number(number);
  add(Severity::Damage, 0, std::move(why), "J209");
  known_ = false;
}

void Verifier::look_at_bytes(std::uint32_t number, std::string_view bytes, std::uint64_t file_bytes,
                             bool newest) {
  note_number(number);
  auto scan = SegmentScan::open(bytes, number, segment_path(result_.directory, number));
  if (!scan) {
    const bool prepared = scan.error().code == base::ErrorCode::NotFound;
    add(prepared && newest ? Severity::Note : Severity::Damage, 0, scan.error().message,
        scan.error().message_code);
    known_ = known_ && prepared;
    return;
  }
  compare_with_before(scan->header());
  begin_anew(scan->header());
  SegmentSummary summary;
  summary.number = number;
  summary.file_bytes = file_bytes;
  walk(*scan, summary, newest);
  judge_end(*scan, newest);
  judge_state(*scan, file_bytes, newest);
  check_index(*scan);
  previous_end_ = summary.end;
  result_.segments.push_back(summary);
}

Verifier::Result Verifier::look_at(std::uint32_t number, bool newest) {
  const auto mapped =
      Segment::map(segment_path(result_.directory, number), Segment::Access::ReadOnly);
  if (!mapped && mapped.error().code == base::ErrorCode::NotFound) {
    return {};  // Archived during the check.
  }
  if (!mapped && mapped.error().code != base::ErrorCode::Damaged) {
    return std::unexpected(mapped.error());
  }
  if (!mapped) {
    look_at_nothing(number, mapped.error().message);
    return {};
  }
  const SegmentHandle segment(*mapped);
  look_at_bytes(number, {segment->base(), segment->size()}, segment->size(), newest);
  if (segment->lost()) {
    add(Severity::Damage, 0, "the file was cut short while it was read, or its disk fails", "J211");
  }
  return {};
}

// Checks whether opening would refuse. A live writer changes files while they are read, so only
// repeated results count.
void Verifier::judge_opening() {
  JudgedJournal journal;
  journal.directory = result_.directory;
  journal.disk = &system_disk();
  journal.boot = system_disk().boot_id();
  std::optional<base::Error> before;
  for (int times = 0; times < judged_times; ++times) {
    auto judged = judge(journal);
    if (judged) {
      mirrored_ = !judged->chain.empty() &&
                  is_mirrored(judged->chain.back().segment->state(), journal.boot);
      return;
    }
    if (before == judged.error()) {
      refusal_ = judged.error().message;
      return;
    }
    before = std::move(judged.error());
  }
}

Verification Verifier::finish() {
  if (!refusal_.empty() && !result_.damaged()) {
    segment_ = 0;
    add(Severity::Damage, 0, "opening refuses it: " + refusal_, "J208");
  }
  result_.next_outgoing = standing_.next_outgoing;
  result_.next_expected = standing_.next_expected;
  result_.unprocessed = standing_.unprocessed.total();
  return std::move(result_);
}

std::expected<Verification, base::Error> Verifier::run() {
  const auto numbers = list_segments(result_.directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  if (numbers->empty() && !has_summary(result_.directory)) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no journal segment", result_.directory, "J216"});
  }
  judge_opening();
  // The newest one in use; those after it were prepared and must not be in use.
  std::uint32_t newest = numbers->empty() ? 0 : numbers->front();
  for (const std::uint32_t number : *numbers) {
    const auto mapped =
        Segment::map(segment_path(result_.directory, number), Segment::Access::ReadOnly);
    const SegmentHandle segment(mapped ? *mapped : nullptr);
    newest = segment == nullptr || segment->begun() ? number : newest;
  }
  for (const std::uint32_t number : *numbers) {
    if (number > newest) {
      // A live writer may begin it now; its start was not checked then.
      segment_ = number;
      add(Severity::Note, 0, "prepared, not in use", "J214");
      continue;
    }
    if (Result looked = look_at(number, number == newest); !looked) {
      return std::unexpected(looked.error());
    }
  }
  return finish();
}

std::expected<Verification, base::Error> verify(const std::string& directory) {
  return Verifier(directory).run();
}

ArchiveVerification::ArchiveVerification(std::string directory)
    : verifier_(std::make_unique<Verifier>(std::move(directory))) {}

ArchiveVerification::~ArchiveVerification() = default;

void ArchiveVerification::add(std::uint32_t number, std::string_view bytes,
                              std::uint64_t file_bytes) {
  verifier_->look_at_bytes(number, bytes, file_bytes, false);
}

void ArchiveVerification::add_unreadable(std::uint32_t number, std::string why) {
  verifier_->look_at_nothing(number, std::move(why));
}

Verification ArchiveVerification::finish() {
  return verifier_->finish();
}

}  // namespace affix::inline v0::journal
