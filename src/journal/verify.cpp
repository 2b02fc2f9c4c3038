// SPDX-License-Identifier: MIT
// One pass over all segments in order, carrying along what each must begin with.
#include "affix/journal/verify.hpp"

#include "affix/journal/segment_scan.hpp"

#include "journal/recovery.hpp"
#include "journal/segment.hpp"
#include "journal/segment_files.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
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

class Verifier {
 public:
  explicit Verifier(const std::string& directory) { result_.directory = directory; }

  std::expected<Verification, base::Error> run();

 private:
  using Result = std::expected<void, base::Error>;

  Result look_at(std::uint32_t number, bool newest);
  void compare_with_before(const SegmentHeader& header);
  void begin_anew(const SegmentHeader& header);
  void walk(SegmentScan& scan, SegmentSummary& summary, bool newest);
  void count(const Record& record, SegmentSummary& summary);
  void judge_end(const SegmentScan& scan, bool newest);
  void judge_state(const SegmentScan& scan, bool newest);
  void check_index(const SegmentScan& scan);

  void add(Severity severity, std::uint32_t offset, std::string text) {
    result_.findings.push_back({severity, segment_, offset, std::move(text)});
  }

  Verification result_;
  Standing standing_;
  std::uint32_t segment_ = 0;
  bool known_ = false;    // The segment before this one was read, so its numbers are known.
  bool skipped_ = false;  // Records are missing here: numbers may jump once.
  std::uint32_t previous_ = 0;
  std::uint32_t previous_end_ = 0;
  std::uint64_t journal_id_ = 0;
};

void Verifier::compare_with_before(const SegmentHeader& header) {
  if (result_.identity.empty()) {
    result_.identity = header.identity;
  } else if (result_.identity != header.identity) {
    add(Severity::Damage, 0,
        "belongs to session '" + std::string(header.identity) + "', the first one to '" +
            result_.identity + "'");
  }
  if (!known_) {
    return;
  }
  if (header.journal_id != journal_id_) {
    add(Severity::Damage, 0, "is of another journal than the segment before it");
  }
  if (header.previous_end != previous_end_) {
    add(Severity::Damage, 0,
        "says that the segment before it ends at byte " + number_text(header.previous_end) +
            ", where it ends at byte " + number_text(previous_end_));
  } else if (!skipped_ && (header.next_outgoing != standing_.next_outgoing ||
                           header.next_expected != standing_.next_expected)) {
    add(Severity::Damage, 0,
        "begins with the numbers " + number_text(header.next_outgoing) + "/" +
            number_text(header.next_expected) + " where the records before it give " +
            number_text(standing_.next_outgoing) + "/" + number_text(standing_.next_expected));
  }
}

void Verifier::begin_anew(const SegmentHeader& header) {
  standing_.next_outgoing = header.next_outgoing;
  standing_.next_expected = header.next_expected;
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
            number_text(standing_.next_outgoing));
  }
  if (record.kind == Kind::Received && record.number_after < standing_.next_expected && !skipped_) {
    add(Severity::Damage, record.position.offset,
        "received message " + number_text(record.sequence) + " lowers the expected number from " +
            number_text(standing_.next_expected) + " to " + number_text(record.number_after));
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
        "no whole record from here to byte " + number_text(*behind) + ", and good ones behind");
    skipped_ = true;
    scan.seek(*behind);
  }
  summary.end = scan.offset();
}

void Verifier::judge_end(const SegmentScan& scan, bool newest) {
  const std::uint32_t left = scan.used_end() - scan.offset();
  if (scan.stop() == ScanStop::Bad) {
    const auto state = scan.state();
    const bool cut_by_opening =
        newest && state && scan.offset() >= state->durable_offset && !state->clean;
    add(cut_by_opening ? Severity::Note : Severity::Damage, scan.offset(),
        "the last record is bad, " + number_text(left) + " bytes" +
            (cut_by_opening ? "; opening will cut it and go on from the reserve" : ""));
    skipped_ = true;
  } else if (left != 0) {
    add(newest ? Severity::Note : Severity::Damage, scan.offset(),
        number_text(left) + " bytes behind the last record" +
            (newest ? ", of an append that was not finished" : ""));
  }
}

void Verifier::judge_state(const SegmentScan& scan, bool newest) {
  const auto state = scan.state();
  if (!state) {
    add(newest ? Severity::Damage : Severity::Note, format::state_offset[0],
        "neither of the segment's states matches its checksum");
    return;
  }
  if (scan.offset() < state->durable_offset) {
    add(Severity::Damage, scan.offset(),
        "records end before byte " + number_text(state->durable_offset) +
            " up to which all was on the disk");
  } else if (newest && state->clean && scan.offset() != state->end_offset) {
    add(Severity::Damage, scan.offset(),
        "closed with records up to byte " + number_text(state->end_offset));
  }
  if (scan.bytes().size() < scan.header().segment_bytes) {
    add(Severity::Damage, 0,
        "the file has " + number_text(scan.bytes().size()) + " of " +
            number_text(scan.header().segment_bytes) + " bytes");
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
        "the sparse index does not fit the records; resends search without it");
  }
}

Verifier::Result Verifier::look_at(std::uint32_t number, bool newest) {
  const std::string path = segment_path(result_.directory, number);
  const auto mapped = Segment::map(path, Segment::Access::ReadOnly);
  if (!mapped && mapped.error().code == base::ErrorCode::NotFound) {
    return {};  // Archived while we read.
  }
  if (previous_ != 0 && number != previous_ + 1) {
    add(Severity::Damage, 0,
        "segments between " + number_text(previous_) + " and this one are gone");
    known_ = false;
  }
  previous_ = number;
  if (!mapped && mapped.error().code != base::ErrorCode::Damaged) {
    return std::unexpected(mapped.error());
  }
  if (!mapped) {
    add(Severity::Damage, 0, mapped.error().message);
    known_ = false;
    return {};
  }
  const SegmentHandle segment(*mapped);
  const std::string_view bytes(segment->base(), segment->size());
  auto scan = SegmentScan::open(bytes, number, path);
  if (!scan) {
    const bool prepared = scan.error().code == base::ErrorCode::NotFound;
    add(prepared && newest ? Severity::Note : Severity::Damage, 0, scan.error().message);
    known_ = known_ && prepared;
    return {};
  }
  compare_with_before(scan->header());
  begin_anew(scan->header());
  SegmentSummary summary;
  summary.number = number;
  summary.file_bytes = bytes.size();
  walk(*scan, summary, newest);
  judge_end(*scan, newest);
  judge_state(*scan, newest);
  check_index(*scan);
  if (segment->lost()) {
    add(Severity::Damage, 0, "the file was cut short while it was read, or its disk fails");
  }
  previous_end_ = summary.end;
  result_.segments.push_back(summary);
  return {};
}

std::expected<Verification, base::Error> Verifier::run() {
  const auto numbers = list_segments(result_.directory);
  if (!numbers) {
    return std::unexpected(numbers.error());
  }
  if (numbers->empty()) {
    return std::unexpected(
        base::Error{base::ErrorCode::NotFound, "no journal segment", result_.directory});
  }
  // The newest one in use; what is behind it was prepared and must not be in use.
  std::uint32_t newest = numbers->front();
  for (const std::uint32_t number : *numbers) {
    const auto mapped =
        Segment::map(segment_path(result_.directory, number), Segment::Access::ReadOnly);
    const SegmentHandle segment(mapped ? *mapped : nullptr);
    newest = segment == nullptr || segment->begun() ? number : newest;
  }
  for (const std::uint32_t number : *numbers) {
    segment_ = number;
    if (number > newest) {
      // A live writer may begin it now; where it begins was not looked at then.
      add(Severity::Note, 0, "prepared, not in use");
      continue;
    }
    if (Result looked = look_at(number, number == newest); !looked) {
      return std::unexpected(looked.error());
    }
  }
  result_.next_outgoing = standing_.next_outgoing;
  result_.next_expected = standing_.next_expected;
  result_.unprocessed = standing_.unprocessed;
  return std::move(result_);
}

}  // namespace

std::expected<Verification, base::Error> verify(const std::string& directory) {
  return Verifier(directory).run();
}

}  // namespace affix::inline v0::journal
