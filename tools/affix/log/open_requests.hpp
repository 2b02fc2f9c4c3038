// SPDX-License-Identifier: MIT
// Requests that no report has answered yet, and how long the answers of the others took. A request
// is answered by the first report of its session with its ClOrdID.
#pragma once

#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace affix::inline v0::tools::log {

/// Whether messages of this type are answers: ExecutionReport and OrderCancelReject.
[[nodiscard]] bool is_answer(const wire::MsgType& type) noexcept;

/// One entry an open request; one thread.
class OpenRequests {
 public:
  /// At most `requests_max` at once; further ones are not followed.
  explicit OpenRequests(std::size_t requests_max = SIZE_MAX) : requests_max_(requests_max) {}

  /// Takes a message of `session`, seen at `utc_ns`. For an answer, the time since its request: 0
  /// where an engine stored both in one turn, below 0 where two clocks disagree. Nothing for a
  /// request, and for a report that answers none.
  [[nodiscard]] std::optional<std::int64_t> take(std::string_view session,
                                                 const wire::MessageView& message,
                                                 std::int64_t utc_ns);

  /// Requests without an answer.
  [[nodiscard]] std::size_t count() const noexcept { return open_.size(); }

  /// Requests that were not followed.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  std::size_t requests_max_;
  std::uint64_t left_out_ = 0;
  std::unordered_map<std::string, std::int64_t> open_;  // By session and ClOrdID.
};

}  // namespace affix::inline v0::tools::log
