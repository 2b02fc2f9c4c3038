// SPDX-License-Identifier: MIT
// Handing a message to the application's function for its type: what generated dispatchers call.
#pragma once

#include "affix/wire/view.hpp"

namespace affix::inline v0::messages {

/// Calls `application.on_message(view, extra...)`, the catch-all, where there is one. False when
/// there is none.
template <typename Application, typename... Extra>
[[gnu::always_inline]] inline bool deliver_unknown(const wire::MessageView& view,
                                                   Application& application,
                                                   Extra&... extra) noexcept {
  if constexpr (requires { application.on_message(view, extra...); }) {
    application.on_message(view, extra...);
    return true;
  } else {
    return false;
  }
}

/// Calls `application.on_message(Message, extra...)` where there is one, else the catch-all.
/// `Message` need not be complete unless it is handled.
template <typename Message, typename Application, typename... Extra>
[[gnu::always_inline]] inline bool deliver(const wire::MessageView& view, Application& application,
                                           Extra&... extra) noexcept {
  if constexpr (requires(const Message& message) { application.on_message(message, extra...); }) {
    application.on_message(Message(view), extra...);
    return true;
  } else {
    return deliver_unknown(view, application, extra...);
  }
}

}  // namespace affix::inline v0::messages
