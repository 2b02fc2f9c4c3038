// SPDX-License-Identifier: MIT
// Problems that a loader found, as text to compare.
#pragma once

#include "affix/dictionary/load.hpp"

#include "support/without_codes.hpp"

#include <string>

namespace affix::dictionary_test {

/// One line for each problem; the file is called x.xml.
inline std::string texts_of(const dictionary::Loaded& loaded) {
  std::string text;
  for (const dictionary::Problem& problem : loaded.problems) {
    text += support::without_codes(to_text(problem, "x.xml")) + "\n";
  }
  return text;
}

}  // namespace affix::dictionary_test
