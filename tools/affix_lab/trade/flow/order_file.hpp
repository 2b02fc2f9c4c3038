// SPDX-License-Identifier: MIT
// Orders from a CSV file whose first line names the columns after FIX fields:
//   Symbol, Side, OrdType, OrderQty    required;
//   Price                              for limit orders;
//   TimeInForce                        default Day;
//   ClOrdID                            default: prefix and row number;
//   MsgType                            D (default), F or G;
//   OrigClOrdID                        for F and G: ClOrdID of the earlier row that it refers to;
//   Delay                              milliseconds after the previous row, default 0.
// Enumerations are written as in FIX or by name: 1 or Buy, 2 or Limit, 3 or IOC.
#pragma once

#include "trade/flow/csv_reader.hpp"
#include "trade/flow/order_request.hpp"

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::trade {

inline constexpr std::size_t order_file_bytes_max = std::size_t{64} << 20U;
inline constexpr std::size_t order_file_rows_max = 1'000'000;

/// Maximum number of problems, after which reading stops.
inline constexpr std::size_t order_file_problems_max = 100;

/// The file's requests in order, or all of its problems, in the order of their places.
using OrderFile = std::expected<std::vector<OrderRequest>, std::vector<FileProblem>>;

/// Rows without a name get `cl_ord_id_prefix` followed by the row's number.
[[nodiscard]] OrderFile parse_orders(std::string_view text, std::string_view cl_ord_id_prefix);

/// Reads the file at `path` and parses it. A file that cannot be read is a problem at line 1.
[[nodiscard]] OrderFile load_orders(const std::string& path, std::string_view cl_ord_id_prefix);

}  // namespace affix::inline v0::tools::trade
