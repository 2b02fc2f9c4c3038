// SPDX-License-Identifier: MIT
// Results of a session's calls, and limits on its messages.
#pragma once

#include "affix/session/events.hpp"

#include <cstdint>
#include <expected>

namespace affix::inline v0::session {

/// Next step of the caller after an input.
enum class Progress : std::uint8_t {
  Done,     ///< Carry out the actions.
  More,     ///< Carry out the actions, then call on_ready: held messages are due.
  Blocked,  ///< The input was not processed: pass it again later, when the actions are carried out,
            ///< bytes are sent, on_ready was called, the Logon is answered, or throttled() is
            ///< false, whichever applies.
};

/// The MsgSeqNum of a message, or the reason for a refusal, which changes nothing. In a phase other
/// than Active the message is queued: stored, and sent after the next Logon.
using SendResult = std::expected<std::uint64_t, SendError>;

/// Properties of a message that the caller may limit.
enum class Limit : std::uint8_t { Bytes, Fields };

}  // namespace affix::inline v0::session
