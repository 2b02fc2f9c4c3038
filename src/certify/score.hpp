// SPDX-License-Identifier: MIT
// Expressions of FIX Orchestra's language Score: conditions of answers, and values that answers
// take over. A value that a counterparty cannot know makes a condition unknown, not wrong.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::certify {

struct Expression {
  enum class Kind : std::uint8_t {
    Literal,  ///< A number, a text or a time: `text`.
    Code,     ///< ^Name of a code of the field that it is compared with.
    Field,    ///< A field of the message that is answered: its name.
    State,    ///< What only the receiver knows: "Market.Phase", a field of a group's entry.
    Not,
    Minus,
    And,
    Or,
    Compare,  ///< `text` is the sign: =, !=, <, <=, > or >=.
    Compute,  ///< `text` is the sign: +, -, *, / or %.
    In,       ///< The first operand is one of the others.
    Between,  ///< The first operand is from the second to the third.
    Exists,
  };

  Kind kind = Kind::Literal;
  std::string text{};
  std::vector<Expression> operands{};
};

/// The error is a sentence with the place in the text.
[[nodiscard]] std::expected<Expression, std::string> parse_score(std::string_view text);

/// Bounds on one expression.
inline constexpr std::size_t score_bytes_max = 16'384;
inline constexpr std::size_t score_depth_max = 64;
inline constexpr std::size_t score_operators_max = 1000;

enum class Truth : std::uint8_t { False, True, Unknown };

/// Values that an expression refers to.
class ScoreValues {
 public:
  ScoreValues(const ScoreValues&) = delete;
  ScoreValues& operator=(const ScoreValues&) = delete;
  virtual ~ScoreValues() = default;

  /// Value of a field; nothing: the message does not have it.
  [[nodiscard]] virtual std::optional<std::string> field(std::string_view name) const = 0;

  /// Value of "^name" beside a field; nothing: the field has no such code.
  [[nodiscard]] virtual std::optional<std::string> code(std::string_view field,
                                                        std::string_view name) const = 0;

  /// Value of a state; nothing: unknown.
  [[nodiscard]] virtual std::optional<std::string> state(std::string_view name) const = 0;

 protected:
  ScoreValues() = default;
};

/// A field that is absent equals nothing. `exists` of a state that is known as an empty text is
/// false.
[[nodiscard]] Truth evaluate(const Expression& condition, const ScoreValues& values);

/// Value of an expression that is no condition; nothing: it is absent or unknown. A code is that of
/// the field `beside`.
[[nodiscard]] std::optional<std::string> value_of(const Expression& expression,
                                                  std::string_view beside,
                                                  const ScoreValues& values);

}  // namespace affix::inline v0::certify
