// SPDX-License-Identifier: MIT
// Commands and options of a program's command line. Only options.cpp knows the library that parses
// them, since each source that includes that library takes seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace affix::inline v0::tools {

/// An option or a positional argument of a Command; a reference that is copied. Each function
/// changes the option and returns the reference.
class Option {
 public:
  explicit Option(CLI::Option& option) noexcept : option_(&option) {}

  Option required() const;

  /// Takes `required()` back; for another option that replaces this one.
  Option optional() const;

  /// Help shows the value that the variable has now.
  Option with_default() const;

  Option one_of(std::vector<std::string> words) const;

  /// Shells offer the words that `words` returns, and manual pages list them; other values are
  /// accepted too. It is called for form() only.
  Option suggests(std::function<std::vector<std::string>()> words) const;

  Option between(std::int64_t least, std::int64_t most) const;

  Option between_decimals(double least, double most) const;

  Option not_negative() const;

  Option existing_directory() const;

  /// Refuses a value that is not right, with the text `refusal`.
  Option checked(std::function<bool(const std::string&)> is_right, std::string refusal) const;

  /// A value may be several, with the delimiter between them.
  Option separated_by(char delimiter) const;

  /// Takes one value each time that it is given, so that a positional argument may follow.
  Option one_value() const;

  /// Takes any number of values, none too.
  Option any_number() const;

  /// Calls an action's function while the command line is read, before anything is checked.
  Option at_once() const;

  Option needs(Option other) const;

  Option excludes(Option other) const;

 private:
  CLI::Option* option_;
};

/// Form of an option, for completion and manual pages.
struct OptionForm {
  std::vector<std::string> names{};  ///< "--follow", "-f"; empty: only positional.
  std::string shown{};               ///< As in a list: "path", "--follow,-f".
  std::string positional{};          ///< "paths ..."; empty: it is none.
  std::string description{};
  std::vector<std::string> choices{};
  std::vector<std::string> suggestions{};  ///< Words that are offered, and do not bind.
  std::string default_value{};
  bool required = false;
};

/// Form of a command and its commands.
struct CommandForm {
  std::string name{};
  std::string description{};
  std::vector<OptionForm> options{};
  std::vector<CommandForm> commands{};
};

/// A program or one of its commands; a reference that is copied. Variables that it is given outlive
/// the parsing.
class Command {
 public:
  Command(CLI::App& app, int& status) noexcept : app_(&app), status_(&status) {}

  /// Where it is given, no option of this command is required.
  // NOLINTNEXTLINE(modernize-use-nodiscard): not every command gets options.
  Command add_command(const std::string& name, const std::string& description);

  /// One of its commands has to be given.
  void require_command();

  /// `names` such as "--out", "--follow,-f", or "path" for a positional argument. Instantiated for
  /// the types in options.cpp.
  template <typename Value>
  Option add_option(const std::string& names, Value& value, const std::string& description);

  /// Calls `action` with the option's value, or with all of them.
  Option add_action(const std::string& names, std::function<void(const std::string&)> action,
                    const std::string& description);
  Option add_action(const std::string& names,
                    std::function<void(const std::vector<std::string>&)> action,
                    const std::string& description);

  /// "--spin,!--block": the second name says no.
  Option add_flag(const std::string& names, bool& value, const std::string& description);

  /// Runs after the parsing, if none of its commands does. Returns the exit code.
  void on_run(std::function<int()> run);

  [[nodiscard]] CommandForm form() const;

 private:
  CLI::App* app_;
  int* status_;
};

/// Within on_run(): refuses the command line as one without this argument.
[[noreturn]] void refuse_without(const std::string& name);

/// Exit code of a wrong command line.
inline constexpr int usage_status = 2;

struct ProgramText {
  std::string name;
  std::string description;
  std::string version{};
  std::string footer{};  ///< Below the list of commands.
};

/// Parses the command line and runs what it selects. Returns the exit code.
[[nodiscard]] int run_command_line(const ProgramText& text,
                                   const std::function<void(Command program)>& add_commands,
                                   int argc, char** argv);

}  // namespace affix::inline v0::tools
