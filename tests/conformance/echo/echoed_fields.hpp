// SPDX-License-Identifier: MIT
// What of a received message is sent back, and in which order.
#pragma once

#include "affix/session/extra_header_field.hpp"
#include "affix/wire/view.hpp"

#include "group_layout.hpp"

#include <string>
#include <vector>

namespace affix::conformance_echo {

/// Header fields that are kept, ascending: all but those that a session writes itself, PossDupFlag
/// (43) and OrigSendingTime (122). Views the message.
[[nodiscard]] std::vector<session::ExtraHeaderField> echoed_header(
    const wire::MessageView& message);

/// The body as encoded fields: values as they came, sorted by tag, the entries of a group behind
/// its counter in the order of `layout`.
[[nodiscard]] std::string echoed_body(const wire::MessageView& message, const GroupLayout& layout);

}  // namespace affix::conformance_echo
