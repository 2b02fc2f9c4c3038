// SPDX-License-Identifier: MIT
// Looks at an engine's file of counters and at disks, whatever becomes of them: no file yet,
// another engine's, one that was removed.
#pragma once

#include "affix/admin/counter_reader.hpp"

#include "monitor/snapshot.hpp"

#include <optional>
#include <string>
#include <vector>

namespace affix::inline v0::tools::monitor {

/// One thread.
class EngineWatch {
 public:
  explicit EngineWatch(std::string counters_file) : counters_file_(std::move(counters_file)) {}

  /// Maps and reads; the engine notices nothing. A file that is gone leaves the last numbers of the
  /// engine, which does not run any more.
  [[nodiscard]] EngineLook look();

 private:
  const std::string counters_file_;
  std::optional<admin::CounterReader> reader_;
};

/// How full the disks under these directories are. One that cannot be asked is left out.
[[nodiscard]] std::vector<DiskView> look_at_disks(const std::vector<Roster::Place>& places);

}  // namespace affix::inline v0::tools::monitor
