// SPDX-License-Identifier: MIT
// Contents of a table of sessions, computed from readings of the counters: rates between two of
// them, latencies since a third. Independent of a terminal.
#pragma once

#include "affix/counters/counter_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::top {

/// One session as shown.
struct SessionRow {
  using Latencies = std::array<base::LatencySnapshot, counters::session_latency_count>;

  counters::SessionReading now;
  double received_rate = 0;  ///< Messages a second since the previous reading.
  double sent_rate = 0;
  double received_byte_rate = 0;
  double sent_byte_rate = 0;
  /// Shared with the reading while nothing is subtracted: 21 KiB each. Null: nothing was measured.
  std::shared_ptr<const Latencies> latencies;

  [[nodiscard]] const base::LatencySnapshot& operator[](counters::SessionLatency which) const {
    return measured()[static_cast<std::size_t>(which)];
  }

  [[nodiscard]] const Latencies& measured() const noexcept {
    static constexpr Latencies nothing{};
    return latencies == nullptr ? nothing : *latencies;
  }
};

/// A reading and its UTC time.
struct TimedReading {
  counters::EngineReading engine;
  std::int64_t utc_ns = 0;
};

/// The same session in an earlier reading of the same engine; null: another session had its seat
/// then. Views `before`, whose sessions are in the order of their seats, as CounterReader returns
/// them.
[[nodiscard]] const counters::SessionReading* find_earlier(const counters::EngineReading& before,
                                                           const counters::EngineReading& now,
                                                           const counters::SessionReading& session);

/// Rows in the file's order. A session is only compared with its own earlier reading: if another
/// session had its seat, or it is another engine, it counts from 0. `base` is the beginning for
/// latencies; if empty, the engine's start.
[[nodiscard]] std::vector<SessionRow> make_rows(const TimedReading& before, const TimedReading& now,
                                                const counters::EngineReading& base);

/// State of the session, and whether an operator has stopped its sending; at most twelve letters.
[[nodiscard]] const char* state_text(const counters::SessionReading& session) noexcept;

/// A column of the table.
struct Column {
  std::string_view name;  ///< Word for --sort, in lower case.
  std::string_view head;
  std::size_t width = 0;
  bool is_text =
      false;  ///< Left-aligned, and sorted as text; otherwise right-aligned, as a number.
  std::string (*text)(const SessionRow& row, std::int64_t utc_ns) = nullptr;
  double (*value)(const SessionRow& row) = nullptr;  ///< Null for text.
};

/// Most important first, as narrow terminals omit the last ones.
[[nodiscard]] std::span<const Column> columns() noexcept;

/// The column of that name; null: none.
[[nodiscard]] const Column* find_column(std::string_view name) noexcept;

/// Stable. Numbers begin with the largest, texts with the first letter; `reversed` reverses that.
void sort_rows(std::vector<SessionRow>& rows, const Column& by, bool reversed);

/// Keeps the rows whose name, instance, state, CompIDs or peer contains `text`, case-insensitively.
void filter_rows(std::vector<SessionRow>& rows, std::string_view text);

/// One line without its end, at most `width` characters: as many columns as fit.
[[nodiscard]] std::string head_line(std::size_t width);
[[nodiscard]] std::string row_line(const SessionRow& row, std::int64_t utc_ns, std::size_t width);

/// Lines about the engine: the process and its state, sending stopped by operators, if any, and a
/// line for each worker.
[[nodiscard]] std::vector<std::string> engine_lines(const TimedReading& before,
                                                    const TimedReading& now);

/// A complete reading, and the rates since `before`, as JSON: docs/reference/top.md lists the
/// members.
[[nodiscard]] std::string json_text(const TimedReading& before, const TimedReading& now);

}  // namespace affix::inline v0::tools::top
