// SPDX-License-Identifier: MIT
// Lines of a replay's report; shows unprintable bytes as such.
#include "replay/report.hpp"

namespace affix::inline v0::tools::replay {

namespace {

std::string shown(const std::string& value) {
  if (value.empty()) {
    return "-";
  }
  std::string text;
  for (const char byte : value) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20 || code == 0x7f) {
      char escaped[5];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(code));
      text += escaped;
    } else {
      text += byte;
    }
  }
  return text;
}

void print_difference(const AnswerDifference& difference, std::FILE* out) {
  std::fprintf(out, "different: %s (number %llu in the journal, %llu now)\n",
               shown(summary_of(difference.before)).c_str(),
               static_cast<unsigned long long>(difference.before.number),
               static_cast<unsigned long long>(difference.after.number));
  for (const FieldDifference& field : difference.fields) {
    std::fprintf(out, "  %u: %s -> %s\n", field.tag, shown(field.before).c_str(),
                 shown(field.after).c_str());
  }
}

template <typename Answers, typename Print>
void print_some(const Answers& answers, std::size_t shown_max, const char* kind, Print print,
                std::FILE* out) {
  std::size_t count = 0;
  for (const auto& answer : answers) {
    if (count++ == shown_max) {
      std::fprintf(out, "... %zu more %s\n", answers.size() - shown_max, kind);
      break;
    }
    print(answer);
  }
}

}  // namespace

bool same(const Comparison& comparison) noexcept {
  return comparison.differences().empty() && comparison.missing().empty() &&
         comparison.extra().empty();
}

void print_report(const Comparison& comparison, std::size_t sent_count, std::size_t shown_max,
                  std::FILE* out) {
  print_some(
      comparison.differences(), shown_max, "different",
      [out](const AnswerDifference& difference) { print_difference(difference, out); }, out);
  print_some(
      comparison.missing(), shown_max, "missing",
      [out](const RecordedMessage& answer) {
        std::fprintf(out, "missing: %s (number %llu in the journal)\n",
                     shown(summary_of(answer)).c_str(),
                     static_cast<unsigned long long>(answer.number));
      },
      out);
  print_some(
      comparison.extra(), shown_max, "new",
      [out](const RecordedMessage& answer) {
        std::fprintf(out, "new: %s (number %llu now)\n", shown(summary_of(answer)).c_str(),
                     static_cast<unsigned long long>(answer.number));
      },
      out);
  std::fprintf(out, "sent %zu; answers: %zu the same, %zu different, %zu missing, %zu new\n",
               sent_count, comparison.same_count(), comparison.differences().size(),
               comparison.missing().size(), comparison.extra().size());
}

}  // namespace affix::inline v0::tools::replay
