// SPDX-License-Identifier: MIT
// A log read, filtered and shown: what `affix log`, `affix journal export` and the demo do.
#pragma once

#include "log/filter.hpp"
#include "log/printer.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace affix::inline v0::tools::log {

struct LogOptions {
  std::vector<std::string> paths{};  ///< Journals, text logs, captures, or directories of them.
  FilterOptions filter{};
  PrintOptions print{};
  std::string order{};        ///< Only this ClOrdID's life; empty: everything.
  bool statistics = false;    ///< Counts instead of entries.
  bool follow = false;        ///< Goes on with what comes, until the process is ended.
  std::string out{};          ///< A file to write; empty: the stream that is given.
  std::string own_comp_id{};  ///< Ours, for logs that do not say who sent what.
  std::vector<std::string> dictionaries{};   ///< Files asked before the standard dictionaries.
  std::vector<std::uint32_t> secret_tags{};  ///< Tags whose values are not shown, beside passwords.
};

/// Writes to `out`, or to the file that the options name. The exit status: 0; 1 when something
/// could not be read or written, with the reason on standard error; 2 for options that make no
/// sense.
[[nodiscard]] int show_log(const LogOptions& options, std::FILE* out);

}  // namespace affix::inline v0::tools::log
