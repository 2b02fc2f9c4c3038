// SPDX-License-Identifier: MIT
// Matches the words of a request with the description of its command.
#include "affix/admin/command.hpp"
#include "affix/base/choice.hpp"
#include "affix/base/text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace affix::inline v0::admin {

namespace {

constexpr std::size_t digits_max = 18;

bool is_number(std::string_view word) noexcept {
  return !word.empty() && word.size() <= digits_max && std::ranges::all_of(word, base::is_digit);
}

std::string in_quotes(std::string_view word) {
  return "'" + std::string(word) + "'";
}

/// Takes words from the front, and keeps the fault of the first that does not fit.
class Binding {
 public:
  Binding(std::span<const std::string> words, const GroupNames& groups)
      : words_(words), groups_(groups) {}

  [[nodiscard]] std::string take(const ArgumentDescription& argument) {
    if (words_.empty()) {
      if (!argument.optional) {
        fail("<" + std::string(argument.name) + "> is missing");
      }
      return {};
    }
    switch (argument.kind) {
      case ArgumentKind::Session:
        return session();
      case ArgumentKind::Instance:
        return known(groups_.is_instance(words_.front()), "client or server");
      case ArgumentKind::Scope:
        return known(words_.front() == "engine" || groups_.is_instance(words_.front()) ||
                         groups_.is_session(words_.front()),
                     "instance or session");
      case ArgumentKind::Command:
        if (find_command(words_.front()) == nullptr) {
          fail("there is no command " + in_quotes(words_.front()));
        }
        return next();
      case ArgumentKind::Number:
        if (!is_number(words_.front())) {
          fail(in_quotes(words_.front()) + " is not a whole number");
        }
        return next();
      case ArgumentKind::Choice:
        return choice(argument);
      case ArgumentKind::Text:
      case ArgumentKind::Settings:
        return rest(argument.kind == ArgumentKind::Text ? ' ' : '\n');
      case ArgumentKind::Group:
      case ArgumentKind::FailoverGroup:
      case ArgumentKind::Node:
      case ArgumentKind::Name:
      case ArgumentKind::Secret:
        break;
    }
    return next();
  }

  [[nodiscard]] bool empty() const noexcept { return words_.empty(); }

  /// Keeps the reason why words are left that no argument took.
  void refuse_surplus() {
    if (owner_.empty()) {
      fail("too many words");
    } else {
      fail_unknown(no_session_of(owner_, words_.front()));
    }
  }

  [[nodiscard]] const std::optional<base::Error>& fault() const noexcept { return fault_; }

 private:
  void fail(std::string text) {
    keep({base::ErrorCode::InvalidArgument, std::move(text), {}, "A103"});
  }

  void fail_unknown(std::string text) {
    keep({base::ErrorCode::NotFound, std::move(text), {}, "A104"});
  }

  void keep(base::Error fault) {
    if (!fault_) {
      fault_ = std::move(fault);
    }
  }

  std::string next() {
    std::string word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }

  static std::string no_session_of(const std::string& instance, const std::string& session) {
    return "there is no session " + in_quotes(session) + " of " + instance;
  }

  std::string known(bool is, std::string_view what) {
    if (!is) {
      fail_unknown("there is no " + std::string(what) + " " + in_quotes(words_.front()));
    }
    return next();
  }

  std::string session() {
    const std::string& first = words_.front();
    if (groups_.is_instance(first)) {
      if (words_.size() > 1 && groups_.instance_of(words_[1]) == first) {
        words_ = words_.subspan(1);
        return next();
      }
      const std::string_view only = groups_.only_session_of(first);
      if (only.empty()) {
        fail_unknown(words_.size() == 1
                         ? first + " has not just one session: say which"
                         : no_session_of(first, words_[1]) + ", which has not just one: say which");
      } else if (words_.size() > 1 && groups_.is_session(words_[1])) {
        // Never substitutes one session for another's name.
        fail_unknown(no_session_of(first, words_[1]));
      }
      owner_ = next();
      return std::string(only);
    }
    return known(groups_.is_session(first), "session");
  }

  std::string choice(const ArgumentDescription& argument) {
    std::string word = next();
    if (!base::is_choice(argument.choices, word)) {
      word = base::in_upper_case(word);
    }
    if (!base::is_choice(argument.choices, word)) {
      fail("<" + std::string(argument.name) + "> is one of " + std::string(argument.choices));
    }
    return word;
  }

  std::string rest(char between) {
    std::string text = next();
    while (!words_.empty()) {
      text += between + next();
    }
    return text;
  }

  std::span<const std::string> words_;
  const GroupNames& groups_;
  std::optional<base::Error> fault_;
  std::string owner_;  ///< Group named in place of its only session; empty: none.
};

}  // namespace

std::string usage_of(const CommandDescription& command) {
  std::string usage(command.name);
  for (const ArgumentDescription& argument : command.arguments) {
    const bool word = argument.kind == ArgumentKind::Choice && argument.choices == argument.name;
    const std::string name =
        word ? std::string(argument.name) : "<" + std::string(argument.name) + ">";
    usage += argument.optional ? " [" + name + "]" : " " + name;
  }
  return usage;
}

std::expected<std::vector<std::string>, base::Error> bind_arguments(
    const CommandDescription& command, std::span<const std::string> words,
    const GroupNames& groups) {
  Binding binding(words, groups);
  std::vector<std::string> bound;
  for (const ArgumentDescription& argument : command.arguments) {
    if (!binding.fault()) {
      bound.push_back(binding.take(argument));
    }
  }
  if (!binding.fault() && !binding.empty()) {
    binding.refuse_surplus();
  }
  if (binding.fault()) {
    base::Error fault = *binding.fault();
    fault.message += " (" + usage_of(command) + ")";
    return std::unexpected(std::move(fault));
  }
  return bound;
}

std::uint64_t number_of(std::string_view word) noexcept {
  if (!is_number(word)) {
    return 0;
  }
  std::uint64_t number = 0;
  for (const char digit : word) {
    number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  return number;
}

std::string reference_text() {
  std::string text;
  std::string_view section;
  for (const CommandDescription& command : commands()) {
    if (command.section != section) {
      section = command.section;
      text += "\n### " + std::string(section) +
              "\n\n| command | role | what it does |\n|---|---|---|\n";
    }
    text += "| `" + usage_of(command) + "` | " + to_text(command.role) + " | " +
            std::string(command.summary) + ".";
    if (!command.detail.empty()) {
      text += " " + std::string(command.detail);
    }
    text += " |\n";
  }
  return text;
}

}  // namespace affix::inline v0::admin
