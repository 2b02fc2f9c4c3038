// SPDX-License-Identifier: MIT
// Selects and orders the fields of a received message that are sent back.
#pragma once

#include "affix/session/extra_header_field.hpp"
#include "affix/wire/view.hpp"

#include "group_layout.hpp"

#include <string>
#include <vector>

namespace affix::conformance_echo {

/// Header fields that are returned, ascending: all except those that a session writes itself,
/// PossDupFlag (43) and OrigSendingTime (122). Views the message.
[[nodiscard]] std::vector<session::ExtraHeaderField> echoed_header(
    const wire::MessageView& message);

/// The body as encoded fields: unchanged values, sorted by tag, the entries of a group after its
/// counter in the order of `layout`.
[[nodiscard]] std::string echoed_body(const wire::MessageView& message, const GroupLayout& layout);

}  // namespace affix::conformance_echo
