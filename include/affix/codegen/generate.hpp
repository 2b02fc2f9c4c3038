// SPDX-License-Identifier: MIT
// The code generator: a dictionary becomes C++ headers with a reader and a writer per message.
// Knows nothing of files and build systems (output.hpp does); the same dictionary gives the same
// bytes, whatever the machine, time and order of the file.
#pragma once

#include "affix/base/error.hpp"
#include "affix/dictionary/model.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::codegen {

/// A header to be written below an include folder ("affix/fix44/new_order_single.hpp"), or a page.
struct GeneratedFile {
  std::string path;  ///< Relative, with `/` between folders.
  std::string text;  ///< All of the file.

  bool operator==(const GeneratedFile&) const = default;
};

/// What generate() is to make beside the headers, and in which namespace.
struct GenerateOptions {
  std::string name_space;  ///< "affix::fix44"; becomes the headers' folder too.
  /// exercise.hpp too: functions that write and read every field of every message, for tests.
  bool exercise = false;
};

/// All headers, ordered by path, but version_header() last: written in this order, it stands for
/// the others. `transport` (null: none) gives header, trailer and session messages, and takes
/// precedence for those; for fields the application's dictionary does. InvalidArgument: the
/// namespace is none, or `transport` is of a version that is no transport. Allocates freely; no
/// shared state.
[[nodiscard]] std::expected<std::vector<GeneratedFile>, base::Error> generate(
    const dictionary::Dictionary& dictionary, const dictionary::Dictionary* transport,
    const GenerateOptions& options);

/// Markdown pages about the headers that generate() gives, ordered by path: a page a message with
/// its fields in the writer's order, what is required, groups, components, and the names of
/// functions, a page an enum, header.md, and README.md with a list of messages. Paths are from the
/// folder of the pages. Fails and costs as generate() does.
[[nodiscard]] std::expected<std::vector<GeneratedFile>, base::Error> message_pages(
    const dictionary::Dictionary& dictionary, const dictionary::Dictionary* transport,
    const std::string& name_space);

/// Path of the header whose first lines change with anything generated: what a build system has to
/// watch. "affix/fix44/version.hpp".
[[nodiscard]] std::string version_header(std::string_view name_space);

}  // namespace affix::inline v0::codegen
