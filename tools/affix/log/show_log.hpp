// SPDX-License-Identifier: MIT
// Reads, filters and shows a log: for `affix log`, `affix journal export` and the demo.
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
  std::string order{};                      ///< Shows only this ClOrdID's order; empty: everything.
  bool statistics = false;                  ///< Shows counts instead of entries.
  bool follow = false;                      ///< Continues with new entries until the process ends.
  std::string out{};                        ///< A file to write; empty: the given stream.
  std::string own_comp_id{};                ///< Our CompID, for logs without senders or directions.
  std::vector<std::string> dictionaries{};  ///< Files searched before the standard dictionaries.
  std::vector<std::uint32_t> secret_tags{};  ///< Tags whose values are not shown, in addition to
                                             ///< passwords.
};

/// Writes to `out`, or to the file in the options. Exit status: 0; 1 if reading failed, with the
/// reason on standard error; 2 for invalid options; output_status if only writing failed.
[[nodiscard]] int show_log(const LogOptions& options, std::FILE* out);

}  // namespace affix::inline v0::tools::log
