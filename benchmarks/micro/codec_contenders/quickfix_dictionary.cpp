// SPDX-License-Identifier: MIT
// QuickFIX reads dictionaries; compiled as C++14.
#include "quickfix_dictionary.hpp"

#include <exception>
#include <quickfix/DataDictionary.h>
#include <string>

namespace affix_bench {

void quickfix_load(const char* path) {
  const FIX::DataDictionary dictionary{std::string(path)};
}

std::string quickfix_dictionary_reading(const char* path) {
  try {
    const FIX::DataDictionary dictionary{std::string(path)};
    std::string text = dictionary.isMsgType("A") ? "A" : "";
    text += dictionary.isMsgType("D") ? "D" : "";
    std::string name = "none";
    dictionary.getFieldName(58, name);
    return text + name + " ";
  } catch (const std::exception&) {
    return "not loaded";
  }
}

}  // namespace affix_bench
