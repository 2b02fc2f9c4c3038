// SPDX-License-Identifier: MIT
// Makes an answer of JSON.
#pragma once

#include "monitor/request.hpp"

#include <nlohmann/json_fwd.hpp>

namespace affix::inline v0::tools::monitor {

/// Bytes that are not UTF-8 are replaced, since configurations allow any bytes in sessions' names.
[[nodiscard]] Answer answer_of(const nlohmann::ordered_json& json);

}  // namespace affix::inline v0::tools::monitor
