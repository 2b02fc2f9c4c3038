// SPDX-License-Identifier: MIT
// What an operator's command comes to: a status, a sentence, and rows under named columns. The same
// answer is written as aligned text for a person and as JSON for a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace affix::inline v0::admin {

/// How a command ended.
enum class AnswerStatus : std::uint8_t {
  Done,     ///< It has happened, or what it asks for stands in the rows.
  Refused,  ///< Nothing has happened, and the text says why.
  Busy,     ///< It was withdrawn in time and will not happen later: try again.
  Begun,    ///< It was taken up and has not ended in time: it may still happen.
};

/// "done", "refused", "busy", "begun"; static storage.
[[nodiscard]] const char* to_text(AnswerStatus status) noexcept;

/// One cell. Texts are UTF-8 or bytes of a message; whoever writes them out replaces what is
/// neither.
using Value = std::variant<std::string, std::int64_t, bool, double>;

/// Owns everything in it.
class Answer {
 public:
  Answer() = default;

  /// Nothing to show but `text`, which may be empty.
  [[nodiscard]] static Answer done(std::string text = {}) {
    return Answer(AnswerStatus::Done, std::move(text));
  }

  /// Nothing has happened, because of `text`.
  [[nodiscard]] static Answer refused(std::string text) {
    return Answer(AnswerStatus::Refused, std::move(text));
  }

  /// The command was withdrawn in time; `text` says from what.
  [[nodiscard]] static Answer busy(std::string text) {
    return Answer(AnswerStatus::Busy, std::move(text));
  }

  /// The command goes on behind this answer; `text` says what to look at.
  [[nodiscard]] static Answer begun(std::string text) {
    return Answer(AnswerStatus::Begun, std::move(text));
  }

  /// Rows will follow under these names: lower case, underscores.
  [[nodiscard]] static Answer table(std::initializer_list<std::string_view> columns) {
    Answer answer;
    answer.columns_.assign(columns.begin(), columns.end());
    return answer;
  }

  [[nodiscard]] static Answer table(std::span<const std::string_view> columns) {
    Answer answer;
    answer.columns_.assign(columns.begin(), columns.end());
    return answer;
  }

  /// As many values as there are columns.
  void add(std::initializer_list<Value> row) { rows_.emplace_back(row); }

  void set_text(std::string text) { text_ = std::move(text); }

  void set_status(AnswerStatus status) noexcept { status_ = status; }

  [[nodiscard]] AnswerStatus status() const noexcept { return status_; }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }

  [[nodiscard]] const std::vector<std::vector<Value>>& rows() const noexcept { return rows_; }

 private:
  Answer(AnswerStatus status, std::string text) : status_(status), text_(std::move(text)) {}

  AnswerStatus status_ = AnswerStatus::Done;
  std::string text_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Value>> rows_;
};

/// For a person: a line of column names, a line for each row, and a last line that begins with the
/// status. Every byte that could move a cursor is replaced; the SOH of messages is `|`. What is
/// longer than `bytes_max` ends with a line that says so, and with the last line all the same.
[[nodiscard]] std::string text_of(const Answer& answer, std::size_t bytes_max);

/// For a program: one JSON object in one line: `id` as it was asked with (JSON text; empty: left
/// out), `status`, `text`, `columns`, `rows` (an object each), `cut` (true: rows were left out, so
/// that the line is not longer than `bytes_max`).
[[nodiscard]] std::string json_of(const Answer& answer, std::string_view id, std::size_t bytes_max);

/// The rows alone, for an answer that comes bit by bit: a line each, cells with two spaces between.
[[nodiscard]] std::string text_of_rows(const Answer& answer);

/// The same for a program: `{"id":...,"row":{...}}` each.
[[nodiscard]] std::string json_of_rows(const Answer& answer, std::string_view id);

}  // namespace affix::inline v0::admin
