// SPDX-License-Identifier: MIT
// Detects the format of a file, and calls its loader.

#include "affix/dictionary/load.hpp"

#include "affix/base/error.hpp"

#include "dictionary/assemble.hpp"
#include "dictionary/load_orchestra.hpp"
#include "dictionary/load_quickfix.hpp"
#include "dictionary/problems.hpp"
#include "dictionary/xml_tree.hpp"

#include <cerrno>
#include <deque>
#include <expected>
#include <fstream>

namespace affix::inline v0::dictionary {

namespace {

void read_tree(const pugi::xml_node& root, const LoadLimits& limits, Problems& problems,
               Loaded& loaded) {
  std::deque<std::string> texts;
  Draft draft;
  if (std::string_view(root.name()) == "fix") {
    loaded.format = Format::QuickFix;
    draft = read_quickfix(root, problems);
  } else if (local_name(root) == "repository") {
    loaded.format = Format::Orchestra;
    draft = read_orchestra(root, texts, problems);
  } else {
    problems.error(place_of(root), {},
                   "the root element is " + in_quotes(root.name()) +
                       ", neither QuickFIX's <fix> nor Orchestra's <repository>",
                   "D106");
    return;
  }
  loaded.dictionary = assemble(draft, limits, problems);
}

// Reads at most `bytes_max` and one more, so that the limit is reported for a larger file. The
// error is errno.
std::expected<std::string, int> read_bytes(const std::string& path, std::size_t bytes_max) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string bytes;
  constexpr std::size_t piece = 1U << 16;
  while (file && bytes.size() <= bytes_max) {
    const std::size_t before = bytes.size();
    bytes.resize(before + piece);
    file.read(bytes.data() + before, static_cast<std::streamsize>(piece));
    bytes.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && (!file || bytes.size() <= bytes_max)) {
    return std::unexpected(errno);
  }
  return bytes;
}

}  // namespace

Loaded load_text(std::string_view text, const LoadLimits& limits) {
  Loaded loaded;
  Problems problems(limits.problems_max);
  XmlTree tree;
  if (tree.parse(text, limits, problems)) {
    read_tree(tree.root(), limits, problems, loaded);
  }
  loaded.problems = problems.take();
  return loaded;
}

Loaded load(const std::string& path, const LoadLimits& limits) {
  const auto bytes = read_bytes(path, limits.bytes_max);
  if (!bytes) {
    const base::Error unread = base::make_system_error("read", bytes.error(), {});
    Loaded loaded;
    loaded.problems.push_back({Severity::Error, 0, {}, unread.message, unread.message_code});
    return loaded;
  }
  return load_text(*bytes, limits);
}

}  // namespace affix::inline v0::dictionary
