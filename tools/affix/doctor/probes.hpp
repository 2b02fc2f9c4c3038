// SPDX-License-Identifier: MIT
// Short measurements of this machine; about two seconds in all.
#pragma once

#include "doctor/measured.hpp"

#include <string>

namespace affix::inline v0::tools::doctor {

struct ProbeOptions {
  /// Directory for temporary files, removed at once: the journals' directory, or its nearest
  /// existing parent. Empty: disks are not measured.
  std::string folder;
  double spin_seconds = 1.0;
};

/// False on a system of whose settings the program knows nothing.
[[nodiscard]] bool can_probe() noexcept;

/// Runs all probes, one after the other, on the calling thread and one more. Omits results that the
/// machine refuses (no space, no permission).
[[nodiscard]] Measured take_probes(const ProbeOptions& options);

}  // namespace affix::inline v0::tools::doctor
