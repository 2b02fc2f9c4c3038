// SPDX-License-Identifier: MIT
// Tries the values that conditions name, those next to them, and the fields' codes.
#include "certify/workflow_request.hpp"

#include "certify/expectation.hpp"

#include <algorithm>
#include <utility>

namespace affix::inline v0::certify {

namespace {

using dictionary::Presence;
using dictionary::WorkflowField;
using dictionary::WorkflowMessage;
using Kind = Expression::Kind;

/// Attempts for one answer, and codes of a field that are tried.
constexpr std::size_t attempts_max = 20'000;
constexpr std::size_t codes_tried_max = 32;

using Values = std::map<std::uint32_t, std::string>;

/// The fields of one message.
class MessageValues final : public ScoreValues {
 public:
  MessageValues(const WorkflowMessage& message, const Values& values, const States& states)
      : message_(message), values_(values), states_(states) {}

  std::optional<std::string> field(std::string_view name) const override {
    const WorkflowField* const known = find_field(message_, name);
    const auto found = known == nullptr ? values_.end() : values_.find(known->tag);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<std::string> code(std::string_view field, std::string_view name) const override {
    const WorkflowField* const known = find_field(message_, field);
    if (known == nullptr) {
      return std::nullopt;
    }
    const auto found = std::ranges::find(known->codes, name, &dictionary::Value::name);
    return found == known->codes.end() ? std::nullopt : std::optional(found->code);
  }

  std::optional<std::string> state(std::string_view name) const override {
    const auto found = states_.find(name);
    return found == states_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  const WorkflowMessage& message_;
  const Values& values_;
  const States& states_;
};

/// Calls `visit` with each part of an expression.
template <typename Visit>
void for_each_part(const Expression& expression, const Visit& visit) {
  visit(expression);
  for (const Expression& operand : expression.operands) {
    for_each_part(operand, visit);
  }
}

/// A value that may be tried for a field: nothing stands for its absence.
using Candidate = std::optional<std::string>;

void add_candidate(std::vector<Candidate>& candidates, Candidate candidate) {
  if (std::ranges::find(candidates, candidate) == candidates.end()) {
    candidates.push_back(std::move(candidate));
  }
}

/// A value of the field that nobody asked for.
std::string some_value(const WorkflowField& field) {
  if (field.presence == Presence::Constant || !field.value.empty()) {
    return field.value;
  }
  if (!field.codes.empty()) {
    return field.codes.front().code;
  }
  using dictionary::FieldType;
  switch (field.type) {
    case FieldType::Qty:
    case FieldType::Price:
    case FieldType::Amt:
    case FieldType::Float:
      return "100";
    case FieldType::Int:
    case FieldType::Length:
    case FieldType::SeqNum:
    case FieldType::NumInGroup:
    case FieldType::TagNum:
    case FieldType::DayOfMonth:
    case FieldType::PriceOffset:
    case FieldType::Percentage:
      return "1";
    case FieldType::Boolean:
      return "N";
    default:
      return {};
  }
}

class Choice {
 public:
  Choice(const ReadRequest& request, std::size_t wanted, const States& states)
      : request_(request), wanted_(wanted), states_(states) {}

  std::expected<ChosenRequest, std::string> choose() {
    std::set<std::string, std::less<>> names;
    for (const auto& conditions : request_.conditions) {
      for (const Expression& condition : conditions) {
        for_each_part(condition, [&](const Expression& part) {
          if (part.kind == Kind::Field) {
            names.insert(part.text);
          }
        });
      }
    }
    for (const WorkflowField& field : request_.message->fields) {
      if (names.contains(field.name)) {
        fields_.push_back(&field);
        candidates_.push_back(candidates_of(field));
      }
    }
    for (const bool strict : {true, false}) {
      try_all(strict);
      if (best_) {
        return std::move(*best_);
      }
    }
    return std::unexpected(reason());
  }

 private:
  std::vector<Candidate> candidates_of(const WorkflowField& field) const {
    std::vector<Candidate> candidates;
    if (field.presence == Presence::Required || field.presence == Presence::Constant) {
      add_candidate(candidates, some_value(field));
    }
    add_candidate(candidates, std::nullopt);
    for (const auto& conditions : request_.conditions) {
      for (const Expression& condition : conditions) {
        for_each_part(condition,
                      [&](const Expression& part) { add_compared(part, field, candidates); });
      }
    }
    for (std::size_t at = 0; at < std::min(field.codes.size(), codes_tried_max); ++at) {
      add_candidate(candidates, field.codes[at].code);
    }
    add_candidate(candidates, some_value(field));
    return candidates;
  }

  /// Values that the field is compared with, and the numbers around them.
  void add_compared(const Expression& part, const WorkflowField& field,
                    std::vector<Candidate>& candidates) const {
    const bool concerned = std::ranges::any_of(part.operands, [&](const Expression& operand) {
      return operand.kind == Kind::Field && operand.text == field.name;
    });
    if (!concerned) {
      return;
    }
    const Values none;
    const MessageValues values(*request_.message, none, states_);
    for (const Expression& operand : part.operands) {
      if (const auto value = value_of(operand, field.name, values)) {
        add_candidate(candidates, value);
        for (const char* const step : {" + 1", " - 1"}) {
          std::string near = calculated(*value + step);
          if (near != *value + step && field.codes.empty()) {
            add_candidate(candidates, std::move(near));
          }
        }
      }
    }
  }

  /// Odometer of all candidates, the first field fastest.
  void try_all(bool strict) {
    std::vector<std::size_t> places(fields_.size(), 0);
    for (std::size_t attempt = 0; attempt < attempts_max; ++attempt) {
      try_one(places, strict);
      std::size_t at = 0;
      while (at < places.size() && ++places[at] == candidates_[at].size()) {
        places[at++] = 0;
      }
      if (at == places.size() || (best_ && least_others_ == 0)) {
        return;
      }
    }
  }

  void try_one(const std::vector<std::size_t>& places, bool strict) {
    Values values;
    for (std::size_t at = 0; at < fields_.size(); ++at) {
      if (const Candidate& candidate = candidates_[at][places[at]]) {
        values[fields_[at]->tag] = *candidate;
      }
    }
    if (!complete(values, strict)) {
      return;
    }
    const MessageValues score(*request_.message, values, states_);
    std::vector<Truth> answers;
    std::size_t others = 0;
    for (const auto& conditions : request_.conditions) {
      const Truth truth = truth_of_all(conditions, score);
      // Another answer counts more than one that may come; none where nothing is sent.
      const bool counts =
          answers.size() != wanted_ && !request_.message->responses[answers.size()].replies.empty();
      others += !counts || truth == Truth::False ? 0 : (truth == Truth::True ? 2 : 1);
      answers.push_back(truth);
    }
    if (answers[wanted_] == Truth::True && (!best_ || others < least_others_)) {
      least_others_ = others;
      best_ = ChosenRequest{.values = std::move(values), .answers = std::move(answers)};
      for (const WorkflowField* const field : fields_) {
        best_->decided.insert(field->tag);
      }
    }
  }

  static Truth truth_of_all(const std::vector<Expression>& conditions, const ScoreValues& score) {
    Truth all = Truth::True;
    for (const Expression& condition : conditions) {
      const Truth truth = evaluate(condition, score);
      if (truth == Truth::False) {
        return truth;
      }
      all = truth == Truth::Unknown ? truth : all;
    }
    return all;
  }

  /// Adds fields that must be there. False: one is there or is not, against its presence.
  [[nodiscard]] bool complete(Values& values, bool strict) const {
    for (const WorkflowField& field : request_.message->fields) {
      const bool chosen = std::ranges::find(fields_, &field) != fields_.end();
      Presence presence = field.presence;
      if (const auto rules = request_.rules.find(field.tag); rules != request_.rules.end()) {
        const MessageValues score(*request_.message, values, states_);
        for (const auto& [ruled, when] : rules->second) {
          presence = evaluate(when, score) == Truth::True ? ruled : presence;
        }
      }
      const bool wanted = presence == Presence::Required || presence == Presence::Constant;
      const bool there = values.contains(field.tag);
      if (chosen) {
        if (strict && ((wanted && !there) || (presence == Presence::Forbidden && there))) {
          return false;
        }
      } else if (wanted) {
        values[field.tag] = some_value(field);
      }
    }
    return true;
  }

  [[nodiscard]] std::string reason() const {
    std::set<std::string> unknown;
    for (const Expression& condition : request_.conditions[wanted_]) {
      for_each_part(condition, [&](const Expression& part) {
        if (part.kind == Kind::State && !states_.contains(part.text)) {
          unknown.insert(part.text);
        }
      });
    }
    if (unknown.empty()) {
      return "no values were found for which its condition holds";
    }
    std::string names;
    for (const std::string& name : unknown) {
      names += (names.empty() ? "$" : ", $") + name;
    }
    return "its condition needs " + names + ", which only the engine knows";
  }

  const ReadRequest& request_;
  std::size_t wanted_;
  const States& states_;
  std::vector<const WorkflowField*> fields_;  ///< That conditions mention.
  std::vector<std::vector<Candidate>> candidates_;
  std::optional<ChosenRequest> best_;
  std::size_t least_others_ = 0;
};

}  // namespace

const WorkflowField* find_field(const WorkflowMessage& message, std::string_view name) {
  const auto found = std::ranges::find(message.fields, name, &WorkflowField::name);
  return found == message.fields.end() ? nullptr : &*found;
}

std::expected<ReadRequest, std::string> read_conditions(const WorkflowMessage& message) {
  ReadRequest request{.message = &message};
  std::string problems;
  const auto read = [&](const std::string& text, const std::string& where) {
    auto expression = parse_score(text);
    if (!expression) {
      problems += where + ": " + expression.error() + "\n";
      return Expression{};
    }
    return std::move(*expression);
  };
  for (const dictionary::WorkflowResponse& response : message.responses) {
    std::vector<Expression>& conditions = request.conditions.emplace_back();
    for (const std::string& when : response.whens) {
      conditions.push_back(read(when, std::to_string(response.line) + ": response " +
                                          response.name + " of " + message.name));
    }
  }
  for (const WorkflowField& field : message.fields) {
    for (const dictionary::PresenceRule& rule : field.rules) {
      if (!rule.when.empty()) {
        request.rules[field.tag].emplace_back(
            rule.presence, read(rule.when, std::to_string(message.line) + ": rule of " +
                                               field.name + " in " + message.name));
      }
    }
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return request;
}

std::expected<ChosenRequest, std::string> choose_request(const ReadRequest& request,
                                                         std::size_t wanted, const States& states) {
  return Choice(request, wanted, states).choose();
}

std::optional<AssignedValue> assigned_value(const WorkflowField& field,
                                            const WorkflowMessage& request, const States& states) {
  const auto expression = parse_score(field.assign);
  if (!expression) {
    return std::nullopt;
  }
  if (expression->kind == Kind::Field) {
    const WorkflowField* const source = find_field(request, expression->text);
    return source == nullptr ? std::nullopt : std::optional(AssignedValue{.tag = source->tag});
  }
  if (expression->kind == Kind::Code) {
    const auto code = std::ranges::find(field.codes, expression->text, &dictionary::Value::name);
    return code == field.codes.end() ? std::nullopt
                                     : std::optional(AssignedValue{.text = code->code});
  }
  const Values none;
  auto value = value_of(*expression, {}, MessageValues(request, none, states));
  return value ? std::optional(AssignedValue{.text = std::move(*value)}) : std::nullopt;
}

std::map<std::uint32_t, std::vector<std::string>> implied_values(const WorkflowMessage& answer,
                                                                 const States& states) {
  std::map<std::uint32_t, std::vector<std::string>> implied;
  const auto whole = parse_score(answer.when);
  if (answer.when.empty() || !whole) {
    return implied;
  }
  const Values none;
  const MessageValues values(answer, none, states);
  std::vector<const Expression*> parts{&*whole};
  while (!parts.empty()) {
    const Expression& part = *parts.back();
    parts.pop_back();
    if (part.kind == Kind::And) {
      parts.push_back(&part.operands[0]);
      parts.push_back(&part.operands[1]);
      continue;
    }
    const bool equals = part.kind == Kind::Compare && part.text == "=";
    if ((!equals && part.kind != Kind::In) || part.operands[0].kind != Kind::Field) {
      continue;
    }
    const WorkflowField* const field = find_field(answer, part.operands[0].text);
    std::vector<std::string> all;
    for (std::size_t at = 1; field != nullptr && at < part.operands.size(); ++at) {
      if (auto value = value_of(part.operands[at], field->name, values)) {
        all.push_back(std::move(*value));
      }
    }
    if (field != nullptr && all.size() + 1 == part.operands.size()) {
      implied[field->tag] = std::move(all);
    }
  }
  return implied;
}

}  // namespace affix::inline v0::certify
