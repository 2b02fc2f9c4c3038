// SPDX-License-Identifier: MIT
// Options of `affix generate`; loads, generates and writes.
#include "generate/command.hpp"

#include "affix/dictionary/load.hpp"

#include "codegen/generate.hpp"
#include "codegen/output.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

namespace affix::inline v0::tools::generate {

namespace {

/// Writes errors to standard error. Omits warnings about sloppy files, as a build would repeat them
/// every time; `affix dictionary check` shows them.
std::optional<dictionary::Dictionary> load_reporting(const std::string& path) {
  dictionary::Loaded loaded = dictionary::load(path);
  for (const dictionary::Problem& problem : loaded.problems) {
    if (problem.severity == dictionary::Severity::Error) {
      std::fprintf(stderr, "%s\n", dictionary::to_text(problem, path).c_str());
    }
  }
  return std::move(loaded.dictionary);
}

}  // namespace

int generate_headers(const GenerateCommand& command) {
  const std::optional<dictionary::Dictionary> dictionary = load_reporting(command.dictionary);
  std::optional<dictionary::Dictionary> transport;
  if (!command.transport.empty()) {
    transport = load_reporting(command.transport);
  }
  if (!dictionary || (!command.transport.empty() && !transport)) {
    return 1;
  }
  const dictionary::Dictionary* const beside = transport ? &*transport : nullptr;
  const auto files =
      command.pages
          ? codegen::message_pages(*dictionary, beside, command.name_space)
          : codegen::generate(*dictionary, beside,
                              {.name_space = command.name_space, .exercise = command.exercise});
  if (!files) {
    std::fprintf(stderr, "affix generate: %s\n", files.error().text().c_str());
    return 1;
  }
  if (dictionary->header().empty() && !transport) {
    std::fprintf(stderr,
                 "affix generate: note: %s has no header and session messages of its own; "
                 "--transport FIXT11.xml adds them [P132]\n",
                 dictionary->version().name().c_str());
  }
  if (command.list) {
    for (const codegen::GeneratedFile& file : *files) {
      std::printf("%s\n", (std::filesystem::path(command.output) / file.path).c_str());
    }
    return 0;
  }
  const auto written = codegen::write_files(command.output, *files);
  if (!written) {
    std::fprintf(stderr, "affix generate: %s\n", written.error().text().c_str());
    return 1;
  }
  std::printf("%s: %zu %s, %zu of them written\n", command.output.c_str(), files->size(),
              command.pages ? "pages" : "headers", written->changed);
  return 0;
}

void add_options(Command program) {
  const auto command = std::make_shared<GenerateCommand>();
  program.add_option("--dictionary", command->dictionary, "QuickFIX XML or FIX Orchestra file")
      .required();
  program.add_option("--transport", command->transport,
                     "dictionary of header, trailer and session messages (FIXT.1.1)");
  program.add_option("--namespace", command->name_space, "C++ namespace of the messages: acme::fix")
      .required();
  program.add_option("--output", command->output, "folder to include from").required();
  const Option exercise =
      program.add_flag("--exercise", command->exercise,
                       "also exercise.hpp, which writes and reads every field, for tests");
  const Option pages = program.add_flag(
      "--pages", command->pages,
      "Markdown pages in place of headers: each message's fields, and the functions for them");
  exercise.excludes(pages);
  program.add_flag("--list", command->list, "print the files' paths and write nothing");
  program.on_run([command] { return generate_headers(*command); });
}

void add_command(Command program) {
  add_options(program.add_command("generate", "C++ messages from a dictionary"));
}

}  // namespace affix::inline v0::tools::generate
