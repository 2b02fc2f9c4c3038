// SPDX-License-Identifier: MIT
// Calls the application's function for a message type; used by generated dispatchers.
#pragma once

#include "affix/wire/view.hpp"

namespace affix::inline v0::messages {

/// Calls `application.on_message(view, extra...)`, the catch-all, if it exists. Returns false if it
/// does not.
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

/// Calls `application.on_message(Message, extra...)` if it exists, else the catch-all. `Message`
/// may be incomplete unless it is handled.
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
