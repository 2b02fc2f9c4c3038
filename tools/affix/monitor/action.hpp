// SPDX-License-Identifier: MIT
// Commands for the engine: passed on to its administration port, which decides, carries out and
// writes down.
#pragma once

#include "affix/base/error.hpp"
#include "affix/engine/management_settings.hpp"

#include "monitor/request.hpp"
#include "monitor/tls_channel.hpp"

#include <expected>
#include <optional>
#include <string>

namespace affix::inline v0::tools::monitor {

/// Where the administration port is.
struct AdminPlace {
  std::string address;            ///< "127.0.0.1:5042"; empty: there is none.
  std::optional<TlsContext> tls;  ///< Nothing: the port is plain.
};

/// Of a configuration; `address` takes the place of its own, for a port that the kernel chose. The
/// error says why there is none that can be reached.
[[nodiscard]] std::expected<AdminPlace, std::string> admin_place_of(
    const engine::ManagementSettings& settings, const std::string& address);

/// The line that a request's body means, for the port; the error is a sentence.
[[nodiscard]] std::expected<std::string, std::string> command_line_of(const std::string& body);

/// Connects, shows the request's own token, gives the command and waits for the answer, three
/// seconds in all.
[[nodiscard]] Answer answer_action(const Request& request, const AdminPlace& place);

}  // namespace affix::inline v0::tools::monitor
