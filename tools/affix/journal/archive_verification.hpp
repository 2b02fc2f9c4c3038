// SPDX-License-Identifier: MIT
// Checks an archive of segments, packed or not, like the journal that they come from.
#pragma once

#include "affix/base/error.hpp"
#include "affix/journal/verify.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::journal {

/// Unpacks and reads every segment in `directory`, one at a time. A file that cannot be unpacked is
/// damage. Errors: NotFound (no segment in it), Io, Denied.
[[nodiscard]] std::expected<affix::journal::Verification, base::Error> verify_archive(
    const std::string& directory);

}  // namespace affix::inline v0::tools::journal
