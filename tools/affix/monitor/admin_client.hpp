// SPDX-License-Identifier: MIT
// A client of an engine's administration port, for one command at a time.
#pragma once

#include "affix/engine/management_settings.hpp"

#include "monitor/tls_channel.hpp"

#include <nlohmann/json_fwd.hpp>

#include <expected>
#include <optional>
#include <string>
#include <string_view>

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

/// The `id` that a line for ask_admin() has.
inline constexpr int admin_line_id = 2;

/// Connects, shows `token` unless it is empty, gives the command `line`, one JSON object, and waits
/// for the answer, three seconds in all. The error says why there is none.
[[nodiscard]] std::expected<nlohmann::ordered_json, std::string> ask_admin(const AdminPlace& place,
                                                                           std::string_view token,
                                                                           const std::string& line);

}  // namespace affix::inline v0::tools::monitor
