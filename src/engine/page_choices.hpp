// SPDX-License-Identifier: MIT
// The cheaper way to make journals' pages present, measured once for each disk.
#pragma once

#include "affix/journal/page_costs.hpp"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace affix::inline v0::engine {

/// Any thread.
class PageChoices {
 public:
  /// For journals in or below `directory`, which need not exist yet. Asks the system for each
  /// directory once, and measures each disk once, which takes about a millisecond.
  [[nodiscard]] journal::NewPages for_directory(const std::string& directory);

  /// Measurements since the last call, as sentences for the log.
  [[nodiscard]] std::vector<std::string> take_notes();

 private:
  [[nodiscard]] journal::NewPages for_disk_of(const std::string& place);

  std::mutex mutex_;
  std::map<std::string, journal::NewPages> directories_;
  std::map<unsigned long, journal::NewPages> disks_;  // By the system's number of the device.
  std::vector<std::string> notes_;
};

}  // namespace affix::inline v0::engine
