// SPDX-License-Identifier: MIT
// Header fields that are constant for a session.
#pragma once

#include "affix/session/options.hpp"
#include "affix/wire/encoder.hpp"

namespace affix::inline v0::session {

/// BeginString, CompIDs, sub and location ids, static fields, encoded once.
[[nodiscard]] wire::HeaderTemplate make_constant_header(const SessionOptions& options) noexcept;

/// Finds why the options make no such header, or None.
[[nodiscard]] OptionFault constant_header_fault(const SessionOptions& options) noexcept;

}  // namespace affix::inline v0::session
