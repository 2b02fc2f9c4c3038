// SPDX-License-Identifier: MIT
// The standard dictionaries, adapted to external testers' scripts: in two of them, a field that the
// scripts omit or move has another rule.
#pragma once

#include "affix/base/error.hpp"

#include <expected>
#include <string>

namespace affix::conformance_echo {

/// Writes to `target`, which exists, the files of directory `source` that testers interpret
/// differently: FIX40.xml, whose Email has Text (58) once and not in a group, and FIX43.xml, whose
/// Instrument does not require Symbol (55).
[[nodiscard]] std::expected<void, base::Error> write_tester_dictionaries(const std::string& source,
                                                                         const std::string& target);

/// True if `file` is one of those.
[[nodiscard]] bool is_tester_dictionary(const std::string& file) noexcept;

}  // namespace affix::conformance_echo
