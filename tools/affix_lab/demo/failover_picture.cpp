// SPDX-License-Identifier: MIT
// Draws with printable ASCII only.
#include "demo/failover_picture.hpp"

#include "demo/answer_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace affix::inline v0::tools::demo {

namespace {

constexpr std::size_t chart_rows = 6;
constexpr std::size_t scale_columns = 9;
constexpr std::size_t events_shown = 8;
constexpr std::size_t bars_per_second = base::ns_per_second / AnswerTimes::bar_ns;

/// "  8.0 s".
std::string time_text(std::int64_t ns) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%5.1f s",
                static_cast<double>(ns) / static_cast<double>(base::ns_per_second));
  return text.data();
}

/// The text with blanks up to the width, and one more.
std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width) + 1, ' ');
  return text;
}

std::string epoch_text(const NodePicture& node) {
  return node.epoch == 0 ? std::string() : "epoch " + std::to_string(node.epoch);
}

/// Rates, each of as many bars as a column of the chart stands for.
struct Chart {
  std::size_t bars_per_column = 1;
  std::size_t columns = 0;
  std::vector<double> rates;  ///< Of the columns that are over.
  double top = 1;
};

Chart chart_of(const FailoverPicture& picture, std::size_t width) {
  Chart chart;
  const auto length_ns = std::max(picture.duration_ns, picture.elapsed_ns);
  const auto bars = static_cast<std::size_t>(length_ns / AnswerTimes::bar_ns) + 1;
  chart.bars_per_column = (bars + width - 1) / width;
  chart.columns = (bars + chart.bars_per_column - 1) / chart.bars_per_column;
  const auto over = static_cast<std::size_t>(picture.elapsed_ns / AnswerTimes::bar_ns);
  const double length =
      static_cast<double>(chart.bars_per_column) / static_cast<double>(bars_per_second);
  for (std::size_t at = 0; at + chart.bars_per_column <= over; at += chart.bars_per_column) {
    std::uint64_t count = 0;
    for (std::size_t bar = at; bar < at + chart.bars_per_column; ++bar) {
      count += bar < picture.bars.size() ? picture.bars[bar] : 0;
    }
    chart.rates.push_back(static_cast<double>(count) / length);
    chart.top = std::max(chart.top, chart.rates.back());
  }
  return chart;
}

/// The part of a column that is in a row: `height` counts in rows.
char cell_of(double height, std::size_t row) {
  constexpr std::string_view levels = " .:#";
  const double part = std::clamp(height - static_cast<double>(row), 0.0, 1.0);
  const auto level =
      static_cast<std::size_t>(std::lround(part * static_cast<double>(levels.size() - 1)));
  // Little is not nothing.
  return levels[row == 0 && part > 0 ? std::max<std::size_t>(level, 1) : level];
}

std::size_t column_of(std::int64_t at_ns, const Chart& chart) {
  return static_cast<std::size_t>(std::max<std::int64_t>(at_ns, 0) / AnswerTimes::bar_ns) /
         chart.bars_per_column;
}

void add_chart(std::vector<std::string>& lines, const FailoverPicture& picture,
               std::size_t columns) {
  const std::size_t room = columns > scale_columns + 20 ? columns - scale_columns - 2 : 20;
  const Chart chart = chart_of(picture, room);
  for (std::size_t row = chart_rows; row-- > 0;) {
    const std::string scale = row + 1 == chart_rows ? std::to_string(std::lround(chart.top))
                              : row == 0            ? "0"
                                                    : "";
    std::string line(scale_columns - 1 - std::min(scale.size(), scale_columns - 1), ' ');
    line += scale + " ";
    line += '|';
    for (const double rate : chart.rates) {
      line += cell_of(rate / chart.top * static_cast<double>(chart_rows), row);
    }
    lines.push_back(std::move(line));
  }
  std::string line(chart.columns, '-');
  for (const PictureEvent& event : picture.events) {
    if (const std::size_t at = column_of(event.at_ns, chart);
        event.mark != ' ' && at < line.size()) {
      line[at] = event.mark;
    }
  }
  lines.push_back(std::string(scale_columns, ' ') + '+' + line);
  // Numbers so far apart that they do not touch.
  constexpr std::size_t label_columns = 10;
  std::int64_t step = 1;
  while (column_of(step * base::ns_per_second, chart) < label_columns) {
    step *= 5;
  }
  std::string times(chart.columns, ' ');
  for (std::int64_t second = 0; column_of(second * base::ns_per_second, chart) < chart.columns;
       second += step) {
    const std::string text = std::to_string(second) + " s";
    times.replace(column_of(second * base::ns_per_second, chart), text.size(), text);
  }
  times.resize(chart.columns);
  lines.push_back(std::string(scale_columns + 1, ' ') + times);
}

}  // namespace

std::uint64_t FailoverPicture::rate() const noexcept {
  const auto over = static_cast<std::size_t>(elapsed_ns / AnswerTimes::bar_ns);
  std::uint64_t count = 0;
  for (std::size_t bar = over - std::min(over, bars_per_second); bar < over; ++bar) {
    count += bar < bars.size() ? bars[bar] : 0;
  }
  return count;
}

std::vector<std::string> picture_of(const FailoverPicture& picture, std::size_t columns) {
  constexpr std::size_t name_columns = 9;
  constexpr std::size_t state_columns = 12;
  constexpr std::size_t epoch_columns = 10;
  std::vector<std::string> lines;
  for (const NodePicture& node : picture.nodes) {
    lines.push_back("  " + padded(node.name, name_columns) + padded(node.state, state_columns) +
                    padded(epoch_text(node), epoch_columns) + node.more);
  }
  lines.push_back("  etcd      " + picture.etcd);
  lines.push_back("  traders   " + std::to_string(picture.traders_logged_on) + " of " +
                  std::to_string(picture.traders) + " logged on; " +
                  std::to_string(picture.answered) + " requests answered, " +
                  std::to_string(picture.waiting) + " waiting; " + std::to_string(picture.rate()) +
                  "/s");
  lines.push_back("  round trip  " + picture.round_trips);
  lines.emplace_back("  requests answered a second, by the traders' journals");
  add_chart(lines, picture, columns);
  const std::size_t first = picture.events.size() - std::min(picture.events.size(), events_shown);
  for (std::size_t at = first; at < picture.events.size(); ++at) {
    lines.push_back(event_line(picture.events[at]));
  }
  return lines;
}

std::string line_of(const FailoverPicture& picture) {
  std::string line = time_text(picture.elapsed_ns);
  for (const NodePicture& node : picture.nodes) {
    const std::string epoch = epoch_text(node);
    line += "  " + node.name + " " + node.state + (epoch.empty() ? "" : " " + epoch) +
            (node.more.empty() ? "" : " (" + node.more + ")");
  }
  return line + "  sessions " + std::to_string(picture.traders_logged_on) + "/" +
         std::to_string(picture.traders) + "  answered " + std::to_string(picture.answered) + " (" +
         std::to_string(picture.rate()) + "/s)  waiting " + std::to_string(picture.waiting);
}

std::string event_line(const PictureEvent& event) {
  return time_text(event.at_ns) + " " + event.mark + " " + event.text;
}

}  // namespace affix::inline v0::tools::demo
