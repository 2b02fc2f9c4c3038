// SPDX-License-Identifier: MIT
// The version of these headers; the build reads it from here.
#pragma once

namespace affix::inline v0::base {

inline constexpr const char* version = "0.1.0";

}  // namespace affix::inline v0::base
