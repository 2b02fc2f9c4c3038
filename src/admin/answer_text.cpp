// SPDX-License-Identifier: MIT
// Answers as aligned text.
#include "affix/admin/answer.hpp"
#include "affix/base/error.hpp"

#include <algorithm>
#include <cstdio>

namespace affix::inline v0::admin {

namespace {

/// Cells below are not aligned to a cell wider than this.
constexpr std::size_t column_width_max = 40;

/// Room for the last lines of an answer that is cut.
constexpr std::size_t ending_bytes = 512;

struct CellText {
  std::string operator()(const std::string& text) const { return text; }

  std::string operator()(std::int64_t number) const { return std::to_string(number); }

  std::string operator()(bool flag) const { return flag ? "yes" : "no"; }

  std::string operator()(double number) const {
    char digits[32];
    const int size = std::snprintf(digits, sizeof digits, "%.1f", number);
    return {digits, static_cast<std::size_t>(std::max(size, 0))};
  }
};

/// Terminals obey control bytes, which may come from a peer's messages.
std::string harmless(std::string text) {
  for (char& byte : text) {
    if (byte == '\x01') {
      byte = '|';
    } else if (static_cast<unsigned char>(byte) < 0x20 || byte == '\x7f') {
      byte = '?';
    }
  }
  return text;
}

using Cells = std::vector<std::string>;

std::vector<std::size_t> widths_of(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Cells& line : lines) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      widths[at] = std::max(widths[at], std::min(line[at].size(), column_width_max));
    }
  }
  return widths;
}

std::string line_of(const Cells& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t at = 0; at < cells.size(); ++at) {
    line += cells[at];
    if (at + 1 < cells.size()) {
      line.append(widths[at] > cells[at].size() ? widths[at] - cells[at].size() : 0, ' ');
      line += "  ";
    }
  }
  return line + '\n';
}

std::string last_line(const Answer& answer) {
  std::string line = to_text(answer.status());
  if (!answer.text().empty()) {
    line += ": " + harmless(answer.text()) + base::Error::suffix_of(answer.code());
  } else if (!answer.columns().empty()) {
    line += ": " + std::to_string(answer.rows().size()) +
            (answer.rows().size() == 1 ? " row" : " rows");
  }
  return line + '\n';
}

}  // namespace

const char* to_text(AnswerStatus status) noexcept {
  switch (status) {
    case AnswerStatus::Done:
      return "done";
    case AnswerStatus::Refused:
      return "refused";
    case AnswerStatus::Busy:
      return "busy";
    case AnswerStatus::Begun:
      return "begun";
  }
  return "unknown";
}

std::string text_of(const Answer& answer, std::size_t bytes_max) {
  std::string ending = last_line(answer);
  if (ending.size() > bytes_max) {
    ending.resize(bytes_max - 1);
    ending += '\n';
  }
  if (answer.columns().empty()) {
    return ending;
  }
  std::vector<Cells> lines;
  lines.push_back(answer.columns());
  for (const std::vector<Value>& row : answer.rows()) {
    Cells cells;
    for (const Value& value : row) {
      cells.push_back(harmless(std::visit(CellText(), value)));
    }
    lines.push_back(std::move(cells));
  }
  const std::vector<std::size_t> widths = widths_of(lines);
  const std::size_t room = bytes_max - std::min(bytes_max, ending.size() + ending_bytes);
  std::string text;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const std::string line = line_of(lines[at], widths);
    if (text.size() + line.size() > room) {
      text +=
          "(" + std::to_string(lines.size() - at) + " more rows are left out: too long) [A120]\n";
      break;
    }
    text += line;
  }
  return text + ending;
}

std::string text_of_rows(const Answer& answer) {
  std::string text;
  for (const std::vector<Value>& row : answer.rows()) {
    std::string line;
    for (const Value& value : row) {
      line += (line.empty() ? "" : "  ") + harmless(std::visit(CellText(), value));
    }
    text += line + '\n';
  }
  return text;
}

}  // namespace affix::inline v0::admin
