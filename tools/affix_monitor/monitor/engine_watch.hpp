// SPDX-License-Identifier: MIT
// Reads an engine's counters file and the disks, also if the file is missing, replaced or removed.
#pragma once

#include "affix/counters/counter_reader.hpp"

#include "monitor/snapshot.hpp"

#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// One thread.
class EngineWatch {
 public:
  explicit EngineWatch(std::string counters_file) : counters_file_(std::move(counters_file)) {}

  /// Maps and reads the file, without effect on the engine. If the file is gone, returns the last
  /// numbers of the engine, which no longer runs.
  [[nodiscard]] EngineLook look();

 private:
  const std::string counters_file_;
  std::optional<counters::CounterReader> reader_;
};

/// Free space of the disks under these directories. Omits those that cannot be queried.
[[nodiscard]] std::vector<DiskView> look_at_disks(const std::vector<Roster::Place>& places);

}  // namespace affix::inline v0::tools::monitor
