// SPDX-License-Identifier: MIT
// The part of the header that no message of a session changes.
#pragma once

#include "affix/session/options.hpp"
#include "affix/wire/encoder.hpp"

namespace affix::inline v0::session {

/// BeginString, CompIDs, sub and location ids, static fields, encoded once.
[[nodiscard]] wire::HeaderTemplate make_constant_header(const SessionOptions& options) noexcept;

}  // namespace affix::inline v0::session
