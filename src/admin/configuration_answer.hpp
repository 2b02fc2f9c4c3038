// SPDX-License-Identifier: MIT
// The answer of commands that show a configuration.
#pragma once

#include "affix/admin/answer.hpp"
#include "affix/config/configuration.hpp"

#include <string>

namespace affix::inline v0::admin {

/// The value of every key of every group, or of `group` if it is not empty; refused if there is no
/// such group.
[[nodiscard]] Answer configuration_answer(const config::Configuration& configuration,
                                          const std::string& group);

}  // namespace affix::inline v0::admin
