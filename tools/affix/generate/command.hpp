// SPDX-License-Identifier: MIT
// `affix generate`: generates a dictionary's C++ headers.
#pragma once

#include "program/options.hpp"

#include <string>

namespace affix::inline v0::tools::generate {

struct GenerateCommand {
  std::string dictionary;  ///< A file.
  std::string transport;   ///< A file, or empty.
  std::string name_space;
  std::string output;     ///< An include directory; created if missing.
  bool exercise = false;  ///< Also generate exercise.hpp.
  bool pages = false;     ///< Markdown pages instead of headers.
  bool list = false;      ///< Prints the files' names and writes none.
};

/// Exit status: 0, or 1 with every problem on standard error.
[[nodiscard]] int generate_headers(const GenerateCommand& command);

void add_command(Command program);

/// Only the options, for a program that does nothing else.
void add_options(Command program);

}  // namespace affix::inline v0::tools::generate
