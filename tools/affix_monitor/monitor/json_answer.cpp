// SPDX-License-Identifier: MIT
// Writes JSON in one line.
#include "monitor/json_answer.hpp"

#include <nlohmann/json.hpp>

namespace affix::inline v0::tools::monitor {

Answer answer_of(const nlohmann::ordered_json& json) {
  Answer answer;
  answer.body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return answer;
}

}  // namespace affix::inline v0::tools::monitor
