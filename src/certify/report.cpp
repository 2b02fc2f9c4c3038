// SPDX-License-Identifier: MIT
// Results as text, and as JUnit XML, which CI systems read.
#include "affix/certify/run.hpp"

#include "certify/markup.hpp"
#include "certify/message_text.hpp"

#include <string_view>

namespace affix::inline v0::certify {

namespace {

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string case_element(const Result& result) {
  std::string text = "    <testcase classname=\"" + escaped(file_name(result.file)) + "." +
                     escaped(result.role) + ".FIX" + escaped(result.version) + "\" name=\"" +
                     escaped(result.id + ": " + result.title) + "\" file=\"" +
                     escaped(result.file) + "\" line=\"" + std::to_string(result.line) +
                     "\" time=\"" + seconds_text(result.seconds) + "\"";
  if (result.outcome == Outcome::Passed) {
    return text + "/>\n";
  }
  if (result.outcome == Outcome::Skipped) {
    return text + "><skipped message=\"" + escaped(result.fault) + "\"/></testcase>\n";
  }
  const std::string first = result.fault.substr(0, result.fault.find('\n'));
  return text + ">\n      <failure message=\"line " + std::to_string(result.fault_line) + ": " +
         escaped(first) + "\">" + escaped(failure_text(result)) + "</failure>\n    </testcase>\n";
}

}  // namespace

std::string failure_text(const Result& result) {
  std::string text = result.file + ":" + std::to_string(result.fault_line) + ": scenario " +
                     result.id + " (" + result.title + "), " + result.role + ", FIX " +
                     result.version + "\n  " + result.fault + "\n";
  for (const TracedStep& step : result.steps) {
    for (const TracedMessage& message : step.messages) {
      text += "  " + (message.peer == "A" ? std::string() : message.peer + " ") +
              (message.sent ? "> " : "< ") + readable(message.bytes) + "\n";
    }
  }
  return text;
}

std::string junit_text(const std::vector<Result>& results) {
  const Totals totals = totals_of(results);
  const auto counts = [](const Totals& of) {
    return " tests=\"" + std::to_string(of.passed + of.failed + of.skipped) + "\" failures=\"" +
           std::to_string(of.failed) + "\" errors=\"0\" skipped=\"" + std::to_string(of.skipped) +
           "\"";
  };
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"certify\"" +
                     counts(totals) + ">\n";
  for (std::size_t begin = 0; begin < results.size();) {
    std::vector<Result> suite;
    std::string cases;
    double seconds = 0;
    std::size_t end = begin;
    for (; end < results.size() && results[end].file == results[begin].file; ++end) {
      cases += case_element(results[end]);
      seconds += results[end].seconds;
      suite.push_back({.outcome = results[end].outcome});
    }
    text += "  <testsuite name=\"" + escaped(file_name(results[begin].file)) + "\"" +
            counts(totals_of(suite)) + " time=\"" + seconds_text(seconds) + "\">\n" + cases +
            "  </testsuite>\n";
    begin = end;
  }
  return text + "</testsuites>\n";
}

}  // namespace affix::inline v0::certify
