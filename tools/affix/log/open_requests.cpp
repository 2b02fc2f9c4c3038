// SPDX-License-Identifier: MIT
// Requests and their answers, by session and ClOrdID.
#include "log/open_requests.hpp"

#include <utility>

namespace affix::inline v0::tools::log {

bool is_answer(const wire::MsgType& type) noexcept {
  return type == wire::MsgType("8") || type == wire::MsgType("9");
}

std::optional<std::int64_t> OpenRequests::take(std::string_view session,
                                               const wire::MessageView& message,
                                               std::int64_t utc_ns) {
  std::string key(session);
  key += wire::soh;  // Occurs in no field's value.
  key += message.find(11).value_or("");
  if (!is_answer(message.type())) {
    if (open_.size() < requests_max_) {
      open_.try_emplace(std::move(key), utc_ns);
    } else {
      ++left_out_;
    }
    return std::nullopt;
  }
  const auto asked = open_.find(key);
  if (asked == open_.end()) {
    return std::nullopt;
  }
  const std::int64_t took = utc_ns - asked->second;
  open_.erase(asked);
  return took;
}

}  // namespace affix::inline v0::tools::log
