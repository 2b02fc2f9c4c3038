// SPDX-License-Identifier: MIT
// A parser by descent, an operator's rank at a time, and evaluation with three truths.
#include "certify/score.hpp"

#include "certify/expectation.hpp"
#include "certify/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace affix::inline v0::certify {

namespace {

using Kind = Expression::Kind;

bool begins_name(char character) {
  return std::isalpha(static_cast<unsigned char>(character)) != 0;
}

bool continues_name(char character) {
  return begins_name(character) || std::isdigit(static_cast<unsigned char>(character)) != 0 ||
         character == '_';
}

/// A sign or word of the language, and what it stands for.
struct Operator {
  std::string_view written;
  std::string_view sign;
};

// Longer signs first.
constexpr std::array<Operator, 2> or_operators{{{"||", "or"}, {"or", "or"}}};
constexpr std::array<Operator, 2> and_operators{{{"&&", "and"}, {"and", "and"}}};
constexpr std::array<Operator, 4> equality{{{"==", "="}, {"!=", "!="}, {"eq", "="}, {"ne", "!="}}};
constexpr std::array<Operator, 8> relations{{{"<=", "<="},
                                             {">=", ">="},
                                             {"<", "<"},
                                             {">", ">"},
                                             {"lt", "<"},
                                             {"le", "<="},
                                             {"gt", ">"},
                                             {"ge", ">="}}};
constexpr std::array<Operator, 2> sums{{{"+", "+"}, {"-", "-"}}};
constexpr std::array<Operator, 4> products{{{"*", "*"}, {"/", "/"}, {"%", "%"}, {"mod", "%"}}};

class ScoreParser {
 public:
  explicit ScoreParser(std::string_view text) : text_(text) {}

  std::expected<Expression, std::string> parse() {
    if (text_.size() > score_bytes_max) {
      return std::unexpected("an expression of more than " + std::to_string(score_bytes_max) +
                             " bytes");
    }
    Expression expression = disjunction();
    skip_blanks();
    if (problem_.empty() && at_ != text_.size()) {
      refuse("an operator");
    }
    if (!problem_.empty()) {
      return std::unexpected(problem_);
    }
    return expression;
  }

 private:
  void refuse(std::string_view wanted) {
    if (problem_.empty()) {
      problem_ = std::string(wanted) + " is wanted at column " + std::to_string(at_ + 1) +
                 " of the expression";
      at_ = text_.size();
    }
  }

  /// Also comments: /* ... */, and // to the end of a line.
  void skip_blanks() {
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      }
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
      } else {
        return;
      }
    }
  }

  bool take(std::string_view sign) {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    const bool whole = !begins_name(sign.front()) || rest.size() == sign.size() ||
                       (rest.size() > sign.size() && !continues_name(rest[sign.size()]));
    if (!rest.starts_with(sign) || !whole) {
      return false;
    }
    at_ += sign.size();
    return true;
  }

  /// The sign of one of these operators; empty: none is next.
  template <std::size_t Size>
  std::string_view take_one(const std::array<Operator, Size>& operators) {
    for (const Operator& each : operators) {
      if (take(each.written)) {
        return each.sign;
      }
    }
    return {};
  }

  /// True if the expression may go one level deeper.
  bool enter() {
    if (++depth_ > score_depth_max) {
      refuse("an expression of less depth");
      return false;
    }
    return problem_.empty();
  }

  Expression disjunction() {
    if (!enter()) {
      return {};
    }
    Expression left = conjunction();
    while (problem_.empty() && !take_one(or_operators).empty()) {
      left = joined(Kind::Or, "or", std::move(left), conjunction());
    }
    --depth_;
    return left;
  }

  Expression conjunction() {
    Expression left = comparison();
    while (problem_.empty() && !take_one(and_operators).empty()) {
      left = joined(Kind::And, "and", std::move(left), comparison());
    }
    return left;
  }

  Expression comparison() {
    Expression left = relation();
    for (std::string_view sign = take_one(equality); !sign.empty() && problem_.empty();
         sign = take_one(equality)) {
      left = joined(Kind::Compare, sign, std::move(left), relation());
    }
    return left;
  }

  Expression relation() {
    Expression left = sum();
    while (problem_.empty()) {
      if (const std::string_view sign = take_one(relations); !sign.empty()) {
        left = joined(Kind::Compare, sign, std::move(left), sum());
      } else if (take("in")) {
        left = members_of(std::move(left));
      } else if (take("between")) {
        left = range_of(std::move(left));
      } else {
        break;
      }
    }
    return left;
  }

  Expression members_of(Expression value) {
    Expression in{.kind = Kind::In};
    in.operands.push_back(std::move(value));
    if (!take("{")) {
      refuse("'{'");
    }
    do {
      in.operands.push_back(sum());
    } while (problem_.empty() && take(","));
    if (!take("}")) {
      refuse("'}'");
    }
    return in;
  }

  Expression range_of(Expression value) {
    Expression between{.kind = Kind::Between};
    between.operands.push_back(std::move(value));
    between.operands.push_back(sum());
    if (take_one(and_operators).empty()) {
      refuse("'and'");
    }
    between.operands.push_back(sum());
    return between;
  }

  Expression sum() {
    Expression left = product();
    for (std::string_view sign = take_one(sums); !sign.empty() && problem_.empty();
         sign = take_one(sums)) {
      left = joined(Kind::Compute, sign, std::move(left), product());
    }
    return left;
  }

  Expression product() {
    Expression left = unary();
    for (std::string_view sign = take_one(products); !sign.empty() && problem_.empty();
         sign = take_one(products)) {
      left = joined(Kind::Compute, sign, std::move(left), unary());
    }
    return left;
  }

  Expression unary() {
    if (!enter()) {
      return {};
    }
    Expression result;
    if (take("!")) {
      result = {.kind = Kind::Not};
      result.operands.push_back(unary());
    } else if (take("-")) {
      result = {.kind = Kind::Minus};
      result.operands.push_back(unary());
    } else if (take("exists")) {
      result = {.kind = Kind::Exists};
      result.operands.push_back(variable());
    } else if (take("(")) {
      result = disjunction();
      if (!take(")")) {
        refuse("')'");
      }
    } else {
      result = operand();
    }
    --depth_;
    return result;
  }

  Expression joined(Kind kind, std::string_view text, Expression left, Expression right) {
    if (++operators_ > score_operators_max) {
      refuse("an expression of fewer operators");
    }
    Expression expression{.kind = kind, .text = std::string(text)};
    expression.operands.push_back(std::move(left));
    expression.operands.push_back(std::move(right));
    return expression;
  }

  Expression operand() {
    skip_blanks();
    if (at_ == text_.size()) {
      refuse("a value");
      return {};
    }
    const char first = text_[at_];
    if (first == '"' || first == '\'' || first == '#') {
      return quoted(first);
    }
    if (std::isdigit(static_cast<unsigned char>(first)) != 0) {
      const std::size_t begin = at_;
      while (at_ < text_.size() &&
             (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.')) {
        ++at_;
      }
      return {.kind = Kind::Literal, .text = std::string(text_.substr(begin, at_ - begin))};
    }
    return variable();
  }

  Expression quoted(char quote) {
    Expression literal{.kind = Kind::Literal};
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
      at_ += escaped ? 1 : 0;
      literal.text += text_[at_];
    }
    if (at_ == text_.size()) {
      refuse("a closing quote");
      return {};
    }
    ++at_;
    return literal;
  }

  std::string_view name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && continues_name(text_[at_])) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  /// A code, a state, or a field of the message.
  Expression variable() {
    skip_blanks();
    Expression variable{.kind = Kind::Field};
    if (take("$")) {
      variable.kind = Kind::State;
    } else if (take("^")) {
      variable.kind = Kind::Code;
    } else if (text_.substr(at_).starts_with("in.")) {
      at_ += 3;
    } else if (text_.substr(at_).starts_with("this.")) {
      at_ += 5;
    } else if (text_.substr(at_).starts_with("out.")) {
      variable.kind = Kind::State;  // The answer is the receiver's.
    }
    const std::size_t begin = at_;
    if (at_ == text_.size() || !begins_name(text_[at_])) {
      refuse("a name");
      return {};
    }
    static_cast<void>(name());
    while (problem_.empty() && at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '[')) {
      // An entry of a group, or a part of a state.
      variable.kind = Kind::State;
      if (text_[at_] == '[') {
        const std::size_t close = text_.find(']', at_);
        if (close == std::string_view::npos) {
          refuse("']'");
          return {};
        }
        at_ = close + 1;
        continue;
      }
      ++at_;
      if (name().empty()) {
        refuse("a name");
      }
    }
    for (const char character : text_.substr(begin, at_ - begin)) {
      if (std::isspace(static_cast<unsigned char>(character)) == 0) {
        variable.text += character;
      }
    }
    return variable;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t operators_ = 0;
  std::string problem_;
};

Truth truth_of(bool condition) {
  return condition ? Truth::True : Truth::False;
}

/// An operand: a value, or absent, or unknown.
struct Operand {
  bool known = true;
  std::optional<std::string> value{};
};

Operand operand_of(const Expression& expression, std::string_view beside,
                   const ScoreValues& values) {
  switch (expression.kind) {
    case Kind::Literal:
      return {.value = expression.text};
    case Kind::Code: {
      auto code = values.code(beside, expression.text);
      return {.known = code.has_value(), .value = std::move(code)};
    }
    case Kind::Field:
      return {.value = values.field(expression.text)};
    case Kind::State: {
      auto state = values.state(expression.text);
      return {.known = state.has_value(), .value = std::move(state)};
    }
    case Kind::Minus: {
      Operand operand = operand_of(expression.operands[0], beside, values);
      operand.value =
          operand.value ? std::optional(calculated("0 - " + *operand.value)) : std::nullopt;
      return operand;
    }
    case Kind::Compute: {
      const Operand left = operand_of(expression.operands[0], beside, values);
      const Operand right = operand_of(expression.operands[1], beside, values);
      if (!left.known || !right.known) {
        return {.known = false};
      }
      if (!left.value || !right.value) {
        return {};
      }
      const std::string text = *left.value + " " + expression.text + " " + *right.value;
      std::string result = calculated(text);
      return result == text ? Operand{.known = false} : Operand{.value = std::move(result)};
    }
    default:
      return {.known = false};
  }
}

std::string_view field_among(const std::vector<Expression>& operands) {
  const auto found = std::ranges::find(operands, Kind::Field, &Expression::kind);
  return found == operands.end() ? std::string_view() : found->text;
}

Truth compared(const Expression& left, std::string_view sign, const Expression& right,
               std::string_view beside, const ScoreValues& values) {
  const Operand first = operand_of(left, beside, values);
  const Operand second = operand_of(right, beside, values);
  if (!first.known || !second.known) {
    return Truth::Unknown;
  }
  if (!first.value || !second.value) {
    return truth_of(sign == "!=" && first.value.has_value() != second.value.has_value());
  }
  return truth_of(holds(*first.value, sign, *second.value));
}

Truth any_of(Truth left, Truth right) {
  if (left == Truth::True || right == Truth::True) {
    return Truth::True;
  }
  return left == Truth::Unknown || right == Truth::Unknown ? Truth::Unknown : Truth::False;
}

Truth opposite(Truth truth) {
  return truth == Truth::Unknown ? truth : truth_of(truth == Truth::False);
}

Truth all_of(Truth left, Truth right) {
  return opposite(any_of(opposite(left), opposite(right)));
}

Truth existence(const Expression& variable, const ScoreValues& values) {
  if (variable.kind == Kind::Field) {
    return truth_of(values.field(variable.text).has_value());
  }
  const auto state =
      variable.kind == Kind::State ? values.state(variable.text) : std::optional<std::string>();
  return state ? truth_of(!state->empty()) : Truth::Unknown;
}

/// A field or state of type Boolean, as a condition of its own.
Truth as_condition(const Operand& operand) {
  if (!operand.known) {
    return Truth::Unknown;
  }
  return truth_of(operand.value == "Y" || operand.value == "true");
}

}  // namespace

std::expected<Expression, std::string> parse_score(std::string_view text) {
  return ScoreParser(text).parse();
}

Truth evaluate(const Expression& condition, const ScoreValues& values) {
  const std::vector<Expression>& operands = condition.operands;
  const std::string_view beside = field_among(operands);
  switch (condition.kind) {
    case Kind::Not:
      return opposite(evaluate(operands[0], values));
    case Kind::And:
      return all_of(evaluate(operands[0], values), evaluate(operands[1], values));
    case Kind::Or:
      return any_of(evaluate(operands[0], values), evaluate(operands[1], values));
    case Kind::Compare:
      return compared(operands[0], condition.text, operands[1], beside, values);
    case Kind::Between:
      return all_of(compared(operands[0], ">=", operands[1], beside, values),
                    compared(operands[0], "<=", operands[2], beside, values));
    case Kind::In: {
      Truth truth = Truth::False;
      for (std::size_t at = 1; at < operands.size(); ++at) {
        truth = any_of(truth, compared(operands[0], "=", operands[at], beside, values));
      }
      return truth;
    }
    case Kind::Exists:
      return existence(operands[0], values);
    default:
      return as_condition(operand_of(condition, {}, values));
  }
}

std::optional<std::string> value_of(const Expression& expression, std::string_view beside,
                                    const ScoreValues& values) {
  Operand operand = operand_of(expression, beside, values);
  return operand.known ? std::move(operand.value) : std::nullopt;
}

}  // namespace affix::inline v0::certify
