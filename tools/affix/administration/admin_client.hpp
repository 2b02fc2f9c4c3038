// SPDX-License-Identifier: MIT
// Client of an engine's administration port, for one command at a time.
#pragma once

#include "affix/base/error.hpp"

#include "administration/tls_channel.hpp"

#include <nlohmann/json_fwd.hpp>

#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace affix::inline v0::tools {

/// Address of the administration port.
struct AdminPlace {
  std::string address;            ///< "127.0.0.1:5042"; empty: there is none.
  std::optional<TlsContext> tls;  ///< Nullopt: the port has no TLS.
};

/// The `id` required in a line for ask_admin().
inline constexpr int admin_line_id = 2;

/// Connects, sends `token` unless it is empty, sends the command `line`, one JSON object, and waits
/// for the answer, three seconds in all. The error is the reason for a missing answer.
[[nodiscard]] std::expected<nlohmann::ordered_json, base::Error> ask_admin(const AdminPlace& place,
                                                                           std::string_view token,
                                                                           const std::string& line);

}  // namespace affix::inline v0::tools
