// SPDX-License-Identifier: MIT
// Reads the keys that hold sets of addresses.
#pragma once

#include "affix/config/configuration.hpp"
#include "affix/net/address_set.hpp"

#include "config/list_text.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace affix::inline v0::config {

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
    if (const auto set = net::AddressSet::parse(text); !set) {
      problems.push_back(fault_of_key(key, server.name, set.error()));
    }
  }
  return problems;
}

}  // namespace affix::inline v0::config
