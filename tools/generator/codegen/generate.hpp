// SPDX-License-Identifier: MIT
// The code generator: makes C++ headers from a dictionary, with a reader and a writer per message.
// Does not access files or build systems (see output.hpp). Deterministic: the same dictionary gives
// the same bytes, whatever the machine, time and order of the file.
#pragma once

#include "affix/base/error.hpp"
#include "affix/dictionary/model.hpp"

#include "codegen/generated_file.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::codegen {

/// Options of generate(): the namespace, and files in addition to the headers.
struct GenerateOptions {
  std::string name_space;  ///< "affix::fix44"; also the headers' folder.
  /// Adds exercise.hpp: functions that write and read every field of every message, for tests.
  bool exercise = false;
};

/// Generates all headers, ordered by path, but version_header() last: after it is written, all
/// others are complete. `transport` (null: none) provides header, trailer and session messages and
/// takes precedence for these; the application's dictionary takes precedence for fields.
/// InvalidArgument: the namespace is invalid, or `transport` is not a transport dictionary.
/// Allocates; no shared state.
[[nodiscard]] std::expected<std::vector<GeneratedFile>, base::Error> generate(
    const dictionary::Dictionary& dictionary, const dictionary::Dictionary* transport,
    const GenerateOptions& options);

/// Generates Markdown pages about the headers of generate(), ordered by path: a page per message
/// with its fields in the writer's order, required fields, groups, components, and function names;
/// a page per enum; header.md; README.md with a list of messages. Paths are relative to the folder
/// of pages. Errors and cost as for generate().
[[nodiscard]] std::expected<std::vector<GeneratedFile>, base::Error> message_pages(
    const dictionary::Dictionary& dictionary, const dictionary::Dictionary* transport,
    const std::string& name_space);

/// Path of the header whose first lines change whenever any generated text changes, for build
/// systems to watch: "affix/fix44/version.hpp".
[[nodiscard]] std::string version_header(std::string_view name_space);

}  // namespace affix::inline v0::tools::codegen
