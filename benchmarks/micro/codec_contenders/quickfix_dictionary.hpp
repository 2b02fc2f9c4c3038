// SPDX-License-Identifier: MIT
// QuickFIX's dictionaries behind plain functions, because its headers compile only as C++14.
#pragma once

#include <string>

namespace affix_bench {

/// Constructs and destroys a FIX::DataDictionary of the file.
void quickfix_load(const char* path);

/// "AD" as far as the dictionary has these types, the name of field 58 and a space; "not loaded"
/// when QuickFIX refuses the file.
std::string quickfix_dictionary_reading(const char* path);

}  // namespace affix_bench
