// SPDX-License-Identifier: MIT
// Where it is written down who did what about alerts, in the lines of an engine's own audit trail.
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
  /// An empty path is standard error.
  explicit AuditTrail(std::string path) : path_(std::move(path)) {}

  /// One line, on the disk when it returns. The file is opened for it, so that one which was moved
  /// away is begun anew; other processes may write lines to it, too.
  [[nodiscard]] std::expected<void, base::Error> write(std::int64_t utc_ns,
                                                       std::string_view session,
                                                       std::string_view text) const;

 private:
  std::string path_;
};

}  // namespace affix::inline v0::tools::monitor
