// SPDX-License-Identifier: MIT
// Tracks unanswered requests, and the latency of answers. A request is answered by the first report
// of its session with its ClOrdID.
#pragma once

#include "affix/wire/view.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace affix::inline v0::tools::log {

/// True if messages of this type are answers: ExecutionReport and OrderCancelReject.
[[nodiscard]] bool is_answer(const wire::MsgType& type) noexcept;

/// Memory for one entry per open request; one thread.
class OpenRequests {
 public:
  /// Tracks at most `requests_max` at a time; ignores further ones.
  explicit OpenRequests(std::size_t requests_max = SIZE_MAX) : requests_max_(requests_max) {}

  /// Takes a message of `session`, seen at `utc_ns`. For an answer returns the time since its
  /// request: 0 if an engine stored both in one turn, negative if two clocks disagree. Nullopt for
  /// a request, and for a report that answers none.
  [[nodiscard]] std::optional<std::int64_t> take(std::string_view session,
                                                 const wire::MessageView& message,
                                                 std::int64_t utc_ns);

  /// Requests without an answer.
  [[nodiscard]] std::size_t count() const noexcept { return open_.size(); }

  /// Number of requests ignored.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  std::size_t requests_max_;
  std::uint64_t left_out_ = 0;
  std::unordered_map<std::string, std::int64_t> open_;  // By session and ClOrdID.
};

}  // namespace affix::inline v0::tools::log
