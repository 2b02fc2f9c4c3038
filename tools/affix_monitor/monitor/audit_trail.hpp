// SPDX-License-Identifier: MIT
// Records operators' actions on alerts, in the format of an engine's audit trail.
#pragma once

#include "affix/base/error.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::tools::monitor {

/// Any thread, one at a time.
class AuditTrail {
 public:
  /// An empty path means standard error.
  explicit AuditTrail(std::string path) : path_(std::move(path)) {}

  /// Writes one line, on the disk when it returns. Opens the file for each line, so that it starts
  /// a new one after the old was moved away; other processes may also write to it.
  [[nodiscard]] std::expected<void, base::Error> write(std::int64_t utc_ns,
                                                       std::string_view session,
                                                       std::string_view text) const;

 private:
  std::string path_;
};

}  // namespace affix::inline v0::tools::monitor
