// SPDX-License-Identifier: MIT
// One page: a table of all scenarios, and below it each with its steps and their messages.
#include "affix/base/time.hpp"
#include "affix/certify/run.hpp"

#include "certify/markup.hpp"

namespace affix::inline v0::certify {

namespace {

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>affix certify</title><style>
body{font:14px/1.45 system-ui,sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:#222;background:#fff}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.15em .6em;border-bottom:1px solid #ddd}
.passed{color:#176b2c}.failed{color:#b3261e;font-weight:bold}.skipped{color:#767676}
details{margin:.4em 0;border:1px solid #ddd;border-radius:4px;padding:.3em .7em}
summary{cursor:pointer}pre{margin:.2em 0 .2em 1.5em;white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px}
pre.fault{background:#fdecea;padding:.5em}.step{font-family:ui-monospace,monospace;font-size:12px;margin-top:.4em}
.sent{color:#1d4f91}.got{color:#6a3d00}.at{color:#767676}
@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}.passed{color:#7fd18f}.failed{color:#ff8a80}
pre.fault{background:#3a1b18}.sent{color:#8ab8ff}.got{color:#f0b060}td,th,details{border-color:#444}}
</style></head><body>
)";

std::string_view word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Passed:
      return "passed";
    case Outcome::Failed:
      return "failed";
    case Outcome::Skipped:
      break;
  }
  return "skipped";
}

std::string steps_of(const Result& result) {
  std::string text;
  for (const TracedStep& step : result.steps) {
    const bool failed = result.outcome == Outcome::Failed && &step == &result.steps.back();
    text += "<div class=\"step" + std::string(failed ? " failed" : "") + "\">" +
            std::to_string(step.line) + ": " + escaped(step.source) + "</div>";
    for (const TracedMessage& message : step.messages) {
      const double seconds = static_cast<double>(message.at_ns) / base::ns_per_second;
      text += "<pre class=\"" + std::string(message.sent ? "sent" : "got") +
              "\"><span class=\"at\">" + seconds_text(seconds) + " " + escaped(message.peer) +
              "</span> " + (message.sent ? "&gt; " : "&lt; ") + escaped(message.bytes) + "</pre>";
    }
  }
  return text;
}

}  // namespace

std::string html_page(const std::vector<Result>& results) {
  const Totals totals = totals_of(results);
  std::string text(head);
  text += "<h1>affix certify</h1><p><span class=\"passed\">" + std::to_string(totals.passed) +
          " passed</span>, <span class=\"failed\">" + std::to_string(totals.failed) +
          " failed</span>, <span class=\"skipped\">" + std::to_string(totals.skipped) +
          " skipped</span></p>\n<table><tr><th>scenario<th>what it shows<th>FIX<th>engine is"
          "<th>result<th>seconds</tr>\n";
  std::size_t number = 0;
  for (const Result& result : results) {
    const std::string word(word_of(result.outcome));
    text += "<tr><td><a href=\"#s" + std::to_string(++number) + "\">" + escaped(result.id) +
            "</a><td>" + escaped(result.title) + "<td>" + escaped(result.version) + "<td>" +
            escaped(result.role) + "<td class=\"" + word + "\">" + word + "<td>" +
            seconds_text(result.seconds) + "</tr>\n";
  }
  text += "</table>\n";
  number = 0;
  for (const Result& result : results) {
    const std::string word(word_of(result.outcome));
    text += "<details id=\"s" + std::to_string(++number) + "\"" +
            (result.outcome == Outcome::Failed ? " open" : "") + "><summary><span class=\"" + word +
            "\">" + word + "</span> " + escaped(result.id) + ": " + escaped(result.title) + " (" +
            escaped(result.file) + ":" + std::to_string(result.line) + ", FIX " +
            escaped(result.version) + ", " + escaped(result.session) + ")</summary>";
    if (!result.fault.empty()) {
      text += "<pre class=\"fault\">" +
              (result.fault_line == 0 ? std::string()
                                      : "line " + std::to_string(result.fault_line) + ": ") +
              escaped(result.fault) + "</pre>";
    }
    text += steps_of(result) + "</details>\n";
  }
  return text + "</body></html>\n";
}

}  // namespace affix::inline v0::certify
