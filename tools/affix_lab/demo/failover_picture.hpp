// SPDX-License-Identifier: MIT
// Draws the failover demonstration: nodes, traders, answers along the time, and events.
// Independent of the terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::demo {

struct NodePicture {
  std::string name;
  std::string state;  ///< "primary", "standby", "killed" and the like.
  std::uint64_t epoch = 0;
  std::string more;  ///< How far behind it is, or why it holds its output.
};

struct PictureEvent {
  std::int64_t at_ns = 0;  ///< Since the flow began.
  std::string text;
  char mark = ' ';  ///< On the line of time; blank: none.
};

struct FailoverPicture {
  std::int64_t elapsed_ns = 0;
  std::int64_t duration_ns = 0;
  std::vector<NodePicture> nodes;
  std::string etcd;
  std::size_t traders = 0;
  std::size_t traders_logged_on = 0;
  std::uint64_t answered = 0;
  std::uint64_t waiting = 0;
  std::string round_trips;
  std::vector<std::uint32_t> bars;  ///< Answers in each tenth of a second.
  std::vector<PictureEvent> events;

  /// Answers in the last whole second.
  [[nodiscard]] std::uint64_t rate() const noexcept;
};

/// For a terminal of this width: at most 23 lines, so that 24 rows hold them.
[[nodiscard]] std::vector<std::string> picture_of(const FailoverPicture& picture,
                                                  std::size_t columns);

/// For where there is no terminal: one line about this moment.
[[nodiscard]] std::string line_of(const FailoverPicture& picture);

/// "   8.0 s  text".
[[nodiscard]] std::string event_line(const PictureEvent& event);

}  // namespace affix::inline v0::tools::demo
