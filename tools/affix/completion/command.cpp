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

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : between) + word;
  }
  return text;
}

// --- bash ---

/// Lines of two tables: the words allowed after a command, and the words of an option's value.
struct BashTables {
  std::string words;
  std::string values;
};

void add_tables(const CommandForm& command, const std::string& path, BashTables& tables) {
  std::string words;
  for (const CommandForm& inner : command.commands) {
    words += inner.name + " ";
    add_tables(inner, path + inner.name + " ", tables);
  }
  for (const OptionForm& option : command.options) {
    const std::string choices = joined(option.choices, " ");
    for (const std::string& name : option.names) {
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

std::string option_item(const OptionForm& option) {
  std::string text = option.description;
  if (!option.choices.empty()) {
    text += " (one of " + joined(option.choices, " ") + ")";
  }
  if (!option.default_value.empty()) {
    text += " [" + option.default_value + "]";
  }
  return item(option.shown, text.empty() ? "-" : text);
}

std::string synopsis_of(const CommandForm& command, const std::string& called) {
  std::string text = ".B " + roff(called) + "\n";
  const bool any_positional = std::ranges::any_of(
      command.options, [](const OptionForm& option) { return !option.positional.empty(); });
  if (!command.commands.empty() && !any_positional) {
    return text + "COMMAND\n";
  }
  for (const OptionForm& option : command.options) {
    if (!option.positional.empty()) {
      text += roff(option.required ? option.positional : "[" + option.positional + "]") + "\n";
    }
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

bool write_manual(const CommandForm& command, std::vector<std::string> path,
                  const std::string& version, const std::filesystem::path& folder) {
  path.push_back(command.name);
  bool all = write_file(folder / (joined(path, "-") + ".1"), manual_text(command, path, version));
  for (const CommandForm& inner : command.commands) {
    all = write_manual(inner, path, version, folder) && all;
  }
  return all;
}

}  // namespace

std::string bash_text(const CommandForm& program) {
  BashTables tables;
  add_tables(program, program.name + " ", tables);
  std::string variable = program.name;
  std::ranges::replace(variable, '-', '_');
  std::string text(bash_script);
  replace_all(text, "@words@", tables.words);
  replace_all(text, "@values@", tables.values);
  replace_all(text, "@name@", program.name);
  replace_all(text, "@variable@", variable);
  return text;
}

std::string manual_text(const CommandForm& command, const std::vector<std::string>& path,
                        const std::string& version) {
  const std::string name = joined(path, "-");
  std::string text = ".TH " + in_upper_case(name) + " 1 \"\" \"" + version + "\"\n.SH NAME\n" +
                     roff(name) + " \\- " + roff(command.description) + "\n.SH SYNOPSIS\n" +
                     synopsis_of(command, joined(path, " "));
  if (!command.commands.empty()) {
    text += ".SH COMMANDS\n";
    for (const CommandForm& one : command.commands) {
      text += item(one.name, one.description);
    }
  }
  text += ".SH OPTIONS\n";
  for (const OptionForm& option : command.options) {
    text += option_item(option);
  }
  if (path.size() > 1) {
    text += ".SH SEE ALSO\n.BR " + roff(joined({path.begin(), path.end() - 1}, "-")) + " (1)\n";
  }
  return text;
}

void add_command(Command program, const std::string& version) {
  Command command = program.add_command(
      "completion", "Files that shells and manuals have of these commands, for packages");
  command.require_command();
  auto file = std::make_shared<std::string>();
  Command bash = command.add_command("bash", "Print a completion script for bash");
  bash.add_option("file", *file, "Where it is written instead of standard output");
  bash.on_run([program, file] {
    const std::string text = bash_text(program.form());
    if (!file->empty()) {
      return write_file(*file, text) ? 0 : 1;
    }
    std::fputs(text.c_str(), stdout);
    return 0;
  });
  auto folder = std::make_shared<std::string>();
  Command manual =
      command.add_command("man", "Write a manual page of every command into a directory");
  manual.add_option("directory", *folder, "Where NAME.1 of each goes")
      .required()
      .existing_directory();
  manual.on_run([program, folder, version] {
    return write_manual(program.form(), {}, version, *folder) ? 0 : 1;
  });
}

}  // namespace affix::inline v0::tools::completion
