// SPDX-License-Identifier: MIT
// The standard dictionaries where testers' scripts are written by others: in two of them a field
// that the scripts leave out or put elsewhere is held to another rule.
#pragma once

#include "affix/base/error.hpp"

#include <expected>
#include <string>

namespace affix::conformance_echo {

/// Writes to `target`, which exists, the files of folder `source` that testers read differently:
/// FIX40.xml, whose Email has Text (58) once and not in a group, and FIX43.xml, whose Instrument
/// does without Symbol (55).
[[nodiscard]] std::expected<void, base::Error> write_tester_dictionaries(const std::string& source,
                                                                         const std::string& target);

/// Whether `file` is one of those.
[[nodiscard]] bool is_tester_dictionary(const std::string& file) noexcept;

}  // namespace affix::conformance_echo
