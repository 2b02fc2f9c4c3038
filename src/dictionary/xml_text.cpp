// SPDX-License-Identifier: MIT
// Checks encoding and limits of XML text.

#include "dictionary/xml_text.hpp"

#include "affix/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace affix::inline v0::dictionary {

namespace {

constexpr auto npos = std::string_view::npos;

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return (byte & '\x80') == 0; });
}

std::string from_latin1(std::string_view text) {
  std::string converted;
  converted.reserve(text.size() + text.size() / 8);
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80) {
      converted += letter;
    } else {
      converted += static_cast<char>(0xC0U | (byte >> 6U));
      converted += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return converted;
}

// True if the XML declaration names Latin-1 or its Windows variant.
bool declares_latin1(std::string_view text) {
  if (!text.starts_with("<?xml")) {
    return false;
  }
  const std::string declaration =
      base::lowered(text.substr(0, std::min(text.find("?>"), std::size_t{200})));
  return declaration.find("iso-8859-1") != npos || declaration.find("latin1") != npos ||
         declaration.find("windows-1252") != npos;
}

// The first control character that XML does not allow.
std::optional<std::size_t> find_control(std::string_view text) {
  const auto found = std::ranges::find_if(text, [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
  });
  return found != text.end() ? std::optional(static_cast<std::size_t>(found - text.begin()))
                             : std::nullopt;
}

std::string_view tag_name(std::string_view text, std::size_t begin) {
  const std::string_view rest = text.substr(begin);
  return rest.substr(0, rest.find_first_of(" \t\r\n/>"));
}

// Steps through markup only as far as the limits require.
class MarkupCheck {
 public:
  MarkupCheck(std::string_view text, const LoadLimits& limits, Problems& problems)
      : text_(text), limits_(limits), problems_(problems) {}

  void run() {
    for (at_ = text_.find('<'); at_ != npos && step();) {
      at_ = text_.find('<', at_);
    }
  }

  /// The same, up to an end tag that does not match.
  void run_to_mismatch() {
    for (at_ = text_.find('<'); at_ != npos; at_ = text_.find('<', at_)) {
      const bool is_end = starts("</");
      if (is_end &&
          (open_.empty() || tag_name(text_, at_ + 2) != tag_name(text_, open_.back() + 1))) {
        return;
      }
      if (!step()) {
        return;
      }
    }
  }

  /// Start of the innermost element that is not closed yet.
  [[nodiscard]] std::optional<std::size_t> open_element() const {
    return open_.empty() ? std::nullopt : std::optional(open_.back());
  }

 private:
  [[nodiscard]] bool starts(std::string_view mark) const {
    return text_.substr(at_, mark.size()) == mark;
  }

  bool refuse(std::string text, base::MessageCode code) {
    problems_.error(static_cast<std::uint32_t>(at_), {}, std::move(text), code);
    return false;
  }

  // Moves past `mark`; to the end of the text if it is missing, which the parser will report.
  bool skip_past(std::size_t from, std::string_view mark) {
    const std::size_t found = text_.find(mark, from);
    at_ = found == npos ? text_.size() : found + mark.size();
    return true;
  }

  bool step() {
    if (starts("</")) {
      if (!open_.empty()) {
        open_.pop_back();
      }
      return skip_past(at_ + 2, ">");
    }
    if (++elements_ > limits_.elements_max) {
      return refuse(
          "more than " + std::to_string(limits_.elements_max) + " pieces of markup (elements_max)",
          "D102");
    }
    if (starts("<!--")) {
      return skip_past(at_ + 4, "-->");
    }
    if (starts("<![CDATA[")) {
      return skip_past(at_ + 9, "]]>");
    }
    if (starts("<!")) {
      return refuse("DOCTYPE and entity declarations are refused", "D104");
    }
    if (starts("<?")) {
      return skip_past(at_ + 2, "?>");
    }
    return step_into_element();
  }

  bool step_into_element() {
    open_.push_back(at_);
    if (open_.size() > limits_.depth_max) {
      return refuse("elements within elements more than " + std::to_string(limits_.depth_max) +
                        " deep (depth_max)",
                    "D102");
    }
    ++at_;
    while (true) {
      at_ = text_.find_first_of("\"'>", at_);
      if (at_ == npos) {
        at_ = text_.size();
        return true;
      }
      if (text_[at_] == '>') {
        if (text_[at_ - 1] == '/') {
          open_.pop_back();
        }
        ++at_;
        return true;
      }
      if (++attributes_ > limits_.attributes_max) {
        return refuse(
            "more than " + std::to_string(limits_.attributes_max) + " attributes (attributes_max)",
            "D102");
      }
      const std::size_t close = text_.find(text_[at_], at_ + 1);
      at_ = close == npos ? text_.size() : close + 1;
    }
  }

  std::string_view text_;
  const LoadLimits& limits_;
  Problems& problems_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  // Starts of the elements that are not closed yet.
  std::uint32_t elements_ = 0;
  std::uint32_t attributes_ = 0;
};

}  // namespace

std::string to_utf8(std::string_view text, Problems& problems) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    problems.error(whole_file, {}, "UTF-16 is not read; save the file as UTF-8", "D105");
    return {};
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  problems.set_lines(LineTable(text));
  if (const auto control = find_control(text)) {
    problems.error(static_cast<std::uint32_t>(*control), {},
                   "a control character (byte value " +
                       std::to_string(static_cast<unsigned>(text[*control])) + ")",
                   "D105");
    return {};
  }
  if (is_ascii(text)) {
    return std::string(text);
  }
  if (!declares_latin1(text)) {
    if (base::is_utf8(text)) {
      return std::string(text);
    }
    problems.warn(whole_file, {}, "the text is not UTF-8; it is read as ISO-8859-1", "D105");
  }
  std::string converted = from_latin1(text);
  problems.set_lines(LineTable(converted));
  return converted;
}

bool is_plain_text(std::string_view text) noexcept {
  const bool controls = std::ranges::any_of(text, [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
  });
  return !controls && base::is_utf8(text);
}

std::string open_element(std::string_view text, const LoadLimits& limits,
                         const Problems& problems) {
  Problems unheard(1);
  MarkupCheck check(text, limits, unheard);
  check.run_to_mismatch();
  const auto begin = check.open_element();
  if (!begin) {
    return {};
  }
  return "<" + shown(tag_name(text, *begin + 1)) + "> is open" +
         problems.at_line(static_cast<std::uint32_t>(*begin));
}

void check_markup(std::string_view text, const LoadLimits& limits, Problems& problems) {
  MarkupCheck(text, limits, problems).run();
}

}  // namespace affix::inline v0::dictionary
