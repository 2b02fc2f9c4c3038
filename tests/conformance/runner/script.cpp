// SPDX-License-Identifier: MIT
// Parses scripts line by line; reports every problem with its line.
#include "script.hpp"

#include "affix/base/time.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>

namespace affix::conformance {

namespace {

using affix::base::ns_per_ms;
using affix::base::ns_per_second;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Removes the first word from `text`.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : trimmed(text.substr(end));
  return word;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

/// "5s", "200ms", "-10s".
std::optional<std::int64_t> duration_in(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) {
    text.remove_prefix(1);
  }
  std::int64_t unit = ns_per_second;
  if (text.ends_with("ms")) {
    unit = ns_per_ms;
    text.remove_suffix(2);
  } else if (text.ends_with('s')) {
    text.remove_suffix(1);
  } else {
    return std::nullopt;
  }
  const auto number = number_in(text);
  constexpr std::uint64_t longest = 1'000'000'000;
  if (!number || *number > longest) {
    return std::nullopt;
  }
  const std::int64_t ns = static_cast<std::int64_t>(*number) * unit;
  return negative ? -ns : ns;
}

/// The spelling of a verb, its arguments, and whether an external acceptor supports it.
struct Form {
  enum class Rest : std::uint8_t { Nothing, Text, OptionalText, Duration, Number, TwoNumbers };

  std::string_view word;
  Verb verb;
  Rest rest;
  bool plain;
};

constexpr std::array<Form, 24> forms{{
    {"connect", Verb::Connect, Form::Rest::Nothing, true},
    {"logon", Verb::Logon, Form::Rest::OptionalText, true},
    {">", Verb::Send, Form::Rest::Text, true},
    {"raw", Verb::Raw, Form::Rest::Text, true},
    {"<", Verb::Expect, Form::Rest::Text, true},
    {"closed", Verb::Closed, Form::Rest::Nothing, true},
    {"open", Verb::Open, Form::Rest::Nothing, true},
    {"quiet", Verb::Quiet, Form::Rest::Duration, true},
    {"rest", Verb::Rest, Form::Rest::Nothing, true},
    {"disconnect", Verb::Disconnect, Form::Rest::Nothing, true},
    {"next", Verb::Next, Form::Rest::Number, true},
    {"wait", Verb::Wait, Form::Rest::Duration, true},
    {"clock", Verb::Clock, Form::Rest::Duration, false},
    {"app-send", Verb::AppSend, Form::Rest::Text, false},
    {"app-logout", Verb::AppLogout, Form::Rest::OptionalText, false},
    {"app-reset", Verb::AppReset, Form::Rest::Nothing, false},
    {"app-refuse", Verb::AppRefuse, Form::Rest::OptionalText, false},
    {"app-reject", Verb::AppReject, Form::Rest::OptionalText, false},
    {"delivered", Verb::Delivered, Form::Rest::Text, false},
    {"undelivered", Verb::Undelivered, Form::Rest::Nothing, false},
    {"event", Verb::Event, Form::Rest::Text, false},
    {"numbers", Verb::Numbers, Form::Rest::TwoNumbers, false},
    {"kill", Verb::Kill, Form::Rest::Nothing, false},
    {"secret", Verb::Secret, Form::Rest::Text, false},
}};

const Form* form_of(std::string_view word) {
  for (const Form& form : forms) {
    if (form.word == word) {
      return &form;
    }
  }
  return nullptr;
}

class Parser {
 public:
  explicit Parser(std::string file) : file_(std::move(file)) {}

  void line(std::string_view text, int number) {
    line_ = number;
    text = trimmed(text);
    if (text.empty() || text.starts_with('#')) {
      return;
    }
    std::string_view rest = text;
    std::string_view word = take_word(rest);
    if (word == "scenario") {
      begin_scenario(rest);
      return;
    }
    if (scenarios_.empty()) {
      problem("a line before the first scenario");
      return;
    }
    if (word == "role") {
      set_roles(rest);
    } else if (word == "versions") {
      set_versions(rest);
    } else if (word == "set") {
      add_setting(rest);
    } else if (word == "dictionary") {
      scenarios_.back().dictionary = true;
    } else {
      char peer = 'A';
      if (word == "B") {
        peer = 'B';
        word = take_word(rest);
      }
      add_step(word, rest, peer);
    }
  }

  [[nodiscard]] std::expected<std::vector<Scenario>, std::string> result() && {
    for (const Scenario& scenario : scenarios_) {
      if (scenario.steps.empty()) {
        line_ = scenario.line;
        problem("scenario " + scenario.id + " has no steps");
      }
    }
    if (!problems_.empty()) {
      return std::unexpected(std::move(problems_));
    }
    return std::move(scenarios_);
  }

 private:
  void problem(const std::string& text) {
    problems_ += file_ + ":" + std::to_string(line_) + ": " + text + "\n";
  }

  void begin_scenario(std::string_view rest) {
    const std::size_t colon = rest.find(':');
    Scenario scenario;
    scenario.id = trimmed(rest.substr(0, colon));
    scenario.title =
        colon == std::string_view::npos ? std::string_view() : trimmed(rest.substr(colon + 1));
    if (scenario.id.empty() || scenario.title.empty()) {
      problem("a scenario is 'scenario ID: TITLE'");
    }
    scenario.file = file_;
    scenario.line = line_;
    scenario.roles = {Role::Acceptor, Role::Initiator};
    for (const Version& version : all_versions()) {
      scenario.versions.push_back(&version);
    }
    scenarios_.push_back(std::move(scenario));
  }

  void set_roles(std::string_view rest) {
    std::vector<Role>& roles = scenarios_.back().roles;
    if (rest == "acceptor") {
      roles = {Role::Acceptor};
    } else if (rest == "initiator") {
      roles = {Role::Initiator};
    } else if (rest != "both") {
      problem("a role is acceptor, initiator or both");
    }
  }

  /// "4.2 4.4", or "4.1+" for it and all later versions.
  void set_versions(std::string_view rest) {
    std::vector<const Version*>& versions = scenarios_.back().versions;
    versions.clear();
    while (!rest.empty()) {
      std::string_view word = take_word(rest);
      const bool later = word.ends_with('+');
      if (later) {
        word.remove_suffix(1);
      }
      const Version* const version = find_version(word);
      if (version == nullptr) {
        problem("no version " + std::string(word));
        continue;
      }
      const Version* const end = all_versions().data() + all_versions().size();
      for (const Version* each = version; each != (later ? end : version + 1); ++each) {
        versions.push_back(each);
      }
    }
  }

  void add_setting(std::string_view rest) {
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) {
      problem("a setting is 'set KEY=VALUE'");
      return;
    }
    scenarios_.back().settings.emplace_back(rest.substr(0, equals), rest.substr(equals + 1));
    scenarios_.back().plain = false;
  }

  void add_step(std::string_view word, std::string_view rest, char peer) {
    const Form* const form = form_of(word);
    if (form == nullptr) {
      problem("no such step: " + std::string(word));
      return;
    }
    Step step;
    step.line = line_;
    step.verb = form->verb;
    step.peer = peer;
    step.text = rest;
    if (!read_rest(*form, rest, step)) {
      problem("'" + std::string(word) + "' cannot be followed by '" + std::string(rest) + "'");
    }
    Scenario& scenario = scenarios_.back();
    scenario.plain = scenario.plain && form->plain;
    scenario.steps.push_back(std::move(step));
  }

  static bool read_rest(const Form& form, std::string_view rest, Step& step) {
    switch (form.rest) {
      case Form::Rest::Nothing:
        return rest.empty();
      case Form::Rest::Text:
        return !rest.empty();
      case Form::Rest::OptionalText:
        return true;
      case Form::Rest::Duration: {
        const auto ns = duration_in(rest);
        step.ns = ns.value_or(0);
        return ns && (*ns >= 0 || form.verb == Verb::Clock);
      }
      case Form::Rest::Number:
      case Form::Rest::TwoNumbers:
        break;
    }
    const auto first = number_in(take_word(rest));
    step.first = first.value_or(0);
    if (form.rest == Form::Rest::Number) {
      return first && rest.empty();
    }
    const auto second = number_in(rest);
    step.second = second.value_or(0);
    return first && second;
  }

  std::string file_;
  int line_ = 0;
  std::vector<Scenario> scenarios_;
  std::string problems_;
};

}  // namespace

std::string_view to_text(Role role) noexcept {
  return role == Role::Acceptor ? "acceptor" : "initiator";
}

std::expected<std::vector<Scenario>, std::string> parse_script(std::string_view text,
                                                               const std::string& file) {
  Parser parser(file);
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    parser.line(text.substr(0, end), ++number);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return std::move(parser).result();
}

std::expected<std::vector<Scenario>, std::string> read_script(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) {
    return std::unexpected(file + ": cannot be read\n");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse_script(text, file);
}

}  // namespace affix::conformance
