// SPDX-License-Identifier: MIT
// Commands for the engine: passed on to its administration port, which decides, carries out and
// writes down.
#pragma once

#include "monitor/admin_client.hpp"
#include "monitor/request.hpp"

#include <expected>
#include <string>

namespace affix::inline v0::tools::monitor {

/// The line that a request's body means, for the port; the error is a sentence.
[[nodiscard]] std::expected<std::string, std::string> command_line_of(const std::string& body);

/// Shows the port the request's own token, gives it the command and waits for the answer.
[[nodiscard]] Answer answer_action(const Request& request, const AdminPlace& place);

}  // namespace affix::inline v0::tools::monitor
