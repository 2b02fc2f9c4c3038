// SPDX-License-Identifier: MIT
// Requests of the logon gate for sessions that templates allow and that nobody has made yet.
#pragma once

#include "affix/base/message_code.hpp"
#include "affix/net/reactor.hpp"

#include "config/session_template.hpp"
#include "engine/post_box.hpp"

#include <string>
#include <utility>
#include <vector>

namespace affix::inline v0::engine {

/// A connection that waits for a session to be made for its Logon.
struct SessionRequest {
  net::ConnectionId connection;
  std::string server;
  std::string made_from;  ///< The template's name.
  config::SessionIds ids{};
};

/// Answer to a request: a target exists now, or the reason why not.
struct SessionAnswer {
  net::ConnectionId connection;
  std::string refusal{};  ///< Empty: search again.
  base::MessageCode code = {};
};

/// The gate's thread adds, another one takes.
class SessionRequests {
 public:
  /// The gate's thread.
  void add(SessionRequest request) {
    requests_.post(std::move(request));
    unreported_ = true;
  }

  /// True if there were requests since the last call: the caller then asks the preparing thread.
  /// The gate's thread.
  [[nodiscard]] bool take_notice() noexcept { return std::exchange(unreported_, false); }

  /// True if there are requests. Cheap; any thread.
  [[nodiscard]] bool any() const noexcept { return requests_.has_posted(); }

  /// Requests since the last call. Any thread.
  [[nodiscard]] std::vector<SessionRequest> take() { return requests_.take_posted(); }

 private:
  PostBox<SessionRequest> requests_;
  bool unreported_ = false;  // The gate's thread.
};

}  // namespace affix::inline v0::engine
