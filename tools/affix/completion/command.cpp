// SPDX-License-Identifier: MIT
// Walks over the commands, and writes each kind of file.
#include "completion/command.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::completion {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

/// The words of a choice, separated by spaces; CLI11 shows them as "TEXT:{text,json,raw}".
std::string choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) {
    return {};
  }
  std::string words = type.substr(open + 1, close - open - 1);
  std::ranges::replace(words, ',', ' ');
  return words;
}

// --- bash ---

/// Lines of two tables: the words allowed after a command, and the words of an option's value.
struct BashTables {
  std::string words;
  std::string values;
};

void add_tables(const CLI::App& command, const std::string& path, BashTables& tables) {
  std::string words;
  for (const CLI::App* const inner : commands_of(command)) {
    words += inner->get_name() + " ";
    add_tables(*inner, path + inner->get_name() + " ", tables);
  }
  for (const CLI::Option* const option : command.get_options()) {
    std::vector<std::string> names;
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames()) {
      names.push_back("-" + name);
    }
    const std::string choices = choices_of(*option);
    for (const std::string& name : names) {
      words += name + " ";
      if (!choices.empty()) {
        tables.values += "  [\"" + path + name + "\"]=\"" + choices + "\"\n";
      }
    }
  }
  tables.words += "  [\"" + path + "\"]=\"" + words + "\"\n";
}

/// The tables' keys begin with the program's name, as bash has no empty keys.
constexpr std::string_view bash_script =
    R"(# Completion of @name@ in bash, made by `@name@ completion bash`.
declare -A _@variable@_words=(
@words@)
declare -A _@variable@_values=(
@values@)
_@variable@() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local path="@name@ " at
  for ((at = 1; at < COMP_CWORD; ++at)); do
    [[ -v _@variable@_words["$path${COMP_WORDS[at]} "] ]] || break
    path+="${COMP_WORDS[at]} "
  done
  local values=${_@variable@_values["$path$previous"]}
  if [[ -n $values ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
    return
  fi
  # Where no command is due, a word that is no option is a file.
  COMPREPLY=()
  if [[ $current == -* || ${_@variable@_words["$path"]} != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${_@variable@_words["$path"]}" -- "$current")
  fi
}
complete -o bashdefault -o default -F _@variable@ @name@
)";

void replace_all(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

// --- Manual pages ---

/// Text escaped for roff, so that it contains no request or escape.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\n') {
      result += ' ';
    } else {
      result += c;
    }
  }
  if (result.starts_with('.') || result.starts_with('\'')) {
    result.insert(0, "\\&");
  }
  return result;
}

std::string in_upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

std::string item(const std::string& term, const std::string& text) {
  return ".TP\n.B " + roff(term) + "\n" + roff(text) + "\n";
}

std::string option_item(const CLI::Option& option) {
  std::string term = option.get_positional() && option.get_lnames().empty()
                         ? option.get_name(true)
                         : option.get_name(false, true);
  const std::string choices = choices_of(option);
  std::string text = option.get_description();
  if (!choices.empty()) {
    text += " (one of " + choices + ")";
  }
  if (!option.get_default_str().empty()) {
    text += " [" + option.get_default_str() + "]";
  }
  return item(term, text.empty() ? "-" : text);
}

std::string synopsis_of(const CLI::App& command, const std::string& called) {
  std::string text = ".B " + roff(called) + "\n";
  const auto options =
      command.get_options([](const CLI::Option* option) { return option->get_positional(); });
  if (!commands_of(command).empty() && options.empty()) {
    return text + "COMMAND\n";
  }
  for (const CLI::Option* const option : options) {
    text +=
        roff(option->get_required() ? option->get_name(true) : "[" + option->get_name(true) + "]") +
        "\n";
  }
  return text + "[OPTIONS]\n";
}

bool write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
  }
  return !file.fail();
}

bool write_manual(const CLI::App& command, const std::string& name, const std::string& version,
                  const std::filesystem::path& folder) {
  bool all = write_file(folder / (name + ".1"), manual_text(command, name, version));
  for (const CLI::App* const inner : commands_of(command)) {
    all = write_manual(*inner, name + "-" + inner->get_name(), version, folder) && all;
  }
  return all;
}

}  // namespace

std::string bash_text(const CLI::App& program) {
  const std::string name = program.get_name();
  BashTables tables;
  add_tables(program, name + " ", tables);
  std::string text(bash_script);
  replace_all(text, "@words@", tables.words);
  replace_all(text, "@values@", tables.values);
  replace_all(text, "@name@", name);
  std::string variable = name;
  std::ranges::replace(variable, '-', '_');
  replace_all(text, "@variable@", variable);
  return text;
}

std::string manual_text(const CLI::App& command, const std::string& name,
                        const std::string& version) {
  std::string called = name;
  std::ranges::replace(called, '-', ' ');
  // A command's own name may have a dash in it.
  for (const CLI::App* at = &command; at != nullptr; at = at->get_parent()) {
    std::string spaced = at->get_name();
    std::ranges::replace(spaced, '-', ' ');
    if (const std::size_t place = called.find(spaced); place != std::string::npos) {
      called.replace(place, spaced.size(), at->get_name());
    }
  }
  std::string text = ".TH " + in_upper_case(name) + " 1 \"\" \"" + version + "\"\n.SH NAME\n" +
                     roff(name) + " \\- " + roff(command.get_description()) + "\n.SH SYNOPSIS\n" +
                     synopsis_of(command, called);
  if (const auto inner = commands_of(command); !inner.empty()) {
    text += ".SH COMMANDS\n";
    for (const CLI::App* const one : inner) {
      text += item(one->get_name(), one->get_description());
    }
  }
  text += ".SH OPTIONS\n";
  for (const CLI::Option* const option : command.get_options()) {
    text += option_item(*option);
  }
  if (command.get_parent() != nullptr) {
    const std::size_t end = name.size() - command.get_name().size() - 1;
    text += ".SH SEE ALSO\n.BR " + roff(name.substr(0, end)) + " (1)\n";
  }
  return text;
}

void add_command(CLI::App& program, const std::string& version, int& status) {
  CLI::App* const command = program.add_subcommand(
      "completion", "Files that shells and manuals have of these commands, for packages");
  command->require_subcommand(1);
  auto file = std::make_shared<std::string>();
  CLI::App* const bash = command->add_subcommand("bash", "Print a completion script for bash");
  bash->add_option("file", *file, "Where it is written instead of standard output");
  bash->callback([&program, file, &status] {
    if (file->empty()) {
      std::fputs(bash_text(program).c_str(), stdout);
      status = 0;
    } else {
      status = write_file(*file, bash_text(program)) ? 0 : 1;
    }
  });
  auto folder = std::make_shared<std::string>();
  CLI::App* const manual =
      command->add_subcommand("man", "Write a manual page of every command into a directory");
  manual->add_option("directory", *folder, "Where NAME.1 of each goes")
      ->required()
      ->check(CLI::ExistingDirectory);
  manual->callback([&program, folder, version, &status] {
    status = write_manual(program, program.get_name(), version, *folder) ? 0 : 1;
  });
}

}  // namespace affix::inline v0::tools::completion
