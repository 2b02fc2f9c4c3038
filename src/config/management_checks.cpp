// SPDX-License-Identifier: MIT
// The rules between the keys.
#include "config/management_checks.hpp"

#include "affix/net/address.hpp"
#include "affix/tls/tls_settings.hpp"

#include <utility>

namespace affix::inline v0::config {

namespace {

void check_token(std::string_view key, const std::string& token,
                 std::vector<ManagementFault>& faults) {
  if (const auto secret = tls::TlsSecret::parse(token); !secret) {
    faults.push_back({key, secret.error().message});
  }
}

}  // namespace

std::vector<ManagementFault> check_management(const ManagementSettings& settings) {
  std::vector<ManagementFault> faults;
  check_token("management_read_token", settings.management_read_token, faults);
  check_token("management_operate_token", settings.management_operate_token, faults);
  const bool has_tls = !settings.management_tls_certificate_file.empty();
  if (has_tls == settings.management_tls_key_file.empty()) {
    faults.push_back({has_tls ? "management_tls_certificate_file" : "management_tls_key_file",
                      "a certificate and its key are given together or not at all"});
  }
  if (!has_tls && !settings.management_tls_ca_file.empty()) {
    faults.push_back({"management_tls_ca_file", "needs management_tls_certificate_file too"});
  }
  if (has_tls && !tls::has_tls()) {
    faults.push_back({"management_tls_certificate_file", "this build has no TLS"});
  }
  for (const auto& [key, value] :
       {std::pair{"management_users_file", &settings.management_users_file},
        std::pair{"kill_switch_file", &settings.kill_switch_file}}) {
    if (!value->empty() && settings.management_server_port == 0) {
      faults.push_back({key, "needs management_server_port"});
    }
  }
  const auto address = management_address_of(settings);
  if (!address) {
    faults.push_back({"management_server_nic_ip", address.error().message});
    return faults;
  }
  const bool has_token = !settings.management_read_token.empty() ||
                         !settings.management_operate_token.empty() ||
                         !settings.management_users_file.empty();
  if (settings.management_server_port != 0 && !address->is_loopback() && !(has_tls && has_token)) {
    faults.push_back({"management_server_nic_ip",
                      "an address beyond this machine needs TLS (management_tls_certificate_file "
                      "and management_tls_key_file) and a token (management_read_token, "
                      "management_operate_token, management_users_file)"});
  }
  return faults;
}

std::expected<net::Address, base::Error> management_address_of(const ManagementSettings& settings) {
  const std::string& host = settings.management_server_nic_ip;
  const auto port = static_cast<std::uint16_t>(
      settings.management_server_port > 0 ? settings.management_server_port : 0);
  if (host.empty()) {
    return net::Address::parse("127.0.0.1:" + std::to_string(port));
  }
  const bool is_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  return net::Address::parse((is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port));
}

}  // namespace affix::inline v0::config
