// SPDX-License-Identifier: MIT
// What a table of sessions shows, computed from readings of the counters: rates between two of
// them, latencies since a third. No terminal here.
#pragma once

#include "affix/admin/counter_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace affix::inline v0::tools::top {

/// One session as it is shown.
struct SessionRow {
  using Latencies = std::array<base::LatencySnapshot, engine::session_latency_count>;

  admin::SessionReading now;
  double received_rate = 0;  ///< Messages a second since the reading before.
  double sent_rate = 0;
  double received_byte_rate = 0;
  double sent_byte_rate = 0;
  /// Shared with the reading while nothing is subtracted: 21 KiB each. Null: nothing was measured.
  std::shared_ptr<const Latencies> latencies;

  [[nodiscard]] const base::LatencySnapshot& operator[](engine::SessionLatency which) const {
    return measured()[static_cast<std::size_t>(which)];
  }

  [[nodiscard]] const Latencies& measured() const noexcept {
    static constexpr Latencies nothing{};
    return latencies == nullptr ? nothing : *latencies;
  }
};

/// A reading and the UTC time when it was made.
struct TimedReading {
  admin::EngineReading engine;
  std::int64_t utc_ns = 0;
};

/// The same session in an earlier reading of the same engine; null: its seat had another owner
/// then. Views `before`, whose sessions lie in the order of their seats, as a CounterReader has
/// them.
[[nodiscard]] const admin::SessionReading* find_earlier(const admin::EngineReading& before,
                                                        const admin::EngineReading& now,
                                                        const admin::SessionReading& session);

/// Rows in the file's order. A session is compared with its own earlier reading only: one whose
/// seat had another owner then, or another engine, counts from nothing. `base` is where latencies
/// begin; an empty one: with the engine.
[[nodiscard]] std::vector<SessionRow> make_rows(const TimedReading& before, const TimedReading& now,
                                                const admin::EngineReading& base);

/// How the session stands, and whether an operator has stopped what it sends; at most twelve
/// letters.
[[nodiscard]] const char* state_text(const admin::SessionReading& session) noexcept;

/// A column of the table.
struct Column {
  std::string_view name;  ///< As --sort knows it, in small letters.
  std::string_view head;
  std::size_t width = 0;
  bool is_text =
      false;  ///< To the left, and sorted by its letters; else to the right, as a number.
  std::string (*text)(const SessionRow& row, std::int64_t utc_ns) = nullptr;
  double (*value)(const SessionRow& row) = nullptr;  ///< Null for text.
};

/// The most important first, as narrow terminals leave out the rest.
[[nodiscard]] std::span<const Column> columns() noexcept;

/// The column of that name; null: there is none.
[[nodiscard]] const Column* find_column(std::string_view name) noexcept;

/// Equal ones keep their order. Numbers begin with the largest, texts with the first letter;
/// `reversed` turns that round.
void sort_rows(std::vector<SessionRow>& rows, const Column& by, bool reversed);

/// Leaves the rows in whose name, instance, state, CompIDs or peer `text` occurs, in whatever case.
void filter_rows(std::vector<SessionRow>& rows, std::string_view text);

/// One line without its end, of at most `width` characters: as many columns as fit.
[[nodiscard]] std::string head_line(std::size_t width);
[[nodiscard]] std::string row_line(const SessionRow& row, std::int64_t utc_ns, std::size_t width);

/// About the engine: the process and how it is, what operators have stopped from sending, if
/// anything, and a line for each worker.
[[nodiscard]] std::vector<std::string> engine_lines(const TimedReading& before,
                                                    const TimedReading& now);

/// All of a reading, and the rates since `before`, as JSON: docs/reference/top.md has the members.
[[nodiscard]] std::string json_text(const TimedReading& before, const TimedReading& now);

}  // namespace affix::inline v0::tools::top
