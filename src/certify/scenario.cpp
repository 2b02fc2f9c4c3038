// SPDX-License-Identifier: MIT
// Parses scenarios line by line; reports every problem with its line.
#include "certify/scenario.hpp"

#include "affix/base/text.hpp"

#include "certify/text.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>

namespace affix::inline v0::certify {

namespace {

/// The spelling of a verb, its arguments, and whether it needs only connections.
struct Form {
  enum class Rest : std::uint8_t {
    Nothing,
    Text,
    OptionalText,
    Duration,
    Number,
    TwoNumbers,
    Name,
    Range,       // "NAME 9s..12s"
    Assignment,  // "NAME = VALUE"
    Comparison,  // "VALUE = VALUE"
    Count,       // "3", or "3 as NAME"
    List,        // "NAME in A, B"
    Switch,      // "on" or "off"
    Memory,      // "", or "without memory"
  };

  std::string_view word;
  Verb verb;
  Rest rest;
  bool plain = true;
  bool block = false;
};

using Rest = Form::Rest;

constexpr std::array<Form, 38> forms{{
    {"connect", Verb::Connect, Rest::Nothing},
    {"logon", Verb::Logon, Rest::OptionalText},
    {"logout", Verb::Logout, Rest::OptionalText},
    {">", Verb::Send, Rest::Text},
    {"raw", Verb::Raw, Rest::Text},
    {"again", Verb::Again, Rest::Nothing},
    {"<", Verb::Expect, Rest::Text},
    {"find", Verb::Find, Rest::Text},
    {"closed", Verb::Closed, Rest::Nothing},
    {"open", Verb::Open, Rest::Nothing},
    {"quiet", Verb::Quiet, Rest::Duration},
    {"rest", Verb::Rest, Rest::Nothing},
    {"disconnect", Verb::Disconnect, Rest::Nothing},
    {"drop", Verb::Drop, Rest::Nothing},
    {"restart", Verb::Restart, Rest::Memory},
    {"next", Verb::Next, Rest::Number},
    {"skip", Verb::Skip, Rest::Number},
    {"reading", Verb::Reading, Rest::Switch},
    {"wait", Verb::Wait, Rest::Duration},
    {"timer", Verb::Timer, Rest::Name},
    {"elapsed", Verb::Elapsed, Rest::Range},
    {"let", Verb::Let, Rest::Assignment},
    {"check", Verb::Check, Rest::Comparison},
    {"repeat", Verb::Repeat, Rest::Count, true, true},
    {"for", Verb::For, Rest::List, true, true},
    {"any", Verb::AnyOrder, Rest::Text, true, true},
    {"clock", Verb::Clock, Rest::Duration, false},
    {"app-send", Verb::AppSend, Rest::Text, false},
    {"app-logout", Verb::AppLogout, Rest::OptionalText, false},
    {"app-reset", Verb::AppReset, Rest::Nothing, false},
    {"app-refuse", Verb::AppRefuse, Rest::OptionalText, false},
    {"app-reject", Verb::AppReject, Rest::OptionalText, false},
    {"delivered", Verb::Delivered, Rest::Text},
    {"undelivered", Verb::Undelivered, Rest::Nothing},
    {"event", Verb::Event, Rest::Text},
    {"numbers", Verb::Numbers, Rest::TwoNumbers},
    {"kill", Verb::Kill, Rest::Memory},
    {"secret", Verb::Secret, Rest::Text},
}};

const Form* form_of(std::string_view word) {
  for (const Form& form : forms) {
    if (form.word == word) {
      return &form;
    }
  }
  return nullptr;
}

/// A peer's name begins with a capital letter, which no step does.
bool is_peer(std::string_view word) {
  return !word.empty() && word.front() >= 'A' && word.front() <= 'Z' && is_name(word);
}

/// Operators of `check`.
constexpr std::array<std::string_view, 6> comparisons{" <= ", " >= ", " != ", " = ", " < ", " > "};

class Parser {
 public:
  explicit Parser(std::string file) : file_(std::move(file)) {}

  void line(std::string_view text, int number) {
    line_ = number;
    text = base::trimmed(text);
    if (text.empty() || text.starts_with('#')) {
      return;
    }
    source_ = text;
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    if (word == "scenario") {
      end_blocks();
      begin_scenario(rest);
    } else if (scenarios_.empty()) {
      if (word != "let") {
        problem("a line before the first scenario");
      } else {
        add_default(rest, file_defaults_);
      }
    } else if (!head_line(word, rest)) {
      step_line(text);
    }
  }

  [[nodiscard]] std::expected<std::vector<Scenario>, std::string> result() && {
    end_blocks();
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
    scenario.id = base::trimmed(rest.substr(0, colon));
    scenario.title = colon == std::string_view::npos ? std::string_view()
                                                     : base::trimmed(rest.substr(colon + 1));
    if (scenario.id.empty() || scenario.title.empty()) {
      problem("a scenario is 'scenario ID: TITLE'");
    }
    scenario.file = file_;
    scenario.line = line_;
    scenario.roles = {Role::Acceptor, Role::Initiator};
    scenario.variables = file_defaults_;
    for (const Version& version : all_versions()) {
      scenario.versions.push_back(&version);
    }
    scenarios_.push_back(std::move(scenario));
  }

  /// Properties of the scenario, which precede its steps. False: a step.
  bool head_line(std::string_view word, std::string_view rest) {
    Scenario& scenario = scenarios_.back();
    if (word == "role") {
      set_roles(rest);
    } else if (word == "versions") {
      scenario.versions = versions_in(rest);
    } else if (word == "set") {
      add_setting(rest);
    } else if (word == "dictionary") {
      scenario.dictionary = true;
    } else if (word == "application") {
      scenario.application = true;
    } else if (word == "alone") {
      scenario.alone = true;
    } else if (word == "memory") {
      scenario.memory = true;
    } else if (word == "echo") {
      scenario.echo = true;
    } else if (word == "peer") {
      add_peer(rest);
    } else if (word == "let" && scenario.steps.empty() && blocks_.empty()) {
      add_default(rest, scenario.variables);
    } else {
      return false;
    }
    return true;
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
  std::vector<const Version*> versions_in(std::string_view rest) {
    std::vector<const Version*> versions;
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
    return versions;
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

  /// "NAME", "NAME as SENDER", "NAME as SENDER to TARGET".
  void add_peer(std::string_view rest) {
    PeerForm peer;
    peer.name = take_word(rest);
    bool right = is_peer(peer.name) && peer.name != "A";
    while (right && !rest.empty()) {
      const std::string_view word = take_word(rest);
      std::string& side = word == "as" ? peer.us : peer.them;
      right = (word == "as" || word == "to") && !rest.empty();
      side = take_word(rest);
    }
    for (const PeerForm& other : scenarios_.back().peers) {
      right = right && other.name != peer.name;
    }
    if (!right) {
      problem("a peer is 'peer NAME [as SENDER] [to TARGET]', once, and A is always there");
      return;
    }
    scenarios_.back().peers.push_back(std::move(peer));
  }

  void add_default(std::string_view rest, Settings& defaults) {
    Step step;
    if (!read_assignment(rest, step)) {
      problem("a variable is 'let NAME = VALUE'");
      return;
    }
    std::erase_if(defaults, [&](const auto& other) { return other.first == step.text; });
    defaults.emplace_back(step.text, step.values.front());
  }

  // --- Steps ---

  /// "[in VERSIONS:] [PEER] [within TIME] [maybe] [FAULT] STEP".
  void step_line(std::string_view rest) {
    Step step;
    step.line = line_;
    step.source = source_;
    std::string_view word = take_word(rest);
    if (word == "end" && rest.empty()) {
      end_block();
      return;
    }
    if (word == "in") {
      const std::size_t colon = rest.find(':');
      if (colon == std::string_view::npos) {
        problem("a step for some versions is 'in 4.4+: STEP'");
        return;
      }
      step.versions = versions_in(base::trimmed(rest.substr(0, colon)));
      rest = base::trimmed(rest.substr(colon + 1));
      word = take_word(rest);
    }
    if (is_peer(word)) {
      step.peer = word;
      word = take_word(rest);
    }
    if (word == "within") {
      const auto ns = duration_in(take_word(rest));
      step.within_ns = ns.value_or(0);
      if (step.within_ns <= 0) {
        problem("a limit is 'within 2s' or 'within 200ms'");
      }
      word = take_word(rest);
    }
    if (word == "maybe") {
      step.optional = true;
      word = take_word(rest);
    }
    word = take_fault(word, rest, step);
    add_step(word, rest, std::move(step));
  }

  std::string_view take_fault(std::string_view word, std::string_view& rest, Step& step) {
    if (word == "twice") {
      step.fault = SendFault::Twice;
      return take_word(rest);
    }
    if (word == "halves") {
      const auto ns = duration_in(take_word(rest));
      step.fault = SendFault::Halves;
      step.ns = ns.value_or(0);
      if (step.ns <= 0) {
        problem("a pause is 'halves 200ms > FIELDS'");
      }
      return take_word(rest);
    }
    if (word != "wrong") {
      return word;
    }
    const std::string_view what = take_word(rest);
    if (what == "checksum") {
      step.fault = SendFault::Checksum;
    } else if (what == "length") {
      step.fault = SendFault::Length;
    } else if (what == "group") {
      step.fault = SendFault::Group;
    } else {
      problem("wrong can be checksum, length or group");
    }
    return take_word(rest);
  }

  void add_step(std::string_view word, std::string_view rest, Step step) {
    const Form* const form = form_of(word);
    if (form == nullptr) {
      problem("no such step: " + std::string(word));
      return;
    }
    step.verb = form->verb;
    step.text = rest;
    if (!read_rest(*form, rest, step)) {
      problem("'" + std::string(word) + "' cannot be followed by '" + std::string(rest) + "'");
    }
    const bool expects = step.verb == Verb::Expect || step.verb == Verb::Find;
    if (step.within_ns != 0 && !expects && step.verb != Verb::Closed) {
      problem("'within' belongs before '<', 'find' or 'closed'");
    }
    if (step.optional && step.verb != Verb::Expect) {
      problem("'maybe' belongs before '<'");
    }
    if (step.fault != SendFault::None && step.verb != Verb::Send) {
      problem("a fault belongs before '>'");
    }
    if (!blocks_.empty() && blocks_.back().verb == Verb::AnyOrder && step.verb != Verb::Expect) {
      problem("'any order' contains '<' alone");
    }
    Scenario& scenario = scenarios_.back();
    scenario.plain = scenario.plain && form->plain;
    if (step.verb == Verb::Kill) {
      // It ends the connections of all sessions.
      scenario.alone = true;
      (step.first == 1 ? scenario.kills : scenario.kills_memory) = true;
    }
    scenario.longest_wait_ns = std::max(scenario.longest_wait_ns, step.ns);
    if (form->block) {
      if (blocks_.size() >= block_depth_max) {
        problem("blocks are too deep");
        return;
      }
      blocks_.push_back(std::move(step));
      return;
    }
    steps().push_back(std::move(step));
  }

  std::vector<Step>& steps() {
    return blocks_.empty() ? scenarios_.back().steps : blocks_.back().body;
  }

  void end_block() {
    if (blocks_.empty()) {
      problem("'end' without a block");
      return;
    }
    Step block = std::move(blocks_.back());
    blocks_.pop_back();
    if (block.body.empty()) {
      problem("the block has no steps");
    }
    steps().push_back(std::move(block));
  }

  void end_blocks() {
    while (!blocks_.empty()) {
      problem("the block of line " + std::to_string(blocks_.back().line) + " has no 'end'");
      blocks_.pop_back();
    }
  }

  // --- Arguments ---

  static bool read_rest(const Form& form, std::string_view rest, Step& step) {
    switch (form.rest) {
      case Rest::Nothing:
        return rest.empty();
      case Rest::Text:
        return form.verb == Verb::AnyOrder ? rest == "order" : !rest.empty();
      case Rest::OptionalText:
        return true;
      case Rest::Duration: {
        const auto ns = duration_in(rest);
        step.ns = ns.value_or(0);
        return ns && (*ns >= 0 || form.verb == Verb::Clock);
      }
      case Rest::Name:
        return is_name(rest);
      case Rest::Range:
        return read_range(rest, step);
      case Rest::Assignment:
        return read_assignment(rest, step);
      case Rest::Comparison:
        return read_comparison(rest, step);
      case Rest::Count:
        return read_count(rest, step);
      case Rest::List:
        return read_list(rest, step);
      case Rest::Switch:
        step.first = rest == "on" ? 1 : 0;
        return rest == "on" || rest == "off";
      case Rest::Memory:
        step.first = rest.empty() ? 1 : 0;
        return rest.empty() || rest == "without memory";
      case Rest::Number:
      case Rest::TwoNumbers:
        break;
    }
    const auto first = number_in(take_word(rest));
    step.first = first.value_or(0);
    if (form.rest == Rest::Number) {
      return first && rest.empty();
    }
    const auto second = number_in(rest);
    step.second = second.value_or(0);
    return first && second;
  }

  static bool read_range(std::string_view rest, Step& step) {
    step.text = take_word(rest);
    const std::size_t dots = rest.find("..");
    if (!is_name(step.text) || dots == std::string_view::npos) {
      return false;
    }
    const auto least = duration_in(rest.substr(0, dots));
    const auto most = duration_in(rest.substr(dots + 2));
    step.ns = least.value_or(0);
    step.ns_max = most.value_or(0);
    return least && most && *least >= 0 && *least <= *most;
  }

  static bool read_assignment(std::string_view rest, Step& step) {
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) {
      return false;
    }
    step.text = base::trimmed(rest.substr(0, equals));
    step.values = {std::string(base::trimmed(rest.substr(equals + 1)))};
    return is_name(step.text);
  }

  static bool read_comparison(std::string_view rest, Step& step) {
    for (const std::string_view sign : comparisons) {
      if (const std::size_t at = rest.find(sign); at != std::string_view::npos) {
        step.text = base::trimmed(sign);
        step.values = {std::string(base::trimmed(rest.substr(0, at))),
                       std::string(base::trimmed(rest.substr(at + sign.size())))};
        return true;
      }
    }
    return false;
  }

  static bool read_count(std::string_view rest, Step& step) {
    const auto count = number_in(take_word(rest));
    step.first = count.value_or(0);
    step.text.clear();
    if (rest.empty()) {
      return count && *count <= repeats_max;
    }
    const bool as = take_word(rest) == "as";
    step.text = rest;
    return count && *count <= repeats_max && as && is_name(rest);
  }

  static bool read_list(std::string_view rest, Step& step) {
    step.text = take_word(rest);
    const bool in = take_word(rest) == "in";
    for (const std::string_view value : split_list(rest)) {
      step.values.emplace_back(value);
    }
    return in && is_name(step.text) && !rest.empty() && step.values.size() <= repeats_max;
  }

  static constexpr std::uint64_t repeats_max = 1'000'000;

  std::string file_;
  int line_ = 0;
  std::string_view source_;
  Settings file_defaults_;
  std::vector<Scenario> scenarios_;
  std::vector<Step> blocks_;  ///< Open ones, outermost first.
  std::string problems_;
};

}  // namespace

std::string_view to_text(Role role) noexcept {
  return role == Role::Acceptor ? "acceptor" : "initiator";
}

std::expected<std::vector<Scenario>, std::string> parse_scenarios(std::string_view text,
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

std::expected<std::vector<Scenario>, std::string> read_scenarios(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) {
    return std::unexpected(file + ": cannot be read\n");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse_scenarios(text, file);
}

}  // namespace affix::inline v0::certify
