// SPDX-License-Identifier: MIT
// `affix generate`: a dictionary's C++ headers.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace affix::inline v0::tools::generate {

struct GenerateCommand {
  std::string dictionary;  ///< A file.
  std::string transport;   ///< A file, or empty.
  std::string name_space;
  std::string output;     ///< An include folder; made when it is not there.
  bool exercise = false;  ///< exercise.hpp too.
  bool pages = false;     ///< Markdown pages in the place of headers.
  bool list = false;      ///< Names the files on standard output and writes none.
};

/// The exit status: 0, or 1 with every problem on standard error.
[[nodiscard]] int generate_headers(const GenerateCommand& command);

void add_command(CLI::App& program, int& status);

/// The options alone, for a program that does nothing else.
void add_options(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::generate
