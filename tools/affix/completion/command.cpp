// SPDX-License-Identifier: MIT
// Walks over the commands, and writes each kind of file.
#include "completion/command.hpp"

#include "affix/base/error.hpp"
#include "affix/base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string_view>

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

/// Words that an option's value may be, or that are offered for it.
const std::vector<std::string>& words_for(const OptionForm& option) {
  return option.choices.empty() ? option.suggestions : option.choices;
}

/// Words that are offered for the positional arguments of a command.
std::vector<std::string> arguments_of(const CommandForm& command) {
  std::vector<std::string> words;
  for (const OptionForm& option : command.options) {
    if (!option.positional.empty()) {
      words.insert(words.end(), option.suggestions.begin(), option.suggestions.end());
    }
  }
  return words;
}

/// Lines of three tables: the words allowed after a command, those for its positional arguments,
/// and the words of an option's value.
struct BashTables {
  std::string words;
  std::string arguments;
  std::string values;
};

void add_tables(const CommandForm& command, const std::string& path, BashTables& tables) {
  std::string words;
  for (const CommandForm& inner : command.commands) {
    words += inner.name + " ";
    add_tables(inner, path + inner.name + " ", tables);
  }
  for (const OptionForm& option : command.options) {
    const std::string choices = joined(words_for(option), " ");
    for (const std::string& name : option.names) {
      words += name + " ";
      if (!choices.empty()) {
        tables.values += "  [\"" + path + name + "\"]=\"" + choices + "\"\n";
      }
    }
  }
  tables.words += "  [\"" + path + "\"]=\"" + words + "\"\n";
  if (const std::vector<std::string> arguments = arguments_of(command); !arguments.empty()) {
    tables.arguments += "  [\"" + path + "\"]=\"" + joined(arguments, " ") + "\"\n";
  }
}

/// The tables' keys begin with the program's name, as bash has no empty keys.
constexpr std::string_view bash_script =
    R"(# Completion of @name@ in bash, made by `@name@ completion bash`.
declare -A _@variable@_words=(
@words@)
declare -A _@variable@_arguments=(
@arguments@)
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
  local arguments=${_@variable@_arguments["$path"]}
  if [[ -n $arguments && $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$arguments" -- "$current")
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

// --- zsh and fish ---

using SeeCommand = std::function<void(const CommandForm& command, const std::string& place)>;

/// Calls `see` with each command and the words that lead to it, "affix journal".
void see_commands(const CommandForm& command, const std::string& place, const SeeCommand& see) {
  see(command, place);
  for (const CommandForm& inner : command.commands) {
    see_commands(inner, place + " " + inner.name, see);
  }
}

/// Words that lead to each command but the program itself, quoted.
std::vector<std::string> places_of(const CommandForm& program) {
  std::vector<std::string> places;
  for (const CommandForm& inner : program.commands) {
    see_commands(
        inner, program.name + " " + inner.name,
        [&](const CommandForm&, const std::string& place) { places.push_back("'" + place + "'"); });
  }
  return places;
}

/// True if a word that is no option may be a file.
bool takes_files(const CommandForm& command) {
  return arguments_of(command).empty() &&
         (command.commands.empty() ||
          std::ranges::any_of(command.options,
                              [](const OptionForm& option) { return !option.positional.empty(); }));
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string zsh_word(const std::string& name, const std::string& description) {
  std::string text = one_line(description);
  replace_all(text, "'", "'\\''");
  return "        '" + name + ":" + text + "'\n";
}

/// `CURRENT` is the number of the word under the cursor, `words` has the words from 1 on.
constexpr std::string_view zsh_script =
    R"(#compdef @name@
# Completion of @name@ in zsh, made by `@name@ completion zsh`.
_@name@() {
  local place=@name@ found=1
  local -i at files=0
  local -a commands options arguments
  for ((at = 2; at < CURRENT; ++at)); do
    case "$place ${words[at]}" in
      @places@) place+=" ${words[at]}" ;;
      *) break ;;
    esac
  done
  case "$place ${words[CURRENT-1]}" in
@values@    *) ;;
  esac
  case $place in
@tables@  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  fi
  (( $#commands )) && _describe command commands && found=0
  (( $#arguments )) && compadd -a arguments && found=0
  (( files )) && _files && found=0
  return found
}
if [[ $funcstack[1] == _@name@ ]]; then
  _@name@ "$@"
else
  compdef _@name@ @name@
fi
)";

void add_zsh_tables(const CommandForm& command, const std::string& place, std::string& values,
                    std::string& tables) {
  std::string commands;
  for (const CommandForm& inner : command.commands) {
    commands += zsh_word(inner.name, inner.description);
  }
  std::string options;
  for (const OptionForm& option : command.options) {
    for (const std::string& name : option.names) {
      options += zsh_word(name, option.description);
      if (const std::vector<std::string>& words = words_for(option); !words.empty()) {
        values +=
            "    '" + place + " " + name + "') compadd -- " + joined(words, " ") + "; return ;;\n";
      }
    }
  }
  const std::string arguments = joined(arguments_of(command), " ");
  tables += "    '" + place + "')\n      commands=(\n" + commands + "      )\n      options=(\n" +
            options + "      )\n" +
            (arguments.empty() ? "" : "      arguments=(" + arguments + ")\n") +
            (takes_files(command) ? "      files=1\n" : "") + "      ;;\n";
}

std::string fish_quoted(const std::string& text) {
  std::string result = one_line(text);
  replace_all(result, "\\", "\\\\");
  replace_all(result, "'", "\\'");
  return "'" + result + "'";
}

constexpr std::string_view fish_script =
    R"(# Completion of @name@ in fish, made by `@name@ completion fish`.
function __@variable@_at --description 'True if the words before the cursor lead to this command'
    set -l place @name@
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        contains -- "$place $word" @places@
        or break
        set place "$place $word"
    end
    test "$place" = "$argv"
end
@lines@)";

void add_fish_lines(const std::string& start, const CommandForm& command, std::string& lines) {
  if (!takes_files(command)) {
    lines += start + " -f\n";
  }
  if (const std::vector<std::string> arguments = arguments_of(command); !arguments.empty()) {
    lines += start + " -a '" + joined(arguments, " ") + "'\n";
  }
  for (const CommandForm& inner : command.commands) {
    lines += start + " -a " + inner.name + " -d " + fish_quoted(inner.description) + "\n";
  }
  for (const OptionForm& option : command.options) {
    std::string names;
    for (const std::string& name : option.names) {
      names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!names.empty()) {
      lines += start + names;
      const std::string words = joined(words_for(option), " ");
      lines += words.empty() ? "" : " -x -a '" + words + "'";
      lines += " -d " + fish_quoted(option.description) + "\n";
    }
  }
}

std::string variable_of(std::string program) {
  std::ranges::replace(program, '-', '_');
  return program;
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
  // A program that only has commands has no options but those of every program.
  const bool runs_alone = std::ranges::any_of(command.options, [](const OptionForm& option) {
    return option.shown != "-h,--help" && option.shown != "--version";
  });
  if (!command.commands.empty() && !runs_alone) {
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
    std::fprintf(stderr, "%s\n",
                 base::make_system_error("write", errno, path.string()).text().c_str());
  }
  return !file.fail();
}

void add_shell(Command program, Command command, const std::string& shell,
               std::string (*text_of)(const CommandForm& program)) {
  const auto file = std::make_shared<std::string>();
  Command print = command.add_command(shell, "Print a completion script for " + shell);
  print.add_option("file", *file, "Where it is written instead of standard output");
  print.on_run([program, text_of, file] {
    const std::string text = text_of(program.form());
    if (!file->empty()) {
      return write_file(*file, text) ? 0 : 1;
    }
    std::fputs(text.c_str(), stdout);
    return 0;
  });
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
  std::string text(bash_script);
  replace_all(text, "@words@", tables.words);
  replace_all(text, "@arguments@", tables.arguments);
  replace_all(text, "@values@", tables.values);
  replace_all(text, "@name@", program.name);
  replace_all(text, "@variable@", variable_of(program.name));
  return text;
}

std::string zsh_text(const CommandForm& program) {
  std::string values;
  std::string tables;
  see_commands(program, program.name, [&](const CommandForm& command, const std::string& place) {
    add_zsh_tables(command, place, values, tables);
  });
  std::string text(zsh_script);
  replace_all(text, "@name@", program.name);
  replace_all(text, "@places@", joined(places_of(program), "|"));
  replace_all(text, "@values@", values);
  replace_all(text, "@tables@", tables);
  return text;
}

std::string fish_text(const CommandForm& program) {
  const std::string variable = variable_of(program.name);
  std::string lines;
  see_commands(program, program.name, [&](const CommandForm& command, const std::string& place) {
    add_fish_lines("complete -c " + program.name + " -n '__" + variable + "_at " + place + "'",
                   command, lines);
  });
  std::string text(fish_script);
  replace_all(text, "@name@", program.name);
  replace_all(text, "@variable@", variable);
  replace_all(text, "@places@", joined(places_of(program), " "));
  replace_all(text, "@lines@", lines);
  return text;
}

std::string manual_text(const CommandForm& command, const std::vector<std::string>& path,
                        const std::string& version) {
  const std::string name = joined(path, "-");
  std::string text = ".TH " + base::in_upper_case(name) + " 1 \"\" \"" + version +
                     "\"\n.SH NAME\n" + roff(name) + " \\- " + roff(command.description) +
                     "\n.SH SYNOPSIS\n" + synopsis_of(command, joined(path, " "));
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
  for (const OptionForm& option : command.options) {
    if (!option.suggestions.empty()) {
      text += ".SH VALUES OF " + base::in_upper_case(option.shown) + "\n" +
              roff(joined(option.suggestions, ", ")) + "\n";
    }
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
  add_shell(program, command, "bash", &bash_text);
  add_shell(program, command, "zsh", &zsh_text);
  add_shell(program, command, "fish", &fish_text);
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
