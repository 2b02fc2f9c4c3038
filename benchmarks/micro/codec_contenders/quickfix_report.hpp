// SPDX-License-Identifier: MIT
// QuickFIX as a contender of reading ten fields out of a parsed ExecutionReport, behind plain
// functions, because its headers compile only as C++14.
#pragma once

#include <cstddef>
#include <string>

namespace affix_bench {

/// Values in the types of QuickFIX's fields; the strings keep their capacity.
struct QuickfixReport {
  std::string cl_ord_id;
  std::string order_id;
  std::string exec_id;
  std::string symbol;
  char exec_type;
  char ord_status;
  char side;
  double last_qty;
  double last_px;
  double cum_qty;
};

/// Parses the report for later reads. Ends the program when QuickFIX refuses it.
void quickfix_parse_report(const char* bytes, std::size_t size);

void quickfix_read_report(QuickfixReport& report);

}  // namespace affix_bench
