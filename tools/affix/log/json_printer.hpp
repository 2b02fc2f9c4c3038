// SPDX-License-Identifier: MIT
// Entries as JSON, an object a line.
#pragma once

#include "log/printer.hpp"

#include <memory>

namespace affix::inline v0::tools::log {

/// Keys: time, session, direction, kind, sequence, type, name, fields (tag, name, value, meaning),
/// text. A value that is not UTF-8 is `hex` instead.
[[nodiscard]] std::unique_ptr<Printer> make_json_printer(const PrintOptions& options);

}  // namespace affix::inline v0::tools::log
