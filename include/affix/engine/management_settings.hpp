// SPDX-License-Identifier: MIT
// The keys of the administration port. Read and checked with the rest of the [ENGINE] group; the
// port itself is opened by the program that runs the engine, with layer admin.
#pragma once

#include "affix/base/error.hpp"
#include "affix/net/address.hpp"

#include <cstdint>
#include <expected>
#include <string>

namespace affix::inline v0::engine {

struct ManagementSettings {
  std::int64_t management_server_port = 0;  ///< 0: none; -1: one that the kernel chooses.
  std::string management_server_nic_ip;     ///< Empty: 127.0.0.1.
  std::int64_t management_server_cpu_core_id = -1;
  std::string management_local_role = "READ";  ///< Of who comes over loopback without a token.
  std::string management_read_token;           ///< `file:PATH` or `env:NAME`; empty: there is none.
  std::string management_operate_token;        ///< The same.
  std::string management_users_file;           ///< People and their tokens; empty: none has a name.
  std::string kill_switch_file;  ///< Keeps what is stopped from sending; empty: a restart forgets.
  std::int64_t management_connections_max = 16;
  std::string management_tls_certificate_file;  ///< Empty: the port is plain.
  std::string management_tls_key_file;
  std::string management_tls_ca_file;  ///< Clients must have a certificate of it; empty: need none.
};

/// Where the port is to listen; port 0 when the kernel chooses, or there is none. The error says
/// what is wrong with the address.
[[nodiscard]] std::expected<net::Address, base::Error> management_address_of(
    const ManagementSettings& settings);

}  // namespace affix::inline v0::engine
