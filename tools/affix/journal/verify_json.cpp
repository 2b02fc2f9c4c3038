// SPDX-License-Identifier: MIT
// Results of verifying and repairing, as JSON.
#include "journal/verify_text.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools::journal {

namespace {

using Json = nlohmann::ordered_json;

/// Paths and texts of damaged files need not be UTF-8.
std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string json_of(const affix::journal::Verification& verification) {
  Json segments = Json::array();
  for (const affix::journal::SegmentSummary& segment : verification.segments) {
    segments.push_back({{"number", segment.number},
                        {"file_bytes", segment.file_bytes},
                        {"end", segment.end},
                        {"records", segment.records()},
                        {"sent", segment.sent},
                        {"received", segment.received},
                        {"held", segment.held},
                        {"resent", segment.resent},
                        {"events", segment.events},
                        {"first_utc_ns", segment.first_utc_ns},
                        {"last_utc_ns", segment.last_utc_ns}});
  }
  Json findings = Json::array();
  for (const affix::journal::Finding& finding : verification.findings) {
    findings.push_back({{"damage", finding.severity == affix::journal::Severity::Damage},
                        {"segment", finding.segment},
                        {"offset", finding.offset},
                        {"text", finding.text},
                        {"code", finding.code.text()}});
  }
  return json_line({{"directory", verification.directory},
                    {"damaged", verification.damaged()},
                    {"identity", verification.identity},
                    {"next_outgoing", verification.next_outgoing},
                    {"next_expected", verification.next_expected},
                    {"unprocessed", verification.unprocessed},
                    {"segments", std::move(segments)},
                    {"findings", std::move(findings)}});
}

std::string json_of(const affix::journal::Repair& repair, bool applied) {
  Json segments = Json::array();
  for (const auto& segment : repair.segments) {
    segments.push_back(
        {{"number", segment.number}, {"losses", segment.losses}, {"kept_as", segment.kept_as}});
  }
  return json_line({{"applied", applied},
                    {"segments", std::move(segments)},
                    {"remaining", repair.remaining},
                    {"next_outgoing", repair.next_outgoing},
                    {"next_expected", repair.next_expected},
                    {"skipped_from", repair.skipped_from}});
}

}  // namespace affix::inline v0::tools::journal
