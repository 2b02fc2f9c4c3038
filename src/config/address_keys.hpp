// SPDX-License-Identifier: MIT
// Reads the keys that hold sets of addresses.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/net/address_set.hpp"

#include <array>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace affix::inline v0::config {

/// Set of addresses that such a key holds, or the fault in its text.
[[nodiscard]] inline std::expected<net::AddressSet, std::string> address_set_of(
    std::string_view text) {
  auto set = net::AddressSet::parse(text);
  if (!set) {
    return std::unexpected(std::move(set.error().message));
  }
  return std::move(*set);
}

/// A server's address keys with their names. Views of `server`.
[[nodiscard]] inline std::array<std::pair<std::string_view, std::string_view>, 2> address_keys_of(
    const ServerSettings& server) noexcept {
  return {{{"allowed_addresses", server.allowed_addresses},
           {"proxy_protocol_addresses", server.proxy_protocol_addresses}}};
}

/// Faults in these keys; an Engine may be opened with settings that were never in a file.
[[nodiscard]] inline Problems check_address_keys(const ServerSettings& server) {
  Problems problems;
  for (const auto& [key, text] : address_keys_of(server)) {
    if (const auto set = address_set_of(text); !set) {
      problems.push_back({base::ErrorCode::InvalidArgument,
                          "key '" + std::string(key) + "': " + set.error(), "[" + server.name + "]",
                          "C231"});
    }
  }
  return problems;
}

}  // namespace affix::inline v0::config
