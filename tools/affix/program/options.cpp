// SPDX-License-Identifier: MIT
// Passes everything on to CLI11, and words its errors.
#include "program/options.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdio>
#include <optional>
#include <utility>

namespace affix::inline v0::tools {

namespace {

constexpr int no_command_ran = -1;

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

/// The words of a choice; CLI11 shows them as "TEXT:{text,json,raw}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) {
    return {};
  }
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// Name of the validator that keeps an option's suggestions. It is inactive, so that the parsing
/// does not run it.
constexpr const char* suggestions_name = "suggestions";

/// No word has it.
constexpr char suggestion_end = '\n';

std::vector<std::string> suggestions_of(CLI::Option& option) {
  try {
    const CLI::Validator& kept = *option.get_validator(suggestions_name);
    // An active copy answers with the words.
    return CLI::detail::split(kept.active(true)(std::string()), suggestion_end);
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

OptionForm form_of(CLI::Option& option) {
  OptionForm form{.shown = option.get_positional() && option.get_lnames().empty()
                               ? option.get_name(true)
                               : option.get_name(false, true),
                  .positional = option.get_positional() ? option.get_name(true) : std::string(),
                  .description = option.get_description(),
                  .choices = choices_of(option),
                  .suggestions = suggestions_of(option),
                  .default_value = option.get_default_str(),
                  .required = option.get_required()};
  for (const std::string& name : option.get_lnames()) {
    form.names.push_back("--" + name);
  }
  for (const std::string& name : option.get_snames()) {
    form.names.push_back("-" + name);
  }
  return form;
}

CommandForm form_of(CLI::App& command) {
  CommandForm form{.name = command.get_name(), .description = command.get_description()};
  // Help of a program begins with its name, see run_command_line().
  if (const std::string name = form.name + ": "; form.description.starts_with(name)) {
    form.description.erase(0, name.size());
  }
  for (CLI::Option* const option : command.get_options()) {
    form.options.push_back(form_of(*option));
  }
  for (CLI::App* const inner : command.get_subcommands([](CLI::App*) { return true; })) {
    form.commands.push_back(form_of(*inner));
  }
  return form;
}

/// An unknown word in place of a command, with the existing commands; empty: there is none.
std::string say_wrong_command(const CLI::App& program) {
  const auto commands = commands_of(program);
  const auto words = program.remaining();
  if (commands.empty() || words.empty() || words.front().starts_with('-')) {
    return {};
  }
  std::string text = "no command '" + words.front() + "'; there are";
  for (const CLI::App* const command : commands) {
    text += (command == commands.front() ? " " : ", ") + command->get_name();
  }
  return text;
}

/// Names the command with the faulty arguments, so that the user reads its help.
std::string say_what_is_wrong(const CLI::App* program, const CLI::Error& error) {
  std::string name = program->get_name();
  for (auto inner = program->get_subcommands(); !inner.empty();
       inner = program->get_subcommands()) {
    program = inner.front();
    name += " " + program->get_name();
  }
  std::string text = say_wrong_command(*program);
  if (text.empty()) {
    text = error.what();
  }
  return name + ": " + text + " [P101]\n" + name + " --help says more.\n";
}

}  // namespace

Option Option::required() const {
  option_->required();
  return *this;
}

Option Option::optional() const {
  option_->required(false);
  return *this;
}

Option Option::with_default() const {
  option_->capture_default_str();
  return *this;
}

Option Option::one_of(std::vector<std::string> words) const {
  option_->check(CLI::IsMember(std::move(words)));
  return *this;
}

Option Option::suggests(std::function<std::vector<std::string>()> words) const {
  CLI::Validator keeper(
      [words = std::move(words)](std::string&) {
        return CLI::detail::join(words(), std::string(1, suggestion_end));
      },
      std::string(), suggestions_name);
  option_->check(keeper.active(false));
  return *this;
}

Option Option::between(std::int64_t least, std::int64_t most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::between_decimals(double least, double most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::not_negative() const {
  option_->check(CLI::NonNegativeNumber);
  return *this;
}

Option Option::existing_directory() const {
  option_->check(CLI::ExistingDirectory);
  return *this;
}

Option Option::checked(std::function<bool(const std::string&)> is_right,
                       std::string refusal) const {
  option_->check(
      [is_right = std::move(is_right), refusal = std::move(refusal)](const std::string& value) {
        return is_right(value) ? std::string() : refusal;
      });
  return *this;
}

Option Option::separated_by(char delimiter) const {
  option_->delimiter(delimiter);
  return *this;
}

Option Option::one_value() const {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::any_number() const {
  option_->expected(0, -1);
  return *this;
}

Option Option::at_once() const {
  option_->trigger_on_parse();
  return *this;
}

Option Option::needs(Option other) const {
  option_->needs(other.option_);
  return *this;
}

Option Option::excludes(Option other) const {
  option_->excludes(other.option_);
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& description) {
  CLI::App* const command = app_->add_subcommand(name, description);
  command->preparse_callback([app = app_](std::size_t) {
    for (CLI::Option* const option : app->get_options()) {
      option->required(false);
    }
  });
  return {*command, *status_};
}

void Command::require_command() {
  app_->require_subcommand(1);
}

template <typename Value>
Option Command::add_option(const std::string& names, Value& value, const std::string& description) {
  return Option(*app_->add_option(names, value, description));
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::uint32_t>&,
                                    const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, unsigned int&, const std::string&);
template Option Command::add_option(const std::string&, long&, const std::string&);
template Option Command::add_option(const std::string&, unsigned long&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<unsigned int>&,
                                    const std::string&);
template Option Command::add_option(const std::string&, std::optional<unsigned long>&,
                                    const std::string&);

Option Command::add_action(const std::string& names, std::function<void(const std::string&)> action,
                           const std::string& description) {
  return Option(*app_->add_option_function<std::string>(names, std::move(action), description));
}

Option Command::add_action(const std::string& names,
                           std::function<void(const std::vector<std::string>&)> action,
                           const std::string& description) {
  return Option(
      *app_->add_option_function<std::vector<std::string>>(names, std::move(action), description));
}

Option Command::add_flag(const std::string& names, bool& value, const std::string& description) {
  return Option(*app_->add_flag(names, value, description));
}

void Command::on_run(std::function<int()> run) {
  app_->callback([app = app_, status = status_, run = std::move(run)] {
    if (app->get_subcommands().empty()) {
      *status = run();
    }
  });
}

CommandForm Command::form() const {
  return form_of(*app_);
}

void refuse_without(const std::string& name) {
  throw CLI::RequiredError(name);
}

int run_command_line(const ProgramText& text,
                     const std::function<void(Command program)>& add_commands, int argc,
                     char** argv) {
  CLI::App program(text.name + ": " + text.description, text.name);
  if (!text.version.empty()) {
    program.set_version_flag("--version", text.name + " " + text.version);
  }
  program.footer(text.footer);
  // Not required: CLI11 would report a missing subcommand before it examines a word that names
  // none.
  program.require_subcommand(0, 1);
  int status = no_command_ran;
  add_commands({program, status});
  program.failure_message(say_what_is_wrong);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version also end here, with 0.
    return program.exit(error) == 0 ? 0 : usage_status;
  }
  if (status == no_command_ran) {
    std::fputs(program.help().c_str(), stderr);
    return usage_status;
  }
  return status;
}

}  // namespace affix::inline v0::tools
