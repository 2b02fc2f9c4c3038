// SPDX-License-Identifier: MIT
// Decides which of a session's reports are written at once. Those of a flood are counted, and their
// number is written in one line. Reads no clock: callers pass the time.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/host/application.hpp"
#include "affix/session/out.hpp"

#include "host/repeated_events.hpp"
#include "host/report_text.hpp"
#include "host/unprocessed_watch.hpp"
#include "host/warning_counts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace affix::inline v0::host {

/// One thread. Times are steady. Lines are written by `write(Event::Severity, std::string_view
/// text, base::MessageCode)`; the text is valid during the call.
class ReportFilter {
 public:
  /// True if the report must be written now. False: it is counted.
  [[nodiscard]] bool admits(const session::Report& report, std::int64_t now_ns) noexcept {
    return report.event == session::Event::Warned ? warnings_.is_first(report.first)
                                                  : admits(report.event, now_ns);
  }

  /// The same for an event that has no report, and is no warning.
  [[nodiscard]] bool admits(session::Event event, std::int64_t now_ns) noexcept {
    return repeated_.admits(event, now_ns);
  }

  /// True if an operator must know that `count` messages are unprocessed.
  [[nodiscard]] bool must_report_unprocessed(std::uint64_t count) noexcept {
    return unprocessed_.must_report(count);
  }

  /// Time at which write_due() has a line; the largest value when it has none.
  [[nodiscard]] std::int64_t due_ns() const noexcept { return repeated_.due_ns(); }

  /// Writes the number of each event that was omitted in a second which is over by `now_ns`.
  template <typename Write>
  void write_due(std::int64_t now_ns, Write write) {
    repeated_.take(now_ns, [&write](session::Event event, std::uint64_t count) {
      Line room;
      write(severity_of(event), repeated_line(room, event, count), "S307");
    });
  }

  /// The connection has ended: writes all that was counted in it, warnings first.
  template <typename Write>
  void end_connection(Write write) {
    warnings_.take([&write](std::size_t reason, std::uint64_t count) {
      Line room;
      write(Event::Severity::Warning, warning_line(room, reason, count), "S306");
    });
    write_due(std::numeric_limits<std::int64_t>::max(), write);
  }

 private:
  using Line = std::array<char, 128>;

  [[nodiscard]] static std::string_view repeated_line(Line& room, session::Event event,
                                                      std::uint64_t count) noexcept;
  [[nodiscard]] static std::string_view warning_line(Line& room, std::size_t reason,
                                                     std::uint64_t count) noexcept;

  UnprocessedWatch unprocessed_;
  RepeatedEvents repeated_;
  WarningCounts warnings_;
};

}  // namespace affix::inline v0::host
