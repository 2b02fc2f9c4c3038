// SPDX-License-Identifier: MIT
// Detects the format of a file, and calls its loader.

#include "affix/dictionary/load.hpp"

#include "dictionary/assemble.hpp"
#include "dictionary/file_bytes.hpp"
#include "dictionary/load_orchestra.hpp"
#include "dictionary/load_quickfix.hpp"
#include "dictionary/problems.hpp"
#include "dictionary/xml_tree.hpp"

#include <deque>
#include <utility>

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
  const auto bytes = read_file_bytes(path, limits.bytes_max);
  if (!bytes) {
    Loaded loaded;
    loaded.problems.push_back(bytes.error());
    return loaded;
  }
  return load_text(*bytes, limits);
}

}  // namespace affix::inline v0::dictionary
