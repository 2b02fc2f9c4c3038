// SPDX-License-Identifier: MIT
// Texts inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace affix::inline v0::certify {

/// Escapes what is markup, and shows bytes that XML does not have as `?`; SOH becomes `|`.
[[nodiscard]] std::string escaped(std::string_view text);

/// Seconds with three digits after the point.
[[nodiscard]] std::string seconds_text(double seconds);

}  // namespace affix::inline v0::certify
