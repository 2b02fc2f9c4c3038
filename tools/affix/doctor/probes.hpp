// SPDX-License-Identifier: MIT
// Small measurements of this machine; about two seconds in all.
#pragma once

#include "doctor/measured.hpp"

#include <string>

namespace affix::inline v0::tools::doctor {

struct ProbeOptions {
  /// Where files are made and at once removed: the journals' folder, or the nearest above it that
  /// is there. Empty: nothing of disks is measured.
  std::string folder;
  double spin_seconds = 1.0;
};

/// Takes all of them, one after the other, in the calling thread and one more. What the machine
/// refuses (no room, no right to write) is not there.
[[nodiscard]] Measured take_probes(const ProbeOptions& options);

}  // namespace affix::inline v0::tools::doctor
