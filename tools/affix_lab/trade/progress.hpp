// SPDX-License-Identifier: MIT
// The trade client's display, redrawn in place on a terminal, as plain lines elsewhere; and its
// summary.
#pragma once

#include "trade/client.hpp"
#include "trade/redrawn_lines.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

namespace affix::inline v0::tools::trade {

/// "12.3 us", "4.56 ms": three significant digits and a unit.
[[nodiscard]] std::string duration_text(std::int64_t ns);

/// "p50 1.20 ms  p90 ...  max 9.80 ms".
[[nodiscard]] std::string percentile_text(const LatencyHistogram& round_trips);

/// "300 @ 99.98 | 100.02 @ 100, last 100 @ 100.00": the best bid and offer of a book, and its last
/// trade.
[[nodiscard]] std::string book_text(const TopOfBook& book);

class Progress {
 public:
  /// `out` outlives it. On a terminal show() replaces the last display.
  explicit Progress(std::FILE* out);

  /// Draws, at most ten times a second on a terminal and once a second elsewhere.
  void show(const ClientState& state, const LatencyHistogram& round_trips);

  /// Keeps the last display; later output is written below it.
  void finish() noexcept { lines_.finish(); }

 private:
  void draw(const ClientState& state, const LatencyHistogram& round_trips);
  void print_line(const ClientState& state, const LatencyHistogram& round_trips);

  std::FILE* out_;
  RedrawnLines lines_;
  std::int64_t next_line_ns_ = 0;
  std::int64_t last_elapsed_ns_ = 0;
  std::uint64_t last_sent_ = 0;
  double rate_ = 0;
};

/// Prints the final state, one fact per line.
void print_summary(const ClientState& state, const LatencyHistogram& round_trips, std::FILE* out);

/// The same as one JSON object on a line.
[[nodiscard]] std::string summary_json(const ClientState& state,
                                       const LatencyHistogram& round_trips);

/// Requests of all kinds.
[[nodiscard]] std::uint64_t sent_total(const FlowCounters& counters) noexcept;

}  // namespace affix::inline v0::tools::trade
