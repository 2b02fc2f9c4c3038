// SPDX-License-Identifier: MIT
// The version of these headers, which the build takes from here.
#pragma once

namespace affix::inline v0::base {

inline constexpr const char* version = "0.1.0";

}  // namespace affix::inline v0::base
