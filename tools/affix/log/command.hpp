// SPDX-License-Identifier: MIT
// `affix log`: reads journals.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace affix::inline v0::tools::log {

struct LogOptions {
  std::vector<std::string> paths;  ///< Journals, or directories of them.
  std::string order;               ///< Only this ClOrdID's life; empty: everything.
  bool fields = false;             ///< A line per field.
  bool hide_heartbeats = false;
};

/// Writes the records to `out`. The exit status: 0, or 1 with the problem on standard error.
[[nodiscard]] int print_journals(const LogOptions& options, std::FILE* out);

void add_command(CLI::App& program, int& status);

}  // namespace affix::inline v0::tools::log
