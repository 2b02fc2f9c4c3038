// SPDX-License-Identifier: MIT
// Assembling one generated header: its frame, lines, and literals.
#pragma once

#include "codegen/plan.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace affix::inline v0::tools::codegen {

/// A header of the plan's namespace. Its includes are written in order and each once.
class SourceText {
 public:
  /// `subject` is the file comment's first sentence, without its full stop.
  SourceText(const Plan& plan, std::string_view subject) : plan_(plan), subject_(subject) {}

  /// `file` is below the namespace's folder: "enums/side.hpp".
  void include(std::string_view file) { own_.insert(plan_.folder + '/' + std::string(file)); }

  /// Of the library or the standard library, with its brackets or quotes.
  void include_foreign(std::string_view header) { foreign_.insert(std::string(header)); }

  /// Pieces of one line, or of several; a line break follows the last.
  template <typename... Pieces>
  void line(const Pieces&... pieces) {
    (append(pieces), ...);
    body_ += '\n';
  }

  [[nodiscard]] std::string text() const;

 private:
  void append(std::string_view piece) { body_ += piece; }

  void append(char piece) { body_ += piece; }

  void append(std::uint32_t number) { body_ += std::to_string(number); }

  const Plan& plan_;
  std::string subject_;
  std::set<std::string> own_;
  std::set<std::string> foreign_;
  std::string body_;
};

/// `text` as a string literal with quotes; bytes other than printable ASCII as octal
/// escapes.
[[nodiscard]] std::string string_literal(std::string_view text);

/// The same for one character.
[[nodiscard]] std::string character_literal(char character);

/// `text` in a form for a line comment: one line of ASCII, no backslash that would join the next.
[[nodiscard]] std::string comment_text(std::string_view text);

/// "ClOrdID (11)", for comments.
[[nodiscard]] std::string title_of(const dictionary::Field& field);

}  // namespace affix::inline v0::tools::codegen
