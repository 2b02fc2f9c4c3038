// SPDX-License-Identifier: MIT
// The keys of the administration port, read and checked with the rest of the [ENGINE] group. The
// program that runs the engine opens the port, with layer admin.
#pragma once

#include "affix/base/error.hpp"
#include "affix/config/choices.hpp"
#include "affix/net/address.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace affix::inline v0::config {

struct ManagementSettings {
  std::int64_t management_server_port = 0;  ///< 0: no port; -1: the kernel chooses.
  std::string management_server_nic_ip;     ///< Empty: 127.0.0.1.
  std::int64_t management_server_cpu_core_id = -1;
  LocalRole management_local_role = LocalRole::Read;  ///< Role of local clients without a token.
  std::string management_read_token;     ///< `file:PATH` or `env:NAME`; empty: no such token.
  std::string management_operate_token;  ///< Same form.
  std::string management_users_file;     ///< User names and their tokens; empty: no named users.
  std::string kill_switch_file;  ///< Stores the scopes stopped; empty: a restart forgets them.
  std::int64_t management_connections_max = 16;
  std::string management_tls_certificate_file;  ///< Empty: no TLS.
  std::string management_tls_key_file;
  std::string management_tls_ca_file;  ///< Authority of client certificates; empty: none required.
};

/// Parses the port's listening address; port 0 if the kernel chooses, or no port is wanted. The
/// error describes what is invalid in the address.
[[nodiscard]] std::expected<net::Address, base::Error> management_address_of(
    const ManagementSettings& settings);

}  // namespace affix::inline v0::config
