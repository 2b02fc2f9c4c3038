// SPDX-License-Identifier: MIT
// Why a first message opens no session, in words for an operator: what came, and what would have
// been right. Shows identities, types and versions only, never a credential.
#pragma once

#include "affix/engine/session_handle.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include <span>
#include <string>

namespace affix::inline v0::engine {

/// What a message says it is: `35=A 8=FIX.4.4 49=FIRM 56=VENUE`, each value at most 64 characters.
[[nodiscard]] std::string identity_of(const wire::MessageView& message);

/// Of a first message that is not a Logon, or none at all.
[[nodiscard]] std::string why_no_logon(const wire::MessageView& message);

/// Of a Logon whose identity none of `sessions` has. O(sessions).
[[nodiscard]] std::string why_no_session(const wire::MessageView& logon,
                                         std::span<const SessionHandle> sessions);

}  // namespace affix::inline v0::engine
