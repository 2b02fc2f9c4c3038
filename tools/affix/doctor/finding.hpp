// SPDX-License-Identifier: MIT
// What was found out about one thing of the machine or the configuration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::tools::doctor {

enum class Verdict : std::uint8_t {
  Costs,    ///< Something can be done about it.
  Unknown,  ///< This machine does not say.
  Fine,
};

[[nodiscard]] constexpr const char* to_text(Verdict verdict) noexcept {
  return verdict == Verdict::Costs ? "costs" : verdict == Verdict::Fine ? "fine" : "unknown";
}

struct Finding {
  std::string name;  ///< The handbook has a paragraph under it.
  Verdict verdict = Verdict::Unknown;
  std::string found;   ///< What is there.
  std::string cost;    ///< What it takes, by how much as measured; empty unless it costs.
  std::string advice;  ///< What to do, a line; empty unless it costs, or to make it known.
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
