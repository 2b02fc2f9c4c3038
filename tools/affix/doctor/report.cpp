// SPDX-License-Identifier: MIT
// Formats lines and members.
#include "doctor/report.hpp"

#include "log/record_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace affix::inline v0::tools::doctor {

namespace {

using Json = nlohmann::ordered_json;

std::string measured_text(const Measured& measured) {
  std::string text;
  const auto line = [&text](const char* what, const std::string& is) {
    text += std::string(what) + is + "\n";
  };
  const auto time = [](std::int64_t ns) { return log::duration_text(ns); };
  if (measured.clock_read_ns) {
    line("measured  clock      ", time(*measured.clock_read_ns) + " a reading");
  }
  if (measured.wake_up) {
    line("measured  wake-up    ", time(measured.wake_up->median_ns) + ", p99 " +
                                      time(measured.wake_up->p99_ns) + ", at most " +
                                      time(measured.wake_up->largest_ns));
  }
  if (measured.gaps) {
    line("measured  spinning   ", "held up for " + time(measured.gaps->largest_ns) + " at most, " +
                                      std::to_string(measured.gaps->over_10_us) +
                                      " times for more than 10 us");
  }
  if (measured.pages) {
    line("measured  new pages  ",
         time(measured.pages->single_ns) + " each where needed, " +
             time(measured.pages->pieces_ns) + " each in pieces of 64 KiB, " +
             time(measured.pages->large_ns) + " each in pieces of 2 MiB, of which one took " +
             time(measured.pages->large_piece_ns));
    line("measured  page fault ", time(measured.pages->fault_ns) + " for the first of a file");
  }
  if (measured.flush) {
    line("measured  flush      ", time(measured.flush->median_ns) + ", p99 " +
                                      time(measured.flush->p99_ns) + ", at most " +
                                      time(measured.flush->largest_ns));
  }
  return text;
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

Json json_of(const Spread& spread) {
  return {{"median_ns", spread.median_ns},
          {"p99_ns", spread.p99_ns},
          {"largest_ns", spread.largest_ns}};
}

}  // namespace

std::string report_text(const Measured& measured, const Findings& findings) {
  std::string text = measured_text(measured);
  std::size_t width = 0;
  for (const Finding& finding : findings) {
    width = std::max(width, finding.name.size());
  }
  std::size_t dear = 0;
  const std::string margin = "         " + std::string(width + 2, ' ');
  for (const Verdict verdict : {Verdict::Costs, Verdict::Unknown, Verdict::Fine}) {
    for (const Finding& finding : findings) {
      if (finding.verdict != verdict) {
        continue;
      }
      dear += verdict == Verdict::Costs ? 1 : 0;
      text += padded(to_text(verdict), 9) + padded(finding.name, width + 2) + finding.found + "\n";
      if (!finding.cost.empty()) {
        text += margin + finding.cost + "\n";
      }
      if (!finding.advice.empty()) {
        text += margin + "do: " + finding.advice + "\n";
      }
    }
  }
  return text + (dear == 0 ? std::string("nothing to do\n")
                           : std::to_string(dear) + (dear == 1 ? " thing costs" : " things cost") +
                                 " tail or throughput\n");
}

std::string report_json(const Measured& measured, const Findings& findings) {
  Json all;
  Json& numbers = all["measured"] = Json::object();
  if (measured.clock_read_ns) {
    numbers["clock_read_ns"] = *measured.clock_read_ns;
  }
  if (measured.wake_up) {
    numbers["wake_up"] = json_of(*measured.wake_up);
  }
  if (measured.gaps) {
    numbers["spinning"] = {{"largest_gap_ns", measured.gaps->largest_ns},
                           {"gaps_over_10_us", measured.gaps->over_10_us}};
  }
  if (measured.pages) {
    numbers["new_page"] = {{"fault_ns", measured.pages->fault_ns},
                           {"single_ns", measured.pages->single_ns},
                           {"in_pieces_ns", measured.pages->pieces_ns},
                           {"in_large_pieces_ns", measured.pages->large_ns},
                           {"largest_piece_ns", measured.pages->large_piece_ns}};
  }
  if (measured.flush) {
    numbers["flush"] = json_of(*measured.flush);
  }
  all["findings"] = Json::array();
  for (const Finding& finding : findings) {
    all["findings"].push_back({{"name", finding.name},
                               {"verdict", to_text(finding.verdict)},
                               {"found", finding.found},
                               {"cost", finding.cost},
                               {"advice", finding.advice}});
  }
  // Configurations allow any bytes in names of groups.
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace affix::inline v0::tools::doctor
