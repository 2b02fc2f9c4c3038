// SPDX-License-Identifier: MIT
// Parses rules line by line, matches messages with them, and edits messages.
#include "exchange/faults/fault_rules.hpp"

#include "affix/base/text.hpp"
#include "affix/base/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>

namespace affix::inline v0::tools::exchange {

namespace {

constexpr char soh = '\x01';

/// Reads the rest of an action after its word.
enum class Argument : std::uint8_t { None, Tag, TagAndText, Duration };

struct ActionForm {
  std::string_view word;
  FaultAction action;
  Argument argument;
};

constexpr std::array<ActionForm, 14> actions{{
    {"reject", FaultAction::Reject, Argument::None},
    {"ignore", FaultAction::Ignore, Argument::None},
    {"withhold", FaultAction::Withhold, Argument::None},
    {"repeat", FaultAction::Repeat, Argument::None},
    {"lose", FaultAction::Lose, Argument::None},
    {"twice", FaultAction::Twice, Argument::None},
    {"change", FaultAction::Change, Argument::TagAndText},
    {"remove", FaultAction::Remove, Argument::Tag},
    {"checksum", FaultAction::Checksum, Argument::None},
    {"length", FaultAction::Length, Argument::None},
    {"halve", FaultAction::Halve, Argument::None},
    {"close", FaultAction::Close, Argument::None},
    {"keep-open", FaultAction::KeepOpen, Argument::None},
    {"delay", FaultAction::Delay, Argument::Duration},
}};

std::string_view take_word_of(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : base::trimmed(text.substr(end));
  return word;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

/// "200ms" or "2s", up to an hour.
std::optional<std::int64_t> delay_of(std::string_view text) {
  const bool ms = text.ends_with("ms");
  if (!ms && !text.ends_with('s')) {
    return std::nullopt;
  }
  text.remove_suffix(ms ? 2 : 1);
  const auto number = whole_number(text);
  constexpr std::uint64_t longest_ms = 3'600'000;
  if (!number || *number > longest_ms) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number) * (ms ? base::ns_per_ms : base::ns_per_second);
}

bool is_tag(std::string_view text) {
  return whole_number(text).value_or(0) != 0;
}

/// One line as a rule. The error is a text.
std::expected<FaultRule, std::string> rule_of(std::string_view rest) {
  FaultRule rule;
  const std::string_view direction = take_word_of(rest);
  std::string_view types = take_word_of(rest);
  while (types != "*" && !types.empty()) {
    const std::size_t comma = types.find(',');
    rule.types.emplace_back(types.substr(0, comma));
    types.remove_prefix(comma == std::string_view::npos ? types.size() : comma + 1);
  }
  std::string_view word = take_word_of(rest);
  for (; word.contains('='); word = take_word_of(rest)) {
    const std::size_t equals = word.find('=');
    if (!is_tag(word.substr(0, equals))) {
      return std::unexpected("a condition is TAG=VALUE");
    }
    rule.conditions.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  if (word == "every" || word == "first" || word == "after") {
    rule.pace = word == "every"   ? FaultRule::Pace::Every
                : word == "first" ? FaultRule::Pace::First
                                  : FaultRule::Pace::After;
    const auto count = whole_number(take_word_of(rest));
    if (!count || (*count == 0 && rule.pace != FaultRule::Pace::After)) {
      return std::unexpected("a number follows every, first and after");
    }
    rule.count = *count;
    word = take_word_of(rest);
  }
  const auto* const form = std::ranges::find(actions, word, &ActionForm::word);
  if (form == actions.end()) {
    return std::unexpected("no such action: " + std::string(word));
  }
  rule.action = form->action;
  const bool incoming = place_of(rule.action) == FaultPlace::Request;
  if (direction != (incoming ? "in" : "out")) {
    return std::unexpected(std::string(word) + " is an action of '" + (incoming ? "in" : "out") +
                           "'");
  }
  bool right = rest.empty();
  if (form->argument == Argument::Tag) {
    rule.tag = rest;
    right = is_tag(rest);
  } else if (form->argument == Argument::TagAndText) {
    const std::size_t equals = rest.find('=');
    rule.tag = rest.substr(0, equals);
    rule.text = equals == std::string_view::npos ? std::string_view() : rest.substr(equals + 1);
    right = is_tag(rule.tag) && !rule.text.empty();
  } else if (form->argument == Argument::Duration) {
    rule.delay_ns = delay_of(rest).value_or(-1);
    right = rule.delay_ns >= 0;
  }
  if (!right) {
    return std::unexpected("'" + std::string(word) + "' cannot be followed by '" +
                           std::string(rest) + "'");
  }
  return rule;
}

/// The first field's value, as a view; nothing: it is not there.
std::optional<std::string_view> value_in(std::string_view message, std::string_view tag) {
  while (!message.empty()) {
    const std::size_t end = message.find(soh);
    const std::string_view field = message.substr(0, end);
    if (field.size() > tag.size() && field[tag.size()] == '=' && field.starts_with(tag)) {
      return field.substr(tag.size() + 1);
    }
    message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
  }
  return std::nullopt;
}

bool has(std::string_view message, const FaultRule& rule) {
  const auto type = value_in(message, "35");
  if (!type || (!rule.types.empty() && std::ranges::find(rule.types, *type) == rule.types.end())) {
    return false;
  }
  return std::ranges::all_of(rule.conditions, [message](const auto& condition) {
    const auto value = value_in(message, condition.first);
    return value && (condition.second == "*" || *value == condition.second);
  });
}

bool is_due(const FaultRule& rule) {
  switch (rule.pace) {
    case FaultRule::Pace::Always:
      return true;
    case FaultRule::Pace::Every:
      return rule.matched % rule.count == 0;
    case FaultRule::Pace::First:
      return rule.matched <= rule.count;
    case FaultRule::Pace::After:
      break;
  }
  return rule.matched > rule.count;
}

}  // namespace

FaultPlace place_of(FaultAction action) noexcept {
  if (action < FaultAction::Withhold) {
    return FaultPlace::Request;
  }
  return action < FaultAction::Lose ? FaultPlace::Answer : FaultPlace::Bytes;
}

std::expected<FaultRules, std::string> FaultRules::parse(std::string_view text,
                                                         const std::string& file) {
  FaultRules rules;
  std::string problems;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = base::trimmed(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    constexpr std::string_view halt = "halt ";
    if (line.starts_with(halt)) {
      rules.halted_.emplace_back(base::trimmed(line.substr(halt.size())));
      continue;
    }
    auto rule = rule_of(line);
    if (!rule) {
      problems += file + ":" + std::to_string(number) + ": " + rule.error() + "\n";
      continue;
    }
    rule->line = number;
    rules.rules_.push_back(std::move(*rule));
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return rules;
}

std::expected<FaultRules, std::string> FaultRules::read(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) {
    return std::unexpected(file + ": cannot be read\n");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse(text, file);
}

const FaultRule* FaultRules::match(FaultPlace place, std::string_view message) noexcept {
  for (FaultRule& rule : rules_) {
    if (place_of(rule.action) != place || !has(message, rule)) {
      continue;
    }
    ++rule.matched;
    if (is_due(rule)) {
      return &rule;
    }
  }
  return nullptr;
}

std::string faulty(std::string_view message, const FaultRule& rule) {
  std::string begin;
  std::string body;
  bool edited = false;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find(soh), message.size() - 1);
    const std::string_view field = message.substr(0, end + 1);
    message.remove_prefix(end + 1);
    const std::string_view tag = field.substr(0, field.find('='));
    if (tag == "8") {
      begin = field;
    } else if (tag == "9" || tag == "10") {
      continue;
    } else if (tag == rule.tag && !edited) {
      edited = true;
      body += rule.action == FaultAction::Change ? rule.tag + "=" + rule.text + soh : std::string();
    } else {
      body += field;
    }
  }
  const std::size_t size = body.size() - (rule.action == FaultAction::Length ? 1 : 0);
  std::string bytes = begin + "9=" + std::to_string(size) + soh + body;
  unsigned sum = rule.action == FaultAction::Checksum ? 1 : 0;
  for (const char byte : bytes) {
    sum += static_cast<unsigned char>(byte);
  }
  std::array<char, 16> trailer;
  std::snprintf(trailer.data(), trailer.size(), "10=%03u\x01", sum % 256);
  return bytes + trailer.data();
}

}  // namespace affix::inline v0::tools::exchange
