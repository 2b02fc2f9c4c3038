// SPDX-License-Identifier: MIT
// Options of `affix import-quickfix`, its files, and the report on standard error.
#include "import_quickfix/command.hpp"

#include "affix/base/error.hpp"
#include "affix/os/read_file.hpp"

#include "import_quickfix/known_settings.hpp"
#include "import_quickfix/machine.hpp"
#include "import_quickfix/translate.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

namespace affix::inline v0::tools::import_quickfix {

namespace {

struct CommandOptions {
  std::string file;
  std::string out;
  bool list = false;
  bool overwrite = false;
  TranslationOptions translation;
};

std::optional<std::string> read_file(const std::string& path) {
  auto text = os::read_file(path, settings_bytes_max);
  if (!text) {
    std::fprintf(stderr, "%s: cannot be read, or is larger than 16 MiB [Q101]\n", path.c_str());
    return std::nullopt;
  }
  return std::move(*text);
}

/// An existing file is not overwritten by default: it may be a user's configuration.
bool write_file(const std::string& path, const std::string& text, bool overwrite) {
  std::error_code fault;
  if (!overwrite && std::filesystem::exists(path, fault)) {
    std::fprintf(stderr, "%s: it exists; --overwrite replaces it [Q101]\n", path.c_str());
    return false;
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    std::fprintf(stderr, "%s: cannot be written [Q101]\n", path.c_str());
    return false;
  }
  return true;
}

void print_notes(const Translation& translation, NoteKind kind, const char* heading,
                 const std::string& file) {
  bool first = true;
  for (const Note& note : translation.notes) {
    if (note.kind == kind) {
      if (first) {
        std::fprintf(stderr, "%s\n", heading);
        first = false;
      }
      std::fprintf(stderr, "  %s:%zu: %s%s%s%s\n", file.c_str(), note.line, note.setting.c_str(),
                   note.setting.empty() ? "" : ": ", note.text.c_str(),
                   base::Error::suffix_of(note.code).c_str());
    }
  }
}

int run(const CommandOptions& options) {
  if (options.list) {
    std::fputs(known_settings_text().c_str(), stdout);
    return 0;
  }
  if (options.file.empty()) {
    std::fputs("affix import-quickfix: name a settings file [Q101]\n", stderr);
    return 2;
  }
  const auto text = read_file(options.file);
  if (!text) {
    return 2;
  }
  const Translation translation = translate(
      *text, std::filesystem::path(options.file).filename().string(), options.translation);
  for (const LineText& problem : translation.problems) {
    std::fprintf(stderr, "%s:%zu: %s%s\n", options.file.c_str(), problem.line, problem.text.c_str(),
                 base::Error::suffix_of(problem.code).c_str());
  }
  if (!translation.problems.empty()) {
    std::fputs("nothing is written\n", stderr);
    return 1;
  }
  print_notes(translation, NoteKind::Warning, "Warnings:", options.file);
  print_notes(translation, NoteKind::Differs, "Carried over with a difference:", options.file);
  print_notes(translation, NoteKind::Left, "Not carried over:", options.file);
  print_notes(translation, NoteKind::Unknown, "Unknown:", options.file);
  std::fprintf(stderr, "%zu initiator sessions, %zu acceptor sessions\n", translation.initiators,
               translation.acceptors);
  if (options.out.empty()) {
    std::fputs(translation.configuration.c_str(), stdout);
    return 0;
  }
  return write_file(options.out, translation.configuration, options.overwrite) ? 0 : 2;
}

}  // namespace

void add_command(Command program) {
  auto options = std::make_shared<CommandOptions>();
  options->translation.local_zone = local_zone();
  options->translation.is_folder = &is_folder;
  Command command = program.add_command("import-quickfix",
                                        "Turn a QuickFIX settings file into a configuration file");
  command.add_option("file", options->file, "Settings of QuickFIX, QuickFIX/J, /n or /Go");
  command.add_option("--out", options->out, "The file to write; standard output otherwise");
  command.add_flag("--overwrite", options->overwrite, "Replace the file when it exists");
  command.add_option("--time-zone", options->translation.local_zone,
                     "The zone that UseLocalTime=Y is about; otherwise this machine's");
  command.add_option("--dictionaries", options->translation.dictionaries,
                     "Folder with FIX42.xml and so on, for sessions that name no dictionary");
  command.add_flag("--settings", options->list, "Print every known setting and what becomes of it");
  command.on_run([options] { return run(*options); });
}

}  // namespace affix::inline v0::tools::import_quickfix
