// SPDX-License-Identifier: MIT
// Explains to an operator why a first message opens no session: its identity, and the expected
// ones. Shows identities, types and versions only, never a credential.
#pragma once

#include "affix/host/session_handle.hpp"
#include "affix/wire/index.hpp"
#include "affix/wire/view.hpp"

#include "config/session_template.hpp"

#include <span>
#include <string>

namespace affix::inline v0::engine {

/// Identity of a message: `35=A 8=FIX.4.4 49=FIRM 56=VENUE`, each value at most 64 characters.
[[nodiscard]] std::string identity_of(const wire::MessageView& message);

/// For a first message that is not a Logon, or is garbled.
[[nodiscard]] std::string why_no_logon(const wire::MessageView& message);

/// For a Logon whose identity is that of none of `sessions`, and matches none of `templates`.
/// O(sessions).
[[nodiscard]] std::string why_no_session(const wire::MessageView& logon,
                                         std::span<const host::SessionHandle> sessions,
                                         std::span<const config::SessionIds> templates);

}  // namespace affix::inline v0::engine
