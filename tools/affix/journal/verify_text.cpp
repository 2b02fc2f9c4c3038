// SPDX-License-Identifier: MIT
// Reports in sentences.
#include "journal/verify_text.hpp"

#include "log/record_text.hpp"

namespace affix::inline v0::tools::journal {

namespace {

using affix::journal::Finding;
using affix::journal::SegmentSummary;
using affix::journal::Severity;

std::string line_of(const SegmentSummary& segment) {
  std::string text =
      "  segment " + std::to_string(segment.number) + ": " + std::to_string(segment.records()) +
      " records (" + std::to_string(segment.sent) + " sent, " + std::to_string(segment.received) +
      " received, " + std::to_string(segment.held) + " held, " + std::to_string(segment.resent) +
      " resent, " + std::to_string(segment.events) + " events), " + std::to_string(segment.end) +
      " of " + std::to_string(segment.file_bytes) + " bytes";
  if (segment.records() != 0) {
    text +=
        ", " + log::time_text(segment.first_utc_ns) + " to " + log::time_text(segment.last_utc_ns);
  }
  return text + '\n';
}

std::string line_of(const Finding& finding) {
  std::string text = finding.severity == Severity::Damage ? "  DAMAGE" : "  note";
  if (finding.segment != 0) {
    text += " segment " + std::to_string(finding.segment);
  }
  if (finding.offset != 0) {
    text += " byte " + std::to_string(finding.offset);
  }
  return text + ": " + finding.text + base::Error::suffix_of(finding.code) + '\n';
}

}  // namespace

std::string text_of(const affix::journal::Verification& verification, bool all) {
  std::uint64_t records = 0;
  for (const SegmentSummary& segment : verification.segments) {
    records += segment.records();
  }
  std::string text = verification.directory + ": " +
                     (verification.damaged() ? "DAMAGED" : "sound") + ", " +
                     log::readable(verification.identity) + ", " + std::to_string(records) +
                     " records in " + std::to_string(verification.segments.size()) +
                     " segments, next outgoing " + std::to_string(verification.next_outgoing) +
                     ", next expected " + std::to_string(verification.next_expected);
  if (verification.unprocessed != 0) {
    text += ", " + std::to_string(verification.unprocessed) + " unprocessed";
  }
  text += '\n';
  if (all) {
    for (const SegmentSummary& segment : verification.segments) {
      text += line_of(segment);
    }
  }
  for (const Finding& finding : verification.findings) {
    if (all || finding.severity == Severity::Damage) {
      text += line_of(finding);
    }
  }
  return text;
}

std::string text_of(const affix::journal::Repair& repair, bool applied) {
  std::string text;
  for (const auto& segment : repair.segments) {
    text += "segment " + std::to_string(segment.number) + (applied ? " was" : " would be") +
            " written anew:\n";
    for (const std::string& loss : segment.losses) {
      text += "  " + loss + '\n';
    }
    if (!segment.kept_as.empty()) {
      text += "  the damaged file is kept as " + segment.kept_as + '\n';
    }
  }
  for (const std::string& one : repair.remaining) {
    text += "not mended: " + one + '\n';
  }
  if (repair.segments.empty()) {
    text += "nothing to repair\n";
  }
  text += "next outgoing " + std::to_string(repair.next_outgoing) + ", next expected " +
          std::to_string(repair.next_expected);
  if (repair.skipped_from != 0) {
    text += "; the outgoing number skips ahead from " + std::to_string(repair.skipped_from);
  }
  return text + '\n';
}

}  // namespace affix::inline v0::tools::journal
