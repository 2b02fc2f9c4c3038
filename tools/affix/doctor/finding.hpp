// SPDX-License-Identifier: MIT
// Finding about one setting of the machine or the configuration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::doctor {

enum class Verdict : std::uint8_t {
  Costs,    ///< It costs performance, and there is a remedy.
  Unknown,  ///< This machine does not show it.
  Fine,
};

[[nodiscard]] constexpr const char* to_text(Verdict verdict) noexcept {
  return verdict == Verdict::Costs ? "costs" : verdict == Verdict::Fine ? "fine" : "unknown";
}

struct Finding {
  std::string name;  ///< Heading of its paragraph in the handbook.
  Verdict verdict = Verdict::Unknown;
  std::string found;   ///< Present state.
  std::string cost;    ///< Measured cost; empty unless it costs.
  std::string advice;  ///< Remedy in one line, or a way to make it known; empty otherwise.
};

using Findings = std::vector<Finding>;

[[nodiscard]] inline Finding fine(std::string name, std::string found) {
  return {std::move(name), Verdict::Fine, std::move(found), {}, {}};
}

[[nodiscard]] inline Finding unknown(std::string name, std::string found, std::string advice = {}) {
  return {std::move(name), Verdict::Unknown, std::move(found), {}, std::move(advice)};
}

[[nodiscard]] inline Finding costs(std::string name, std::string found, std::string cost,
                                   std::string advice) {
  return {std::move(name), Verdict::Costs, std::move(found), std::move(cost), std::move(advice)};
}

[[nodiscard]] inline bool any_costs(const Findings& findings) noexcept {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.verdict == Verdict::Costs; });
}

}  // namespace affix::inline v0::tools::doctor
