// SPDX-License-Identifier: MIT
// The costs are known of Linux alone.
#include "doctor/probes.hpp"

namespace affix::inline v0::tools::doctor {

bool can_probe() noexcept {
  return false;
}

Measured take_probes(const ProbeOptions& /*options*/) {
  return {};
}

}  // namespace affix::inline v0::tools::doctor
