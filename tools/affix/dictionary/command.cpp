// SPDX-License-Identifier: MIT
// Options of `affix dictionary` and its four commands.
#include "dictionary/command.hpp"

#include "dictionary/check.hpp"
#include "dictionary/convert.hpp"
#include "dictionary/diff.hpp"
#include "dictionary/show.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace affix::inline v0::tools::dictionary {

namespace {

struct ShowOptions {
  std::string path;
  std::vector<std::string> parts;
  bool all_values = false;
};

struct DiffOptions {
  std::string before;
  std::string after;
  bool on_the_wire = false;
};

int show(const ShowOptions& options, std::FILE* out) {
  const auto dictionary = open_dictionary(options.path, false, stderr);
  if (!dictionary) {
    return 1;
  }
  if (options.parts.empty()) {
    std::fputs(summary_text(*dictionary).c_str(), out);
  }
  int status = 0;
  for (const std::string& part : options.parts) {
    const std::string text = part_text(*dictionary, part, options.all_values);
    if (text.empty()) {
      std::fprintf(stderr, "%s: no message, component or field '%s' [P131]\n", options.path.c_str(),
                   part.c_str());
      status = 1;
    }
    std::fputs(text.c_str(), out);
  }
  return status;
}

// Exit codes of diff(1): 0 for equal, 1 for different, 2 if one cannot be read.
int print_differences(const DiffOptions& options, std::FILE* out) {
  const auto before = open_dictionary(options.before, false, stderr);
  const auto after = open_dictionary(options.after, false, stderr);
  if (!before || !after) {
    return 2;
  }
  const auto differences =
      diff(*before, *after, options.on_the_wire ? DiffScope::OnTheWire : DiffScope::AsWritten);
  for (const Difference& difference : differences) {
    std::fprintf(out, "%s\n", to_text(difference).c_str());
  }
  return differences.empty() ? 0 : 1;
}

void add_check(Command command) {
  Command verb = command.add_command("check", "Print every problem of dictionary files");
  const auto options = std::make_shared<CheckOptions>();
  verb.add_option("files", options->paths, "QuickFIX XML or FIX Orchestra files").required();
  verb.add_flag("--strict", options->strict, "Fail on warnings too");
  verb.on_run([options] { return check(*options, stdout); });
}

void add_show(Command command) {
  Command verb = command.add_command(
      "show", "Print a dictionary's summary, or messages, components and fields of it");
  const auto options = std::make_shared<ShowOptions>();
  verb.add_option("file", options->path, "A dictionary").required();
  verb.add_option("parts", options->parts,
                  "Messages by name or type, components, fields by name or tag, header, trailer");
  verb.add_flag("--values", options->all_values, "Print all values, however many a field has");
  verb.on_run([options] { return show(*options, stdout); });
}

void add_diff(Command command) {
  Command verb = command.add_command(
      "diff", "Print what changed; exit status 1 when something did, 2 when a file has errors");
  const auto options = std::make_shared<DiffOptions>();
  verb.add_option("before", options->before, "A dictionary").required();
  verb.add_option("after", options->after, "Another one").required();
  verb.add_flag("--wire", options->on_the_wire,
                "Compare messages with components expanded, whatever components there are");
  verb.on_run([options] { return print_differences(*options, stdout); });
}

void add_convert(Command command) {
  Command verb = command.add_command("convert", "Write a dictionary in the canonical form");
  const auto options = std::make_shared<ConvertOptions>();
  verb.add_option("file", options->path, "QuickFIX XML or a FIX Orchestra file").required();
  verb.add_option("--output", options->output, "The file to write; standard output otherwise");
  verb.add_option("--version", options->version,
                  "The version it is of, for a file that does not say it right: FIX.5.0SP2");
  verb.on_run([options] { return convert(*options, stdout); });
}

}  // namespace

void add_command(Command program) {
  Command command =
      program.add_command("dictionary", "Check, show, compare and convert dictionaries");
  command.require_command();
  add_check(command);
  add_show(command);
  add_diff(command);
  add_convert(command);
}

}  // namespace affix::inline v0::tools::dictionary
