// SPDX-License-Identifier: MIT
// Reads comma-separated values (RFC 4180) row by row, with the place of every field. Reports and
// skips a faulty row, so that one pass finds every fault of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

/// A place in a text file: both counted from 1, the column in bytes.
struct TextPlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// One fault and its place, for operators.
struct FileProblem {
  TextPlace place;
  std::string message;

  /// "line 3, column 7: the message".
  [[nodiscard]] std::string text() const;
};

struct CsvField {
  std::string text;  ///< Without its quotes, doubled quotes made single.
  TextPlace place;
};

/// Reads a complete text that the caller keeps. Lines end with LF or CRLF; skips an initial byte
/// order mark and empty lines. Allocates for each field that does not fit a short string.
class CsvReader {
 public:
  static constexpr std::size_t fields_max = 64;
  static constexpr std::size_t field_bytes_max = 4096;

  enum class Row : std::uint8_t {
    Read,   ///< fields() are the row's.
    Fault,  ///< problem() has the reason; the next call continues after the row.
    End,
  };

  explicit CsvReader(std::string_view text) noexcept;

  [[nodiscard]] Row next();

  /// Of the last row; valid until the next call.
  [[nodiscard]] std::span<const CsvField> fields() const noexcept { return fields_; }

  [[nodiscard]] const FileProblem& problem() const noexcept { return problem_; }

 private:
  [[nodiscard]] bool at_end() const noexcept { return at_ == text_.size(); }

  [[nodiscard]] bool at_line_end() const noexcept;
  [[nodiscard]] TextPlace place() const noexcept;
  void skip_line_end() noexcept;
  [[nodiscard]] bool read_field();
  [[nodiscard]] bool read_plain(CsvField& field);
  [[nodiscard]] bool read_quoted(CsvField& field);
  bool fail(TextPlace place, std::string message);
  void skip_rest_of_line() noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::vector<CsvField> fields_;
  FileProblem problem_;
};

}  // namespace affix::inline v0::tools::trade
