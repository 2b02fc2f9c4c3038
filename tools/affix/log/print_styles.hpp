// SPDX-License-Identifier: MIT
// Makes the printer of each style. The styles for people are written here, JSON by json_printer.
#pragma once

#include "log/printer.hpp"

#include <memory>

namespace affix::inline v0::tools::log {

[[nodiscard]] std::unique_ptr<Printer> make_printer(const PrintOptions& options);

}  // namespace affix::inline v0::tools::log
