// SPDX-License-Identifier: MIT
// Prints entries as JSON, one object a line.
#pragma once

#include "log/printer.hpp"

#include <memory>

namespace affix::inline v0::tools::log {

/// Keys: time, session, direction, kind, sequence, type, name, fields (tag, name, value, meaning),
/// text. A value that is not UTF-8 has the key `hex`.
[[nodiscard]] std::unique_ptr<Printer> make_json_printer(const PrintOptions& options);

}  // namespace affix::inline v0::tools::log
