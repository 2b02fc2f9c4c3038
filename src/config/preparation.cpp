// SPDX-License-Identifier: MIT
// Gathers the problems of the parts.
#include "config/preparation.hpp"

#include "config/kernel_choice.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace affix::inline v0::config {

namespace {

bool is_problem(const Finding& finding) noexcept {
  return finding.sort != FindingSort::NoEffect;
}

/// True if `problems` has a finding about this value: what a part makes of it adds nothing.
bool is_reported(const Finding& finding, const std::vector<Finding>& problems) {
  return !finding.key.empty() && std::ranges::any_of(problems, [&finding](const Finding& one) {
    return one.kind == finding.kind && one.group == finding.group && one.key == finding.key;
  });
}

/// Adds those about other values.
void add_new(std::vector<Finding> found, std::vector<Finding>& problems) {
  for (Finding& finding : found) {
    if (!is_reported(finding, problems)) {
      problems.push_back(std::move(finding));
    }
  }
}

/// True if a number is out of its range: a plan could have any number of workers.
bool has_wrong_number(const std::vector<Finding>& problems) {
  return std::ranges::find(problems, base::MessageCode("C207"), &Finding::code) != problems.end();
}

}  // namespace

std::expected<Preparation, std::vector<Finding>> prepare(const Configuration& configuration,
                                                         const std::vector<Finding>& findings) {
  Preparation prepared;
  std::vector<Finding> problems;
  std::ranges::copy_if(findings, std::back_inserter(problems), &is_problem);
  if (!has_wrong_number(problems)) {
    if (auto plan = plan_workers(configuration)) {
      prepared.plan = std::move(*plan);
    } else {
      add_new(std::move(plan.error()), problems);
    }
  }
  if (auto encryption = TlsGroups::open(configuration, problems)) {
    prepared.encryption = std::move(*encryption);
  } else {
    add_new(std::move(encryption.error()), problems);
  }
  if (std::optional<Finding> fault = kernel_fault(configuration.engine)) {
    add_new({std::move(*fault)}, problems);
  }
  if (!problems.empty()) {
    return std::unexpected(std::move(problems));
  }
  return prepared;
}

}  // namespace affix::inline v0::config
