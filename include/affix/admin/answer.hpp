// SPDX-License-Identifier: MIT
// Result of an operator's command: a status, a sentence, and rows under named columns. Rendered as
// aligned text for people and as JSON for programs.
#pragma once

#include "affix/base/message_code.hpp"

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

/// Outcome of a command.
enum class AnswerStatus : std::uint8_t {
  Done,     ///< Executed; query results are in the rows.
  Refused,  ///< Not executed; the text gives the reason.
  Busy,     ///< Withdrawn in time and never executed: try again.
  Begun,    ///< Started but not finished in time: may still complete.
};

/// "done", "refused", "busy", "begun"; static storage.
[[nodiscard]] const char* to_text(AnswerStatus status) noexcept;

/// One cell. Texts are UTF-8 or bytes of a message; rendering replaces invalid
/// bytes.
using Value = std::variant<std::string, std::int64_t, bool, double>;

/// Owns all its contents.
class Answer {
 public:
  Answer() = default;

  /// Executed, without rows; `text` may be empty.
  [[nodiscard]] static Answer done(std::string text = {}) {
    return Answer(AnswerStatus::Done, std::move(text), {});
  }

  /// Not executed, because of `text`; `code` is the text's for `affix explain`.
  [[nodiscard]] static Answer refused(std::string text, base::MessageCode code = {}) {
    return Answer(AnswerStatus::Refused, std::move(text), code);
  }

  /// Withdrawn in time; `text` names the busy part.
  [[nodiscard]] static Answer busy(std::string text) {
    return Answer(AnswerStatus::Busy, std::move(text), "A113");
  }

  /// Continues after this answer; `text` names the place of the result.
  [[nodiscard]] static Answer begun(std::string text) { return begun(std::move(text), "A114"); }

  /// The same with a code of its own.
  [[nodiscard]] static Answer begun(std::string text, base::MessageCode code) {
    return Answer(AnswerStatus::Begun, std::move(text), code);
  }

  /// Starts a table with these columns: lower case, underscores.
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

  /// Adds one row, with one value for each column.
  void add(std::initializer_list<Value> row) { rows_.emplace_back(row); }

  void set_text(std::string text) { text_ = std::move(text); }

  void set_status(AnswerStatus status) noexcept { status_ = status; }

  [[nodiscard]] AnswerStatus status() const noexcept { return status_; }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// Code of the text; none if the command was executed.
  [[nodiscard]] base::MessageCode code() const noexcept { return code_; }

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }

  [[nodiscard]] const std::vector<std::vector<Value>>& rows() const noexcept { return rows_; }

 private:
  Answer(AnswerStatus status, std::string text, base::MessageCode code)
      : status_(status), code_(code), text_(std::move(text)) {}

  AnswerStatus status_ = AnswerStatus::Done;
  base::MessageCode code_;
  std::string text_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Value>> rows_;
};

/// Renders for people: a line of column names, one line per row, and a last line that begins with
/// the status. Replaces all bytes that could move a cursor; SOH becomes `|`. Output beyond
/// `bytes_max` is cut, with a line that reports it before the last line.
[[nodiscard]] std::string text_of(const Answer& answer, std::size_t bytes_max);

/// Renders for programs: one JSON object in one line: `id` from the request (JSON text; omitted if
/// empty), `status`, `text`, `columns`, `rows` (one object each), `cut` (true: rows were omitted so
/// that the line has at most `bytes_max`).
[[nodiscard]] std::string json_of(const Answer& answer, std::string_view id, std::size_t bytes_max);

/// Renders the rows only, for a streamed answer: one line each, cells two spaces apart.
[[nodiscard]] std::string text_of_rows(const Answer& answer);

/// The same for programs: one `{"id":...,"row":{...}}` each.
[[nodiscard]] std::string json_of_rows(const Answer& answer, std::string_view id);

}  // namespace affix::inline v0::admin
