// SPDX-License-Identifier: MIT
// Any bytes as a dictionary file: problems with places, or a dictionary whose written form reads as
// the same one.
#include "affix/dictionary.hpp"

#include "dictionary/diff.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace affix::dictionary;
using affix::tools::dictionary::diff;
using affix::tools::dictionary::DiffScope;

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

// Small enough that no input takes long, large enough that inputs both reach and miss every limit.
LoadLimits small_limits() {
  LoadLimits limits;
  limits.depth_max = 20;
  limits.elements_max = 5'000;
  limits.attributes_max = 20'000;
  limits.component_depth_max = 8;
  limits.expanded_members_max = 2'000;
  limits.expanded_total_max = 10'000;
  limits.problems_max = 100;
  return limits;
}

// Names may grow in the written form, and limits apply to files, not to dictionaries.
LoadLimits written_limits() {
  LoadLimits limits = small_limits();
  limits.elements_max = 1'000'000;
  limits.attributes_max = 2'000'000;
  return limits;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const LoadLimits limits = small_limits();
  const Loaded loaded = load_text(text, limits);
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
  bool has_error = false;
  require(loaded.problems.size() <= limits.problems_max + 1);
  for (const Problem& problem : loaded.problems) {
    require(problem.line <= lines && !problem.text.empty());
    require(to_text(problem, "fuzz.xml").starts_with("fuzz.xml:"));
    has_error = has_error || problem.severity == Severity::Error;
  }
  require(has_error == !loaded);
  if (!loaded) {
    require(!make_error(loaded.problems, "fuzz.xml").message.empty());
    return 0;
  }
  const Dictionary& dictionary = *loaded.dictionary;
  const std::string written = write_canonical(dictionary);
  const Loaded again = load_text(written, written_limits());
  require(again && *again.dictionary == dictionary);
  require(write_canonical(*again.dictionary) == written);
  require(diff(dictionary, *again.dictionary, DiffScope::OnTheWire).empty());
  for (const Message& message : dictionary.messages()) {
    require(dictionary.find_message_by_type(message.type) == &message);
    require(flatten(dictionary, message.members).size() <= limits.expanded_members_max);
  }
  for (const Group& group : dictionary.groups()) {
    require(dictionary.first_field(group.members) != nullptr);
  }
  return 0;
}
